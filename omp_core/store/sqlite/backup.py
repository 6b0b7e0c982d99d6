"""Online copies of the database: made while it is in use, checked before they count."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import apsw

from omp_core.errors import NotFoundError, StoreDamagedError, StoreError
from omp_core.store.sqlite.connection import fetch_all, speaking
from omp_core.store.sqlite.schema import new_store_id, schema_version

_STAMP = "%Y%m%dT%H%M%S%fZ"
_STAMPED = r"-\d{8}T\d{12}Z\.db"
_EVERY_PAGE = -1
_LIVE_TIMEOUT_MS = 30_000


def backup_folder(database: Path) -> Path:
    """Return where the backups of a database lie."""
    return database.parent / "backups"


def backups(database: Path) -> list[Path]:
    """Return the backups of a database, newest first. Files of other names are none."""
    folder = backup_folder(database)
    own = re.compile(re.escape(database.stem) + _STAMPED)
    try:
        found = list(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise StoreError(
            f"{folder}: the backups cannot be listed: {error.strerror}. Check the permissions of "
            "the folder."
        ) from error
    return sorted((file for file in found if own.fullmatch(file.name)), reverse=True)


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
        raise StoreError(
            f"{target}: no backup was made: {error.strerror}. Check the permissions and the space "
            "there."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    # the clock may have gone back, so the newest by name need not be the one just made
    others = [file for file in backups(database) if file != target]
    for old in others[max(0, keep - 1) :]:
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
    replaced = database.with_name(f"{database.name}.replaced-{now.strftime(_STAMP)}")
    if database.exists() and not integrity_problems(database):
        os.close(os.open(replaced, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        # kept once nobody can write any more, so that no write falls between the two copies
        _copy(backup, database, live=True, first=lambda: _copy(database, replaced))
        return replaced
    existed = database.exists()
    restoring = _made_ready(backup, database)
    for suffix in ("", "-wal", "-shm"):
        # a write-ahead log belongs to the file that is gone, and would be played into the new one
        part = database.with_name(database.name + suffix)
        if part.exists():
            part.replace(replaced.with_name(replaced.name + suffix))
    restoring.replace(database)
    return replaced if existed else None


def _made_ready(backup: Path, database: Path) -> Path:
    """Return a copy of the backup beside the database that can take its name."""
    temporary = database.with_name(f"{database.name}.restoring")
    os.close(os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600))
    _copy(backup, temporary)
    _renew_id(temporary)
    return temporary


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


def _copy(
    source: Path, target: Path, *, live: bool = False, first: Callable[[], None] | None = None
) -> None:
    """Copy a database in one go, as it is at one moment.

    A `live` target may be in use and stays in WAL mode. `first` is called when nobody else can
    write to the target any more.
    """
    with speaking(source):
        reader = apsw.Connection(str(source))
        writer = apsw.Connection(str(target))
        for connection in (reader, writer):
            connection.set_busy_timeout(_LIVE_TIMEOUT_MS)
        try:
            with writer.backup("main", reader, "main") as copying:
                if first is not None:
                    copying.step(0)
                    first()
                copying.step(_EVERY_PAGE)
            if live:
                writer.execute("PRAGMA journal_mode = WAL")
                new_store_id(writer)
            else:
                writer.execute("PRAGMA journal_mode = DELETE")
        finally:
            writer.close()
            reader.close()
