"""Undo and redo, many steps, through the write rule."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from core.services.conftest import Open
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omp_core.errors import NotFoundError, UsageError
from omp_core.memory import Memory
from omp_core.model import Query, Tier
from omp_core.record_json import to_json


def visible_state(memory: Memory) -> list[dict[str, Any]]:
    """What a person sees: every field but versions, times and counters."""
    hidden = {"version", "stamps", "updated_at", "last_accessed", "access_count"}
    return [
        {name: value for name, value in to_json(record).items() if name not in hidden}
        for record in sorted(memory.export(), key=lambda one: one.id)
    ]


def test_undo_has_many_steps_and_redo_brings_them_back(memory: Memory) -> None:
    made = memory.add("Uses uv")
    memory.update(made.id, {"content": "Uses uv, not pip"})
    memory.set_tier([made.id], Tier.IMPORTANT)
    memory.delete([made.id])
    states = []
    for _step in range(4):
        memory.undo()
        states.append(visible_state(memory))
    assert [len(state) for state in states] == [1, 1, 1, 0]
    assert states[0][0]["tier"] == "important"
    assert states[1][0]["tier"] == "short-term"
    assert states[2][0]["content"] == "Uses uv"
    with pytest.raises(NotFoundError):
        memory.undo()
    for _step in range(4):
        memory.redo()
    assert visible_state(memory) == []
    with pytest.raises(NotFoundError):
        memory.redo()
    memory.undo()
    assert visible_state(memory) == states[0]


def test_a_new_act_ends_what_can_be_redone(memory: Memory) -> None:
    made = memory.add("Uses uv")
    memory.update(made.id, {"content": "Uses uv, not pip"})
    memory.undo()
    memory.update(made.id, {"importance": "high"})
    with pytest.raises(NotFoundError):
        memory.redo()


def test_an_act_is_undone_once(memory: Memory) -> None:
    made = memory.add("Uses uv")
    memory.undo(made.act_id)
    with pytest.raises(UsageError, match="undone already"):
        memory.undo(made.act_id)


def test_an_undo_and_a_redo_are_undone_by_name_like_any_act(memory: Memory) -> None:
    made = memory.add("Uses uv")
    undone = memory.undo(made.act_id)
    memory.undo(undone.act_id)
    assert memory.get(made.id).content == "Uses uv"
    memory.undo(made.act_id)
    redone = memory.redo()
    memory.undo(redone.act_id)
    assert visible_state(memory) == []
    memory.redo()
    assert memory.get(made.id).content == "Uses uv"
    memory.undo()
    assert visible_state(memory) == []


def test_two_undos_at_once_take_back_two_acts(open_memory: Open) -> None:
    first, second = open_memory(), open_memory()
    for number in range(10):
        made = first.add(f"fact number {number}", force=True)
        first.update(made.id, {"importance": "high"})
        with ThreadPoolExecutor(2) as pool:
            notes = {one.result().note for one in [pool.submit(m.undo) for m in (first, second)]}
        assert len(notes) == 2
        assert visible_state(first) == []


def test_tags_are_put_back_beside_those_of_others(open_memory: Open) -> None:
    ana, codex = open_memory("user"), open_memory("agent:codex")
    made = ana.add("theme: light", tags=["ui", "old"])
    changed = ana.update(made.id, {"tags": ["ui", "mine"]})
    codex.update(made.id, {"tags": ["ui", "mine", "theirs"]})
    ana.undo(changed.act_id)
    assert ana.get(made.id).tags == {"ui", "old", "theirs"}


def test_an_undo_spares_what_somebody_else_wrote_under_a_deleted_id(open_memory: Open) -> None:
    ana, codex = open_memory("user"), open_memory("agent:codex")
    ana.add("theme: light", id="theme")
    ana.delete(["theme"])
    codex.add("theme: dark", id="theme")
    ana.undo()
    ana.undo()
    assert ana.get("theme").content == "theme: dark"


def test_undo_never_overwrites_what_somebody_else_wrote_since(open_memory: Open) -> None:
    ana, codex = open_memory("user"), open_memory("agent:codex")
    made = ana.add("theme: light")
    changed = ana.update(made.id, {"content": "theme: dark"})
    codex.update(made.id, {"content": "theme: auto"})
    receipt = ana.undo(changed.act_id)
    held = ana.get(made.id)
    assert receipt.outcome == "disputed"
    assert held.content == "theme: auto"
    assert held.disputes[0].incoming == "theme: light"


def test_undo_of_an_add_leaves_a_record_that_somebody_else_changed(open_memory: Open) -> None:
    ana, codex = open_memory("user"), open_memory("agent:codex")
    made = ana.add("theme: light")
    codex.update(made.id, {"content": "theme: auto"})
    receipt = ana.undo(made.act_id)
    assert receipt.outcome == "unchanged"
    assert ana.get(made.id).content == "theme: auto"


def test_an_actor_undoes_its_own_acts(open_memory: Open) -> None:
    ana, codex = open_memory("user"), open_memory("agent:codex")
    ana.add("theme: light")
    made = codex.add("uses pnpm")
    ana.undo()
    assert [record.id for record in ana.list(Query()).records] == [made.id]


steps = st.lists(
    st.tuples(
        st.sampled_from(["add", "content", "tags", "tier", "metadata", "delete", "undo", "redo"]),
        st.integers(0, 5),
    ),
    max_size=14,
)


@given(steps)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_undoing_every_act_restores_the_state_before_it(
    tmp_path_factory: pytest.TempPathFactory, acts: Any
) -> None:
    path = tmp_path_factory.mktemp("undo")
    with Memory.open(
        workspace=path, store=path / "s.db", load_embedder=lambda _settings: None
    ) as memory:
        states = []
        for number, (step, pick) in enumerate(acts):
            before = visible_state(memory)
            if perform(memory, step, pick, number):
                states.append(before)
        for state in reversed(states):
            memory.undo()
            assert visible_state(memory) == state


def perform(memory: Memory, step: str, pick: int, number: int) -> bool:
    """Do one step; tell whether it is one more act to undo."""
    held = memory.list(Query(), "created").records
    if step == "add":
        memory.add(f"fact number {number}")
        return True
    if step in ("undo", "redo") or not held:
        return False
    target = held[pick % len(held)].id
    changes: dict[str, dict[str, Any]] = {
        "content": {"content": f"text {number}"},
        "tags": {"tags": [f"tag{number}"]},
        "tier": {"tier": "important" if pick % 2 else "working"},
        "metadata": {f"metadata.key{pick}": number},
    }
    if step == "delete":
        memory.delete([target])
        return True
    return memory.update(target, changes[step]).act_id is not None
