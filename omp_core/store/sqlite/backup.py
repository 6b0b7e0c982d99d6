"""Online copies of the database: made while it is in use, checked before they count."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import apsw

from omp_core.errors import NotFoundError, StoreDamagedError, StoreError
from omp_core.store.sqlite.connection import fetch_all, speaking
from omp_core.store.sqlite.schema import new_store_id, schema_version

_STAMP = "%Y%m%dT%H%M%S%fZ"
_PAGES_A_STEP = 1000


def backup_folder(database: Path) -> Path:
    """Return where the backups of a database lie."""
    return database.parent / "backups"


def backups(database: Path) -> list[Path]:
    """Return the backups of a database, newest first."""
    found = backup_folder(database).glob(f"{database.stem}-*.db")
    return sorted(found, reverse=True)


def taken_at(backup: Path) -> datetime:
    """Return when a backup was made, from its name."""
    from datetime import UTC

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
    """Put a backup in the place of the database and return where the replaced file went.

    The replaced file is kept beside it. The caller makes sure that no process has the store
    open. Raises NotFoundError, or StoreDamagedError for a backup that is not intact.
    """
    if not backup.is_file():
        raise NotFoundError(f"{backup}: there is no such backup")
    problems = integrity_problems(backup)
    if problems:
        raise StoreDamagedError(f"{backup}: this backup is damaged: {problems[0]}. Choose another.")
    temporary = database.with_name(f"{database.name}.restoring")
    os.close(os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600))
    _copy(backup, temporary)
    connection = apsw.Connection(str(temporary))
    try:
        schema_version(connection)
        new_store_id(connection)
    finally:
        connection.close()
    replaced: Path | None = None
    if database.exists():
        replaced = database.with_name(f"{database.name}.replaced-{now.strftime(_STAMP)}")
        database.replace(replaced)
    for suffix in ("-wal", "-shm"):
        # they belong to the replaced file and would be played into the new one
        side = database.with_name(database.name + suffix)
        if side.exists() and replaced is not None:
            side.replace(replaced.with_name(replaced.name + suffix))
    temporary.replace(database)
    return replaced


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


def _copy(source: Path, target: Path) -> None:
    with speaking(source):
        reader = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READWRITE)
        writer = apsw.Connection(str(target))
        try:
            with writer.backup("main", reader, "main") as copying:
                while not copying.done:
                    copying.step(_PAGES_A_STEP)
            writer.execute("PRAGMA journal_mode = DELETE")
        finally:
            writer.close()
            reader.close()
