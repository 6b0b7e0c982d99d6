"""What a dashboard or a report shows, computed once here so that all front ends agree.

Values only. Shares and rates are 0..1, days are floats, times are aware UTC. Texts
(`message`, `cure`, `reason`) are whole sentences in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from omp_core.model import Act, Home, Record, Tier, Unseen

Grade = Literal["excellent", "good", "poor"]
HealthPart = Literal["active", "rot", "confidence", "conflict"]
Trend = Literal["improving", "steady", "declining"]
AlertLevel = Literal["warning", "info"]


@dataclass(frozen=True, slots=True)
class Page:
    """A window into an ordered list: `records` from the offset on, `total` in the list."""

    records: tuple[Record, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TierUse:
    """How many active records a tier holds; `limit` is None where there is no capacity.

    `used` is None while the store is away: nobody can tell.
    """

    tier: Tier
    used: int | None
    limit: int | None = None
    advice: int | None = None
    """An advised size without force."""


@dataclass(frozen=True, slots=True)
class HealthRow:
    """One part of the health score, ready to be read: `71 %`, `> 60`."""

    name: HealthPart
    value: str
    target: str
    ok: bool
    lost: float = 0.0
    """Points of the score that this part costs."""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HitRate:
    """How often searches found something: one value a day, the oldest first.

    A day without a search is None. A rate that cannot be given yet is None, and `reason`
    says why.
    """

    by_day: tuple[float | None, ...] = ()
    last_7d: float | None = None
    last_30d: float | None = None
    searches_7d: int = 0
    searches_30d: int = 0
    trend: Trend | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class UnreadBucket:
    """How many records were last read between `from_days` and `to_days` ago."""

    from_days: int
    to_days: int | None
    count: int


@dataclass(frozen=True, slots=True)
class DecayCounts:
    active: int = 0
    aging: int = 0
    stale: int = 0
    cleanup: int = 0


@dataclass(frozen=True, slots=True)
class Stale:
    """Long-term records unread for too long, out of all long-term records."""

    count: int
    of: int
    ratio: float
    oldest_days: float | None = None


@dataclass(frozen=True, slots=True)
class Alert:
    """Something a person should look at, with its cure.

    `action` names what the cure does; a front end offers the ones that it knows.
    """

    level: AlertLevel
    message: str
    cure: str
    action: str | None = None


@dataclass(frozen=True, slots=True)
class HealthView:
    """The state of the memory at a glance. `score` is 0..100.

    There is neither score nor grade while a part of the memory cannot be seen.
    """

    score: int | None
    grade: Grade | None
    rows: tuple[HealthRow, ...]
    hit_rate: HitRate
    unread: tuple[UnreadBucket, ...]
    decay: DecayCounts
    stale: Stale
    alerts: tuple[Alert, ...] = ()
    hit_rate_alert: float | None = None
    """The rate below which the hit rate is an alert; drawn as a line."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Totals over both homes. `empty`: there is no record, act or document at all yet.

    While the store is `away`, `total` counts what the project's documents hold, and the use of
    tiers is unknown. `unseen`: what these figures had to do without.
    """

    total: int
    tiers: tuple[TierUse, ...]
    homes: Mapping[Home, int]
    as_of: datetime
    disputes: int = 0
    candidates: int = 0
    pending: int = 0
    recent: tuple[Act, ...] = ()
    health: HealthView | None = None
    empty: bool = False
    away: bool = False
    unseen: tuple[Unseen, ...] = ()
