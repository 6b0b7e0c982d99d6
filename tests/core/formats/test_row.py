"""How the words, times and states of foreign rows become fields."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.formats.plain import NotPlainError, plain
from omp_core.formats.row import Row, RowError, converted, record_id
from omp_core.formats.times import read_time
from omp_core.model import Category, Importance, Record, Scope, Source, Status, Temporality, Tier
from omp_core.record_json import from_json, to_json

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def made(**raw: Any) -> tuple[Record, list[str]]:
    row = Row({"content": "c", "created_at": 1, **raw})
    return row.record("x", row.take_text("content"), NOW), row.notes


@pytest.mark.parametrize(
    ("value", "at", "said"),
    [
        ("2026-02-02T07:10:00-08:00", datetime(2026, 2, 2, 15, 10, tzinfo=UTC), "instant"),
        ("2026-02-02T07:10:00.123456789Z", datetime(2026, 2, 2, 7, 10, 0, 123456, UTC), "instant"),
        ("2026-02-20 09:00:00", datetime(2026, 2, 20, 9, tzinfo=UTC), "no zone"),
        (" 2026-02-20 09:00:00 UTC ", datetime(2026, 2, 20, 9, tzinfo=UTC), "instant"),
        ("2026-12-31", datetime(2026, 12, 31, tzinfo=UTC), "date"),
        ("20261231", datetime(2026, 12, 31, tzinfo=UTC), "date"),
        (1767225600, datetime(2026, 1, 1, tzinfo=UTC), "number"),
        (1767225600.5, datetime(2026, 1, 1, 0, 0, 0, 500000, UTC), "number"),
        ("1767225600.0", datetime(2026, 1, 1, tzinfo=UTC), "number"),
        (1767225600000, datetime(2026, 1, 1, tzinfo=UTC), "number"),
        (0, datetime(1970, 1, 1, tzinfo=UTC), "number"),
    ],
)
def test_times_are_read(value: object, at: datetime, said: str) -> None:
    found = read_time(value)
    assert found is not None
    assert (found.at, found.said) == (at, said)
    assert found.at.tzinfo is UTC


@pytest.mark.parametrize(
    "value",
    ["yesterday", "", "nan", "inf", True, None, [], {}, 1e300, 10**400, "0001-01-01T00:00+23:59"],
)
def test_what_is_no_time(value: object) -> None:
    assert read_time(value) is None


@given(st.one_of(st.text(), st.floats(), st.integers()))
def test_reading_a_time_never_fails(value: object) -> None:
    found = read_time(value)
    assert found is None or found.at.utcoffset() == timedelta(0)


@given(
    st.datetimes(
        min_value=datetime(1900, 1, 1, tzinfo=UTC).replace(tzinfo=None),
        max_value=datetime(2200, 1, 1, tzinfo=UTC).replace(tzinfo=None),
        timezones=st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m))),
    )
)
def test_times_with_a_zone_keep_their_instant(moment: datetime) -> None:
    found = read_time(moment.isoformat())
    assert found is not None
    assert found.at == moment


@pytest.mark.parametrize("never", [0, 0.0, "0", "0.0", -1, None, ""])
def test_never_expires(never: object) -> None:
    record, notes = made(expires_at=never)
    assert record.expires_at is None
    assert "expires_at" not in record.metadata
    assert notes == []


def test_a_date_of_expiry_is_the_last_valid_day() -> None:
    record, notes = made(expiration_date="2026-12-31")
    assert record.expires_at == datetime(2027, 1, 1, tzinfo=UTC)
    assert len(notes) == 1
    inner, _ = made(metadata={"expiration_date": "2026-12-31"})
    assert inner.expires_at == record.expires_at
    assert inner.metadata == {}
    last, _ = made(expiration_date="9999-12-31")
    assert last.expires_at == datetime.max.replace(tzinfo=UTC)


def test_expired_stays_expired() -> None:
    record, notes = made(expires_at="2026-02-01T00:00:00+08:00")
    assert record.expires_at == datetime(2026, 1, 31, 16, tzinfo=UTC)
    assert notes == ["expired already; stays hidden"]


def test_times_that_are_none_are_kept_and_said() -> None:
    record, notes = made(created_at="long ago", updated_at={"x": 1})
    assert record.created_at == record.updated_at == NOW
    assert record.metadata == {"created_at": "long ago", "updated_at": {"x": 1}}
    assert len(notes) == 3


def test_one_time_stands_for_the_other() -> None:
    record, _ = made(created_at=None, updatedAt="2026-01-01T00:00:00")
    assert record.created_at == record.updated_at == datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "status", "state"),
    [
        ({}, Status.ACTIVE, None),
        ({"state": "active"}, Status.ACTIVE, None),
        ({"state": "paused"}, Status.ARCHIVED, "paused"),
        ({"state": "archived"}, Status.ARCHIVED, None),
        ({"state": "deleted"}, Status.ARCHIVED, "deleted"),
        ({"state": "Deleted"}, Status.ARCHIVED, "Deleted"),
        ({"state": "never heard of"}, Status.ARCHIVED, "never heard of"),
        ({"state": 7}, Status.ARCHIVED, 7),
        ({"status": "expired"}, Status.ARCHIVED, "expired"),
        ({"status": "pending"}, Status.CANDIDATE, "pending"),
        ({"status": "in review"}, Status.ACTIVE, "in review"),
        ({"metadata": {"status": "refuted"}}, Status.ARCHIVED, "refuted"),
        ({"metadata": {"state": "archived"}}, Status.ARCHIVED, None),
        ({"superseded_by": "m-2"}, Status.SUPERSEDED, None),
        ({"state": "superseded"}, Status.SUPERSEDED, None),
    ],
)
def test_states(raw: dict[str, Any], status: Status, state: object) -> None:
    record, _ = made(**raw)
    assert record.status is status
    assert record.metadata.get("state") == state


@pytest.mark.parametrize(
    "ended",
    [
        {"deleted_at": "2026-01-01T00:00:00Z"},
        {"archived_at": 1767225600},
        {"is_deleted": True},
        {"is_active": False},
        {"metadata": {"archived": True}},
        {"state": "active", "deleted_at": "2026-01-01"},
    ],
)
def test_signs_of_an_end_archive(ended: dict[str, Any]) -> None:
    record, _ = made(**ended)
    assert record.status is Status.ARCHIVED
    kept = {**ended, **ended.get("metadata", {})}
    kept.pop("metadata", None)
    kept.pop("state", None)
    assert record.metadata == kept


def test_no_sign_of_an_end() -> None:
    record, _ = made(deleted_at=None, archived_at=None, is_deleted=False)
    assert record.status is Status.ACTIVE
    assert record.metadata == {"is_deleted": False}


@pytest.mark.parametrize(
    ("raw", "category", "kept", "notes"),
    [
        ({"metadata": {"category": "decision"}}, Category.DECISION, {}, 0),
        ({"category": "Anti-Pattern"}, Category.ANTI_PATTERN, {"category": "Anti-Pattern"}, 0),
        ({"metadata": {"category": "rule"}}, Category.FACT, {"category": "rule"}, 1),
        ({"categories": ["preference"]}, Category.PREFERENCE, {}, 0),
        ({"categories": "build, lessons"}, Category.LESSON, {"categories": "build, lessons"}, 1),
        (
            {"categories": ["work", "identity"], "metadata": {"category": "rule"}},
            Category.IDENTITY,
            {"category": "rule", "categories": ["work", "identity"]},
            2,
        ),
        ({"categories": [None, {"a": 1}]}, Category.FACT, {"categories": [None, {"a": 1}]}, 2),
    ],
)
def test_categories(
    raw: dict[str, Any], category: Category, kept: dict[str, Any], notes: int
) -> None:
    record, said = made(**raw)
    assert record.category is category
    assert record.metadata == kept
    assert len(said) == notes


def test_importance_decides_the_tier() -> None:
    assert made()[0].tier is Tier.LONG_TERM
    high, _ = made(metadata={"importance": "high"})
    assert (high.importance, high.tier, high.metadata) == (Importance.HIGH, Tier.IMPORTANT, {})
    word, _ = made(importance="important")
    assert (word.importance, word.tier) == (Importance.HIGH, Tier.IMPORTANT)
    assert word.metadata == {"importance": "important"}
    low, _ = made(importance="low")
    assert (low.importance, low.tier) == (Importance.LOW, Tier.LONG_TERM)
    said, _ = made(metadata={"tier": "short_term", "importance": "high"})
    assert said.tier is Tier.SHORT_TERM
    odd, _ = made(metadata={"tier": 3})
    assert odd.metadata == {"tier": 3}


def test_fields_that_hold_odd_things_are_kept() -> None:
    record, notes = made(
        confidence=7,
        temporality="forever",
        source="user",
        access_count=-1,
        agent_id=["a"],
        tags={"a": 1},
        metadata=[1, 2],
    )
    assert record.confidence == 1.0
    assert record.temporality is Temporality.PERMANENT
    assert record.source is Source.IMPORTED
    assert record.scope == Scope()
    assert record.tags == {'{"a": 1}'}
    assert record.metadata == {
        "confidence": 7,
        "temporality": "forever",
        "source": "user",
        "access_count": -1,
        "agent_id": ["a"],
        "metadata": [1, 2],
    }
    assert notes == ["confidence is not a number from 0 to 1; kept in metadata"]


def test_tags_of_both_places() -> None:
    record, _ = made(tags="a，b, ,c", metadata={"tags": ["c", "d", 5]})
    assert record.tags == {"a", "b", "c", "d", "5"}
    assert record.metadata == {}


def test_scope_may_lie_in_an_object() -> None:
    record, _ = made(scope={"user_id": "ana", "run_id": 7}, app_id="shop")
    assert record.scope == Scope(user_id="ana", app_id="shop", run_id="7")


def test_a_row_s_key_does_not_overwrite_the_metadata() -> None:
    record, _ = made(hash="outer", metadata={"hash": "inner"})
    assert record.metadata == {"hash": "inner", "original_hash": "outer"}


@pytest.mark.parametrize("content", [None, "", "  \n\t", 5, ["a"]])
def test_no_text_is_a_problem(content: object) -> None:
    item = converted("p#1", {"content": content}, lambda row: row.record("x", None, NOW))
    assert item.record is None
    assert item.problem == "The row has no text. Give it one, or leave the row out."


@pytest.mark.parametrize("raw", [None, "text", 5, ["a"]])
def test_no_object_is_a_problem(raw: object) -> None:
    with pytest.raises(RowError, match="not an object"):
        Row(raw)


def test_ids() -> None:
    assert made(id=" m-1 ")[0].id == "m-1"
    assert made(id=17)[0].id == "17"
    made_up = made(id="")[0].id
    assert made_up == made()[0].id == record_id("x", "c", Scope())
    assert made(user_id="ana")[0].id != made_up
    assert record_id("y", "c", Scope()) != made_up
    assert record_id("x", "c", Scope(), "entity") != made_up


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    (
        *("id", "user_id", "tags", "metadata", "scope", "category", "categories", "importance"),
        *("tier", "confidence", "source", "temporality", "created_at", "updated_at"),
        *("expires_at", "expiration_date", "state", "status", "deleted_at", "superseded_by"),
        *("last_accessed", "access_count", "is_active"),
    )
)


@given(st.dictionaries(KEYS | st.text(), JSON, max_size=8))
def test_every_row_gives_a_sound_record(raw: dict[str, Any]) -> None:
    row = Row(raw)
    record = row.record("x", "c", NOW)
    text = json.dumps(to_json(record), ensure_ascii=False, allow_nan=False, default=str)
    text.encode()
    assert from_json(to_json(record)) == record
    assert record.id.strip()
    for moment in (record.created_at, record.updated_at, record.expires_at, record.last_accessed):
        assert moment is None or moment.utcoffset() == timedelta(0)
    assert 0 <= record.confidence <= 1
    assert record.source is Source.IMPORTED


UNKNOWN = st.text(st.characters(exclude_categories=["Cs"]), min_size=12)


@given(st.dictionaries(UNKNOWN, JSON.filter(lambda value: plain(value)[0] == value)))
def test_unknown_keys_are_never_dropped(raw: dict[str, Any]) -> None:
    record, _ = made(**{"content": "c", "metadata": {}, **raw})
    assert record.metadata == raw


def test_plain_values() -> None:
    value, notes = plain({1: (datetime(2026, 1, 1, tzinfo=UTC), {2}, b"x"), None: "a\ud800"})
    assert value == {"1": ["2026-01-01T00:00:00+00:00", [2], "b'x'"], "None": "a\ufffd"}
    assert len(notes) == 1
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotPlainError):
        plain(loop)


@given(st.text())
def test_plain_text_is_storable(text: str) -> None:
    value, notes = plain(text)
    value.encode()
    assert (value == text) == (notes == [])
