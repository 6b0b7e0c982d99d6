"""The health of the memory, and the cures of its alerts."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import get_args

from omp_core.availability import Availability
from omp_core.errors import NotFoundError, SettingsError
from omp_core.i18n import _
from omp_core.model import Query, Receipt, Record
from omp_core.rules.health import (
    CHART_DAYS,
    AlertId,
    Blindness,
    HealthInput,
    HealthReport,
    count_records,
    count_searches,
    health,
    refused_settings,
    with_alerts,
    without_score,
)
from omp_core.rules.tiers import oldest
from omp_core.services.configuration import ConfigurationService
from omp_core.services.mirror import FactMirror
from omp_core.services.pending import PendingService
from omp_core.services.records.changes import RecordChanges
from omp_core.services.tiers import member
from omp_core.session import Session
from omp_core.store.protocol import Store
from omp_core.views import Alert, Fix, FixPreview

_CHART = timedelta(days=CHART_DAYS)
_WEEK = timedelta(days=7)
_FRESH = timedelta(minutes=1)
"""A report is used again this long while nothing is written: ages hardly move in a minute."""
_SLOW_S = 0.2
_SHOWN = 5
"""So many records are named before a fix."""
_REST = 10
"""A report that took longer than `_SLOW_S` stands for this many times as long as it took."""


class HealthService:
    """The part of `Memory` that judges, and puts right what an alert names."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        writing: RecordChanges,
        mirror: FactMirror,
        pending: PendingService,
        configuration: ConfigurationService,
    ) -> None:
        self._configuration = configuration
        self._mirror = mirror
        self._pending = pending
        self._session = session
        self._availability = availability
        self._writing = writing
        self._last: tuple[tuple[int, ...], HealthReport] | None = None
        self._rest_until = 0.0
        self._lock = threading.Lock()

    def health(self) -> HealthReport:
        """Return figures, score, grade, and alerts with their cures.

        While a part of the memory cannot be seen there is no score, and an alert says why.
        """
        report = without_score(self._availability.read(self._report), self._blindness())
        return with_alerts(report, refused_settings(self._refused()))

    def _refused(self) -> tuple[str, ...]:
        try:
            return tuple(one.key or one.reason for one in self._configuration.refused())
        except SettingsError:  # the person's own file; whoever opens a memory is told
            return ()

    def _blindness(self) -> Blindness:
        availability = self._availability
        away = availability.store_away
        return Blindness(
            away,
            availability.store_down,
            0 if away is None else self._pending.count(),
            availability.unseen()[availability.store_down is not None :],
            self._mirror.unseen(),
        )

    def _report(self, store: Store) -> HealthReport:
        with self._lock:
            now = self._session.now()
            stamp = (*store.change_stamp(), id(store))
            if self._last is not None:
                same = self._last[0] == stamp and now - self._last[1].as_of < _FRESH
                if same or time.monotonic() < self._rest_until:
                    return self._last[1]
            store.survey()
            started = time.monotonic()
            report = health(self._input(store), self._session.settings, now)
            took = time.monotonic() - started
            self._rest_until = time.monotonic() + (_REST * took if took > _SLOW_S else 0)
            self._last = stamp, report
            return report

    def _input(self, store: Store) -> HealthInput:
        now, settings = self._session.now(), self._session.settings
        waiting = [
            max(dispute.current_at, dispute.incoming_at)
            for record in store.iterate(Query(statuses=frozenset(), disputed=True), now)
            for dispute in record.disputes
            if not dispute.set_aside
        ]
        return HealthInput(
            count_records(store.health_rows(now), now, settings),
            count_searches(store.searches(now - _CHART), now),
            len(waiting),
            (now - min(waiting)) / timedelta(days=1) if waiting else None,
            store.count_important_changes(now - _WEEK),
        )

    def fix(self, alert_id: str) -> Receipt:
        """Carry out the cure of an alert that is raised now, as one undoable act.

        An alert whose cure is a person's decision changes nothing; the receipt says what to
        do. Raises NotFoundError when that alert is not raised.
        """
        alert = self._raised(alert_id)
        fix = alert.fix
        if fix is None:
            return Receipt("unchanged", "", None, note=alert.cure)
        ids = [record.id for record in self._chosen(alert, fix)]
        if fix.tier is not None:
            return self._writing.set_tier(ids, fix.tier)
        return self._writing.change_many(ids, {"status": fix.status}, "update", {"form": alert.id})

    def preview_fix(self, alert: Alert) -> FixPreview | None:
        """Return what `fix` would do about an alert now; None where a person has to decide."""
        if alert.fix is None:
            return None
        chosen = self._chosen(alert, alert.fix)
        return FixPreview(alert.fix.said, len(chosen), tuple(chosen[:_SHOWN]))

    def _chosen(self, alert: Alert, fix: Fix) -> list[Record]:
        """Return the records that a fix changes: of a tier, those that came into it first."""
        if alert.concerned is None:
            return []
        query = alert.concerned.query
        held = {
            record.id: record
            for record in self._availability.store().iterate(query, self._session.now())
            if not record.locked
        }
        if fix.most is None:
            return list(held.values())
        members = [member(record) for record in held.values()]
        return [held[one.id] for tier in query.tiers for one in oldest(members, tier, fix.most)]

    def _raised(self, alert_id: str) -> Alert:
        for alert in self.health().view.alerts:
            if alert.id == alert_id:
                return alert
        if alert_id not in get_args(AlertId):
            raise NotFoundError(
                _("there is no alert {alert_id!r}; known are {known}").format(
                    alert_id=alert_id, known=", ".join(get_args(AlertId))
                )
            )
        raise NotFoundError(_("the alert {id} is not raised now").format(id=alert_id))
