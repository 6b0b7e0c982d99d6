"""Age in the world is not neglect here: what came in lately is not unread for years."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import InvalidValueError
from omp_core.memory import Memory
from omp_core.model import Importance, Query, Scope, SearchMode, Status, Tier

ALL = Query(statuses=frozenset(), include_expired=True)


def old_notes(tmp_path: Path, clock: Clock, count: int = 40) -> Any:
    said = clock.at - timedelta(days=730)
    rows = [
        {
            "id": f"note-{number}",
            "memory": f"Shelf {number} of the archive holds the maps of region {number * 7}",
            "created_at": said.isoformat(),
            "updated_at": said.isoformat(),
        }
        for number in range(count)
    ]
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps({"results": rows}))
    return file


def test_an_import_of_old_notes_archives_nothing_unasked_for_a_month(
    open_memory: Open, tmp_path: Path, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    report = memory.import_file(old_notes(tmp_path, clock))
    assert report.count("added") == 40
    said = clock.at - timedelta(days=730)
    for _day in range(31):
        memory.maintain()
        clock.forward(days=1)
    held = memory.records(ALL)
    assert {one.status for one in held} == {Status.ACTIVE}
    assert {one.created_at for one in held} == {said}
    assert list(memory.proposals()) == []
    health = memory.health()
    lost = [row for row in health.view.rows if row.lost >= 1]
    assert all(row.reason for row in lost)
    assert health.view.unread[-1].count == 0


def test_health_of_old_notes_right_after_their_import_does_not_call_them_rotten(
    open_memory: Open, tmp_path: Path, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    memory.import_file(old_notes(tmp_path, clock))
    memory.maintain()
    view = memory.health().view
    rows = {row.name: row for row in view.rows}
    assert (rows["active"].lost, rows["rot"].lost) == (0, 0)
    assert view.decay.active == 40


def test_what_waits_180_days_is_asked_about_and_stays_until_the_yes(
    open_memory: Open, tmp_path: Path, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    memory.import_file(old_notes(tmp_path, clock, 3))
    for _week in range(30):
        clock.forward(days=7)
        memory.maintain()
    assert len(list(memory.proposals())) == 3
    assert {one.status for one in memory.records(ALL)} == {Status.ACTIVE}


def test_a_loaded_memory_has_just_arrived_and_keeps_its_age(
    open_memory: Open, tmp_path: Path, clock: Clock
) -> None:
    first = open_memory(load_embedder=lambda _settings: None)
    made = first.add("The maps lie on shelf nine", tier=Tier.LONG_TERM).record
    assert first.save(tmp_path / "saved.json") == 1
    clock.forward(days=400)
    second = open_memory(store=tmp_path / "second.db", load_embedder=lambda _settings: None)
    second.load(tmp_path / "saved.json")
    loaded = second.get(made.id)
    assert (loaded.created_at, loaded.arrived_at) == (made.created_at, clock.at)
    assert list(second.proposals()) == []
    assert [one.record.id for one in first.proposals()] == [made.id]


def test_an_arrival_is_no_change_and_an_undone_deletion_is_no_arrival(
    memory: Memory, clock: Clock
) -> None:
    made = memory.add("The maps lie on shelf nine")
    arrived = memory.get(made.id).arrived_at
    assert arrived == clock.at
    clock.forward(days=3)
    memory.update(made.id, {"importance": Importance.HIGH})
    memory.delete([made.id])
    memory.undo()
    assert memory.get(made.id).arrived_at == arrived


def test_an_unknown_time_is_the_time_of_arrival_and_said(
    open_memory: Open, tmp_path: Path, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    file = tmp_path / "mem0.json"
    rows = [
        {"id": "1", "memory": "The keys hang by the door", "created_at": "0001-01-01T00:00:00Z"},
        {"id": "2", "memory": "The lamp is in the cellar"},
    ]
    file.write_text(json.dumps({"results": rows}))
    report = memory.import_file(file)
    assert all(row.notes for row in report.rows)
    assert {one.created_at for one in memory.records(ALL)} == {clock.at}


def test_a_store_of_before_takes_arrivals_from_its_journal(
    open_memory: Open, tmp_path: Path, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    memory.import_file(old_notes(tmp_path, clock, 1))
    memory.close()
    connection = apsw.Connection(str(tmp_path / "store.db"))
    connection.execute("ALTER TABLE records DROP COLUMN arrived_at")
    connection.execute("ALTER TABLE records DROP COLUMN locked")
    connection.execute("PRAGMA user_version = 4")
    connection.close()
    imported = clock.at
    clock.forward(days=10)
    (record,) = open_memory(load_embedder=lambda _settings: None).records(ALL)
    assert record.arrived_at == imported


def test_moves_by_rule_change_neither_version_nor_stamps(open_memory: Open, clock: Clock) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    made = [memory.add(f"Shelf {number} holds maps", tier=Tier.WORKING).id for number in range(25)]
    before = {one: memory.get(one) for one in made}
    clock.forward(days=8)
    tiers = []
    for act in (memory.maintain, lambda: memory.search("shelf maps", mode=SearchMode.KEYWORD)):
        act()
        after = {one: memory.get(one) for one in made}
        tiers.append([after[one].tier for one in made])
        for one in made:
            assert after[one].version == before[one].version
            assert after[one].stamps == before[one].stamps
            assert after[one].updated_at == before[one].updated_at
    assert tiers[0] != [before[one].tier for one in made]
    assert tiers[1] != tiers[0]


@pytest.mark.parametrize("scope", [Scope(), Scope(user_id="ana")])
def test_a_version_without_an_id_is_refused(memory: Memory, scope: Any) -> None:
    with pytest.raises(InvalidValueError, match="of which record"):
        memory.add("The maps lie on shelf nine", version=2, scope=scope)
    assert memory.records(ALL) == ()
