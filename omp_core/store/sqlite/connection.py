"""Connections to the database: opening, transactions, and errors in the product's words."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw

from omp_core.errors import StoreDamagedError, StoreError, StoreUnavailableError
from omp_core.store.sqlite.schema import SCHEMA_VERSION, migrate, schema_version

MEMORY = ":memory:"


class Connections:
    """One connection per thread to one database file.

    A transaction that writes starts immediate and waits for other processes; reads take
    no write lock.
    """

    def __init__(self, path: Path | None, busy_timeout_s: float) -> None:
        self.path = path
        self._busy_timeout_ms = int(busy_timeout_s * 1000)
        self._local = threading.local()
        self._all: list[apsw.Connection] = []
        self._guard = threading.Lock()
        self._shared = None if path else self._connect()
        # a private in-memory database is one connection, which takes one thread at a time
        self._shared_lock = threading.RLock()
        with speaking(self.path):
            self._prepare()

    def close(self) -> None:
        with self._guard:
            for connection in self._all:
                connection.close(True)
            self._all.clear()
        self._local = threading.local()

    @contextlib.contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Give this thread's connection for statements that only read."""
        with speaking(self.path), self._turn():
            yield self._get()

    @contextlib.contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[apsw.Connection]:
        """Give a connection inside a transaction that commits at the end or not at all.

        What is `durable` survives a power cut once committed; the rest survives a crash of
        the process.
        """
        with speaking(self.path), self._turn():
            connection = self._get()
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
    def _turn(self) -> Iterator[None]:
        if self._shared is None:
            yield
        else:
            with self._shared_lock:
                yield

    def _get(self) -> apsw.Connection:
        if self._shared is not None:
            return self._shared
        held: tuple[apsw.Connection, int] | None = getattr(self._local, "held", None)
        inode = self._inode()
        if held is not None and held[1] != inode:
            # the file was replaced, by a restore for example: what is written to the old one
            # would be lost
            held[0].close(True)
            held = None
        if held is None:
            held = (self._connect(), inode)
            self._local.held = held
        return held[0]

    def _inode(self) -> int:
        try:
            return 0 if self.path is None else self.path.stat().st_ino
        except OSError as error:
            raise StoreUnavailableError(
                f"{self.path}: the store is gone or out of reach: {error.strerror}. "
                "Bring the file or its folder back, or `omp-tui restore` a backup."
            ) from error

    def _connect(self) -> apsw.Connection:
        with speaking(self.path):
            connection = apsw.Connection(str(self.path) if self.path else MEMORY)
            connection.set_busy_timeout(self._busy_timeout_ms)
            connection.execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        with self._guard:
            self._all.append(connection)
        return connection

    def _prepare(self) -> None:
        if self.path is None:
            migrate(self._get())
            return
        new = not self.path.exists()
        if new:
            _create_private(self.path)
        connection = self._get()
        ready = (
            schema_version(connection) == SCHEMA_VERSION
            and fetch_value(connection, "PRAGMA journal_mode") == "wal"
        )
        if not ready:
            from filelock import FileLock

            # switching to WAL cannot wait for other connections, so one process does it
            with FileLock(f"{self.path}.setup.lock"):
                connection.execute("PRAGMA journal_mode = WAL")
                migrate(connection)


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


def _create_private(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailableError(
            f"{path}: the store cannot be created: {error.strerror}. "
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
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreUnavailableError(
            f"{place}: another process has held the store for too long. "
            "Try again, or end the process that holds it."
        ) from error
    except apsw.FullError as error:
        raise StoreUnavailableError(
            f"{place}: the disk is full; nothing was written. Free some space and try again."
        ) from error
    except (apsw.CantOpenError, apsw.PermissionsError, apsw.ReadOnlyError, apsw.AuthError) as error:
        raise StoreUnavailableError(
            f"{place}: the store cannot be opened for writing ({error}). "
            "Check the permissions of the file and its folder."
        ) from error
    except apsw.IOError as error:
        raise StoreUnavailableError(f"{place}: the disk failed ({error}).") from error
    except apsw.ConnectionClosedError as error:
        raise StoreUnavailableError(f"{place}: the store was closed.") from error
    except apsw.SQLError as error:
        if "no such table" in str(error) or "malformed" in str(error):
            raise StoreDamagedError(
                f"{place}: this is not a store of omp-tui ({error}). It was left as it is."
            ) from error
        raise StoreError(f"{place}: {error}") from error
