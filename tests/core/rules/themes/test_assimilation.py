from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omp_core.model import Scope
from omp_core.rules.themes import (
    ThemeItem,
    assimilate,
    empty_state,
    forget,
    in_scope,
    mark,
    move,
    pin,
    rename,
    theme_scope,
)
from omp_core.rules.themes.book import NOBODY, Theme
from omp_core.rules.themes.neighbours import nearest, updated

ANA = Scope(user_id="ana")


def at_cosines(*cosines: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return rows of three dimensions: the first axis, then rows this close to it, far apart."""
    rows = [[1.0, 0.0, 0.0]]
    for number, cosine in enumerate(cosines):
        rest = np.sqrt(1 - cosine**2)
        rows.append([cosine, rest * (number % 2 == 0), rest * (number % 2 == 1)])
    return np.array(rows, np.float32)


@pytest.mark.parametrize(
    ("cosine", "themes"),
    # 0.28 is 0.62 on the common scale.
    [(0.29, 1), (0.27, 2)],
)
def test_a_record_attaches_from_the_threshold_on(
    make_world: Callable[..., Any], cosine: float, themes: int
) -> None:
    world = replace(make_world(2, dim=3), rows=at_cosines(cosine))
    state, report = assimilate(empty_state(3), world.items(), world.inputs())
    assert len(state.book.themes) == themes
    assert len(report.founded) == themes


def test_the_threshold_is_that_of_the_settings(make_world: Callable[..., Any]) -> None:
    world = replace(make_world(2, dim=3), rows=at_cosines(0.27))
    state, _report = assimilate(empty_state(3), world.items(), world.inputs(attach_from=0.5))
    assert len(state.book.themes) == 1


def test_similarity_is_calibrated_before_it_is_compared(make_world: Callable[..., Any]) -> None:
    world = replace(make_world(2, dim=3), rows=at_cosines(0.6))
    inputs = replace(world.inputs(), calibrate=lambda cosines: cosines * np.float32(0.5))
    state, _report = assimilate(empty_state(3), world.items(), inputs)
    assert len(state.book.themes) == 2


def test_themes_never_cross_users_or_projects(make_world: Callable[..., Any]) -> None:
    world = make_world(3)
    world = replace(world, rows=np.repeat(world.rows[:1], 3, axis=0))
    scopes = [ANA, Scope(user_id="bob"), Scope(user_id="ana", agent_id="codex")]
    items = [ThemeItem(i, scope) for i, scope in zip(world.ids, scopes, strict=True)]
    state, _report = assimilate(empty_state(world.dim), items, world.inputs())
    assert [theme.members for theme in state.book.themes if theme.scope == ANA] == [
        ("r000", "r002")
    ]
    assert len(state.book.themes) == 2


def test_a_full_theme_splits_along_its_topics(make_world: Callable[..., Any]) -> None:
    world = make_world(11, 2, spread=0.3)
    # Pulled towards each other so far that both topics attach to one theme.
    rows = world.rows + 0.6 * world.rows.mean(axis=0)
    world = replace(world, rows=rows / np.linalg.norm(rows, axis=1, keepdims=True))
    state, _report = assimilate(
        empty_state(world.dim), world.items(world.ids[:10]), world.inputs(merge_above=0.99)
    )
    assert [theme.size for theme in state.book.themes] == [10]
    after, report = assimilate(
        state, world.items(world.ids[10:]), world.inputs(merge_above=0.99, attach_from=0.6)
    )
    assert report.split == (state.book.themes[0].id,)
    for theme in after.book.themes:
        assert len({int(i[1:]) % 2 for i in theme.members}) == 1, "a split mixed two topics"


def test_the_bigger_part_keeps_id_and_label(make_world: Callable[..., Any]) -> None:
    world = make_world(11, 1, spread=0.5)
    before, _report = assimilate(
        empty_state(world.dim), world.items(world.ids[:10]), world.inputs()
    )
    assert len(before.book.themes) == 1
    after, report = assimilate(before, world.items(world.ids[10:]), world.inputs())
    assert report.split == (before.book.themes[0].id,)
    kept = after.theme(before.book.themes[0].id)
    assert kept.size == max(theme.size for theme in after.book.themes)
    assert not any(
        "cluster" in theme.label or "split" in theme.label for theme in after.book.themes
    )


def test_nothing_merges_while_records_come_one_by_one(
    make_world: Callable[..., Any],
) -> None:
    world = make_world(8, 1, spread=0.4)
    inputs = world.inputs()
    state = empty_state(world.dim)
    first = move(state, world.items(world.ids[:3]), None, inputs)
    both = move(first, world.items(world.ids[3:6]), None, inputs)
    free = replace(
        both,
        book=replace(both.book, themes=tuple(replace(t, pinned=False) for t in both.book.themes)),
    )
    apart, report = assimilate(free, world.items(world.ids[6:7]), inputs)
    assert len(apart.book.themes) == 2
    assert report.split == ()


def test_pinned_themes_take_in_until_they_are_full(make_world: Callable[..., Any]) -> None:
    world = make_world(12, 1, spread=0.3)
    inputs = world.inputs()
    state = move(empty_state(world.dim), world.items(world.ids[:9]), None, inputs, label="mine")
    after, _report = assimilate(state, world.items(world.ids[9:]), inputs)
    mine = after.theme(state.book.themes[0].id)
    assert mine.size == 10
    assert mine.label == "mine"
    assert mine.pinned
    assert set(after.owners) == set(world.ids)


def test_cannot_linked_records_stay_apart(make_world: Callable[..., Any]) -> None:
    world = make_world(4, 1, spread=0.2)
    inputs = world.inputs()
    state, _report = assimilate(empty_state(world.dim), world.items(world.ids[:2]), inputs)
    one, two = world.items(world.ids[:2])
    apart = mark(state, one, two, "apart", inputs)
    after, _report = assimilate(apart, world.items(), inputs)
    assert after.owners["r000"] != after.owners["r001"]


def test_a_forgotten_record_is_gone_at_once_and_the_centroid_right(
    make_world: Callable[..., Any],
) -> None:
    world = make_world(6, 1, spread=0.3)
    state = world.grown()
    theme = state.book.themes[0]
    after, left = forget(state, ["r002", "nobody"], world.inputs())
    assert left == (theme.id,)
    assert "r002" not in after.owners
    np.testing.assert_allclose(
        after.centroids[0], world.vectors(after.book.themes[0].members).mean(axis=0), atol=1e-6
    )
    gone, _left = forget(after, list(after.owners), world.inputs())
    assert gone.book.themes == ()


def test_a_record_that_comes_back_returns_to_the_theme_a_person_put_it_in(
    make_world: Callable[..., Any],
) -> None:
    world = make_world(8, 2, spread=0.2)
    inputs = world.inputs()
    state = world.grown()
    stranger, home = "r001", state.owners["r000"]
    placed = move(state, world.items([stranger]), home, inputs)
    without, _left = forget(placed, [stranger], inputs)
    back, _report = assimilate(without, world.items([stranger]), inputs)
    assert back.owners[stranger] == home


def test_a_record_whose_text_changed_moves_only_when_it_no_longer_fits(
    make_world: Callable[..., Any],
) -> None:
    world = make_world(8, 2, spread=0.2)
    state = world.grown()
    same, _report = assimilate(state, world.items(["r000"]), world.inputs())
    assert same is state
    rows = world.rows.copy()
    rows[0] = rows[1]
    changed = replace(world, rows=rows)
    after, _report = assimilate(state, changed.items(["r000"]), changed.inputs())
    assert after.owners["r000"] == state.owners["r001"]
    pinned = pin(state, state.owners["r000"], world.inputs())
    kept, _report = assimilate(pinned, changed.items(["r000"]), changed.inputs())
    assert kept.owners["r000"] == state.owners["r000"]
    theme = kept.theme(kept.owners["r000"])
    expected = changed.vectors(theme.members).mean(axis=0)
    assert np.allclose(kept.centroid(theme.id), expected, atol=1e-6)


def test_without_meaning_no_theme_forms_by_itself(make_world: Callable[..., Any]) -> None:
    world = make_world(6, 1, spread=0.2)
    inputs = world.inputs(automatic=False)
    state, report = assimilate(empty_state(world.dim), world.items(), inputs)
    assert state.book.themes == ()
    assert report.left_out == tuple(world.ids)
    manual = move(state, world.items(world.ids[:3]), None, inputs, label="by hand")
    assert manual.book.themes[0].label == "by hand"
    renamed = rename(manual, manual.book.themes[0].id, "other", inputs)
    assert renamed.book.themes[0].label == "other"


def test_a_record_without_a_vector_waits(make_world: Callable[..., Any]) -> None:
    world = make_world(3)
    world.rows[1] = 0
    state, report = assimilate(empty_state(world.dim), world.items(), world.inputs())
    assert report.waiting == ("r001",)
    assert "r001" not in state.owners


def test_theme_scope_is_user_and_app() -> None:
    scope = theme_scope(Scope("ana", "codex", "shop", "run-1"))
    assert scope == Scope(user_id="ana", app_id="shop")
    theme = Theme("t", "l", ("r",), created_at=None, updated_at=None, scope=scope)
    assert in_scope(theme, NOBODY)
    assert in_scope(theme, Scope(user_id="ana", agent_id="claude"))
    assert not in_scope(theme, Scope(user_id="bob"))
    assert not in_scope(theme, Scope(app_id="blog"))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 5))
def test_neighbours_kept_up_to_date_are_those_computed_anew(
    seed: int, count: int, changes: int
) -> None:
    source = np.random.default_rng(seed)
    size = 30

    def units() -> Any:
        rows = source.normal(size=(size, 6)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    ids = [f"t{number:02d}" for number in range(size)]
    group = source.integers(0, 2, size)
    rows = units()
    before = nearest(rows, ids, group, count)
    # Some themes move, the last ones are new, one that is named is gone.
    changed = np.zeros(size, np.bool_)
    changed[source.integers(0, size, changes)] = True
    rows[changed] = units()[changed]
    kept = np.arange(size) != source.integers(0, size)
    after_ids = [i for i, keep in zip(ids, kept, strict=True) if keep]
    lists = [names for names, keep in zip(before, kept, strict=True) if keep]
    found = updated(rows[kept], after_ids, group[kept], count, lists, changed[kept])
    now = [found.get(row, names) for row, names in enumerate(lists)]
    assert now == nearest(rows[kept], after_ids, group[kept], count)
