"""Online copies of the database: made while it is in use, checked before they count."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import apsw

from omp_core.errors import NotFoundError, StoreDamagedError, StoreError
from omp_core.i18n import _
from omp_core.private_files import private_file, private_folder, tighten
from omp_core.store.sqlite.connection import fetch_all, fetch_one
from omp_core.store.sqlite.failures import speaking
from omp_core.store.sqlite.files import (
    STAMP,
    Mark,
    backup_files,
    backup_folder,
    make_private,
    write_mark,
)
from omp_core.store.sqlite.legible import Illegible
from omp_core.store.sqlite.rows import to_micros
from omp_core.store.sqlite.schema import new_store_id, schema_version
from omp_core.store.sqlite.survey import survey

_EVERY_PAGE = -1
_LIVE_TIMEOUT_MS = 30_000
_FAR_MORE = 2
"""A backup with more than so many times the records of the store holds far more than it."""


@dataclass(frozen=True, slots=True, order=True)
class Holdings:
    """What a copy of the store holds: the number of its newest act, and its records.

    They order copies by how far they had come, whatever a clock says.
    """

    head: int = -1
    records: int = -1

    def far_beyond(self, other: Holdings) -> bool:
        """Return whether so much is here and not there that the other may be a ruin."""
        return self.head > other.head or self.records > _FAR_MORE * other.records


def holdings(database: Path) -> Holdings:
    """Return what a copy holds; less than nothing for one that cannot be read."""
    try:
        with speaking(database):
            connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                row = fetch_one(
                    connection,
                    "SELECT (SELECT coalesce(max(seq), 0) FROM acts),"
                    " (SELECT count(*) FROM records WHERE workspace = '')",
                )
            finally:
                connection.close()
    except StoreError:
        return Holdings()
    return Holdings() if row is None else Holdings(*row)


def backups(database: Path) -> list[Path]:
    """Return the backups of a database, the one that had come furthest first."""
    found = {file: holdings(file) for file in backup_files(database)}
    return sorted(found, key=lambda file: (found[file], file.name), reverse=True)


def make_backup(database: Path, now: datetime, keep: int) -> Path:
    """Copy the database as it is at one moment, check the copy, and keep `keep` of them.

    Older ones go first. One that holds far more than what is there now stays, and while a row
    of the store cannot be read all stay: they may hold it whole.

    Raises StoreDamagedError when the copy is not intact; older backups then stay.
    """
    folder = backup_folder(database)
    target = folder / f"{database.stem}-{now.strftime(STAMP)}.db"
    temporary = target.with_suffix(".tmp")
    try:
        private_folder(folder)
        tighten(folder)
        private_file(temporary)
        _copy(database, temporary)
        problems = integrity_problems(temporary)
        if problems:
            raise StoreDamagedError(
                _(
                    "{path}: the store is damaged: {problem}. The backups made earlier stay; "
                    "`omp-tui restore` brings back the best of them."
                ).format(path=database, problem=problems[0])
            )
        temporary.replace(target)
    except OSError as error:
        raise StoreError(
            _(
                "{path}: no backup was made: {error}. Check the permissions and the space there."
            ).format(path=target, error=error.strerror)
        ) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    for old in _spare(database, target, keep):
        old.unlink(missing_ok=True)
    return target


def _spare(database: Path, made: Path, keep: int) -> list[Path]:
    """Return the backups that may go now that `made` is there."""
    if not _is_legible(made):
        return []
    here = holdings(made)
    # the clock may have gone back, so the newest by name need not be the one just made
    others = [file for file in reversed(backup_files(database)) if file != made]
    return [old for old in others[max(0, keep - 1) :] if not holdings(old).far_beyond(here)]


def _is_legible(copy: Path) -> bool:
    noted = Illegible()
    with speaking(copy):
        connection = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            survey(connection, noted)
        finally:
            connection.close()
    return not noted.all()


def accept(database: Path) -> None:
    """Take what is there for the whole store: the mark forgets what was missing."""
    write_mark(database, Mark(max(0, holdings(database).head)))


def restore_backup(database: Path, backup: Path, now: datetime) -> Path | None:
    """Put a backup in the place of the database and return where the replaced state is kept.

    An intact database is overwritten in one transaction, so that other processes may have it
    open; a damaged one is moved aside, and processes that have it open turn to the new file
    with their next statement. Raises NotFoundError, or StoreDamagedError for a backup that is
    not intact.
    """
    if not backup.is_file():
        raise NotFoundError(_("{path}: there is no such backup").format(path=backup))
    problems = integrity_problems(backup)
    if problems:
        raise StoreDamagedError(
            _("{path}: this backup is damaged: {problem}. Choose another.").format(
                path=backup, problem=problems[0]
            )
        )
    _refuse_newer(backup)
    private_folder(database.parent)
    kept = _replace(database, backup, now)
    _arrive(database, now)
    accept(database)
    make_private(database)
    return kept


def _arrive(database: Path, now: datetime) -> None:
    """Let the records of a restored store arrive now: nobody could read them here meanwhile.

    A backup of a program that did not note arrivals has them made when it is opened.
    """
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.set_busy_timeout(_LIVE_TIMEOUT_MS)
        columns = {row[1] for row in connection.execute("PRAGMA table_info(records)")}
        if "arrived_at" in columns:
            connection.execute(
                "UPDATE records SET arrived_at = ? WHERE workspace = ''", (to_micros(now),)
            )
    finally:
        connection.close()


def _replace(database: Path, backup: Path, now: datetime) -> Path | None:
    replaced = database.with_name(f"{database.name}.replaced-{now.strftime(STAMP)}")
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
