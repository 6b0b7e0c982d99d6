"""A record as a JSON object and back: the form of exports, the journal and saved files.

Scope fields lie flat, times are ISO 8601 in UTC, tags are a sorted list. Unknown keys are
kept in `metadata`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import SCOPE_FIELDS, Json, Record, Unseen

_SAID = 20
"""So many parts that were not seen are named in the sentence."""
_RECORD_FIELDS = frozenset(field.name for field in fields(Record)) - {"scope"}


def to_json(record: Record) -> dict[str, Json]:
    """Return the record as a JSON object, every field present."""
    raw: dict[str, Json] = msgspec.to_builtins(record)
    scope = raw.pop("scope")
    raw["tags"] = sorted(raw["tags"])
    return {**raw, **scope}


def exported(record: Record) -> dict[str, Json]:
    """Return the record as a JSON object for another store, in which it will arrive anew."""
    raw = to_json(record)
    del raw["arrived_at"]
    return raw


def from_json(raw: Mapping[str, Json]) -> Record:
    """Return the record of a JSON object. Naive times are read as UTC.

    Raises InvalidValueError naming the field that does not fit.
    """
    known: dict[str, Any] = {}
    scope: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for key, value in raw.items():
        place = known if key in _RECORD_FIELDS else scope if key in SCOPE_FIELDS else unknown
        place[key] = value
    if unknown:
        known["metadata"] = {**(known.get("metadata") or {}), **unknown}
    known["scope"] = {key: value or None for key, value in scope.items()}
    try:
        record = msgspec.convert(known, Record, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidValueError(
            _("record {id}: {error}").format(id=raw.get("id", "?"), error=error)
        ) from error
    return replace(
        record,
        created_at=in_utc(record.created_at),
        updated_at=in_utc(record.updated_at),
        expires_at=None if record.expires_at is None else in_utc(record.expires_at),
        last_accessed=None if record.last_accessed is None else in_utc(record.last_accessed),
        arrived_at=None if record.arrived_at is None else in_utc(record.arrived_at),
        stamps={name: replace(one, at=in_utc(one.at)) for name, one in record.stamps.items()},
        disputes=tuple(
            replace(one, current_at=in_utc(one.current_at), incoming_at=in_utc(one.incoming_at))
            for one in record.disputes
        ),
    )


def in_utc(moment: datetime) -> datetime:
    """Return the moment in UTC; one without a zone is taken as UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def parse_time(text: str) -> datetime:
    """Read an ISO 8601 time; one without a zone is taken as UTC.

    Raises InvalidValueError.
    """
    return in_utc(_read_time(text))


def is_naive(text: str) -> bool:
    """Tell whether an ISO 8601 time has no zone. Raises InvalidValueError."""
    return _read_time(text).tzinfo is None


def _read_time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise InvalidValueError(
            _("{text!r} is not a time like 2026-03-01T09:00:00Z").format(text=text)
        ) from error


def degraded(unseen: Sequence[Unseen]) -> dict[str, Json]:
    """Return what an answer says of what it had to do without; nothing when all was seen.

    `degraded` is a sentence for whoever reads it, `unseen` names each part: its place, the
    reason, and the record's id where it is known.
    """
    if not unseen:
        return {}
    return {
        "degraded": "; ".join(
            one.reason if one.place == "store" else str(one) for one in unseen[:_SAID]
        ),
        "unseen": [{"place": one.place, "reason": one.reason, "id": one.id} for one in unseen],
    }
