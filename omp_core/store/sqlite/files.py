"""What lies beside a database: its mark, its backups, its log; and what they tell of it.

The mark is a small private file written once a store is set up. It says how far the journal
had come, so that a store that is gone, empty, or behind itself is known for what it is.
"""

from __future__ import annotations

import logging
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from omp_core.errors import StoreDamagedError, StoreError, StoreUnavailableError
from omp_core.i18n import _
from omp_core.private_files import private_file, private_folder, tighten

_log = logging.getLogger(__name__)

STAMP = "%Y%m%dT%H%M%S%fZ"
_STAMPED = r"-\d{8}T\d{12}Z\.db"
_BIGGEST_PAGE = 65_536
_WAL_HEADER, _FRAME_HEADER = 32, 24
_INDEX_HEADER = struct.Struct("=12xBxHI12x8s")
"""Of the log's index: whether it is set up, page size, frames that are committed, salt
(SQLite's file format, section "WAL-Index Format")."""
_BACKFILLED = struct.Struct("=96xI")


@dataclass(frozen=True, slots=True)
class Mark:
    """What is known of a store from outside it.

    `head` is the number of the newest act. `missing` says in words that acts are gone which
    had been acknowledged, until a person restores a backup or makes one.
    """

    head: int = 0
    missing: str | None = None


def mark_file(database: Path) -> Path:
    """Return where the mark of a database lies."""
    return database.with_name(f"{database.name}.mark")


def read_mark(database: Path) -> Mark | None:
    """Return the mark; None when there is none. One that cannot be read still is one."""
    try:
        return msgspec.json.decode(mark_file(database).read_bytes(), type=Mark)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.DecodeError):
        return Mark()


def write_mark(database: Path, mark: Mark) -> None:
    """Write the mark. Without it the store works as well, so a failure is only logged."""
    file = mark_file(database)
    temporary = file.with_name(f"{file.name}.tmp")
    try:
        private_file(temporary)
        temporary.write_bytes(msgspec.json.encode(mark))
        temporary.replace(file)
    except OSError as error:
        _log.warning("the mark %s was not written: %s", file, error)


def backup_folder(database: Path) -> Path:
    """Return where the backups of a database lie."""
    return database.parent / "backups"


def backup_files(database: Path) -> list[Path]:
    """Return the backups of a database by name. Files of other names are none."""
    folder = backup_folder(database)
    own = re.compile(re.escape(database.stem) + _STAMPED)
    try:
        found = list(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise StoreError(
            _(
                "{folder}: the backups cannot be listed: {error}. Check the permissions of the "
                "folder."
            ).format(folder=folder, error=error.strerror)
        ) from error
    return sorted(file for file in found if own.fullmatch(file.name))


def taken_at(backup: Path) -> datetime:
    """Return when a backup was made, from its name."""
    return datetime.strptime(backup.stem.rpartition("-")[2], STAMP).replace(tzinfo=UTC)


def was_here(database: Path) -> bool:
    """Return whether a mark or a backup tells that this store was set up before."""
    return read_mark(database) is not None or bool(backup_files(database))


def parts(database: Path) -> Iterator[Path]:
    """Yield the files that make up a store and those that serve it, there or not."""
    for suffix in ("", "-wal", "-shm", ".mark", ".setup.lock"):
        yield database.with_name(database.name + suffix)
    yield from database.parent.glob(f"{database.name}.*.vectors")


def make_private(database: Path) -> None:
    """Take from others what they may do with a store, its backups and what serves them."""
    tighten(*parts(database), backup_folder(database))
    if backup_folder(database).is_dir():
        tighten(*backup_files(database))


def log_was_cut(database: Path) -> bool:
    """Return whether the write-ahead log is shorter than its index says it was.

    The index is written after the log, so a shorter log has lost committed changes. Another
    process may be at work: only an index that stays the same while the log is measured tells
    anything.
    """
    wal = database.with_name(f"{database.name}-wal")
    index = database.with_name(f"{database.name}-shm")
    try:
        before = index.read_bytes()[:136]
        with wal.open("rb") as file:
            header = file.read(_WAL_HEADER)
            size = wal.stat().st_size
        after = index.read_bytes()[:136]
    except OSError:
        return False
    if before != after or len(before) < 136:
        return False
    ready, page, frames, salt = _INDEX_HEADER.unpack_from(before)
    (backfilled,) = _BACKFILLED.unpack_from(before)
    if not ready or frames <= backfilled:
        return False
    if len(header) == _WAL_HEADER and header[16:24] != salt:
        return False  # the log was begun anew, and its index not yet
    whole = max(0, size - _WAL_HEADER) // ((_BIGGEST_PAGE if page == 1 else page) + _FRAME_HEADER)
    return bool(whole < frames)


def has_log(database: Path) -> bool:
    """Return whether the write-ahead log holds anything."""
    try:
        return database.with_name(f"{database.name}-wal").stat().st_size > 0
    except OSError:
        return False


def can_be_seen(path: Path) -> bool:
    """Return whether there is something at a path; not if its folder cannot be entered."""
    try:
        path.stat()
    except OSError:
        return False
    return True


def begin(path: Path) -> None:
    """Make an empty private file for a new store.

    Raises StoreDamagedError where a store was before: it is never begun anew.
    """
    try:
        if path.is_dir():
            raise StoreUnavailableError(
                _(
                    "{path}: the store cannot be opened: a folder is there. Choose another place "
                    "with --store."
                ).format(path=path)
            )
        if can_be_seen(path) and path.stat().st_size:
            return
        if was_here(path):
            raise lost(path)
        private_folder(path.parent)
        private_file(path)
    except OSError as error:
        raise StoreUnavailableError(
            _(
                "{path}: the store cannot be reached or created: {error}. Check the folder's "
                "permissions, or choose another place with --store."
            ).format(path=path, error=error.strerror)
        ) from error


def lost(path: Path) -> StoreDamagedError:
    return StoreDamagedError(
        _(
            "{path}: the store is gone or empty, and there was one before. It is not begun anew: "
            "`omp-tui restore` brings back the best backup. To begin with nothing, move "
            "{path}.mark and the backups away."
        ).format(path=path)
    )
