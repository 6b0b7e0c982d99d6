"""Settling disputes, each way one undoable act."""

from __future__ import annotations

from typing import Any

import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import InvalidValueError, NotFoundError
from omp_core.model import Query, Scope, Status

ANA = Scope(user_id="ana")


def disputed(open_memory: Open, *values: str) -> Any:
    """Return a memory and a record whose content several agents wrote at once."""
    memory = open_memory()
    made = memory.add("theme: light", scope=ANA)
    memory.update(made.id, {"content": "theme: dark"}, based_on=1)
    for number, value in enumerate(values):
        open_memory(f"agent:{number}").update(made.id, {"content": value}, based_on=1)
    return memory, made.id


@pytest.mark.parametrize(
    ("resolution", "value", "content"),
    [
        ("current", None, "theme: dark"),
        ("incoming", None, "theme: auto"),
        ("value", "theme: sepia", "theme: sepia"),
        ("both", None, "theme: dark"),
        ("later", None, "theme: dark"),
    ],
)
def test_each_resolution_is_one_act_that_undo_takes_back(
    open_memory: Open, resolution: Any, value: str, content: str
) -> None:
    memory, record_id = disputed(open_memory, "theme: auto")
    (waiting,) = memory.disputes()
    before = memory.get(record_id)
    receipt = memory.resolve(record_id, waiting.dispute.id, resolution, value)
    after = memory.get(record_id)
    assert after.content == content
    assert memory.disputes() == ()
    assert len(memory.disputes(set_aside=True)) == (resolution == "later")
    assert receipt.note
    contents = {record.content for record in memory.list(Query()).records}
    assert ("theme: auto" in contents) == (resolution in ("both", "incoming"))
    memory.undo()
    restored = memory.get(record_id)
    assert (restored.content, restored.disputes) == (before.content, before.disputes)
    assert memory.list(Query()).total == 1
    memory.redo()
    assert memory.get(record_id).content == content
    assert memory.disputes() == ()


def test_disputes_on_one_field_stand_together_and_are_settled_one_by_one(open_memory: Open) -> None:
    memory, record_id = disputed(open_memory, "theme: auto", "theme: sepia")
    waiting = memory.disputes()
    assert [one.repeats for one in waiting] == [2, 2]
    memory.resolve(record_id, waiting[0].dispute.id, "incoming")
    (left,) = memory.disputes()
    assert left.dispute.id == waiting[1].dispute.id
    with pytest.raises(NotFoundError, match="no open dispute"):
        memory.resolve(record_id, waiting[0].dispute.id, "current")


def test_the_queue_goes_by_confidence_and_recency(open_memory: Open, clock: Clock) -> None:
    memory = open_memory()
    other = open_memory("agent:x")
    ids = []
    for number in range(3):
        made = memory.add(f"theme {number}: light", force=True)
        memory.update(made.id, {"content": f"theme {number}: dark"}, based_on=1)
        other.update(made.id, {"content": f"theme {number}: auto"}, based_on=1)
        ids.append(made.id)
        clock.forward(days=3)
    assert [one.record.id for one in memory.disputes()] == list(reversed(ids))


def test_a_contradiction_is_settled_for_one_side_and_the_other_is_superseded(
    open_memory: Open,
) -> None:
    memory = open_memory()
    first = memory.add("The service listens on port 8080", scope=ANA)
    second = memory.add("The service listens on port 9090", scope=ANA)
    (waiting,) = memory.disputes()
    memory.resolve(first.id, waiting.dispute.id, "current")
    assert memory.get(first.id).content == "The service listens on port 8080"
    gone = memory.get(second.id)
    assert (gone.status, gone.superseded_by) == (Status.SUPERSEDED, first.id)
    memory.undo()
    assert memory.get(second.id).status is Status.ACTIVE
    assert len(memory.disputes()) == 1


def test_a_third_value_must_fit_the_field(open_memory: Open) -> None:
    memory, record_id = disputed(open_memory, "theme: auto")
    (waiting,) = memory.disputes()
    with pytest.raises(InvalidValueError):
        memory.resolve(record_id, waiting.dispute.id, "value")


@pytest.mark.parametrize("value", ["", "a\x1b[2Jb", "x" * 1_000_000])
def test_a_third_value_must_be_a_memory(open_memory: Open, value: str) -> None:
    memory, record_id = disputed(open_memory, "theme: auto")
    (waiting,) = memory.disputes()
    with pytest.raises(InvalidValueError, match="content"):
        memory.resolve(record_id, waiting.dispute.id, "value", value)
    assert memory.get(record_id).content == "theme: dark"


def test_an_incoming_side_that_clears_a_field_can_be_taken(open_memory: Open) -> None:
    memory, other = open_memory(), open_memory("agent:x")
    made = memory.add("theme: light", ttl_seconds=60)
    memory.update(made.id, {"expires_at": "2030-01-01T00:00:00Z"})
    other.update(made.id, {"expires_at": None}, based_on=1)
    (waiting,) = memory.disputes()
    memory.resolve(made.id, waiting.dispute.id, "incoming")
    assert memory.get(made.id).expires_at is None
    memory.undo()
    assert memory.get(made.id).expires_at is not None


def test_keeping_both_gives_the_second_record_the_other_value(open_memory: Open) -> None:
    memory, other = open_memory(), open_memory("agent:x")
    made = memory.add("theme: light")
    memory.update(made.id, {"importance": "high"})
    other.update(made.id, {"importance": "low"}, based_on=1)
    (waiting,) = memory.disputes()
    memory.resolve(made.id, waiting.dispute.id, "both")
    held = {one.id == made.id: str(one.importance) for one in memory.list(Query()).records}
    assert held == {True: "high", False: "low"}


def test_further_writes_leave_a_dispute_open(open_memory: Open) -> None:
    memory, record_id = disputed(open_memory, "theme: auto")
    memory.update(record_id, {"content": "theme: black"})
    memory.update(record_id, {"importance": "high"})
    (waiting,) = memory.disputes()
    assert waiting.dispute.incoming == "theme: auto"
    memory.resolve(record_id, waiting.dispute.id, "current")
    assert memory.get(record_id).content == "theme: black"
