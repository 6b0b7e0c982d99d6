"""What a store says of what it cannot see: lost, cut short, damaged in a row, read only."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
from core.store.conftest import Fill

from omp_core.errors import StoreDamagedError, StoreUnavailableError, StoreUnwritableError
from omp_core.model import Query, Record
from omp_core.store.sqlite import SqliteStore
from omp_core.store.sqlite.backup import accept, backups, holdings, make_backup, restore_backup
from omp_core.store.sqlite.files import mark_file, read_mark

ALL = Query(statuses=frozenset(), include_expired=True)


def spoil(path: Path, column: str, value: str, pk: int) -> None:
    """Put bytes into a record that no writer of ours would have written."""
    connection = apsw.Connection(str(path))
    connection.execute(f"UPDATE records SET {column} = CAST({value} AS TEXT) WHERE pk = {pk}")
    connection.close()


@pytest.mark.parametrize("how", ["gone", "empty", "header only"])
@pytest.mark.parametrize("trace", ["mark", "backup"])
def test_a_lost_store_is_never_begun_anew(
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
    how: Any,
    trace: Any,
) -> None:
    fill(store, make_record(1))
    make_backup(store.path, now, keep=7)
    store.close()
    if trace == "backup":
        mark_file(store.path).unlink()
    else:
        shutil.rmtree(store.path.parent / "backups")
    store.path.unlink()
    if how == "empty":
        store.path.touch()
    elif how == "header only":
        connection = apsw.Connection(str(store.path))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
    before = store.path.read_bytes() if store.path.exists() else None
    for _ in range(2):
        with pytest.raises(StoreDamagedError, match="restore"):
            SqliteStore(store.path)
    assert (store.path.read_bytes() if store.path.exists() else None) == before


def test_a_lost_store_comes_back_from_its_backup(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1))
    saved = make_backup(store.path, now, keep=7)
    store.close()
    store.path.unlink()
    restore_backup(store.path, saved, now)
    again = SqliteStore(store.path)
    assert again.count(ALL, now) == 1
    assert again.unseen() == ()
    again.close()


def test_a_first_start_that_was_ended_is_taken_up_again(tmp_path: Path, now: datetime) -> None:
    (tmp_path / "store.db").touch()
    store = SqliteStore(tmp_path / "store.db")
    assert store.count(ALL, now) == 0
    assert read_mark(store.path) is not None
    store.close()


def test_a_store_that_went_back_says_so_until_a_person_accepts_it(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1))
    store.close()
    old = store.path.read_bytes()
    again = SqliteStore(store.path)
    fill(again, make_record(2))
    again.close()
    store.path.write_bytes(old)
    for number in (3, 4):
        behind = SqliteStore(store.path)
        assert "1 acts that it held are gone" in str(behind.unseen()[0])
        fill(behind, make_record(number))
        behind.close()
    accept(store.path)
    behind = SqliteStore(store.path)
    assert behind.unseen() == ()
    behind.close()


@pytest.mark.parametrize("left", [0.9, 0.4, 0.0])
def test_a_log_that_was_cut_short_is_noticed(
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
    left: str,
) -> None:
    fill(store, *(make_record(number) for number in range(30)))
    with store.connections.writing() as connection:
        connection.execute("PRAGMA user_version")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for number in range(30, 40):
        fill(store, make_record(number))
    copy = tmp_path / "copy" / "store.db"
    copy.parent.mkdir()
    for suffix in ("", "-wal", "-shm", ".mark"):
        shutil.copy(f"{store.path}{suffix}", f"{copy}{suffix}")
    whole = SqliteStore(copy)
    assert whole.unseen() == ()
    whole.close()
    for suffix in ("", "-wal", "-shm", ".mark"):
        shutil.copy(f"{store.path}{suffix}", f"{copy}{suffix}")
    log = copy.with_name("store.db-wal")
    os.truncate(log, int(log.stat().st_size * left))
    for _ in range(2):
        cut = SqliteStore(copy)
        assert 30 <= cut.count(ALL, now) < 40
        assert "cut short" in str(cut.unseen()[0])
        cut.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("content", "x'61ff62'"),
        ("metadata", "'{broken'"),
        ("tags", "'[1]'"),
        ("stamps", "x'7b22ff'"),
        ("tier", "'wxrking'"),
        ("status", "x'ff'"),
        ("user_id", "x'ff'"),
        ("disputes", "'[{}]'"),
        ("id", "x'72ff'"),
    ],
)
def test_one_bad_row_is_left_out_and_named(
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
    column: Any,
    value: str,
) -> None:
    fill(store, *(make_record(number) for number in range(1, 6)))
    spoil(store.path, column, value, 3)
    store.survey()
    assert [one.place for one in store.unseen()] == ["records#3"]
    assert store.unseen()[0].id == (None if column == "id" else "r3")
    others = {"r1", "r2", "r4", "r5"}
    assert {one.id for one in store.iterate(ALL, now)} == others
    assert {one.id for one in store.page(ALL, now)} == others
    assert set(store.get_many(["r1", "r2", "r3", "r4", "r5"])) == others
    assert {one.id for one in store.keyword(["fact"], Query(), now, 9)} >= others - {"r3"}
    assert sum(store.census(now).statuses.values()) >= 4
    assert len(list(store.health_rows(now))) >= 4
    store.entities()
    store.without_vector("any", 9)
    store.page(Query(tag="x", metadata={"k": 1}), now)


def test_a_bad_row_of_the_journal_is_left_out(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    for number in (1, 2):
        fill(store, make_record(number))
    connection = apsw.Connection(str(store.path))
    connection.execute("UPDATE acts SET summary = CAST(x'ff' AS TEXT) WHERE seq = 1")
    connection.close()
    assert [one.records for one in store.acts(limit=9)] == [1]
    assert [one.place for one in store.unseen()] == ["acts#1"]
    store.audit(9)


def test_what_lies_beside_a_damaged_page_is_rescued(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, *(make_record(number, content=f"{number} " * 300) for number in range(60)))
    store.close()
    connection = apsw.Connection(str(store.path))
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name='records'").get
    leaf = connection.execute(
        "SELECT pageno FROM dbstat WHERE name = 'records' AND pagetype = 'leaf' LIMIT 1 OFFSET 3"
    ).get
    connection.close()
    assert leaf != root
    raw = bytearray(store.path.read_bytes())
    raw[(leaf - 1) * 4096] ^= 0xFF
    store.path.write_bytes(raw)
    again = SqliteStore(store.path)
    kept = list(again.iterate(ALL, now))
    lost = {one.place for one in again.unseen()}
    assert 40 < len(kept) < 60
    assert len(kept) + len(lost) == 60
    again.close()


def test_a_backup_that_holds_far_more_outlives_the_others(
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
) -> None:
    fill(store, *(make_record(number) for number in range(40)))
    good = [make_backup(store.path, now + timedelta(days=day), keep=3) for day in range(3)]
    store.close()
    for file in (store.path, mark_file(store.path)):
        file.unlink()
    for one in good:
        one.replace(tmp_path / one.name)
    ruin = SqliteStore(store.path)
    for one in good:
        (tmp_path / one.name).replace(one)
    for day in range(3, 12):
        fill(ruin, make_record(day))
        make_backup(ruin.path, now + timedelta(days=day), keep=3)
    left = backups(ruin.path)
    assert set(good) <= set(left)
    assert len(left) == len(good) + 3 - 1 or len(left) == len(good) + 3
    assert holdings(left[0]).records == 9 or left[0] in good
    ruin.close()


def test_the_best_backup_is_told_by_what_it_holds(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1))
    make_backup(store.path, now, keep=7)
    fill(store, make_record(2))
    best = make_backup(store.path, now - timedelta(days=400), keep=7)
    assert backups(store.path)[0] == best


def test_no_backup_goes_while_a_row_cannot_be_read(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1), make_record(2))
    for day in range(2):
        make_backup(store.path, now + timedelta(days=day), keep=2)
    spoil(store.path, "content", "x'ff'", 1)
    for day in range(2, 5):
        make_backup(store.path, now + timedelta(days=day), keep=2)
    assert len(backups(store.path)) == 5


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_files_are_private_under_any_umask(
    tmp_path: Path, make_record: Callable[..., Record], fill: Fill, now: datetime, umask: Any
) -> None:
    before = os.umask(umask)
    try:
        path = tmp_path / "deep" / "er" / "store.db"
        for _ in range(2):
            store = SqliteStore(path)
            fill(store, make_record(now.microsecond + len(list(path.parent.iterdir()))))
            make_backup(path, now, keep=7)
            made = [*path.parent.rglob("*"), path.parent, path.parent.parent]
            loose = {file for file in made if stat.S_IMODE(file.stat().st_mode) & 0o077}
            assert loose == set()
            store.close()
            for file in path.parent.rglob("*"):
                file.chmod(0o755 if file.is_dir() else 0o644)
    finally:
        os.umask(before)


def test_a_store_in_a_folder_without_rights_is_read(
    tmp_path: Path,
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
    bound_by_modes: Callable[[], AbstractContextManager[None]],
) -> None:
    fill(store, make_record(1))
    store.close()
    store.path.chmod(0o400)
    store.path.parent.chmod(0o500)
    with bound_by_modes():
        reader = SqliteStore(store.path)
        assert [one.id for one in reader.iterate(ALL, now)] == ["r1"]
        assert reader.read_only is not None
        with pytest.raises(StoreUnwritableError):
            fill(reader, make_record(2))
        reader.close()
    store.path.parent.chmod(0o700)
    store.path.chmod(0o000)
    with bound_by_modes(), pytest.raises(StoreUnavailableError):
        SqliteStore(store.path)
