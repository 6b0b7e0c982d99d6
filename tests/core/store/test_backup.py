"""Backups: made while the store is in use, checked, and brought back."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from core.store.conftest import Fill

from omp_core.errors import NotFoundError, StoreDamagedError, StoreUnavailableError
from omp_core.model import Query, Record
from omp_core.store.sqlite import SqliteStore, backup
from omp_core.store.sqlite.backup import (
    backups,
    integrity_problems,
    make_backup,
    restore_backup,
)
from omp_core.store.sqlite.files import taken_at


def contents(path: Path, now: datetime) -> list[str]:
    store = SqliteStore(path)
    found = [record.content for record in store.iterate(Query(), now)]
    store.close()
    return found


def test_a_backup_holds_the_store_of_its_moment_and_the_newest_are_kept(
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
) -> None:
    for number in range(4):
        fill(store, make_record(number))
        make_backup(store.path, now + timedelta(days=number), keep=3)
    kept = backups(store.path)
    assert [taken_at(one) for one in kept] == [now + timedelta(days=day) for day in (3, 2, 1)]
    assert len(contents(kept[-1], now)) == 2
    assert stat.S_IMODE(kept[0].stat().st_mode) == 0o600


def test_a_restore_into_a_store_in_use_is_seen_by_all(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
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
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
) -> None:
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
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
) -> None:
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


def test_a_damaged_backup_is_refused_and_nothing_changes(
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
) -> None:
    fill(store, make_record(1))
    bad = tmp_path / "bad.db"
    bad.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreDamagedError):
        restore_backup(store.path, bad, now)
    with pytest.raises(NotFoundError):
        restore_backup(store.path, tmp_path / "missing.db", now)
    assert len(contents(store.path, now)) == 1


def test_a_restore_is_not_mixed_with_the_log_of_a_file_that_is_gone(
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
) -> None:
    fill(store, make_record(1))
    saved = make_backup(store.path, now, keep=7)
    fill(store, *(make_record(number) for number in range(2, 30)))
    log = store.path.with_name("store.db-wal")
    shutil.copy(log, tmp_path / "log")
    store.close()
    store.path.unlink()
    shutil.copy(tmp_path / "log", log)
    restore_backup(store.path, saved, now)
    assert contents(store.path, now) == ["fact number 1"]


def test_no_write_falls_between_the_kept_copy_and_the_restored_one(
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    saved = make_backup(store.path, now, keep=7)
    other = SqliteStore(store.path, busy_timeout_s=0.01)
    copy = backup._copy

    def and_then_a_write(source: Any, target: Any, **options: Any) -> None:
        copy(source, target, **options)
        if ".replaced-" in target.name:
            with pytest.raises(StoreUnavailableError):
                fill(other, make_record(1))

    monkeypatch.setattr(backup, "_copy", and_then_a_write)
    assert restore_backup(store.path, saved, now) is not None
    fill(other, make_record(1))
    assert contents(store.path, now) == ["fact number 1"]
    other.close()


def test_only_a_database_s_own_backups_are_counted_and_pruned(
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
) -> None:
    fill(store, make_record(1))
    other = SqliteStore(tmp_path / "store-test.db")
    kept = make_backup(other.path, now, keep=1)
    by_hand = kept.with_name("store-mine.db")
    shutil.copy(kept, by_hand)
    made = make_backup(store.path, now, keep=1)
    assert backups(store.path) == [made]
    assert backups(other.path) == [kept]
    assert by_hand.exists()
    other.close()


def test_a_backup_made_after_the_clock_went_back_stays(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1))
    for day in range(3):
        make_backup(store.path, now + timedelta(days=day), keep=3)
    made = make_backup(store.path, now - timedelta(days=400), keep=3)
    assert made.exists()
    assert len(backups(store.path)) == 3
