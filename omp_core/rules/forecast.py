"""Forecast: what the rules do with a record next, and how it fades while nobody reads it."""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime, timedelta

from omp_core.model import Home, Record, Status, Tier
from omp_core.rules.decay import forget_advice, retention, unread_since
from omp_core.settings import Settings
from omp_core.views import Forecast, NextStep

CURVE_DAYS = 90
_CURVE_POINTS = 10
_ASKED_WITHIN_DAYS = 400
"""How far ahead a question is looked for; the longest rule asks after 180 days."""


def forecast(record: Record, now: datetime, settings: Settings) -> Forecast:
    """Return the retention of a record over the next `CURVE_DAYS`, and the next step of the
    tier rules and of forgetting (design, section 6), if nobody reads or changes it."""
    step_days = CURVE_DAYS / (_CURVE_POINTS - 1)
    curve = tuple(
        retention(record, now + timedelta(days=step_days * point), settings.decay)
        for point in range(_CURVE_POINTS)
    )
    step, at = _next(record, now, settings)
    return Forecast(curve[0], curve, CURVE_DAYS, step, at)


def _next(record: Record, now: datetime, settings: Settings) -> tuple[NextStep, datetime | None]:
    still = record.status is not Status.ACTIVE or record.home is Home.PROJECT or record.locked
    if still or record.tier is Tier.IMPORTANT:
        return "stays", None
    step, at = _unexpired(record, now, settings)
    ends = record.expires_at
    if ends is not None and (at is None or ends <= at):
        return "expires", ends
    return step, at


def _unexpired(
    record: Record, now: datetime, settings: Settings
) -> tuple[NextStep, datetime | None]:
    if record.tier is Tier.WORKING:
        return "short-term-when-full", None
    if record.tier is Tier.SHORT_TERM:
        return "long-term", unread_since(record) + timedelta(
            days=settings.tiers.short_term_unread_days
        )
    # what is once asked about stays so: retention falls, and a yes to keep it wears off
    days = bisect_left(
        range(_ASKED_WITHIN_DAYS),
        True,
        key=lambda ahead: forget_advice(record, now + timedelta(days=ahead), settings) is not None,
    )
    return ("stays", None) if days == _ASKED_WITHIN_DAYS else ("asked", now + timedelta(days=days))
