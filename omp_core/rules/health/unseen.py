"""What a report says of what it could not see: no score, unknown figures, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from omp_core.i18n import _, ngettext
from omp_core.model import Unseen
from omp_core.rules.health.figures import AgeCounts
from omp_core.rules.health.report import HealthReport
from omp_core.views import Alert, DecayCounts, HitRate, Stale


@dataclass(frozen=True, slots=True)
class Blindness:
    """What could not be seen at a moment; `waiting` writes are kept until the store is back.

    `away_since` is set when the store could not be read at all; `down` is why it is away, or
    why it can only be read.
    """

    away_since: datetime | None = None
    down: str | None = None
    waiting: int = 0
    store: Sequence[Unseen] = ()
    documents: Sequence[Unseen] = ()

    def __bool__(self) -> bool:
        return self.down is not None or bool(self.store) or bool(self.documents)


def without_score(report: HealthReport, blindness: Blindness) -> HealthReport:
    """Return the report without what cannot be said, its first alerts naming why.

    A score of what was not seen is no score. While the store is away no figure stands: those
    of the project's documents alone would be taken for the whole.
    """
    if not blindness:
        return report
    away = blindness.away_since is not None
    why = alerts_of_unseen(blindness)
    alerts = why if away else (*why, *report.alerts)
    view = replace(report.view, score=None, grade=None, rows=(), alerts=alerts)
    report = replace(report, view=view, alerts=alerts, lost={})
    if not away:
        return report
    view = replace(
        view,
        hit_rate=HitRate(reason=_("The store is away; nobody can tell.")),
        unread=(),
        decay=DecayCounts(),
        stale=Stale(0, 0, 0.0),
    )
    return replace(
        report,
        view=view,
        known=False,
        capacity=tuple(replace(use, used=None) for use in report.capacity),
        by_type={},
        by_age=AgeCounts(),
    )


def alerts_of_unseen(blindness: Blindness) -> tuple[Alert, ...]:
    """Return the alerts about what could not be seen, the store first."""
    return (*_store(blindness), *_rows(blindness), *_documents(blindness))


def _store(blindness: Blindness) -> list[Alert]:
    if blindness.down is None:
        return []
    if blindness.away_since is None:
        return [
            Alert(
                "warning",
                _("The store can only be read: {reason}").format(reason=blindness.down),
                _("What is written meanwhile waits in the project; `omp-tui doctor` looks closer."),
                None,
                "store-read-only",
            )
        ]
    message = _("The store is away since {time}: {reason}").format(
        time=f"{blindness.away_since.astimezone():%H:%M}", reason=blindness.down
    )
    if blindness.waiting:
        waiting = ngettext("{count} write waits.", "{count} writes wait.", blindness.waiting)
        message = f"{message} {waiting.format(count=blindness.waiting)}"
    cure = _("`omp-tui doctor` looks closer, `omp-tui restore` brings back the best backup.")
    return [Alert("warning", message, cure, None, "store-away")]


def _rows(blindness: Blindness) -> list[Alert]:
    if not blindness.store:
        return []
    count = len(blindness.store)
    message = ngettext(
        "{count} part of the store cannot be read: {first}",
        "{count} parts of the store cannot be read, the first: {first}",
        count,
    ).format(count=count, first=blindness.store[0])
    cure = _("`omp-tui save FILE` rescues the rest, `omp-tui restore` brings back a backup.")
    return [Alert("warning", message, cure, None, "unseen", count)]


def _documents(blindness: Blindness) -> list[Alert]:
    return [
        Alert(
            "warning",
            _("{place} is damaged: {reason}").format(place=one.place, reason=one.reason),
            _("Mend the file by hand, or `omp-tui restore {file}`.").format(
                file=one.place.partition(":")[0]
            ),
            None,
            "document-damaged",
        )
        for one in blindness.documents
    ]
