"""Connections to the database: opening, transactions, and errors in the product's words."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from omp_core.errors import (
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
)
from omp_core.i18n import _
from omp_core.model import Unseen
from omp_core.private_files import tighten
from omp_core.store.sqlite.failures import speaking
from omp_core.store.sqlite.files import (
    Mark,
    begin,
    can_be_seen,
    has_log,
    log_was_cut,
    lost,
    make_private,
    read_mark,
    was_here,
    write_mark,
)
from omp_core.store.sqlite.schema import SCHEMA_VERSION, migrate, schema_version

MEMORY = ":memory:"
_FIRST_LOOK_S, _LAST_LOOK_S = 0.0005, 0.01
"""A busy store is asked again after so long, a little later each time."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class _Held:
    """A connection, the file it was opened on, and the lock of the thread that uses it."""

    connection: apsw.Connection
    inode: int
    lock: threading.RLock = field(default_factory=threading.RLock)
    closed: bool = False
    synchronous: str | None = None
    """How durable its last transaction was; None before the first."""

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
    no write lock. A file that cannot be written is opened for reading.
    """

    def __init__(self, path: Path | None, busy_timeout_s: float) -> None:
        self.path = path
        self.read_only: str | None = None
        """Why nothing can be written; None when it can."""
        self._how = ""
        """How the file is opened for reading only, as parameters of its address."""
        self._head = 0
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
        with contextlib.suppress(StoreError):  # the mark is a help, the store is the truth
            self._keep_mark()
        with self._guard:
            held = list(self._all)
            self._all.clear()
        for one in held:
            one.close()
        self._local = threading.local()

    @contextlib.contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Give this thread's connection for statements that only read."""
        with speaking(self.path), self._held() as held:
            yield held.connection

    @contextlib.contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[apsw.Connection]:
        """Give a connection inside a transaction that commits at the end or not at all.

        What is `durable` survives a power cut once committed; the rest survives a crash of
        the process.
        """
        if self.read_only is not None:
            raise StoreUnwritableError(self.read_only)
        with speaking(self.path), self._held() as held:
            connection, wanted = held.connection, "FULL" if durable else "NORMAL"
            if held.synchronous != wanted:
                connection.execute(f"PRAGMA synchronous = {wanted}")
                held.synchronous = wanted
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
    def _held(self) -> Iterator[_Held]:
        """Give a connection that nobody closes or uses meanwhile."""
        while True:
            held = self._get()
            with held.lock:
                if not held.closed:
                    yield held
                    return

    def _get(self) -> _Held:
        if self._shared is not None:
            if self._shared.closed:
                raise StoreUnavailableError(_("the store in memory was closed"))
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
                _(
                    "{path}: the store is gone or out of reach: {error}. Bring the file or its "
                    "folder back, or `omp-tui restore` a backup."
                ).format(path=self.path, error=error.strerror)
            ) from error

    def _connect(self, inode: int) -> _Held:
        with speaking(self.path):
            if self.path is None:
                connection = apsw.Connection(MEMORY)
            elif self._how:
                connection = apsw.Connection(
                    f"file:{quote(str(self.path))}?{self._how}",
                    flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
                )
            else:  # never made here: a file that vanishes is not begun anew
                connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
            connection.set_busy_handler(_patience(self._busy_timeout_ms / 1000))
            connection.execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        held = _Held(connection, inode)
        with self._guard:
            self._all.add(held)
        return held

    # opening

    def _prepare(self) -> None:
        if self.path is None:
            with self._held() as held:
                migrate(held.connection)
            return
        begin(self.path)
        cut = log_was_cut(self.path)
        try:
            self._open_to_write()
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
            self._open_to_read(self.path, error)
        self._compare_with_mark(self.path, cut=cut)

    def _open_to_write(self) -> None:
        with self._held() as held:
            connection = held.connection
            if (
                self._version(connection) < SCHEMA_VERSION
                or fetch_value(connection, "PRAGMA journal_mode") != "wal"
            ):
                self._set_up(connection)

    def _open_to_read(self, path: Path, error: apsw.Error) -> None:
        """Open what cannot be written: with the locks if they can be taken, else without."""
        for how in ("mode=ro", "mode=ro&immutable=1"):
            self._forget_connections()
            self._how = how
            try:
                with self._held() as held:
                    version = self._version(held.connection)
            except (apsw.CantOpenError, apsw.ReadOnlyError):
                continue
            if version != SCHEMA_VERSION:
                break
            self.read_only = _(
                "{path}: the store can be read and not written ({error}). Check the permissions "
                "of the file and its folder."
            ).format(path=path, error=error)
            return
        self._forget_connections()
        raise error

    def _forget_connections(self) -> None:
        held = getattr(self._local, "held", None)
        if held is not None:
            held.close()
            self._local.held = None

    def _version(self, connection: apsw.Connection) -> int:
        """Return the schema version. Raises StoreDamagedError for an empty one with a past."""
        version = schema_version(connection)
        if version == 0 and self.path is not None and was_here(self.path):
            raise lost(self.path)
        return version

    def _set_up(self, connection: apsw.Connection) -> None:
        from filelock import FileLock

        lock = Path(f"{self.path}.setup.lock")
        try:
            # switching to WAL cannot wait for other connections, so one process does it
            with FileLock(lock, timeout=self._busy_timeout_ms / 1000, mode=0o600):
                tighten(lock)
                connection.execute("PRAGMA journal_mode = WAL")
                migrate(connection)
        except OSError as error:
            raise StoreUnavailableError(
                _(
                    "{path}: the store cannot be set up ({error}). Check the permissions of its "
                    "folder, or end the process that holds {lock}."
                ).format(path=self.path, error=error, lock=lock)
            ) from error

    # the mark

    def _compare_with_mark(self, path: Path, *, cut: bool) -> None:
        """Note what is missing of what the store is known to have held."""
        if self.read_only is not None:
            return
        make_private(path)
        mark, head = read_mark(path), self._newest_act()
        self._head = head
        missing = None if mark is None else mark.missing
        if mark is not None and head < mark.head:
            missing = _("the newest {count} acts that it held are gone").format(
                count=mark.head - head
            )
        elif cut:
            missing = _("its write-ahead log was cut short: the newest changes are gone")
        if mark is None or missing != mark.missing:
            write_mark(path, Mark(head, missing))

    def _keep_mark(self) -> None:
        """Let the mark say how far the journal has come."""
        if self.path is None or self.read_only is not None or not can_be_seen(self.path):
            return
        head = self._newest_act()
        mark = read_mark(self.path)
        if mark is not None and head > mark.head:
            write_mark(self.path, Mark(head, mark.missing))

    def _newest_act(self) -> int:
        with self.reading() as connection:
            return int(fetch_value(connection, "SELECT coalesce(max(seq), 0) FROM acts"))

    def unseen(self) -> tuple[Unseen, ...]:
        """Return what of the store as a whole its answers do without."""
        if self.path is None:
            return ()
        found = []
        mark = read_mark(self.path)
        if mark is not None and mark.missing is not None:
            found.append(
                Unseen(
                    str(self.path),
                    _(
                        "{missing}; `omp-tui restore` brings back the best backup, "
                        "`omp-tui backup` accepts what is there"
                    ).format(missing=mark.missing),
                )
            )
        if self.read_only is not None and "immutable" in self._how and has_log(self.path):
            found.append(
                Unseen(
                    f"{self.path}-wal",
                    _("the newest changes lie in the log, which cannot be read without writing"),
                )
            )
        return tuple(found)


def _patience(seconds: float) -> Callable[[int], bool]:
    """Return a busy handler that looks again soon: what it waits for takes about a millisecond.

    SQLite's own sleeps for up to 100 ms at a time, in which several others take their turns.
    """
    began = 0.0

    def wait(earlier: int) -> bool:
        nonlocal began
        now = time.monotonic()
        if earlier == 0:
            began = now
        if now - began >= seconds:
            return False
        time.sleep(min(_FIRST_LOOK_S * (earlier + 1), _LAST_LOOK_S))
        return True

    return wait


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
