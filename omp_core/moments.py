"""Moments as people write them: a day without a time is the whole of that day, where they live."""

from __future__ import annotations

import functools
import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from omp_core.errors import InvalidValueError
from omp_core.i18n import _

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?")


@functools.lru_cache(maxsize=8)
def zone(name: str | None) -> tzinfo:
    """Return the time zone of that name; without one the system's, which `TZ` names.

    Raises InvalidValueError for a name that no zone has.
    """
    if name:
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError) as error:
            reason = _("time_zone: {name} is no time zone; give one like Europe/Berlin")
            raise InvalidValueError(reason.format(name=repr(name))) from error
    return _System()


class _System(tzinfo):
    """The zone of the machine, with the offset that it had or will have at each moment."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        at = datetime.now(UTC) if moment is None else moment.replace(tzinfo=None)
        return at.astimezone().utcoffset()

    def dst(self, moment: datetime | None) -> timedelta | None:
        del moment
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        at = datetime.now(UTC) if moment is None else moment.replace(tzinfo=None)
        return at.astimezone().tzname()

    def fromutc(self, moment: datetime) -> datetime:
        return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


def is_day(text: str) -> bool:
    """Tell whether a text is a date without a time."""
    return _DAY.fullmatch(text.strip()) is not None


def day_of(text: str, where: tzinfo, *, last: bool = False) -> datetime:
    """Return the moment in UTC at which a day begins there, or with `last` is over.

    Raises ValueError when it is no date.
    """
    day = date.fromisoformat(text.strip())
    if last:
        if day == date.max:
            return datetime.max.replace(tzinfo=UTC)
        day += timedelta(days=1)
    midnight = datetime.combine(day, time(), where)
    try:
        return midnight.astimezone(UTC)
    except OverflowError:
        return midnight.replace(tzinfo=UTC)


def moment(text: str, now: datetime, where: tzinfo, *, last: bool = False) -> datetime:
    """Return the moment in UTC that a person means by a text.

    A date is the whole of that day where they are: its beginning, or with `last` the moment at
    which it is over. A time alone is one of today there. A date and time without a zone is
    UTC. Raises InvalidValueError.
    """
    said = text.strip()
    try:
        if is_day(said):
            return day_of(said, where, last=last)
        if _CLOCK.fullmatch(said):
            clock = time.fromisoformat(said.zfill(8 if said.count(":") > 1 else 5))
            return datetime.combine(now.astimezone(where).date(), clock, where).astimezone(UTC)
        found = datetime.fromisoformat(said)
    except ValueError as error:
        reason = _("{text} is not a time like 2026-03-01T09:00:00Z, 2026-03-01 or 09:00")
        raise InvalidValueError(reason.format(text=repr(text))) from error
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
