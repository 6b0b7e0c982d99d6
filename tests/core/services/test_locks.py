"""Locked records: a person sets and lifts the lock; no agent and no rule changes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from core.services.conftest import Clock

from omp_core.errors import LockedError
from omp_core.memory import Memory
from omp_core.model import Query, SearchMode, Status, Tier
from omp_core.present import write_lines
from omp_core.settings import Settings, TierSettings

Open = Callable[..., Memory]
ALL = Query(statuses=frozenset(), include_expired=True)


@pytest.fixture
def open_plain(open_memory: Open) -> Open:
    """Open memories without a model, as another actor each."""
    return lambda actor="user", **more: open_memory(
        actor, load_embedder=lambda _settings: None, **more
    )


CHANGES: dict[str, Callable[[Memory, str, str], object]] = {
    "update": lambda memory, one, _other: memory.update(one, {"content": "The door code is new"}),
    "delete": lambda memory, one, _other: memory.delete([one]),
    "delete with others": lambda memory, one, other: memory.delete([other, one]),
    "tier": lambda memory, one, _other: memory.set_tier([one], Tier.LONG_TERM),
    "archive": lambda memory, one, _other: memory.set_status([one], Status.ARCHIVED),
    "merge into it": lambda memory, one, other: memory.merge(one, other),
    "merge it away": lambda memory, one, other: memory.merge(other, one),
    "add over it": lambda memory, one, _other: memory.add("Shelf four is empty", id=one),
    "lift": lambda memory, one, _other: memory.unlock([one]),
    "lift by a change": lambda memory, one, _other: memory.update(one, {"locked": False}),
}


@pytest.mark.parametrize("actor", ["agent:cursor", "system", "user via agent:cursor"])
@pytest.mark.parametrize("change", CHANGES)
def test_nobody_but_the_person_changes_a_locked_record(
    open_plain: Open, change: str, actor: str
) -> None:
    person, agent = open_plain(), open_plain(actor)
    locked = person.add("The key of the archive hangs by the door").id
    other = person.add("The lamp stands in the cellar").id
    person.lock([locked])
    before = person.records(ALL)
    with pytest.raises(LockedError, match="omp-tui unlock"):
        CHANGES[change](agent, locked, other)
    assert person.records(ALL) == before
    if "lift" not in change:
        CHANGES[change](person, locked, other)
        assert person.records(ALL) != before


def test_no_agent_locks_a_record_by_any_way(open_plain: Open, tmp_path: Path) -> None:
    person, agent = open_plain(), open_plain("agent:cursor")
    made = agent.add("The key of the archive hangs by the door")
    assert made.record is not None
    attempts: tuple[Callable[[], object], ...] = (
        lambda: agent.lock([made.id]),
        lambda: agent.update(made.id, {"locked": True}),
    )
    for attempt in attempts:
        with pytest.raises(LockedError):
            attempt()
    person.lock([made.id])
    person.save(tmp_path / "saved.json")
    elsewhere = open_plain("agent:cursor", store=tmp_path / "other.db")
    (row,) = elsewhere.load(tmp_path / "saved.json").rows
    assert not elsewhere.get(made.id).locked
    assert any("unlocked" in note for note in row.notes)
    mine = open_plain(store=tmp_path / "mine.db")
    mine.load(tmp_path / "saved.json")
    assert mine.get(made.id).locked


def test_locking_is_undone_and_said(open_plain: Open) -> None:
    person = open_plain()
    made = person.add("The key of the archive hangs by the door").id
    done = person.lock([made])
    assert person.get(made).locked
    assert done.note == "locked 1 record"
    person.undo()
    assert not person.get(made).locked
    person.redo()
    assert person.get(made).locked
    assert [entry.after for entry in person.history(made)][-2:] != []


def test_rules_pass_locked_records_by_and_name_them(open_plain: Open, clock: Clock) -> None:
    few = TierSettings(working_capacity=2, short_term_capacity=2)
    memory = open_plain(settings=Settings(tiers=few))
    locked = [
        memory.add("The oldest of all", tier=Tier.WORKING).id,
        memory.add("The first of the short ones").id,
        memory.add("What ends tomorrow", ttl_seconds=86_400, tier=Tier.LONG_TERM).id,
    ]
    memory.lock(locked)
    before = {one: (memory.get(one).tier, memory.get(one).status) for one in locked}
    for number in range(4):
        memory.add(f"Shelf {number} holds maps", tier=Tier.WORKING)
    clock.forward(days=400)
    report = memory.maintain()
    assert set(report.locked) == set(locked[1:])
    assert list(memory.proposals()) != []
    assert not {one.record.id for one in memory.proposals()} & set(locked)
    assert "1 locked record stays" in (memory.purge().note or "")
    memory.search("oldest of all", mode=SearchMode.KEYWORD)
    assert {one: (memory.get(one).tier, memory.get(one).status) for one in locked} == before


def test_a_summary_leaves_locked_originals_alone_and_says_so(open_plain: Open) -> None:
    memory = open_plain()
    made = [memory.add(f"The deploy of shop number {number} went well").id for number in range(4)]
    memory.lock(made[:1])
    done = memory.apply_summary(memory.summarize())
    assert made[0] in (done.note or "")
    assert [memory.get(one).status is Status.ACTIVE for one in made] == [True, False, False, False]


def test_an_agent_that_repeats_a_locked_text_adds_nothing_to_it(open_plain: Open) -> None:
    person, agent = open_plain(), open_plain("agent:cursor")
    made = person.add("The key of the archive hangs by the door").id
    person.lock([made])
    receipt = agent.add("The key of the archive hangs by the door", tags=["door"])
    assert (receipt.outcome, receipt.id) == ("merged", made)
    assert person.get(made).tags == frozenset()


def test_an_import_of_an_agent_writes_over_no_locked_record(
    open_plain: Open, tmp_path: Path
) -> None:
    person, agent = open_plain(), open_plain("agent:cursor")
    made = person.add("The key of the archive hangs by the door").id
    file = tmp_path / "memories.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        write_lines(person.export(), stream, person.now())
    file.write_text(file.read_text("utf-8").replace("hangs by the door", "is lost"), "utf-8")
    person.lock([made])
    (row,) = agent.import_file(file, on_existing="overwrite").rows
    assert row.outcome == "refused"
    assert person.get(made).content == "The key of the archive hangs by the door"
