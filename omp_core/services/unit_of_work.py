"""Unit of work: one act with all it changes, committed whole or not at all.

Every change of records, journal and documents goes through it. What races with another process
is tried anew from its reading on; each race that is lost is another's success.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TypeVar

from omp_core.availability import Availability
from omp_core.errors import (
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
    VersionConflictError,
)
from omp_core.i18n import _
from omp_core.model import (
    Act,
    ActKind,
    JournalEntry,
    Json,
    Record,
    Right,
    Scope,
    Status,
    Tier,
)
from omp_core.record_json import to_json
from omp_core.rules.fields import json_value
from omp_core.rules.merge import Merged
from omp_core.rules.tiers import limits
from omp_core.services.acts import sentence
from omp_core.services.cleanup_log import cleanup_log, log_line, write_cleanup_log
from omp_core.services.locks import require_person
from omp_core.session import Session
from omp_core.store.protocol import (
    Batch,
    NoneAlike,
    NoTwin,
    Put,
    Removal,
    Room,
    Shift,
    Shifted,
    Vector,
)

_log = logging.getLogger(__name__)

_CAUSE: ContextVar[str | None] = ContextVar("cause", default=None)
_TRIES = 200
"""A write that loses this many races in a row gives up."""
_Result = TypeVar("_Result")


_CURATING = frozenset(
    {"delete", "maintain", "merge", "purge", "redo", "resolve", "restore", "review", "summarize",
     "sync", "theme", "tier", "undo"}
)  # fmt: skip
"""Kinds of acts that take the right to curate somewhere, whatever they come to."""


class UnitOfWork:
    """One act while it is put together. Nothing is written before it ends."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._puts: list[Put] = []
        self._removals: list[Removal] = []
        self._entries: list[JournalEntry] = []
        self._conditions: list[NoTwin | NoneAlike] = []
        self._shifts: list[Shift] = []
        self._filled: set[Tier] = set()
        self._in_parts = 0
        self._rights: dict[tuple[Right, Scope], None] = {}

    @property
    def rights(self) -> tuple[tuple[Right, Scope], ...]:
        """What the actor has to be allowed for it, and over which scopes."""
        return tuple(self._rights)

    @property
    def act(self) -> Act:
        """The act: its id, actor and moment are fixed from the start."""
        own = len(self._entries) + len(self._shifts)
        return replace(self._act, records=own or self._in_parts)

    @property
    def words(self) -> str:
        """What the act does, in the reader's language."""
        return sentence(self._act.kind, self._act.values)

    @property
    def empty(self) -> bool:
        """Whether it changes nothing; then it leaves no act."""
        changes = (self._puts, self._removals, self._entries, self._shifts)
        return not any(changes) and not self._in_parts

    @property
    def record_ids(self) -> tuple[str, ...]:
        """What the entries are about, in their order."""
        return tuple(entry.record_id for entry in self._entries)

    def say(self, **values: Json) -> None:
        """Add values that the words of the act are made of."""
        self._act = replace(self._act, values={**self._act.values, **values})

    def count_parts(self, records: int) -> None:
        """Say how much was changed by the acts that are parts of this one."""
        self._in_parts += records

    def create(self, record: Record, vector: Vector | None = None) -> None:
        """Store a record whose id nothing has; one that is new here arrives with this act.

        Raises LockedError for a locked one that no person brings.
        """
        self._require_unlocked(record)
        self._rights[Right.WRITE, record.scope] = None
        if record.arrived_at is None:
            record = replace(record, arrived_at=self._act.at)
        self._puts.append(Put(record, None, vector))
        self.note(record.id, None, to_json(record), version=record.version)

    def change(
        self, current: Record, merged: Merged, vector: Vector | None = None, kind: str | None = None
    ) -> None:
        """Store what the write rule made of a record; `kind` names the rule that moved it."""
        before, after = dict(merged.before), dict(merged.after)
        if merged.disputes:
            opened = {dispute.id for dispute in merged.disputes}
            held = [dispute for dispute in merged.record.disputes if dispute.id not in opened]
            before["disputes"] = json_value(tuple(held))
            after["disputes"] = json_value(merged.record.disputes)
        self.put(current, merged.record, before, after, vector, kind)

    def put(
        self,
        current: Record,
        record: Record,
        before: Mapping[str, Json],
        after: Mapping[str, Json],
        vector: Vector | None = None,
        kind: str | None = None,
    ) -> None:
        """Store a record in the place of `current`, if that is still what the store has.

        Raises LockedError when it is locked, or becomes so, and no person does it.
        """
        if after.keys() - {"disputes"}:  # a question about a locked record does not change it
            self._require_unlocked(current)
            if record.locked is not current.locked:
                require_person(self._act.actor, record.id)
        right = Right.CURATE if _curates(record, after) else Right.WRITE
        self._rights |= {(right, current.scope): None, (right, record.scope): None}
        self._puts.append(Put(record, current.version, vector))
        self.note(record.id, before, after, version=record.version, kind=kind)

    def remove(self, record: Record) -> None:
        """Remove a record, if it is still what the store has. Raises LockedError."""
        self._require_unlocked(record)
        self._rights[Right.CURATE, record.scope] = None
        self._removals.append(Removal(record.id, record.version))
        self.note(record.id, to_json(record), None, version=record.version)

    def _require_unlocked(self, record: Record) -> None:
        if record.locked:
            require_person(self._act.actor, record.id)

    def note(
        self,
        record_id: str,
        before: Mapping[str, Json] | None,
        after: Mapping[str, Json] | None,
        *,
        version: int = 1,
        kind: str | None = None,
    ) -> None:
        """Journal what is no record of the store, or was written elsewhere already."""
        act = self._act
        self._entries.append(
            JournalEntry(
                act.id, kind or act.kind, act.actor, act.at, record_id, version, before, after
            )
        )

    def require(self, *conditions: NoTwin | NoneAlike) -> None:
        """Commit only if these conditions hold then."""
        self._conditions += conditions

    def shift(self, *shifts: Shift) -> None:
        """Move records between tiers by rule."""
        self._shifts += shifts

    def fill(self, *tiers: Tier) -> None:
        """Say which tiers it writes to: what overflows there moves on with the act."""
        self._filled |= set(tiers)

    @property
    def filled(self) -> frozenset[Tier]:
        """The tiers that must not overflow because of this act."""
        return frozenset(self._filled)

    def batch(self, rooms: tuple[Room, ...]) -> Batch:
        """Return all of it in the form of the store; `rooms` are made in its transaction."""
        return Batch(
            self.act,
            tuple(self._puts),
            tuple(self._removals),
            tuple(self._entries),
            tuple(self._conditions),
            tuple(self._shifts),
            rooms,
        )


def _curates(record: Record, after: Mapping[str, Json]) -> bool:
    """Whether a change is more than a new statement: a move, a lock, an end without successor."""
    ended = "status" in after and record.status is not Status.SUPERSEDED
    return ended or bool(after.keys() & {"tier", "locked"})


class UnitsOfWork:
    """Begins acts and commits them."""

    def __init__(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability

    @contextmanager
    def begin(
        self,
        kind: ActKind,
        values: Mapping[str, Json] | None = None,
        *,
        actor: str | None = None,
        undoes: str | None = None,
        cause: str | None = None,
        rooms: tuple[Room, ...] = (),
    ) -> Iterator[UnitOfWork]:
        """Yield an act to fill; it is committed at the end unless it changes nothing.

        `values` are what its words are made of (`services.acts`), `cause` the id of the act
        that it is a part or a consequence of, `rooms` are made besides those that the filled
        tiers need. Raises VersionConflictError when another was faster, AccessDeniedError for
        what the session's actor may not do, LockedError, and StoreUnavailableError; nothing is
        written then.
        """
        act = self._session.act(
            kind, values or {}, actor=actor, undoes=undoes, cause=cause or _CAUSE.get()
        )
        access = self._availability.access if actor is None else None
        if access is not None and kind in _CURATING:
            access.require_some(Right.CURATE)
        work = UnitOfWork(act)
        yield work
        if work.empty and undoes is None:
            return
        if access is not None:
            for right, scope in work.rights:
                access.require(right, scope)
        rooms = (*rooms, *self._rooms(work.filled))
        shifted = self._availability.store().commit(work.batch(rooms))
        self._log_moves(work.act, shifted)

    @contextmanager
    def operation(
        self, kind: ActKind, values: Mapping[str, Json], *, undoes: str | None = None
    ) -> Iterator[UnitOfWork]:
        """Yield an act of which every act begun within, in this thread, is a part.

        It is what is shown and undone; its parts go back with it.
        """
        with self.begin(kind, values, undoes=undoes) as work:
            token = _CAUSE.set(work.act.id)
            try:
                yield work
            finally:
                _CAUSE.reset(token)

    def _rooms(self, tiers: frozenset[Tier]) -> tuple[Room, ...]:
        return tuple(
            Room(one.tier, one.capacity, one.into)
            for one in limits(tiers, self._session.settings.tiers)
        )

    def _log_moves(self, act: Act, shifted: Sequence[Shifted]) -> None:
        """Write the moves that made room into the cleanup log; the act is done already."""
        lines = [
            log_line(one.shift.id, one.content, one.shift.tier, f"-> {one.shift.into}", "full")
            for one in shifted
            if one.shift.reason == "full"
        ]
        if not lines:
            return
        try:
            write_cleanup_log(cleanup_log(self._session.store_path), act.id, act.at, lines)
        except StoreError as error:
            _log.warning("%s", error)

    def retrying(self, attempt: Callable[[], _Result]) -> _Result:
        """Make an attempt again as long as it loses races; each loss is another's success.

        Raises StoreUnavailableError after 200 losses in a row, and what the attempt raises.
        """
        for _number in range(_TRIES):
            try:
                result = attempt()
            except VersionConflictError:
                continue
            except (StoreUnavailableError, StoreDamagedError) as error:
                self._availability.store_failed(error)
                raise
            if self._availability.store_down is not None:
                self._availability.store_written()
            return result
        raise StoreUnavailableError(
            _(
                "{path}: other processes changed the record {tries} times before this write got "
                "through; try again"
            ).format(path=self._session.store_path, tries=_TRIES)
        )
