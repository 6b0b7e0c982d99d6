"""The report on a period: what was done, the audit of important records, health, what waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import Act, JournalEntry, SearchLog
from omp_core.services.disputes.queue import DisputeQueue
from omp_core.services.health import HealthService
from omp_core.services.journal import Journal, changed_fields, did
from omp_core.services.mirror import FactMirror
from omp_core.services.review.inbox import ReviewInbox
from omp_core.session import Session
from omp_core.views import ActCount, ActivityQuery, ImportantChange, PeriodReport, Refusal

LONGEST_DAYS = 3660
_PAGE = 500
_AUDITED = 10_000


class ReportService:
    """The part of `Memory` that looks back on a period."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        journal: Journal,
        health: HealthService,
        inbox: ReviewInbox,
        disputes: DisputeQueue,
        mirror: FactMirror,
    ) -> None:
        self._session = session
        self._availability = availability
        self._journal = journal
        self._health = health
        self._inbox = inbox
        self._disputes = disputes
        self._mirror = mirror

    def report(self, days: int) -> PeriodReport:
        """Return the report on the last days, up to now. Acts that were undone are not counted.

        Raises InvalidValueError unless there are 1 to 3660, StoreUnavailableError.
        """
        if not 1 <= days <= LONGEST_DAYS:
            raise InvalidValueError(
                _("days: {days} is not between 1 and {most}").format(days=days, most=LONGEST_DAYS)
            )
        store, now = self._availability.store(), self._session.now()
        since = now - timedelta(days=days)
        acts = [one for one in self._acts(since) if one.undone_by is None]
        searches = store.searches(since - timedelta(days=days))
        recent = [one for one in searches if one.at >= since]
        zone = self._session.zone
        return PeriodReport(
            since=since.astimezone(zone),
            until=now.astimezone(zone),
            counts=_counts(one for one in acts if one.kind != "denied"),
            important=tuple(self._important(since)),
            refusals=tuple(
                Refusal(one.at.astimezone(zone), one.actor, one.summary)
                for one in acts
                if one.kind == "denied"
            ),
            searches=len(recent),
            hits=_hits(recent),
            searches_before=len(searches) - len(recent),
            hits_before=_hits(searches) - _hits(recent),
            health=self._health.health().view,
            waiting={kind: count for kind, count in self._inbox.counts().items() if count},
            disputes=self._disputes.count(),
            unseen=(*self._availability.unseen(), *self._mirror.unseen()),
        )

    def _acts(self, since: datetime) -> Iterator[Act]:
        """Yield the acts of the period, the latest first; parts of others are none."""
        query, before = ActivityQuery(since=since), None
        while lines := self._journal.page(query, limit=_PAGE, before=before):
            yield from (line.what for line in lines if isinstance(line.what, Act))
            before = lines[-1].key

    def _important(self, since: datetime) -> Iterator[ImportantChange]:
        """Yield the changes of important records, the latest first."""
        store, zone = self._availability.store(), self._session.zone
        entries = [one for one in store.audit(_AUDITED) if one.at >= since]
        held = store.get_many(list(dict.fromkeys(one.record_id for one in entries)))
        for entry in entries:
            record = held.get(entry.record_id)
            yield ImportantChange(
                entry.at.astimezone(zone),
                entry.actor,
                did(entry),
                entry.record_id,
                _text(entry, record.content if record is not None else entry.record_id),
                tuple(one.field for one in changed_fields(entry)) if _both(entry) else (),
            )


def _both(entry: JournalEntry) -> bool:
    return entry.before is not None and entry.after is not None


def _text(entry: JournalEntry, held: str) -> str:
    said = (entry.after or {}).get("content") or (entry.before or {}).get("content")
    return headline(str(said or held))


def _counts(acts: Iterator[Act]) -> tuple[ActCount, ...]:
    number: Counter[tuple[str, str]] = Counter()
    records: Counter[tuple[str, str]] = Counter()
    for act in acts:
        number[act.actor, act.kind] += 1
        records[act.actor, act.kind] += act.records
    return tuple(
        ActCount(actor, kind, number[actor, kind], records[actor, kind])
        for actor, kind in sorted(number)
    )


def _hits(searches: list[SearchLog] | tuple[SearchLog, ...]) -> int:
    return sum(one.hit for one in searches)
