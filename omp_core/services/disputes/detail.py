"""What there is to know of one dispute before it is settled, and how it ended elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from omp_core.availability import Availability
from omp_core.language.difference import Difference, difference
from omp_core.model import (
    Dispute,
    DisputeKind,
    DisputeSide,
    JournalEntry,
    Json,
    Record,
    SearchLog,
)
from omp_core.project.restoration import plain_text
from omp_core.rules.preference import Preference, preference
from omp_core.rules.sync import ClaimKind, ClaimSide, compare, decide, statement_of
from omp_core.services.disputes.queue import DisputeQueue, OpenDispute
from omp_core.services.sync.disagreements import project_side, user_side
from omp_core.session import Session

SEARCHED_DAYS = 30
"""Searches of so many days are looked through."""
_MOST_CHARS = 20_000
"""Characters of a text that are compared word by word; a longer one is cut for showing."""


@dataclass(frozen=True, slots=True)
class SideDetail:
    """One side: how sure it is and how it is used.

    `reads` and `searches` are None for a side that nothing reads yet; `searches` counts those
    of 30 days that found it.
    """

    confidence: float | None
    reads: int | None = None
    last_read: datetime | None = None
    searches: int | None = None


@dataclass(frozen=True, slots=True)
class DisputeDetail:
    """An open dispute with all that a person decides by.

    `base` holds the value that both sides started from, where there is one; `words` both sides
    in pieces; `alike` counts the disputes that one answer can settle, this one too.
    """

    open: OpenDispute
    base: tuple[Json, ...]
    words: Difference
    current: SideDetail
    incoming: SideDetail
    preference: Preference | None
    alike: int

    def side(self, name: DisputeSide) -> SideDetail:
        return self.current if name == "current" else self.incoming


@dataclass(frozen=True, slots=True)
class Ending:
    """Who ended a dispute, and what the side that holds says now; None where nobody can tell."""

    actor: str | None
    at: datetime | None
    deleted: bool = False


class DisputeDetails:
    """The part of `Memory` that tells of single disputes."""

    def __init__(self, session: Session, availability: Availability, queue: DisputeQueue) -> None:
        self._session = session
        self._availability = availability
        self._queue = queue

    def detail(self, dispute_id: str) -> DisputeDetail:
        """Return what there is to know of an open dispute. Raises NotFoundError."""
        one = self._queue.find(dispute_id)
        queue = self._queue.disputes(set_aside=one.dispute.set_aside)
        dispute = one.dispute
        return DisputeDetail(
            one,
            self._base(one),
            difference(shown_value(dispute.current), shown_value(dispute.incoming)),
            self._current(one),
            self._incoming(one),
            self._preference(one),
            sum(other.is_like(one) for other in queue),
        )

    def ending(self, record_id: str, dispute_id: str) -> Ending | None:
        """Return how a dispute ended that is no longer in the queue; None while it is open."""
        open_ids = {
            one.dispute.id
            for aside in (False, True)
            for one in self._queue.disputes(set_aside=aside)
        }
        if dispute_id in open_ids:
            return None
        history = self._availability.read(lambda store: store.history(record_id))
        return ending(history, dispute_id)

    def _base(self, one: OpenDispute) -> tuple[Json, ...]:
        if one.branch is not None:
            return () if one.branch.base is None else (plain_text(one.branch.base),)
        if one.dispute.kind is not DisputeKind.SAME_FIELD:
            return ()
        history = self._availability.read(lambda store: store.history(one.record.id))
        return base_value(history, one.dispute)

    def _current(self, one: OpenDispute) -> SideDetail:
        if one.branch is not None:
            return self._used(self._mirrored(one))
        return self._used(one.record)

    def _incoming(self, one: OpenDispute) -> SideDetail:
        if one.other is not None:
            return self._used(one.other)
        return SideDetail(None if one.branch is not None else one.dispute.confidence)

    def _mirrored(self, one: OpenDispute) -> Record | None:
        """Return the fact that the mirror holds of a disputed field from before the merge."""
        file, path = one.record.metadata["file"], one.record.metadata["path"]
        fact_id = f"project:{file}#{path}"
        return self._availability.read(lambda store: store.get(fact_id))

    def _used(self, record: Record | None) -> SideDetail:
        if record is None:
            return SideDetail(None)
        since = self._session.now() - timedelta(days=SEARCHED_DAYS)
        searches = self._availability.read(lambda store: store.searches(since))
        return SideDetail(
            record.confidence,
            record.access_count,
            record.last_accessed,
            found_by(searches, record.id),
        )

    def _preference(self, one: OpenDispute) -> Preference | None:
        settings, dispute = self._session.settings, one.dispute
        if dispute.kind is DisputeKind.CROSS_HOME:
            return self._of_homes(one)
        surest = one.record.confidence if one.branch is None else 1.0
        other = one.other.confidence if one.other is not None else dispute.confidence
        return preference(
            ClaimSide(dispute.current_at, surest),
            ClaimSide(dispute.incoming_at, other),
            settings.cross_home,
        )

    def _of_homes(self, one: OpenDispute) -> Preference | None:
        """Return what the rules of sync prefer, with their reason where it still holds."""
        settings, side = self._session.settings, one.dispute.prefers
        if side is None:
            return None
        if one.other is None:
            return Preference(side, "project") if side == "incoming" else None
        user, project = user_side(one.record), project_side(one.other)
        claims = compare(one.record.content, statement_of(one.other), None, settings)
        for claim in claims:
            if claim.agrees and claim.kind is not ClaimKind.SAME:
                continue
            reason = decide(claim, user, project, settings.cross_home, replaceable=False).reason
            if reason == "url":
                return Preference(side, "address")
            if reason == "same":
                return Preference(side, "same")
        by_rule = preference(user, project, settings.cross_home)
        if by_rule is not None and by_rule.side == side:
            return by_rule
        return Preference(side, "project") if side == "incoming" else None


def shown_value(value: Json) -> str:
    """Return a side as the text that is compared; of a very long one the beginning."""
    if value is None:
        return ""
    return (value if isinstance(value, str) else _spelt(value))[:_MOST_CHARS]


def _spelt(value: Json) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


def found_by(searches: Sequence[SearchLog], record_id: str) -> int:
    """Return how many searches found a record."""
    return sum(record_id in search.result_ids for search in searches)


def base_value(history: Sequence[JournalEntry], dispute: Dispute) -> tuple[Json, ...]:
    """Return the value of the disputed field at the version that both started from.

    `history` is the record's, newest first. Empty where the journal does not tell.
    """
    for entry in reversed(history):
        if entry.version > dispute.base_version and dispute.field in (entry.after or {}):
            if entry.before is not None and dispute.field in entry.before:
                return (entry.before[dispute.field],)
            return ()
    return ()


def ending(history: Sequence[JournalEntry], dispute_id: str) -> Ending:
    """Return who closed a dispute, by the journal of its record, newest entry first."""
    for entry in history:
        if entry.after is None:
            return Ending(entry.actor, entry.at, deleted=True)
        if _holds(entry.before, dispute_id) and not _holds(entry.after, dispute_id):
            return Ending(entry.actor, entry.at)
        if "branches" in (entry.before or {}):
            return Ending(entry.actor, entry.at)
    return Ending(None, None)


def _holds(side: Mapping[str, Json] | None, dispute_id: str) -> bool:
    return any(one["id"] == dispute_id for one in (side or {}).get("disputes") or ())
