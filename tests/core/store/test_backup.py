"""Backups: made while the store is in use, checked, and brought back."""

from __future__ import annotations

import stat
from datetime import timedelta

import pytest

from omp_core.errors import NotFoundError, StoreDamagedError
from omp_core.model import Query
from omp_core.store.sqlite import SqliteStore
from omp_core.store.sqlite.backup import (
    backups,
    integrity_problems,
    make_backup,
    restore_backup,
    taken_at,
)


def contents(path, now) -> list[str]:
    store = SqliteStore(path)
    found = [record.content for record in store.iterate(Query(), now)]
    store.close()
    return found


def test_a_backup_holds_the_store_of_its_moment_and_the_newest_are_kept(
    tmp_path, store, make_record, fill, now
):
    for number in range(4):
        fill(store, make_record(number))
        make_backup(store.path, now + timedelta(days=number), keep=3)
    kept = backups(store.path)
    assert [taken_at(one) for one in kept] == [now + timedelta(days=day) for day in (3, 2, 1)]
    assert len(contents(kept[-1], now)) == 2
    assert stat.S_IMODE(kept[0].stat().st_mode) == 0o600


def test_a_restore_into_a_store_in_use_is_seen_by_all(store, make_record, fill, now):
    fill(store, make_record(1))
    saved = make_backup(store.path, now, keep=7)
    other = SqliteStore(store.path)
    fill(store, make_record(2))
    kept = restore_backup(store.path, saved, now)
    assert [one.id for one in other.iterate(Query(), now)] == ["r1"]
    fill(other, make_record(3))
    assert [one.id for one in store.iterate(Query(), now)] == ["r1", "r3"]
    assert kept is not None
    assert len(contents(kept, now)) == 2
    other.close()


def test_a_damaged_store_is_moved_aside_and_open_processes_turn_to_the_new_one(
    tmp_path, store, make_record, fill, now
):
    fill(store, *(make_record(number) for number in range(200)))
    saved = make_backup(store.path, now, keep=7)
    store.close()
    raw = bytearray(store.path.read_bytes())
    raw[4096 : 4096 * 6] = b"\xa5" * 4096 * 5
    store.path.write_bytes(raw)
    assert integrity_problems(store.path)
    kept = restore_backup(store.path, saved, now)
    assert kept is not None
    assert kept.read_bytes() == raw
    assert len(contents(store.path, now)) == 200


def test_a_store_replaced_under_an_open_process_is_opened_anew(
    tmp_path, store, make_record, fill, now
):
    fill(store, make_record(1))
    replacement = SqliteStore(tmp_path / "new.db")
    fill(replacement, make_record(7))
    replacement.close()
    (tmp_path / "new.db").replace(store.path)
    for suffix in ("-wal", "-shm"):
        (tmp_path / f"store.db{suffix}").unlink(missing_ok=True)
    assert [one.id for one in store.iterate(Query(), now)] == ["r7"]
    fill(store, make_record(8))
    assert len(contents(store.path, now)) == 2


def test_a_damaged_backup_is_refused_and_nothing_changes(tmp_path, store, make_record, fill, now):
    fill(store, make_record(1))
    bad = tmp_path / "bad.db"
    bad.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreDamagedError):
        restore_backup(store.path, bad, now)
    with pytest.raises(NotFoundError):
        restore_backup(store.path, tmp_path / "missing.db", now)
    assert len(contents(store.path, now)) == 1
