"""Foreign times as aware UTC instants."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from omp_core.model import Json
from omp_core.moments import day_of, is_day

# Seconds up to here reach the year 5138; larger numbers of that time are milliseconds.
_LARGEST_SECONDS = 1e11
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment in UTC, and how exactly the source said it."""

    at: datetime
    said: Literal["instant", "no zone", "date", "number"]
    over: datetime | None = None
    """The first moment after a day."""

    def end_of_day(self) -> datetime:
        """Return the first moment after this day."""
        if self.over is not None:
            return self.over
        return self.at + timedelta(days=1) if self.at < _LAST - timedelta(days=1) else _LAST


def read_time(value: Json, zone: tzinfo = UTC) -> Instant | None:
    """Return the instant that a foreign value means; None when it is no time.

    Understands ISO 8601 with and without zone, plain dates, and Unix time in seconds or
    milliseconds, as number or text. A plain date begins in `zone`; a time without one is UTC.
    """
    if isinstance(value, str):
        text = value.strip()
        number = None if _is_compact_date(text) else _number(text)
        return _read_iso(text, zone) if number is None else _read_unix(number)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _read_unix(value)


def _read_unix(number: float) -> Instant | None:
    try:
        seconds = number / 1000 if abs(number) > _LARGEST_SECONDS else number
        return Instant(datetime.fromtimestamp(seconds, UTC), "number")
    except (OverflowError, ValueError, OSError):
        return None


def _read_iso(text: str, zone: tzinfo) -> Instant | None:
    if text.upper().endswith((" UTC", " GMT")):
        text = text[:-4] + "Z"
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return Instant(moment.astimezone(UTC), "instant")
    except (ValueError, OverflowError):
        return None
    is_date = len(text) <= 10 and ":" not in text
    if is_date and is_day(text):
        return Instant(day_of(text, zone), "date", day_of(text, zone, last=True))
    return Instant(moment.replace(tzinfo=UTC), "date" if is_date else "no zone")


def _is_compact_date(text: str) -> bool:
    return len(text) == 8 and text.isdecimal()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
