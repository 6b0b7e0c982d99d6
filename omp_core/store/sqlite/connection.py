"""Connections to the database: opening, transactions, and errors in the product's words."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from omp_core.errors import (
    InvalidValueError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
)
from omp_core.store.sqlite.schema import SCHEMA_VERSION, migrate, schema_version

MEMORY = ":memory:"


@dataclass(slots=True, eq=False, weakref_slot=True)
class _Held:
    """A connection, the file it was opened on, and the lock of the thread that uses it."""

    connection: apsw.Connection
    inode: int
    lock: threading.RLock = field(default_factory=threading.RLock)
    closed: bool = False

    def close(self) -> None:
        """Close it. One in use is left to its thread: it goes when that thread is done."""
        self.closed = True
        if self.lock.acquire(blocking=False):
            try:
                self.connection.close(True)
            finally:
                self.lock.release()


class Connections:
    """One connection per thread to one database file.

    A transaction that writes starts immediate and waits for other processes; reads take
    no write lock.
    """

    def __init__(self, path: Path | None, busy_timeout_s: float) -> None:
        self.path = path
        self._busy_timeout_ms = int(busy_timeout_s * 1000)
        self._local = threading.local()
        self._all: weakref.WeakSet[_Held] = weakref.WeakSet()
        self._guard = threading.Lock()
        # a private in-memory database is one connection, which takes one thread at a time
        self._shared = None if path else self._connect(0)
        with speaking(self.path):
            self._prepare()

    def close(self) -> None:
        """Close all connections. A thread that is at work with one finishes first."""
        with self._guard:
            held = list(self._all)
            self._all.clear()
        for one in held:
            one.close()
        self._local = threading.local()

    @contextlib.contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Give this thread's connection for statements that only read."""
        with speaking(self.path), self._turn() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[apsw.Connection]:
        """Give a connection inside a transaction that commits at the end or not at all.

        What is `durable` survives a power cut once committed; the rest survives a crash of
        the process.
        """
        with speaking(self.path), self._turn() as connection:
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            try:
                connection.execute("COMMIT")
            except apsw.Error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _turn(self) -> Iterator[apsw.Connection]:
        """Give a connection that nobody closes or uses meanwhile."""
        while True:
            held = self._get()
            with held.lock:
                if not held.closed:
                    yield held.connection
                    return

    def _get(self) -> _Held:
        if self._shared is not None:
            if self._shared.closed:
                raise StoreUnavailableError("the store in memory was closed")
            return self._shared
        held: _Held | None = getattr(self._local, "held", None)
        inode = self._inode()
        if held is not None and held.inode != inode:
            # the file was replaced, by a restore for example: what is written to the old one
            # would be lost
            held.close()
        if held is None or held.closed:
            held = self._connect(inode)
            self._local.held = held
        return held

    def _inode(self) -> int:
        try:
            return 0 if self.path is None else self.path.stat().st_ino
        except OSError as error:
            raise StoreUnavailableError(
                f"{self.path}: the store is gone or out of reach: {error.strerror}. "
                "Bring the file or its folder back, or `omp-tui restore` a backup."
            ) from error

    def _connect(self, inode: int) -> _Held:
        with speaking(self.path):
            connection = apsw.Connection(str(self.path) if self.path else MEMORY)
            connection.set_busy_timeout(self._busy_timeout_ms)
            connection.execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        held = _Held(connection, inode)
        with self._guard:
            self._all.add(held)
        return held

    def _prepare(self) -> None:
        if self.path is not None and not can_be_seen(self.path):
            _create_private(self.path)
        with self._turn() as connection:
            if self.path is None:
                migrate(connection)
            elif (
                schema_version(connection) < SCHEMA_VERSION
                or fetch_value(connection, "PRAGMA journal_mode") != "wal"
            ):
                self._set_up(connection)

    def _set_up(self, connection: apsw.Connection) -> None:
        from filelock import FileLock

        lock = f"{self.path}.setup.lock"
        try:
            # switching to WAL cannot wait for other connections, so one process does it
            with FileLock(lock, timeout=self._busy_timeout_ms / 1000):
                connection.execute("PRAGMA journal_mode = WAL")
                migrate(connection)
        except OSError as error:
            raise StoreUnavailableError(
                f"{self.path}: the store cannot be set up ({error}). Check the permissions of its "
                f"folder, or end the process that holds {lock}."
            ) from error


Params = Sequence[Any] | Mapping[str, Any]


def fetch_all(connection: apsw.Connection, sql: str, params: Params = ()) -> list[tuple[Any, ...]]:
    """Run a statement and return all its rows."""
    return connection.execute(sql, params).fetchall()


def fetch_one(connection: apsw.Connection, sql: str, params: Params = ()) -> tuple[Any, ...] | None:
    """Run a statement and return its first row, if it has one."""
    return connection.execute(sql, params).fetchone()


def fetch_value(connection: apsw.Connection, sql: str, params: Params = ()) -> Any:
    """Run a statement and return the first column of its first row; None without a row."""
    row = fetch_one(connection, sql, params)
    return None if row is None else row[0]


def can_be_seen(path: Path) -> bool:
    """Return whether there is something at a path; not if its folder cannot be entered."""
    try:
        path.stat()
    except OSError:
        return False
    return True


def _create_private(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailableError(
            f"{path}: the store cannot be reached or created: {error.strerror}. "
            "Check the folder's permissions, or choose another place with --store."
        ) from error


@contextlib.contextmanager
def speaking(path: Path | None) -> Iterator[None]:
    """Turn the driver's errors into ours, each with the place and the remedy."""
    place = str(path or "the store in memory")
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreDamagedError(
            f"{place}: the store is damaged ({error}). It was left as it is; "
            "`omp-tui restore` brings back the newest backup."
        ) from error
    except (apsw.BusyError, apsw.LockedError, apsw.ProtocolError) as error:
        raise StoreUnavailableError(
            f"{place}: another process has held the store for too long. "
            "Try again, or end the process that holds it."
        ) from error
    except apsw.FullError as error:
        raise StoreUnwritableError(
            f"{place}: the disk is full; nothing was written. Free some space and try again."
        ) from error
    except apsw.ReadOnlyError as error:
        raise StoreUnwritableError(
            f"{place}: the store cannot be written ({error}); nothing was. "
            "Check the permissions of the file and its folder."
        ) from error
    except (apsw.CantOpenError, apsw.PermissionsError, apsw.AuthError) as error:
        raise StoreUnavailableError(
            f"{place}: the store cannot be opened for writing ({error}). "
            "Check the permissions of the file and its folder."
        ) from error
    except apsw.IOError as error:
        raise StoreUnavailableError(
            f"{place}: the disk failed ({error}). Check that it is there and sound; "
            "`omp-tui doctor` checks the store."
        ) from error
    except apsw.ConnectionClosedError as error:
        raise StoreUnavailableError(f"{place}: the store was closed.") from error
    except apsw.SQLError as error:
        if "no such table" in str(error) or "malformed" in str(error):
            raise StoreDamagedError(
                f"{place}: this is not a store of omp-tui ({error}). It was left as it is."
            ) from error
        raise StoreError(f"{place}: {error}") from error
    except apsw.Error as error:
        raise StoreError(
            f"{place}: {type(error).__name__}: {error}. `omp-tui doctor` checks the store."
        ) from error
    except UnicodeEncodeError as error:
        raise InvalidValueError(
            f"U+{ord(error.object[error.start]):04X}: half of a character, which no file can "
            "hold, stands in an id, a tag or another field; leave it out"
        ) from error
    except OverflowError as error:
        raise InvalidValueError(f"a number is too large: {error}") from error
