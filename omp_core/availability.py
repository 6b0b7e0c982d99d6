"""Availability: circuit breakers in front of the store, the vectors and the project files.

The store and the model are opened by the first call that needs them. After a failure a breaker
stays open for a pause that doubles with each further one; the next call after it is the trial
that closes the breaker or lengthens the pause.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from omp_core.access import AccessControl
from omp_core.errors import (
    EmbeddingError,
    StoreDamagedError,
    StoreError,
    StoreTooNewError,
    StoreUnavailableError,
    StoreUnwritableError,
)
from omp_core.i18n import _, ngettext
from omp_core.model import Capability, Unseen
from omp_core.private_files import tighten
from omp_core.session import Session
from omp_core.settings import Settings
from omp_core.settings_files import data_path

if TYPE_CHECKING:
    from omp_core.embed.protocol import Embedder
    from omp_core.project.facts import Damage
    from omp_core.store.protocol import Store

_log = logging.getLogger(__name__)

StoreOpener = Callable[[Path, str, Settings], "Store"]
"""Opens the store at a path for a workspace's key."""
EmbedderLoader = Callable[[Settings], "Embedder | None"]

_Read = TypeVar("_Read")

_AWAY = (StoreUnavailableError, StoreDamagedError, StoreTooNewError)
"""What leaves the project home alone to answer a reading call."""

_FIRST_PAUSE = timedelta(seconds=1)
_LONGEST_PAUSE = timedelta(seconds=60)


@dataclass(slots=True)
class CircuitBreaker:
    """One capability: closed while it works, open after a failure, until a trial succeeds.

    `since` is when it last changed between the two, `retry_at` when the next trial may be made.
    """

    label: str
    since: datetime
    closed: bool = True
    reason: str | None = None
    error: Exception | None = None
    retry_at: datetime | None = None
    pause: timedelta = _FIRST_PAUSE

    def record_failure(self, error: Exception, now: datetime) -> None:
        """Open; the pause before the next trial doubles up to a minute."""
        if self.closed:
            self.since = now
        self.closed = False
        self.error, self.reason = error, str(error)
        self.retry_at = now + self.pause
        self.pause = min(self.pause * 2, _LONGEST_PAUSE)

    def record_success(self, label: str, now: datetime, reason: str | None = None) -> None:
        """Close; `reason` says what is missing although it works."""
        if not self.closed or self.label != label:
            self.since = now
        self.closed, self.label, self.reason = True, label, reason
        self.error, self.retry_at, self.pause = None, None, _FIRST_PAUSE

    def rejects(self, now: datetime) -> bool:
        """Return whether it is too early for a trial. A clock set back ends the pause."""
        return self.retry_at is not None and now < self.retry_at <= now + _LONGEST_PAUSE

    def last_error(self) -> Exception:
        """Return the error of the last failure anew: the same trouble ends in the same way."""
        error = self.error or StoreUnavailableError(_("The store is down; try again later."))
        return type(error)(str(error))

    def half_open(self, now: datetime) -> None:
        """Let the next call through as the trial; the pause goes on doubling if it fails."""
        self.closed, self.reason, self.retry_at, self.since = True, None, None, now


class Availability:
    """The store and the model of a session, opened when needed; safe to use from threads."""

    def __init__(
        self,
        session: Session,
        open_store: StoreOpener | None = None,
        load_embedder: EmbedderLoader | None = None,
    ) -> None:
        self._session = session
        self._open_store = open_store
        self._load_embedder = load_embedder
        self._store: Store | None = None
        self._had_store = False
        self._mirror_only: Store | None = None
        self._embedder: Embedder | None = None
        self._store_breaker: CircuitBreaker | None = None
        self._vector_breaker: CircuitBreaker | None = None
        self._store_lock = threading.RLock()
        self._embed_lock = threading.RLock()
        self.access = AccessControl(session, self._whole_store)

    def inside(self, session: Session) -> Availability:
        """Close the store, and return what a changed session goes on with; the model stays."""
        self.close()
        after = Availability(session, self._open_store, self._load_embedder)
        after._embedder, after._vector_breaker = self._embedder, self._vector_breaker
        return after

    # the store

    def store(self) -> Store:
        """Return the user store as the actor may see it, opened if need be.

        Raises StoreUnavailableError while it is down; it is tried again after a pause that
        doubles with each failure.
        """
        return self.access.visible(self._whole_store())

    def _whole_store(self) -> Store:
        store = self._store
        if store is not None and self.store_down is not None:
            store = self._try_writing_again()
        if store is not None:
            return store
        with self._store_lock:
            if self._store is None:
                self._store = self._opened()
            return self._store

    def _opened(self) -> Store:
        session = self._session
        now = session.now()
        breaker = self._store_breaker
        if breaker is not None and breaker.rejects(now):
            raise breaker.last_error()
        try:
            self._require_same_place()
            opened = (self._open_store or _open_sqlite)(
                session.store_path, session.workspace_key, session.settings
            )
        except StoreError as error:
            self.store_failed(error)
            raise
        self._breaker_of_store().record_success(opened.label, now)
        if opened.read_only is not None:
            self._breaker_of_store().record_failure(StoreUnwritableError(opened.read_only), now)
        self._had_store = True
        return opened

    def _require_same_place(self) -> None:
        """Refuse to begin an empty store where one was that this process had open."""
        if not self._had_store or self._open_store is not None:
            return
        from omp_core.store.sqlite.files import can_be_seen

        path = self._session.store_path
        if not can_be_seen(path):
            raise StoreUnavailableError(
                _(
                    "{path}: the store is gone or out of reach. Bring the file or its folder "
                    "back, or `omp-tui restore` a backup."
                ).format(path=path)
            )

    def store_failed(self, error: StoreError) -> None:
        """Note that the store is down. It is opened anew when it is tried again.

        A call that only met the pause before the next try tells nothing new. A store that only
        cannot be written stays open for reading.
        """
        with self._store_lock:
            breaker, now = self._breaker_of_store(), self._session.now()
            if self._store is None and breaker.rejects(now):
                return
            breaker.record_failure(error, now)
            if isinstance(error, StoreUnwritableError):
                return  # it can still be read
            store, self._store = self._store, None
        if store is not None:
            store.close()

    def _try_writing_again(self) -> Store | None:
        """Let the next write to a store that could only be read be the trial, after its pause.

        One that was opened for reading only has to be opened anew for that; then None.
        """
        with self._store_lock:
            breaker, now, store = self._breaker_of_store(), self._session.now(), self._store
            if store is None or breaker.rejects(now):
                return store
            if store.read_only is None:
                breaker.half_open(now)
                return store
            self._store = None
        store.close()
        return None

    def store_written(self) -> None:
        """Note that a write got through, which ends what only kept writes out."""
        with self._store_lock:
            breaker = self._breaker_of_store()
            if self._store is not None and not breaker.closed:
                breaker.record_success(self._store.label, self._session.now())

    def reading_store(self) -> Store:
        """Return the user store as the actor may see it, or while it is down one that holds the
        project home only."""
        return self.access.visible(self._readable_store())

    def _readable_store(self) -> Store:
        try:
            return self._whole_store()
        except _AWAY:
            with self._store_lock:
                if self._mirror_only is None:
                    from omp_core.store.sqlite import SqliteStore

                    self._mirror_only = SqliteStore(None, workspace=self._session.workspace_key)
                return self._mirror_only

    def read(self, call: Callable[[Store], _Read]) -> _Read:
        """Return what a reading call answers; from the project home if the store fails in it."""
        store = self._readable_store()
        try:
            return call(self.access.visible(store))
        except _AWAY as error:
            if store is self._mirror_only:
                raise
            self.store_failed(error)
            return call(self.reading_store())

    @property
    def store_down(self) -> str | None:
        """Why the store is down; None while it is up or was not needed yet."""
        breaker = self._store_breaker
        return None if breaker is None or breaker.closed else breaker.reason

    @property
    def store_away(self) -> datetime | None:
        """Since when the store cannot even be read; None while it can, or was not needed yet."""
        breaker = self._store_breaker
        if self._store is not None or breaker is None or breaker.closed:
            return None
        return breaker.since

    def unseen(self) -> tuple[Unseen, ...]:
        """Return what answers had to do without so far: the store, or parts of it."""
        found = []
        if (reason := self.store_down) is not None:
            found.append(Unseen("store", reason))
        store = self._store
        return (*found, *(store.unseen() if store is not None else ()))

    # vectors

    def embedder(self) -> Embedder | None:
        """Return the model, loaded if need be; None when none can be had."""
        if self._embedder is not None:
            return self._embedder
        with self._embed_lock:
            breaker = self._vector_breaker
            if self._embedder is None and (breaker is None or breaker.closed):
                self._embedder = self._loaded()
            return self._embedder

    def _loaded(self) -> Embedder | None:
        settings, now = self._session.settings, self._session.now()
        breaker = self._vector_breaker or CircuitBreaker("vectors", now)
        self._vector_breaker = breaker
        if settings.semantic.provider == "none":
            reason = _("switched off by semantic.provider")
            breaker.record_failure(EmbeddingError(reason), now)
            return None
        try:
            loaded = (self._load_embedder or load_embedder)(settings)
        except EmbeddingError as error:
            _log.warning("no embedding model: %s", error)
            breaker.record_failure(error, now)
            return None
        if loaded is None:
            breaker.record_failure(EmbeddingError(_("switched off")), now)
        else:
            breaker.record_success(loaded.label, now, loaded.degraded)
        return loaded

    def ready_embedder(self) -> Embedder | None:
        """Return the model if it is loaded already."""
        return self._embedder

    # what is up

    def capabilities(self, damages: Sequence[Damage] = ()) -> tuple[Capability, ...]:
        """Return store, vectors and project files as they were last seen; opens nothing.

        `damages` are the project documents that did not parse when they were last read.
        """
        now = self._session.now()
        store = self._store_breaker or CircuitBreaker("sqlite", now)
        vectors = self._vector_breaker or CircuitBreaker(_("not loaded yet"), now)
        return (
            Capability("store", store.closed, store.label, store.since, store.reason),
            Capability("vectors", vectors.closed, vectors.label, vectors.since, vectors.reason),
            self._project(damages, now),
        )

    def _project(self, damages: Sequence[Damage], now: datetime) -> Capability:
        workspace = self._session.workspace
        if workspace is None:
            return Capability("project", True, "none", now)
        if not damages:
            return Capability("project", True, workspace.root.name, now)
        first = damages[0]
        place = first.file if first.line is None else f"{first.file}:{first.line}"
        reason = ngettext(
            "{count} document is damaged: {place}: {reason}",
            "{count} documents are damaged, the first: {place}: {reason}",
            len(damages),
        ).format(count=len(damages), place=place, reason=first.reason)
        return Capability("project", False, workspace.root.name, now, reason)

    def _breaker_of_store(self) -> CircuitBreaker:
        if self._store_breaker is None:
            self._store_breaker = CircuitBreaker("store", self._session.now())
        return self._store_breaker

    def close(self) -> None:
        """Close the store; what is asked for next opens it anew."""
        for store in (self._store, self._mirror_only):
            if store is not None:
                store.close()
        self._store = self._mirror_only = None
        self._had_store = False


def _open_sqlite(path: Path, workspace: str, settings: Settings) -> Store:
    from omp_core.store.sqlite import SqliteStore

    if path.parent == data_path():  # another folder may be shared with what is not ours
        tighten(path.parent)
    return SqliteStore(path, workspace=workspace, busy_timeout_s=settings.store.busy_timeout_s)


def load_embedder(settings: Settings) -> Embedder:
    from omp_core.embed import choose_embedder

    return choose_embedder(settings.embed)
