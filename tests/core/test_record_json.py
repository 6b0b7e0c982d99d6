"""A record as JSON and back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omp_core.errors import InvalidValueError
from omp_core.model import Dispute, DisputeKind, Record, Scope, Stamp, Tier
from omp_core.record_json import from_json, parse_time, to_json

AT = datetime(2026, 3, 1, 9, 0, 0, 123456, tzinfo=UTC)
RECORD = Record(
    "r1",
    "用户偏好 tabs",
    AT,
    AT,
    tier=Tier.IMPORTANT,
    scope=Scope("ana", None, "shop"),
    tags=frozenset({"b", "a"}),
    metadata={"nested": [1, {"x": None}]},
    stamps={"content": Stamp(1, "user", AT)},
    disputes=(
        Dispute("d1", "content", DisputeKind.SAME_FIELD, "a", "b", "user", "agent:x", AT, AT, 1),
    ),
    last_accessed=AT,
    access_count=3,
)


def test_a_record_survives_the_way_there_and_back() -> None:
    plain = to_json(RECORD)
    assert plain["tags"] == ["a", "b"]
    assert plain["user_id"] == "ana"
    assert from_json(plain) == RECORD


def test_unknown_keys_are_kept_in_metadata() -> None:
    record = from_json({**to_json(RECORD), "colour": "red"})
    assert record.metadata["colour"] == "red"


@pytest.mark.parametrize("text", ["2026-03-01T09:00:00.123456", "2026-03-01T17:00:00.123456+08:00"])
def test_times_come_out_in_utc_and_naive_ones_are_utc(text: str) -> None:
    plain = to_json(RECORD)
    plain |= {"created_at": text, "updated_at": text, "last_accessed": text}
    plain["stamps"]["content"]["at"] = text
    plain["disputes"] = [{**plain["disputes"][0], "current_at": text}]
    assert from_json(plain) == RECORD
    assert parse_time(text) == AT


def test_a_value_that_does_not_fit_names_record_and_field() -> None:
    with pytest.raises(InvalidValueError, match=r"r1.*tier"):
        from_json({**to_json(RECORD), "tier": "forever"})
