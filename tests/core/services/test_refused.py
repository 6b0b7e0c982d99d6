"""What `add` refuses as a duplicate is kept for review."""

from __future__ import annotations

from core.services.conftest import Clock

from omp_core.memory import Memory

KNOWN = "Integration tests need a running database"
SAID = "The integration tests need a database that is running"


def test_a_refused_text_can_be_stored_after_all(memory: Memory) -> None:
    held = memory.add(KNOWN)
    receipt = memory.add(SAID, tags=["tests"])
    assert receipt.outcome == "duplicate"
    (refused,) = memory.refused.list()
    assert refused.record.content == SAID
    assert refused.record.tags == {"tests"}
    assert (refused.duplicate_id, refused.actor) == (held.id, "user")
    assert memory.add_record(refused.record, force=True).outcome == "created"
    assert memory.refused.list() == ()


def test_a_text_refused_again_is_listed_once(memory: Memory) -> None:
    memory.add(KNOWN)
    for _again in range(3):
        memory.add(SAID)
    assert [one.record.content for one in memory.refused.list()] == [SAID]


def test_a_refusal_is_nothing_to_undo(memory: Memory) -> None:
    held = memory.add(KNOWN)
    memory.add(SAID)
    memory.undo()
    assert held.id not in [one.id for one in memory.list().records]


def test_refused_texts_are_offered_for_thirty_days(memory: Memory, clock: Clock) -> None:
    memory.add(KNOWN)
    memory.add(SAID)
    clock.forward(days=29)
    assert len(memory.refused.list()) == 1
    clock.forward(days=2)
    assert memory.refused.list() == ()
