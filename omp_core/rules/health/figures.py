"""What a health report is computed from, and the one pass over records and searches."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Protocol

from omp_core.model import Home, Importance, Tier
from omp_core.rules.decay import DecayStatus, decay_status, retention_after, unread_days
from omp_core.settings import Settings
from omp_core.views import DecayCounts

UNREAD_EDGES_DAYS = (7, 30, 90, 180)
"""Where the five buckets of unread time meet."""
_WEEK_DAYS, _MONTH_DAYS = 7, 30
CHART_DAYS = 90
"""The longest time that the hit rate is drawn for."""


class RecordRow(Protocol):
    """What counting needs of one active record; times are aware UTC."""

    @property
    def tier(self) -> Tier: ...
    @property
    def category(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...
    @property
    def last_used(self) -> datetime:
        """When it was last read; its creation if never."""
        ...

    @property
    def access_count(self) -> int: ...
    @property
    def importance(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def home(self) -> Home: ...
    @property
    def disputed(self) -> bool: ...
    @property
    def length(self) -> int:
        """Characters of its content."""
        ...


class SearchRow(Protocol):
    """What counting needs of one journalled search."""

    @property
    def at(self) -> datetime: ...
    @property
    def hit(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class AgeCounts:
    """Records by age; each is in one bucket only."""

    last_7d: int = 0
    last_30d: int = 0
    """Older than 7 and up to 30 days."""
    older: int = 0

    @property
    def total(self) -> int:
        return self.last_7d + self.last_30d + self.older


@dataclass(frozen=True, slots=True)
class RecordCounts:
    """The part of the input that depends on records."""

    tiers: Mapping[Tier, int] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)
    ages: AgeCounts = AgeCounts()
    unread: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """Unread for < 7, 7-30, 30-90, 90-180 and >= 180 days."""
    decay: DecayCounts = field(default_factory=DecayCounts)
    rotten: int = 0
    """Faded to stale or cleanup, or trivial."""
    stale: int = 0
    """Long-term records of the user home unread for `alerts.stale_days`."""
    oldest_unread_days: float | None = None
    """The longest unread time among long-term records of the user home."""
    confidence_mean: float = 0.0
    disputed: int = 0
    """Records with open disputes."""


@dataclass(frozen=True, slots=True)
class DaySearches:
    """Searches of one UTC day."""

    day: date
    searches: int = 0
    hits: int = 0


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """Searches and hits of the last 7 and 30 days, and `CHART_DAYS` one by one, oldest first."""

    searches_7d: int = 0
    hits_7d: int = 0
    searches_30d: int = 0
    hits_30d: int = 0
    days: tuple[DaySearches, ...] = ()


@dataclass(frozen=True, slots=True)
class HealthInput:
    """All that a report is computed from."""

    records: RecordCounts = RecordCounts()
    searches: SearchCounts = SearchCounts()
    disputes_open: int = 0
    oldest_dispute_days: float | None = None
    important_changes_7d: int = 0


def count_records(rows: Iterable[RecordRow], now: datetime, settings: Settings) -> RecordCounts:
    """Count active, unexpired records in one pass."""
    tiers: Counter[Tier] = Counter()
    categories: Counter[str] = Counter()
    ages = [0, 0, 0]
    unread = [0] * (len(UNREAD_EDGES_DAYS) + 1)
    decay: Counter[DecayStatus] = Counter()
    rotten = stale = disputed = 0
    oldest: float | None = None
    confidences: list[float] = []
    for row in rows:
        age = unread_days(row.created_at, now)
        days = unread_days(row.last_used, now)
        tiers[row.tier] += 1
        categories[str(row.category)] += 1
        ages[(age >= _WEEK_DAYS) + (age >= _MONTH_DAYS)] += 1
        unread[sum(days >= edge for edge in UNREAD_EDGES_DAYS)] += 1
        status = decay_status(
            retention_after(
                days,
                settings.decay,
                reads=row.access_count,
                marked=row.importance == Importance.HIGH,
                confidence=row.confidence,
                core=row.home is Home.PROJECT,
            ),
            settings.decay,
        )
        decay[status] += 1
        faded = status in (DecayStatus.STALE, DecayStatus.CLEANUP)
        rotten += faded or row.length < settings.rot.trivial_cjk_chars
        if row.tier is Tier.LONG_TERM and row.home is Home.USER:
            stale += days >= settings.alerts.stale_days
            oldest = days if oldest is None else max(oldest, days)
        confidences.append(row.confidence)
        disputed += row.disputed
    return RecordCounts(
        tiers=dict(tiers),
        categories=dict(categories.most_common()),
        ages=AgeCounts(*ages),
        unread=(unread[0], unread[1], unread[2], unread[3], unread[4]),
        decay=DecayCounts(*(decay[status] for status in DecayStatus)),
        rotten=rotten,
        stale=stale,
        oldest_unread_days=oldest,
        confidence_mean=math.fsum(confidences) / len(confidences) if confidences else 0.0,
        disputed=disputed,
    )


def count_searches(rows: Iterable[SearchRow], now: datetime) -> SearchCounts:
    """Count the searches of the `CHART_DAYS` before `now`; others are left out."""
    today = now.astimezone(UTC).date()
    days = {today - timedelta(days=back): [0, 0] for back in reversed(range(CHART_DAYS))}
    week, month = [0, 0], [0, 0]
    for row in rows:
        age = (now - row.at).total_seconds() / 86_400
        for most, counts in ((_WEEK_DAYS, week), (_MONTH_DAYS, month)):
            if 0 <= age < most:
                counts[0] += 1
                counts[1] += row.hit
        of_day = days.get(row.at.astimezone(UTC).date())
        if of_day is not None and age >= 0:
            of_day[0] += 1
            of_day[1] += row.hit
    return SearchCounts(
        week[0],
        week[1],
        month[0],
        month[1],
        tuple(DaySearches(day, counts[0], counts[1]) for day, counts in days.items()),
    )
