"""The report: figures, score, grade, and what every lost point was lost for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from omp_core.i18n import _, ngettext
from omp_core.model import Category, Tier
from omp_core.rules.health.alerts import alerts_of, ordered
from omp_core.rules.health.figures import (
    UNREAD_EDGES_DAYS,
    AgeCounts,
    HealthInput,
    RecordCounts,
    SearchCounts,
)
from omp_core.settings import Settings
from omp_core.views import (
    Alert,
    Grade,
    HealthPart,
    HealthRow,
    HealthView,
    HitRate,
    Stale,
    TierUse,
    Trend,
    UnreadBucket,
)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """The whole report; `view` is the part that a dashboard draws."""

    as_of: datetime
    view: HealthView
    capacity: tuple[TierUse, ...]
    by_type: Mapping[str, int]
    by_age: AgeCounts
    alerts: tuple[Alert, ...]
    targets: Mapping[HealthPart, float]
    """Shares and means aimed at: `active` and `confidence` above, the others below."""
    lost: Mapping[HealthPart, float]
    """Points of the score that each part costs."""
    known: bool = True
    """Whether the figures are those of the whole memory; False while the store is away."""


def health(given: HealthInput, settings: Settings, now: datetime) -> HealthReport:
    """Judge the counts: figures, score, grade, what costs points, and alerts with cures.

    Without records the score is 100. The hit rate is None, with the reason, below
    `alerts.hit_rate_min_searches` searches.
    """
    records, limits = given.records, settings.health
    capacity = _capacity(records, settings)
    hit_rate = _hit_rate(given.searches, settings)
    total = records.ages.total
    stale = Stale(records.stale, total, _share(records.stale, total), records.oldest_unread_days)
    rows = _rows(records, settings)
    score = max(0, int(100.0 - sum(row.lost for row in rows) + 1e-9))
    alerts = alerts_of(given, settings, capacity, hit_rate, stale, now)
    edges = (0, *UNREAD_EDGES_DAYS, None)
    view = HealthView(
        score=score,
        grade=_grade(score, settings),
        rows=rows,
        hit_rate=hit_rate,
        unread=tuple(
            UnreadBucket(start or 0, end, count)
            for (start, end), count in zip(pairwise(edges), records.unread, strict=True)
        ),
        decay=records.decay,
        stale=stale,
        alerts=alerts,
        hit_rate_alert=settings.alerts.hit_rate_low,
        categories={Category(name): count for name, count in records.categories.items()},
        ages=(records.ages.last_7d, records.ages.last_30d, records.ages.older),
    )
    return HealthReport(
        as_of=now,
        view=view,
        capacity=capacity,
        by_type=records.categories,
        by_age=records.ages,
        alerts=alerts,
        targets={
            "active": limits.active_target,
            "rot": limits.rot_target,
            "confidence": limits.confidence_target,
            "conflict": limits.conflict_target,
        },
        lost={row.name: row.lost for row in rows},
    )


def with_alerts(report: HealthReport, alerts: Iterable[Alert]) -> HealthReport:
    """Return the report with more alerts, from what its counts do not know."""
    found = ordered((*report.alerts, *alerts))
    return replace(report, alerts=found, view=replace(report.view, alerts=found))


def _capacity(records: RecordCounts, settings: Settings) -> tuple[TierUse, ...]:
    limits = {
        Tier.WORKING: settings.tiers.working_capacity,
        Tier.SHORT_TERM: settings.tiers.short_term_capacity,
    }
    advice = {Tier.LONG_TERM: settings.tiers.long_term_advice}
    return tuple(
        TierUse(
            tier,
            records.tiers.get(tier, 0),
            limits.get(tier),
            advice.get(tier),
            settings.alerts.tier_full,
        )
        for tier in Tier
    )


def _hit_rate(searches: SearchCounts, settings: Settings) -> HitRate:
    least = settings.alerts.hit_rate_min_searches

    def rate(hits: int, of: int) -> float | None:
        return hits / of if of >= least and of > 0 else None

    week = rate(searches.hits_7d, searches.searches_7d)
    before = rate(
        searches.hits_30d - searches.hits_7d, searches.searches_30d - searches.searches_7d
    )
    reason = None
    if week is None:
        reason = ngettext(
            "{count} search in 7 days, {least} needed.",
            "{count} searches in 7 days, {least} needed.",
            searches.searches_7d,
        ).format(count=searches.searches_7d, least=least)
    return HitRate(
        by_day=tuple(day.hits / day.searches if day.searches else None for day in searches.days),
        last_7d=week,
        last_30d=rate(searches.hits_30d, searches.searches_30d),
        searches_7d=searches.searches_7d,
        searches_30d=searches.searches_30d,
        trend=_trend(week, before, settings.health.trend_step),
        reason=reason,
    )


def _trend(week: float | None, before: float | None, step: float) -> Trend | None:
    """Compare the last 7 days with the 23 before them."""
    if week is None or before is None:
        return None
    if week > before + step:
        return "improving"
    return "declining" if week < before - step else "steady"


def _rows(records: RecordCounts, settings: Settings) -> tuple[HealthRow, ...]:
    """Return the four parts of int(100 * (0.3 active + 0.2 (1 - rot) + 0.3 confidence +
    0.2 (1 - conflict))), each with the points that it costs and why.
    """
    limits, total = settings.health, records.ages.total
    if total == 0:
        active, rot, confidence, conflict = 1.0, 0.0, 1.0, 0.0
    else:
        active = _share(records.decay.active, total)
        rot = _share(records.rotten, total)
        confidence = records.confidence_mean
        conflict = _share(records.disputed, total)
    faded = total - records.decay.active
    return (
        _row(
            "active",
            _percent(active),
            f"> {_percent(limits.active_target)}",
            active > limits.active_target,
            limits.active_weight * (1.0 - active),
            ngettext(
                "{count} of {total} records has faded below active.",
                "{count} of {total} records have faded below active.",
                faded,
            ).format(count=faded, total=total),
        ),
        _row(
            "rot",
            _percent(rot),
            f"< {_percent(limits.rot_target)}",
            rot < limits.rot_target,
            limits.rot_weight * rot,
            ngettext(
                "{count} of {total} records is stale, due for clean-up or trivial.",
                "{count} of {total} records are stale, due for clean-up or trivial.",
                records.rotten,
            ).format(count=records.rotten, total=total),
        ),
        _row(
            "confidence",
            f"{confidence:.2f}",
            f"> {limits.confidence_target:.2f}",
            confidence > limits.confidence_target,
            limits.confidence_weight * (1.0 - confidence),
            _("Records are on average only {percent} certain.").format(
                percent=_percent(confidence)
            ),
        ),
        _row(
            "conflict",
            _percent(conflict),
            f"< {_percent(limits.conflict_target)}",
            conflict < limits.conflict_target,
            limits.conflict_weight * conflict,
            ngettext(
                "{count} of {total} records has an open dispute.",
                "{count} of {total} records have open disputes.",
                records.disputed,
            ).format(count=records.disputed, total=total),
        ),
    )


def _row(
    name: HealthPart, value: str, target: str, ok: bool, share_lost: float, reason: str
) -> HealthRow:
    lost = 100.0 * share_lost
    return HealthRow(name, value, target, ok, lost, reason if lost > 0 else None)


def _grade(score: int, settings: Settings) -> Grade:
    if score >= settings.health.excellent_from:
        return "excellent"
    return "good" if score >= settings.health.good_from else "poor"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"
