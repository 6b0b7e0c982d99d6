"""Online copies of the database: made while it is in use, checked before they count."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import apsw

from omp_core.errors import NotFoundError, StoreDamagedError, StoreError
from omp_core.store.sqlite.connection import fetch_all, speaking
from omp_core.store.sqlite.schema import new_store_id, schema_version

_STAMP = "%Y%m%dT%H%M%S%fZ"
_PAGES_A_STEP = 1000
_LIVE_TIMEOUT_MS = 30_000


def backup_folder(database: Path) -> Path:
    """Return where the backups of a database lie."""
    return database.parent / "backups"


def backups(database: Path) -> list[Path]:
    """Return the backups of a database, newest first."""
    found = backup_folder(database).glob(f"{database.stem}-*.db")
    return sorted(found, reverse=True)


def taken_at(backup: Path) -> datetime:
    """Return when a backup was made, from its name."""
    return datetime.strptime(backup.stem.rpartition("-")[2], _STAMP).replace(tzinfo=UTC)


def make_backup(database: Path, now: datetime, keep: int) -> Path:
    """Copy the database as it is at one moment, check the copy, and keep the newest `keep`.

    Raises StoreDamagedError when the copy is not intact; older backups then stay.
    """
    folder = backup_folder(database)
    target = folder / f"{database.stem}-{now.strftime(_STAMP)}.db"
    temporary = target.with_suffix(".tmp")
    try:
        folder.mkdir(exist_ok=True, mode=0o700)
        os.close(os.open(temporary, os.O_CREAT | os.O_RDWR, 0o600))
        _copy(database, temporary)
        problems = integrity_problems(temporary)
        if problems:
            raise StoreDamagedError(
                f"{database}: the store is damaged: {problems[0]}. The backups made earlier "
                "stay; `omp-tui restore` brings one back."
            )
        temporary.replace(target)
    except OSError as error:
        raise StoreError(f"{target}: no backup was made: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
    for old in backups(database)[keep:]:
        old.unlink(missing_ok=True)
    return target


def restore_backup(database: Path, backup: Path, now: datetime) -> Path | None:
    """Put a backup in the place of the database and return where the replaced state is kept.

    An intact database is overwritten in one transaction, so that other processes may have it
    open; a damaged one is moved aside, and processes that have it open turn to the new file
    with their next statement. Raises NotFoundError, or StoreDamagedError for a backup that is
    not intact.
    """
    if not backup.is_file():
        raise NotFoundError(f"{backup}: there is no such backup")
    problems = integrity_problems(backup)
    if problems:
        raise StoreDamagedError(f"{backup}: this backup is damaged: {problems[0]}. Choose another.")
    _refuse_newer(backup)
    if not database.exists():
        _bring(backup, database)
        return None
    replaced = database.with_name(f"{database.name}.replaced-{now.strftime(_STAMP)}")
    if not integrity_problems(database):
        os.close(os.open(replaced, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        _copy(database, replaced)
        _copy(backup, database, live=True)
        return replaced
    for suffix in ("", "-wal", "-shm"):
        # the write-ahead log belongs to the damaged file and would be played into the new one
        part = database.with_name(database.name + suffix)
        if part.exists():
            part.replace(replaced.with_name(replaced.name + suffix))
    _bring(backup, database)
    return replaced


def _bring(backup: Path, database: Path) -> None:
    temporary = database.with_name(f"{database.name}.restoring")
    os.close(os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600))
    _copy(backup, temporary)
    _renew_id(temporary)
    temporary.replace(database)


def _refuse_newer(backup: Path) -> None:
    connection = apsw.Connection(str(backup), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        schema_version(connection)
    finally:
        connection.close()


def _renew_id(database: Path) -> None:
    connection = apsw.Connection(str(database))
    try:
        new_store_id(connection)
    finally:
        connection.close()


def integrity_problems(database: Path) -> list[str]:
    """Return what SQLite's integrity check finds; nothing for an intact database."""
    try:
        with speaking(database):
            connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                found = [str(row[0]) for row in fetch_all(connection, "PRAGMA integrity_check")]
            finally:
                connection.close()
    except StoreDamagedError as error:
        return [str(error.__cause__ or error)]
    return [] if found == ["ok"] else found


def _copy(source: Path, target: Path, *, live: bool = False) -> None:
    """Copy a database page by page; a `live` target may be in use and stays in WAL mode."""
    with speaking(source):
        reader = apsw.Connection(str(source))
        writer = apsw.Connection(str(target))
        writer.set_busy_timeout(_LIVE_TIMEOUT_MS)
        try:
            with writer.backup("main", reader, "main") as copying:
                while not copying.done:
                    copying.step(_PAGES_A_STEP)
            if live:
                writer.execute("PRAGMA journal_mode = WAL")
                new_store_id(writer)
            else:
                writer.execute("PRAGMA journal_mode = DELETE")
        finally:
            writer.close()
            reader.close()
