"""One backup a day, whatever the clock and the folder look like."""

from __future__ import annotations

from core.services.conftest import Clock

from omp_core.memory import Memory
from omp_core.model import Tier


def test_one_backup_a_day_also_after_the_clock_went_back(memory: Memory, clock: Clock) -> None:
    memory.add("Uses uv")
    assert memory.backups.make_daily() is not None
    assert memory.backups.make_daily() is None
    clock.forward(days=1)
    assert memory.backups.make_daily() is not None
    clock.forward(days=-400)
    assert memory.backups.make_daily() is not None
    assert memory.backups.make_daily() is None


def test_a_copy_made_by_hand_among_the_backups_is_no_obstacle(memory: Memory) -> None:
    memory.add("Uses uv")
    made = memory.backups.make()
    made.with_name("store-mine.db").write_bytes(made.read_bytes())
    assert memory.backups.plan().backup == made
    assert memory.backups.make_daily() is None


def test_what_a_restored_store_holds_has_just_arrived(memory: Memory, clock: Clock) -> None:
    made = memory.add("The maps lie on shelf nine", tier=Tier.LONG_TERM).record
    assert made is not None
    memory.backups.make()
    clock.forward(days=400)
    assert [one.record.id for one in memory.proposals()] == [made.id]
    memory.backups.restore(memory.backups.plan())
    restored = memory.get(made.id)
    assert (restored.created_at, restored.arrived_at) == (made.created_at, clock.at)
    assert list(memory.proposals()) == []
