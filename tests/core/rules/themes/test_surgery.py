from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from omp_core.errors import InvalidValueError, NotFoundError, UsageError
from omp_core.model import Scope
from omp_core.rules.themes import (
    ThemeItem,
    assimilate,
    book_health,
    dissolve,
    empty_state,
    mark,
    member_map,
    merge,
    move,
    pin,
    preview,
    propose_parts,
    rebuild,
    rename,
    repaired,
    split,
    suggest_split,
    suggestions,
    unpin,
)
from omp_core.rules.themes.book import ThemeBook


@pytest.fixture
def world(make_world: Callable[..., Any]) -> Any:
    return make_world(30, 5, spread=0.6)


def test_a_split_is_previewed_pinned_and_kept_apart(world: Any) -> None:
    inputs = world.inputs(split_above=20)
    state = move(empty_state(world.dim), world.items(world.ids[:12]), None, inputs)
    theme = state.book.themes[0]
    mixed = [r for r in theme.members if int(r[1:]) % 5 < 2]
    after = split(state, theme.id, [mixed], inputs)
    shown = preview(state, after, inputs)
    assert [f.theme.size for f in shown.before] == [12]
    assert sorted(f.theme.size for f in shown.after) == sorted([len(mixed), 12 - len(mixed)])
    assert [f.new for f in shown.after].count(True) == 1
    assert all(f.theme.pinned for f in shown.after)
    assert all(f.cohesion > shown.before[0].cohesion for f in shown.after)
    assert len(shown.cannot_link) == len(mixed) * (12 - len(mixed))
    assert after.theme(theme.id).size == max(f.theme.size for f in shown.after)
    rebuilt, _report = rebuild(after, world.items(world.ids[:12]), inputs)
    assert {t.members for t in rebuilt.book.themes} == {t.members for t in after.book.themes}


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([["r000", "r000x"]], "not a member"),
        ([["r000"], ["r000", "r001"]], "two of the groups"),
        ([[f"r{n:03d}" for n in range(12)]], "one piece"),
        ([], "one piece"),
    ],
)
def test_a_split_that_cannot_be_says_why(world: Any, groups: Any, reason: str) -> None:
    state = move(empty_state(world.dim), world.items(world.ids[:12]), None, world.inputs())
    with pytest.raises(InvalidValueError, match=reason):
        split(state, state.book.themes[0].id, groups, world.inputs())


def test_a_merge_goes_over_the_cap_and_stays(world: Any) -> None:
    inputs = world.inputs()
    state = world.grown()
    ids = [theme.id for theme in state.book.themes][:3]
    biggest = max(state.book.themes[:3], key=lambda t: (t.size, -state.rows[t.id]))
    after = merge(state, ids, inputs)
    union = after.theme(biggest.id)
    assert union.size == sum(theme.size for theme in state.book.themes[:3]) > 10
    assert union.pinned
    rebuilt, _report = rebuild(after, world.items(), inputs)
    assert set(rebuilt.theme(biggest.id).members) >= set(union.members)
    grown, _run = assimilate(after, world.items(), inputs)
    assert grown.theme(biggest.id).members == union.members


def test_a_merge_keeps_the_name_a_person_gave(world: Any) -> None:
    state = world.grown()
    small = min(state.book.themes, key=lambda t: t.size)
    other = next(t for t in state.book.themes if t.id != small.id)
    named = rename(state, small.id, "Billing", world.inputs())
    after = merge(named, [other.id, small.id], world.inputs())
    assert [t.label for t in after.book.themes if t.label_by_human] == ["Billing"]


def test_merge_needs_two_themes_of_one_scope(world: Any) -> None:
    state = world.grown()
    first = state.book.themes[0].id
    with pytest.raises(InvalidValueError, match="two different"):
        merge(state, [first, first], world.inputs())
    with pytest.raises(NotFoundError, match="no theme 'th-x'"):
        merge(state, [first, "th-x"], world.inputs())
    foreign = move(state, [ThemeItem("alien", Scope(user_id="bob"))], None, world.inputs())
    with pytest.raises(InvalidValueError, match="different users"):
        merge(foreign, [first, foreign.owners["alien"]], world.inputs())
    with pytest.raises(InvalidValueError, match="different users"):
        move(foreign, world.items(["r001"]), foreign.owners["alien"], world.inputs())


def test_a_moved_record_does_not_go_back_by_itself(world: Any) -> None:
    inputs = world.inputs()
    state = world.grown()
    source, target = state.owners["r000"], state.owners["r001"]
    after = move(state, world.items(["r000"]), target, inputs)
    assert after.owners["r000"] == target
    assert after.theme(target).pinned
    rebuilt, report = rebuild(after, world.items(), inputs)
    assert rebuilt.owners["r000"] == target
    assert "r000" not in {one.record for one in report.moved}
    free = unpin(rebuilt, target, inputs)
    assert not any("r000" in pair for pair in free.book.cannot_link)
    again, _report = rebuild(free, world.items(), inputs)
    assert again.owners["r000"] == source


def test_rename_pins_and_none_gives_the_name_back(world: Any) -> None:
    state = world.grown()
    theme = state.book.themes[0]
    named = rename(state, theme.id, "  My \n label ", world.inputs())
    assert named.theme(theme.id).label == "My label"
    assert named.theme(theme.id).pinned
    grown, _report = rebuild(named, world.items(), world.inputs())
    assert grown.theme(theme.id).label == "My label"
    back = rename(named, theme.id, None, world.inputs())
    assert back.theme(theme.id).label == theme.label
    for bad in ("", "   ", "x" * 121):
        with pytest.raises(InvalidValueError, match="label"):
            rename(state, theme.id, bad, world.inputs())


def test_releasing_a_pin_hands_the_theme_back_at_once(world: Any) -> None:
    inputs = world.inputs()
    state = move(empty_state(world.dim), world.items(world.ids[:15]), None, inputs)
    theme = state.book.themes[0]
    assert theme.size == 15
    after = unpin(state, theme.id, inputs)
    assert max(t.size for t in after.book.themes) <= 10
    assert preview(state, after, inputs).before[0].theme.id == theme.id


def test_dissolved_members_find_other_homes_and_do_not_regroup(world: Any) -> None:
    inputs = world.inputs()
    state = move(world.grown(), world.items(["r000", "r001", "r002"]), None, inputs)
    hand_made = state.owners["r000"]
    after = dissolve(state, hand_made, inputs)
    assert hand_made not in after.rows
    assert set(after.owners) == set(state.owners)
    assert len({after.owners[r] for r in ("r000", "r001", "r002")}) == 3
    rebuilt, _report = rebuild(after, world.items(), inputs)
    assert len({rebuilt.owners[r] for r in ("r000", "r001", "r002")}) == 3


def test_marks_bring_together_and_set_apart(world: Any) -> None:
    inputs = world.inputs()
    state = world.grown()
    one, two = world.items(["r000", "r001"])
    together = mark(state, one, two, "together", inputs)
    assert together.owners["r000"] == together.owners["r001"]
    rebuilt, _report = rebuild(together, world.items(), inputs)
    assert rebuilt.owners["r000"] == rebuilt.owners["r001"]
    apart = mark(together, one, two, "apart", inputs)
    assert apart.owners["r000"] != apart.owners["r001"]
    assert apart.book.must_link == frozenset()
    released = mark(apart, one, two, None, inputs)
    assert ("r000", "r001") not in released.book.cannot_link
    with pytest.raises(InvalidValueError, match="itself"):
        mark(state, one, one, "apart", inputs)


def test_proposed_parts_follow_the_topics(world: Any) -> None:
    inputs = world.inputs()
    members = [r for r in world.ids if int(r[1:]) % 5 in (1, 3)]
    state = move(empty_state(world.dim), world.items(members), None, inputs)
    parts = propose_parts(state, state.book.themes[0].id, 2, inputs)
    assert {frozenset(int(r[1:]) % 5 for r in group) for group in parts.groups} == {
        frozenset({1}),
        frozenset({3}),
    }


def test_the_suggested_number_of_parts_comes_with_its_reason(world: Any) -> None:
    inputs = world.inputs()
    members = [r for r in world.ids if int(r[1:]) % 5 in (0, 2, 4)]
    state = move(empty_state(world.dim), world.items(members), None, inputs)
    suggested = suggest_split(state, state.book.themes[0].id, inputs)
    assert suggested.count == 3
    assert suggested.best is not None
    assert min(suggested.best.cohesions) > suggested.cohesion
    assert "silhouette" in suggested.reason
    single = move(empty_state(world.dim), world.items(world.ids[::5]), None, inputs)
    whole = suggest_split(single, single.book.themes[0].id, inputs)
    assert whole.count == 1
    assert whole.best is None


def test_health_shows_orphans_oversize_and_near_mergers(make_world: Callable[..., Any]) -> None:
    world = make_world(24, 2, spread=0.5)
    inputs = world.inputs()
    even, odd = world.ids[::2], world.ids[1::2]
    state = move(empty_state(world.dim), world.items(even[:6]), None, inputs)
    state = move(state, world.items(even[6:11]), None, inputs)
    state = move(state, world.items(odd[:11]), None, inputs)
    state = move(state, world.items(odd[11:]), None, inputs)
    health = book_health(state, inputs)
    assert health.records == 23
    assert health.orphans == (odd[11],)
    assert health.oversize == (state.owners[odd[0]],)
    assert {frozenset((n.first, n.second)) for n in health.near_mergers} == {
        frozenset((state.owners[even[0]], state.owners[even[6]])),
        frozenset((state.owners[odd[0]], state.owners[odd[11]])),
    }
    assert all("pinned" in near.reason for near in health.near_mergers)
    figures = {figure.id: figure for figure in health.themes}
    theme = figures[state.owners[even[0]]]
    assert theme.nearest == state.owners[even[6]]
    assert theme.separation == pytest.approx(1 - theme.nearest_similarity)
    kinds = [s.kind for s in suggestions(state, inputs)]
    assert kinds.count("merge") == 2


def test_a_misplaced_record_is_suggested_to_move(make_world: Callable[..., Any]) -> None:
    world = make_world(16, 2, spread=0.3)
    inputs = world.inputs()
    even, odd = world.ids[::2], world.ids[1::2]
    state = move(empty_state(world.dim), world.items([*even[:6], odd[0]]), None, inputs)
    state = move(state, world.items(odd[1:]), None, inputs)
    found = [s for s in suggestions(state, inputs) if s.kind == "move"]
    assert [s.records for s in found] == [(odd[0],)]
    assert found[0].themes == (state.owners[even[0]], state.owners[odd[1]])


def test_rebuild_reports_what_moved_and_keeps_ids(world: Any) -> None:
    inputs = world.inputs()
    state = world.grown()
    scrambled = state
    for record in ("r000", "r006"):
        scrambled = move(scrambled, world.items([record]), scrambled.owners["r002"], inputs)
    scrambled = unpin(scrambled, scrambled.owners["r002"], inputs)
    after, report = rebuild(scrambled, world.items(), inputs)
    assert {one.record for one in report.moved} >= {"r000", "r006"}
    assert set(report.kept) | set(report.created) == set(after.rows)
    assert not set(report.removed) & set(after.rows)
    again, second = rebuild(after, world.items(), inputs)
    assert second.moved == ()
    assert again.book == after.book


def test_rebuild_drops_records_that_are_gone_and_their_marks(world: Any) -> None:
    inputs = world.inputs()
    one, two = world.items(["r000", "r001"])
    state = mark(world.grown(), one, two, "apart", inputs)
    after, report = rebuild(state, world.items(world.ids[1:]), inputs)
    assert report.dropped == ("r000",)
    assert "r000" not in after.owners
    assert after.book.cannot_link == frozenset()


def test_rebuild_refuses_vectors_without_meaning(world: Any) -> None:
    with pytest.raises(UsageError, match="near-duplicates only"):
        rebuild(world.grown(), world.items(), world.inputs(automatic=False))


def test_a_broken_book_is_put_right_and_says_what_was_wrong(world: Any) -> None:
    state = world.grown()
    first, second, *rest = state.book.themes
    double = replace(second, members=(*second.members, first.members[0]), pinned=True)
    same_id = replace(rest[0], id=first.id, members=("r900",))
    hollow = replace(rest[0], id="th-empty", members=())
    book, repairs = repaired(ThemeBook((first, double, same_id, hollow)))
    assert len(repairs) == 3
    owners = [m for theme in book.themes for m in theme.members]
    assert len(owners) == len(set(owners))
    assert first.members[0] in next(t for t in book.themes if t.id == second.id).members
    assert repaired(book) == (book, ())
    assert repaired(state.book) == (state.book, ())


def test_member_map_puts_topics_apart_and_is_stable(make_world: Callable[..., Any]) -> None:
    world = make_world(20, 2, spread=0.3)
    plane = member_map(world.rows)
    assert plane.shape == (20, 2)
    assert abs(plane[::2, 0].mean() - plane[1::2, 0].mean()) > 3 * plane[::2, 0].std()
    np.testing.assert_allclose(plane, member_map(world.rows.copy()))
    assert member_map(world.rows[:1]).tolist() == [[0.0, 0.0]]
    assert member_map(world.rows[:0]).shape == (0, 2)


def test_pin_twice_changes_nothing(world: Any) -> None:
    state = world.grown()
    once = pin(state, state.book.themes[0].id, world.inputs())
    assert pin(once, state.book.themes[0].id, world.inputs()) is once
