"""Where a record belongs among the tiers (orchestrator seed, 1 and 6).

working -> short-term when full; short-term -> long-term when full (first in, first out) or
unread for seven days; a long-term record that is read goes back to short-term. Important is
never moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from omp_core.model import Status, Tier
from omp_core.settings import TierSettings

Reason = Literal["full", "unread", "expired", "read-again"]


@dataclass(frozen=True, slots=True)
class Member:
    """What the tier rules need of one active record of the user home."""

    id: str
    tier: Tier
    entered: datetime
    """When it came into its tier: the stamp of `tier`, else its creation."""
    last_used: datetime
    """Since when it is unread: the latest of made, come here, last read."""
    expires_at: datetime | None = None
    locked: bool = False
    """No rule moves it; it takes its place in its tier all the same."""


@dataclass(frozen=True, slots=True)
class TierMove:
    """One record's way to another tier, or out of sight (`status`), and why."""

    id: str
    tier: Tier
    reason: Reason
    status: Status = Status.ACTIVE


def moves(members: Sequence[Member], settings: TierSettings, now: datetime) -> tuple[TierMove, ...]:
    """Return every move that brings the tiers within their rules.

    After these moves a second call finds nothing to do. Important and locked records are not
    touched.
    """
    expired = [
        TierMove(one.id, one.tier, "expired", Status.ARCHIVED)
        for one in members
        if not one.locked and _has_expired(one, now)
    ]
    gone = {move.id for move in expired}
    left = [one for one in members if one.id not in gone]

    working = _oldest_first(one for one in left if one.tier is Tier.WORKING)
    promoted = _free(working)[: max(0, len(working) - settings.working_capacity)]

    unread_since = now - timedelta(days=settings.short_term_unread_days)
    short_term = _oldest_first(one for one in left if one.tier is Tier.SHORT_TERM)
    unread = [one for one in _free(short_term) if one.last_used <= unread_since]
    # promoted records are the newest to arrive in short-term memory; those that were unread
    # for long before they came pass through at once, so that a second run finds nothing
    passing = [one for one in promoted if one.last_used <= unread_since]
    staying = [one for one in short_term if one not in unread]
    arriving = [one for one in promoted if one not in passing]
    queue = [*staying, *arriving]
    overflow = _free(queue)[: max(0, len(queue) - settings.short_term_capacity)]
    out = {one.id for one in overflow}

    return (
        *expired,
        *(TierMove(one.id, Tier.LONG_TERM, "unread") for one in (*unread, *passing)),
        *(TierMove(one.id, Tier.LONG_TERM, "full") for one in overflow),
        *(TierMove(one.id, Tier.SHORT_TERM, "full") for one in arriving if one.id not in out),
    )


def held_back(
    members: Sequence[Member], settings: TierSettings, now: datetime
) -> tuple[Member, ...]:
    """Return the locked records that have expired or are unread for long: rules pass them by."""
    unread_since = now - timedelta(days=settings.short_term_unread_days)
    return tuple(
        one
        for one in members
        if one.locked
        and (
            _has_expired(one, now)
            or (one.tier is Tier.SHORT_TERM and one.last_used <= unread_since)
        )
    )


def _has_expired(one: Member, now: datetime) -> bool:
    ends = None if one.tier is Tier.IMPORTANT else one.expires_at
    return ends is not None and ends <= now


def _free(members: Sequence[Member]) -> list[Member]:
    return [one for one in members if not one.locked]


def lift(
    read: Member, short_term: Sequence[Member], settings: TierSettings
) -> tuple[TierMove, ...]:
    """Return the moves after a long-term record was read: up to short-term, and if that is
    full its least recently used record goes back to long-term first."""
    if read.tier is not Tier.LONG_TERM:
        return ()
    overflow = len(short_term) + 1 - settings.short_term_capacity
    by_use = sorted(short_term, key=lambda one: (one.last_used, one.id))
    back = tuple(TierMove(one.id, Tier.LONG_TERM, "full") for one in by_use[: max(0, overflow)])
    if settings.short_term_capacity < 1:
        return ()
    return (*back, TierMove(read.id, Tier.SHORT_TERM, "read-again"))


@dataclass(frozen=True, slots=True)
class Limit:
    """How many records a tier holds, and where those that came in first go then."""

    tier: Tier
    capacity: int
    into: Tier


def limits(written: Iterable[Tier], settings: TierSettings) -> tuple[Limit, ...]:
    """Return the limits that a write to these tiers may break, in the order to restore them:
    what leaves working memory arrives in short-term memory (orchestrator seed, 1)."""
    tiers = set(written)
    found = []
    if Tier.WORKING in tiers:
        found.append(Limit(Tier.WORKING, settings.working_capacity, Tier.SHORT_TERM))
    if tiers & {Tier.WORKING, Tier.SHORT_TERM}:
        found.append(Limit(Tier.SHORT_TERM, settings.short_term_capacity, Tier.LONG_TERM))
    return tuple(found)


def oldest(members: Sequence[Member], tier: Tier, number: int) -> tuple[Member, ...]:
    """Return the records of a tier that came into it first and are not locked."""
    return tuple(_free(_oldest_first(one for one in members if one.tier is tier))[:number])


def _oldest_first(members: Iterable[Member]) -> list[Member]:
    return sorted(members, key=lambda one: (one.entered, one.id))
