"""How much of a record is still alive: the forgetting curve and what follows from it.

Retention R = base + boost * (1 - base) with base = exp(-days / S),
S = 30 + 10 * reads + 50 * marked, and a boost of at most 0.5 for what is marked, certain,
often read or core of a project. Computed when asked for, never stored.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Literal

from omp_core.model import Home, Importance, Json, Record, Status, Tier
from omp_core.settings import DecaySettings, Settings

_DAY_S = 86_400.0

_KEPT_WORDS = frozenset({"security", "compliance", "安全", "合规"})
"""Tags or metadata that exempt a record from forgetting (design, section 6)."""


class DecayStatus(StrEnum):
    """Four levels of retention, best first."""

    ACTIVE = "active"
    AGING = "aging"
    STALE = "stale"
    CLEANUP = "cleanup"


def unread_days(last_used: datetime, now: datetime) -> float:
    """Return the days since `last_used`; 0 for times ahead of `now` (clocks differ)."""
    return max(0.0, (now - last_used).total_seconds() / _DAY_S)


def unread_since(record: Record) -> datetime:
    """Return the latest of when a record was made, came into this store, and was last read.

    What nobody could have read here is not neglected (design, section 6); its age is another
    matter, and stays what it is.
    """
    known = (record.created_at, record.arrived_at, record.last_accessed)
    return max(moment for moment in known if moment is not None)


def retention(record: Record, now: datetime, settings: DecaySettings) -> float:
    """Return how much of `record` is retained at `now`, in 0..1."""
    return retention_after(
        unread_days(unread_since(record), now),
        settings,
        reads=record.access_count,
        marked=record.importance is Importance.HIGH,
        confidence=record.confidence,
        core=record.home is Home.PROJECT,
    )


def retention_after(
    days: float,
    settings: DecaySettings,
    *,
    reads: int = 0,
    marked: bool = False,
    confidence: float = 1.0,
    core: bool = False,
) -> float:
    """Return the retention, in 0..1, of something last read `days` ago.

    It falls with `days` and never falls with `reads`.
    """
    strength = settings.base_days + settings.per_read_days * reads + settings.marked_days * marked
    base = math.exp(-days / max(strength, 1e-9))
    boost = min(
        settings.most_boost,
        settings.marked_boost * marked
        + settings.sure_boost * (confidence > settings.sure_above)
        + settings.read_boost * (reads > settings.read_above)
        + settings.core_boost * core,
    )
    return base + boost * (1.0 - base)


def decay_status(retention: float, settings: DecaySettings) -> DecayStatus:
    """Return the level of a retention in 0..1."""
    if retention >= settings.active_from:
        return DecayStatus.ACTIVE
    if retention >= settings.aging_from:
        return DecayStatus.AGING
    if retention >= settings.stale_from:
        return DecayStatus.STALE
    return DecayStatus.CLEANUP


Advice = Literal["forget", "archive"]


def forget_advice(record: Record, now: datetime, settings: Settings) -> Advice | None:
    """Return what a person should be asked about a record; nothing is done without a yes.

    To forget it: retention below 0.1 and 90 days unread, or, of low or medium importance, below
    0.3 and 60 days unread. To archive it: long-term and 180 days unread. Never about important
    records, project facts, and whatever is tagged as security or compliance (design,
    section 6); nor for 180 days after a person said to keep it.
    """
    if record.status is not Status.ACTIVE or is_kept(record):
        return None
    kept = kept_at(record)
    if kept is not None and unread_days(kept, now) < settings.tiers.long_term_unread_days:
        return None
    decay = settings.decay
    days = unread_days(unread_since(record), now)
    retained = retention(record, now, decay)
    if retained < decay.forget_below and days >= decay.forget_unread_days:
        return "forget"
    marked = record.importance is Importance.HIGH
    if not marked and retained < decay.ask_below and days >= decay.ask_unread_days:
        return "forget"
    if record.tier is Tier.LONG_TERM and days >= settings.tiers.long_term_unread_days:
        return "archive"
    return None


KEPT_AT = "kept_at"
"""Metadata: when a person said to keep what was proposed to be archived or forgotten."""


def kept_at(record: Record) -> datetime | None:
    """Return when a person said to keep `record`, if they did."""
    said = record.metadata.get(KEPT_AT)
    if not isinstance(said, str):
        return None
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def is_kept(record: Record) -> bool:
    """Return whether no rule may ever propose to forget `record`."""
    if record.tier is Tier.IMPORTANT or record.home is Home.PROJECT:
        return True
    words = {word.casefold() for word in (*record.tags, *_words(record.metadata))}
    return not _KEPT_WORDS.isdisjoint(words)


def _words(value: Json) -> Iterator[str]:
    """Yield the strings of a metadata value, and the keys that are switched on."""
    if isinstance(value, str):
        yield value.strip()
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if item not in (None, False, "", 0):
                yield str(key)
            yield from _words(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _words(item)
