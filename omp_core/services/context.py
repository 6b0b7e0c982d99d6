"""What every part of `Memory` works with: settings, time, who acts, and the capabilities.

Nothing is opened when a context is made. The store and the model are opened by the first
call that needs them; a store that cannot be opened is tried again with growing pauses.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from uuid_utils import uuid7

from omp_core.errors import (
    EmbeddingError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
)
from omp_core.i18n import _
from omp_core.model import Act, Capability, JournalEntry
from omp_core.project.caller import NOWHERE, Place
from omp_core.settings import Settings

if TYPE_CHECKING:
    from omp_core.embed.protocol import Embedder
    from omp_core.project.identity import Identity
    from omp_core.project.workspace import Workspace
    from omp_core.store.protocol import Store

_log = logging.getLogger(__name__)

Clock = Callable[[], datetime]
Inverter = Callable[[JournalEntry], JournalEntry | None]
"""Puts one journal entry's `before` back, if nobody changed it since, and says what it did."""

_Read = TypeVar("_Read")

PROJECT_PREFIX = "project"
_FIRST_PAUSE = timedelta(seconds=1)
_LONGEST_PAUSE = timedelta(seconds=60)


def utc_now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a fresh id that sorts by time (UUIDv7)."""
    return str(uuid7())


@dataclass(slots=True)
class Gate:
    """One capability: up or down, since when, and when to try again."""

    label: str
    since: datetime
    up: bool = True
    reason: str | None = None
    error: Exception | None = None
    retry_at: datetime | None = None
    pause: timedelta = _FIRST_PAUSE

    def fall(self, error: Exception, now: datetime) -> None:
        """Note a failure; the pause before the next try doubles up to a minute."""
        if self.up:
            self.since = now
        self.up = False
        self.error, self.reason = error, str(error)
        self.retry_at = now + self.pause
        self.pause = min(self.pause * 2, _LONGEST_PAUSE)

    def as_before(self) -> Exception:
        """Return the error of the last try anew: the same trouble ends in the same way."""
        error = self.error or StoreUnavailableError("the store is down")
        return type(error)(str(error))

    def pauses(self, now: datetime) -> bool:
        """Return whether it is too early for the next try. A clock set back ends the pause."""
        return self.retry_at is not None and now < self.retry_at <= now + _LONGEST_PAUSE

    def rise(self, label: str, now: datetime, reason: str | None = None) -> None:
        """Note success."""
        if not self.up or self.label != label:
            self.since = now
        self.up, self.label, self.reason = True, label, reason
        self.error, self.retry_at, self.pause = None, None, _FIRST_PAUSE


@dataclass(slots=True)
class Context:
    """Shared by the parts of one `Memory`; safe to use from several threads."""

    settings: Settings
    store_path: Path
    workspace: Workspace | None
    actor: str
    clock: Clock = utc_now
    open_store: Callable[[Path, str, Settings], Store] | None = None
    load_embedder: Callable[[Settings], Embedder | None] | None = None
    place: Place = NOWHERE
    """The caller's directory, in which the search for `_omp/` began, and what named it."""
    inverters: dict[str, Inverter] = field(default_factory=dict)
    """Undo of what is not a record, by the prefix of the journal's record id."""
    _identity: Identity | None = None
    _store: Store | None = None
    _had_store: bool = False
    _mirror_only: Store | None = None
    _embedder: Embedder | None = None
    _store_gate: Gate | None = None
    _vector_gate: Gate | None = None
    _store_lock: threading.RLock = field(default_factory=threading.RLock)
    _embed_lock: threading.RLock = field(default_factory=threading.RLock)

    def now(self) -> datetime:
        return self.clock()

    @property
    def start(self) -> Path | None:
        """The directory that the search for `_omp/` began in; None where there is no project."""
        return self.place.directory

    def identity(self) -> Identity:
        """Return who and which project this is, asked of git once."""
        if self._identity is None:
            from omp_core.project.identity import resolve_identity

            root = self.workspace.root if self.workspace else self.start
            self._identity = resolve_identity(root, self.settings)
        return self._identity

    # the store

    def store(self) -> Store:
        """Return the user store, opened if need be.

        Raises StoreUnavailableError while it is down; it is tried again after a pause that
        doubles with each failure.
        """
        store = self._store
        if store is not None:
            if self.store_down is not None:
                self._hope()
            return store
        with self._store_lock:
            if self._store is None:
                self._store = self._open()
            return self._store

    def _open(self) -> Store:
        now = self.now()
        gate = self._store_gate
        if gate is not None and gate.pauses(now):
            raise gate.as_before()
        try:
            self._require_same_place()
            opened = (self.open_store or _open_sqlite)(
                self.store_path, self.workspace_key, self.settings
            )
        except StoreError as error:
            self.store_failed(error)
            raise
        self._gate("store").rise(opened.label, now)
        self._had_store = True
        return opened

    def _require_same_place(self) -> None:
        """Refuse to begin an empty store where one was that this process had open."""
        if not self._had_store or self.open_store is not None:
            return
        from omp_core.store.sqlite.connection import can_be_seen

        if not can_be_seen(self.store_path):
            raise StoreUnavailableError(
                f"{self.store_path}: the store is gone or out of reach. Bring the file or its "
                "folder back, or `omp-tui restore` a backup."
            )

    def store_failed(self, error: StoreError) -> None:
        """Note that the store is down. It is opened anew when it is tried again.

        A call that only met the pause before the next try tells nothing new. A store that only
        cannot be written stays open for reading.
        """
        with self._store_lock:
            gate, now = self._gate("store"), self.now()
            if self._store is None and gate.pauses(now):
                return
            gate.fall(error, now)
            if isinstance(error, StoreUnwritableError):
                return  # it can still be read
            store, self._store = self._store, None
        if store is not None:
            store.close()

    def _hope(self) -> None:
        """Take a store that could not be written for sound again once its pause is over."""
        with self._store_lock:
            gate, now = self._gate("store"), self.now()
            if not gate.pauses(now):
                gate.up, gate.reason, gate.retry_at, gate.since = True, None, None, now

    def store_written(self) -> None:
        """Note that a write got through, which ends what only kept writes out."""
        with self._store_lock:
            gate = self._gate("store")
            if self._store is not None and not gate.up:
                gate.rise(self._store.label, self.now())

    def reading_store(self) -> Store:
        """Return the user store, or while it is down one that holds the project home only."""
        try:
            return self.store()
        except (StoreUnavailableError, StoreDamagedError):
            with self._store_lock:
                if self._mirror_only is None:
                    from omp_core.store.sqlite import SqliteStore

                    self._mirror_only = SqliteStore(None, workspace=self.workspace_key)
                return self._mirror_only

    def read(self, call: Callable[[Store], _Read]) -> _Read:
        """Return what a reading call answers; from the project home if the store fails in it."""
        store = self.reading_store()
        try:
            return call(store)
        except (StoreUnavailableError, StoreDamagedError) as error:
            if store is self._mirror_only:
                raise
            self.store_failed(error)
            return call(self.reading_store())

    @property
    def store_down(self) -> str | None:
        """Why the store is down; None while it is up or was not needed yet."""
        gate = self._store_gate
        return None if gate is None or gate.up else gate.reason

    @property
    def workspace_key(self) -> str:
        """What tells this workspace's documents from those of others in one store."""
        return "" if self.workspace is None else str(self.workspace.root)

    # vectors

    def embedder(self) -> Embedder | None:
        """Return the model, loaded if need be; None when none can be had."""
        if self._embedder is not None:
            return self._embedder
        with self._embed_lock:
            gate = self._vector_gate
            if self._embedder is None and (gate is None or gate.up):
                self._embedder = self._load_embedder()
            return self._embedder

    def _load_embedder(self) -> Embedder | None:
        if self.settings.semantic.provider == "none":
            self._gate("vectors").fall(
                EmbeddingError(_("switched off by semantic.provider")), self.now()
            )
            return None
        try:
            loaded = (self.load_embedder or _choose_embedder)(self.settings)
        except EmbeddingError as error:
            _log.warning("no embedding model: %s", error)
            self._gate("vectors").fall(error, self.now())
            return None
        if loaded is None:
            self._gate("vectors").fall(EmbeddingError(_("switched off")), self.now())
        else:
            self._gate("vectors").rise(loaded.label, self.now(), loaded.degraded)
        return loaded

    def ready_embedder(self) -> Embedder | None:
        """Return the model if it is loaded already."""
        return self._embedder

    # what is up

    def capabilities(self) -> tuple[Capability, ...]:
        """Return the three capabilities as they were last seen; opens nothing."""
        now = self.now()
        store = self._store_gate or Gate("sqlite", now)
        vectors = self._vector_gate or Gate(_("not loaded yet"), now)
        return (
            Capability("store", store.up, store.label, store.since, store.reason),
            Capability("vectors", vectors.up, vectors.label, vectors.since, vectors.reason),
        )

    def _gate(self, name: str) -> Gate:
        held = self._store_gate if name == "store" else self._vector_gate
        if held is None:
            held = Gate(name, self.now())
            if name == "store":
                self._store_gate = held
            else:
                self._vector_gate = held
        return held

    def enter(self, workspace: Workspace) -> None:
        """Go on in a workspace that has just been laid out; the store is opened anew for it."""
        with self._store_lock:
            self.workspace = workspace
            self._identity = None
            self.close()

    def close(self) -> None:
        for store in (self._store, self._mirror_only):
            if store is not None:
                store.close()
        self._store = self._mirror_only = None
        self._had_store = False

    # ids

    def is_own_id(self, record_id: str) -> bool:
        """Return whether the journal or the mirror uses ids of this form for something else."""
        prefix, colon, _rest = record_id.partition(":")
        return bool(colon) and (prefix == PROJECT_PREFIX or prefix in self.inverters)

    # acts

    def act(
        self,
        kind: str,
        summary: str,
        records: int,
        *,
        actor: str | None = None,
        undoes: str | None = None,
    ) -> Act:
        """Return a new act of this moment."""
        return Act(new_id(), kind, actor or self.actor, self.now(), summary, records, undoes=undoes)


def _open_sqlite(path: Path, workspace: str, settings: Settings) -> Store:
    from omp_core.store.sqlite import SqliteStore

    return SqliteStore(path, workspace=workspace, busy_timeout_s=settings.store.busy_timeout_s)


def _choose_embedder(settings: Settings) -> Embedder:
    from omp_core.embed import choose_embedder

    return choose_embedder(settings.embed)
