"""The journal looked through: pages, filters, what an act changed, and undo down to an act."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from core.services.conftest import Clock, Open
from core.services.test_undo import perform, visible_state
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omp_core.errors import NotFoundError
from omp_core.memory import Memory
from omp_core.model import Act, Query, SearchLog, Tier
from omp_core.views import ActivityQuery

EVERYTHING = ActivityQuery()


def all_keys(memory: Memory, query: ActivityQuery = EVERYTHING, limit: int = 3) -> list[str]:
    keys: list[str] = []
    before = None
    while page := memory.journal.page(query, limit=limit, before=before):
        keys += [line.key for line in page]
        before = page[-1].key
    return keys


@pytest.fixture
def told(open_memory: Open, clock: Clock) -> Any:
    """Two people's acts and searches, some of them at one moment."""
    ana, codex = open_memory("user"), open_memory("agent:codex")
    for number in range(7):
        ana.add(f"fact number {number} about ports", force=True)
        if number % 2:
            codex.search(f"ports {number}")
            codex.search("nothing like it zzz")
        if number % 3 == 0:
            clock.forward(hours=1)
    return ana, codex


def test_pages_put_together_are_the_whole_journal_once(told: Any) -> None:
    ana, _codex = told
    whole = [line.key for line in ana.journal.page(limit=100)]
    assert len(whole) == len(set(whole)) == ana.journal.count() == 7 + 6
    for limit in (1, 2, 3, 5):
        assert all_keys(ana, limit=limit) == whole
    moments = [line.what.at for line in ana.journal.page(limit=100)]
    assert moments == sorted(moments, reverse=True)


def test_a_filter_lets_through_what_it_says(told: Any, clock: Clock) -> None:
    ana, _codex = told
    assert ana.journal.actors() == ("agent:codex", "user")
    whole = ana.journal.page(limit=100)
    cases: dict[ActivityQuery, Callable[[Any], bool]] = {
        ActivityQuery(actors=frozenset({"agent:codex"})): lambda w: w.actor == "agent:codex",
        ActivityQuery(kinds=frozenset({"add"})): lambda w: isinstance(w, Act),
        ActivityQuery(kinds=frozenset({"miss"})): lambda w: isinstance(w, SearchLog) and not w.hit,
        ActivityQuery(kinds=frozenset({"hit", "miss"})): lambda w: isinstance(w, SearchLog),
        ActivityQuery(since=clock()): lambda w: w.at >= clock(),
    }
    for query, passes in cases.items():
        wanted = [line.key for line in whole if passes(line.what)]
        assert all_keys(ana, query) == wanted
        assert ana.journal.count(query) == len(wanted)


def test_what_is_about_a_record_is_its_acts_and_the_searches_that_found_it(memory: Memory) -> None:
    made = memory.add("The API listens on port 8080")
    memory.add("Prefers tabs")
    memory.update(made.id, {"importance": "high"})
    memory.search("port 8080")
    found = memory.journal.page(ActivityQuery(record_id=made.id))
    assert [getattr(line.what, "kind", "search") for line in found] == ["update", "add", "search"]


def test_moves_by_the_rules_are_counted_at_their_act_and_come_last_in_its_changes(
    memory: Memory,
) -> None:
    capacity = memory.settings.tiers.working_capacity
    for number in range(capacity):
        memory.add(f"working fact {number}", tier=Tier.WORKING, force=True)
    made = memory.add("one more", tier=Tier.WORKING, force=True)
    line = memory.journal.page(limit=1)[0]
    assert isinstance(line.what, Act)
    assert line.what.id == made.act_id
    assert line.moved == 1
    own, moved = memory.journal.changes(line.what)
    assert (own.did, own.text, own.by_rules) == ("created", "one more", False)
    assert (moved.did, moved.text, moved.by_rules) == ("changed", "working fact 0", True)
    assert [(one.field, one.before, one.after) for one in moved.fields] == [
        ("tier", "working", "short-term")
    ]


def test_a_change_tells_both_sides_of_each_field(memory: Memory) -> None:
    made = memory.add("theme: light", tags=["ui"])
    done = memory.update(made.id, {"content": "theme: dark", "tags": ["ui", "night"]})
    acts = [line.what for line in memory.journal.page() if isinstance(line.what, Act)]
    act = next(act for act in acts if act.id == done.act_id)
    (change,) = memory.journal.changes(act)
    told = {one.field: (one.before, one.after) for one in change.fields}
    assert told == {
        "content": ("theme: light", "theme: dark"),
        "tags": (["ui"], ["night", "ui"]),
    }


def test_undo_to_takes_back_everything_since_as_one_act(open_memory: Open, clock: Clock) -> None:
    ana, codex = open_memory("user"), open_memory("agent:codex")
    first = ana.add("theme: light")
    before = visible_state(ana)
    clock.forward(minutes=1)
    second = ana.add("uses pnpm")
    codex.update(second.id, {"content": "uses npm"})
    ana.update(first.id, {"importance": "high"})
    gone = ana.delete([first.id])
    ana.undo(gone.act_id)
    after = visible_state(ana)

    plan = ana.undo_to(second.act_id, dry_run=True)
    assert [act.kind for act in plan.acts] == ["update", "update", "add"]
    assert plan.receipt is None
    assert visible_state(ana) == after

    done = ana.undo_to(second.act_id)
    assert visible_state(ana) == before
    assert done.receipt.outcome == "updated"
    assert "took back 3 acts" in done.receipt.note
    newest = ana.journal.page(limit=1)[0].what
    assert isinstance(newest, Act)
    assert newest.id == done.receipt.act_id

    ana.undo()
    assert visible_state(ana) == after
    ana.redo()
    assert visible_state(ana) == before
    ana.undo()
    assert visible_state(ana) == after
    assert ana.undoable().kind == "update"
    ana.redo()
    assert visible_state(ana) == before


steps = st.lists(
    st.tuples(
        st.sampled_from(["add", "content", "tags", "tier", "delete", "undo", "redo", "to"]),
        st.integers(0, 5),
    ),
    max_size=12,
)


@given(steps, st.integers(0, 11))
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_undo_to_gets_back_the_state_before_any_act(
    tmp_path_factory: pytest.TempPathFactory, acts: Any, back: Any
) -> None:
    path = tmp_path_factory.mktemp("undo")
    with Memory.open(
        workspace=path, store=path / "s.db", load_embedder=lambda _settings: None
    ) as memory:
        states = {}
        for number, (step, pick) in enumerate(acts):
            before, newest = visible_state(memory), memory.acts(limit=1)
            if step in ("undo", "redo"):
                with contextlib.suppress(NotFoundError):
                    getattr(memory, step)()
            elif step == "to" and newest:
                held = memory.acts(limit=100)
                memory.undo_to(held[pick % len(held)].id)
            elif step != "to":
                perform(memory, step, pick, number)
            made = memory.acts(limit=1)
            if made and made != newest and made[0].id not in states:
                states[made[0].id] = before
        if states:
            act = list(states)[back % len(states)]
            memory.undo_to(act)
            assert visible_state(memory) == states[act]
            last = visible_state(memory)
            memory.undo_to(act)
            assert visible_state(memory) == states[act] == last


def test_undo_to_brings_back_what_was_undone_since(memory: Memory) -> None:
    first = memory.add("theme: light")
    second = memory.add("uses pnpm")
    state = visible_state(memory)
    memory.undo(first.act_id)
    third = memory.add("prefers tabs")
    undone = memory.acts(limit=2)[1]
    plan = memory.undo_to(undone.id)
    assert [(act.id, act.undone_by is None) for act in plan.acts] == [
        (third.act_id, True),
        (first.act_id, False),
    ]
    assert visible_state(memory) == state
    assert {one.id for one in memory.list(Query()).records} == {first.id, second.id}
    assert third.id not in {one.id for one in memory.list(Query()).records}


def test_undo_to_spares_what_came_after_the_plan(memory: Memory) -> None:
    first = memory.add("theme: light")
    newest = memory.add("uses pnpm").act_id
    later = memory.add("prefers tabs")
    memory.undo_to(first.act_id, newest=newest)
    assert [one.id for one in memory.list(Query()).records] == [later.id]


def test_undo_to_an_unknown_act_says_so(memory: Memory) -> None:
    memory.add("theme: light")
    with pytest.raises(NotFoundError):
        memory.undo_to("nowhere")


def test_undo_to_ends_where_somebody_else_was_faster(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = memory.add("theme: light")
    second = memory.add("uses pnpm")
    plan = memory.undo_to(first.act_id, dry_run=True)
    memory.undo(second.act_id)
    monkeypatch.setattr("omp_core.services.undo.plan_down_to", lambda *_given: plan)
    done = memory.undo_to(first.act_id)
    assert "undone already" in done.receipt.note
    assert len(memory.list(Query()).records) == 1
