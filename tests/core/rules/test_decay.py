from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.model import Home, Importance, Record, Status, Tier
from omp_core.rules.decay import (
    DecayStatus,
    decay_status,
    forget_advice,
    is_kept,
    retention,
    retention_after,
    unread_days,
    unread_since,
)
from omp_core.settings import DecaySettings, Settings

NOW = datetime(2026, 3, 15, 12, tzinfo=UTC)
DECAY = DecaySettings()
SETTINGS = Settings()


def a_record(unread: float = 0.0, **changes: Any) -> Record:
    made = NOW - timedelta(days=unread)
    record = Record(
        "r1", "Deploys run on Thursdays", made, made, tier=Tier.LONG_TERM, confidence=0.8
    )
    return replace(record, **changes)


def test_fresh_record_is_whole() -> None:
    assert retention(a_record(), NOW, DECAY) == 1.0


@pytest.mark.parametrize(
    ("days", "changes", "expected"),
    [
        (30, {}, math.exp(-1)),
        (30, {"access_count": 3}, math.exp(-0.5)),
        (80, {"importance": Importance.HIGH}, math.exp(-1) + 0.5 * (1 - math.exp(-1))),
        (30, {"confidence": 0.95}, math.exp(-1) + 0.2 * (1 - math.exp(-1))),
        (90, {"access_count": 6}, math.exp(-1) + 0.1 * (1 - math.exp(-1))),
        (30, {"home": Home.PROJECT}, math.exp(-1) + 0.3 * (1 - math.exp(-1))),
    ],
)
def test_formula(days: float, changes: dict[str, Any], expected: float) -> None:
    assert retention(a_record(days, **changes), NOW, DECAY) == pytest.approx(expected)


def test_boost_is_capped() -> None:
    record = a_record(
        200_000, importance=Importance.HIGH, confidence=1.0, access_count=9, home=Home.PROJECT
    )
    assert retention(record, NOW, DECAY) == pytest.approx(0.5)


def test_time_counts_from_the_last_read() -> None:
    record = a_record(300, last_accessed=NOW - timedelta(days=30))
    assert retention(record, NOW, DECAY) == pytest.approx(math.exp(-1))


def test_clock_ahead_counts_as_now() -> None:
    assert unread_days(NOW + timedelta(hours=3), NOW) == 0.0
    assert retention(a_record(-5), NOW, DECAY) == 1.0


_DAYS = st.floats(0, 10_000)
_REST = st.fixed_dictionaries(
    {
        "reads": st.integers(0, 500),
        "marked": st.booleans(),
        "confidence": st.floats(0, 1),
        "core": st.booleans(),
    }
)


@given(_DAYS, _REST)
def test_retention_lies_between_zero_and_one(days: float, rest: dict[str, Any]) -> None:
    assert 0.0 <= retention_after(days, DECAY, **rest) <= 1.0


@given(_DAYS, st.floats(0.01, 1000), _REST)
def test_retention_falls_with_time(days: float, later: float, rest: dict[str, Any]) -> None:
    assert retention_after(days + later, DECAY, **rest) <= retention_after(days, DECAY, **rest)


@given(st.floats(0, 300), st.floats(1, 100), _REST)
def test_retention_falls_strictly_while_it_matters(
    days: float, later: float, rest: dict[str, Any]
) -> None:
    assert retention_after(days + later, DECAY, **rest) < retention_after(days, DECAY, **rest)


@given(_DAYS, st.integers(1, 50), _REST)
def test_retention_rises_with_reads(days: float, more: int, rest: dict[str, Any]) -> None:
    often = {**rest, "reads": rest["reads"] + more}
    assert retention_after(days, DECAY, **often) >= retention_after(days, DECAY, **rest)


@pytest.mark.parametrize(
    ("retained", "status"),
    [
        (1.0, DecayStatus.ACTIVE),
        (0.7, DecayStatus.ACTIVE),
        (0.69, DecayStatus.AGING),
        (0.3, DecayStatus.AGING),
        (0.29, DecayStatus.STALE),
        (0.1, DecayStatus.STALE),
        (0.09, DecayStatus.CLEANUP),
        (0.0, DecayStatus.CLEANUP),
    ],
)
def test_levels(retained: float, status: DecayStatus) -> None:
    assert decay_status(retained, DECAY) is status


@pytest.mark.parametrize(
    ("days", "changes", "advice"),
    [
        (30, {}, None),
        (59, {}, None),
        (60, {}, "forget"),
        (60, {"importance": Importance.HIGH}, None),
        (90, {}, "forget"),
        (120, {"confidence": 0.95}, "forget"),
        (120, {"access_count": 10}, None),
        (180, {"access_count": 100}, "archive"),
        (180, {"importance": Importance.HIGH}, "archive"),
        (180, {"access_count": 100, "tier": Tier.SHORT_TERM}, None),
        (200, {"importance": Importance.HIGH, "tier": Tier.SHORT_TERM}, None),
    ],
)
def test_advice(days: float, changes: dict[str, Any], advice: str | None) -> None:
    assert forget_advice(a_record(days, **changes), NOW, SETTINGS) == advice


@pytest.mark.parametrize(
    "changes",
    [
        {"tier": Tier.IMPORTANT},
        {"home": Home.PROJECT},
        {"tags": frozenset({"api", "Security"})},
        {"tags": frozenset({"合规"})},
        {"metadata": {"topic": "compliance"}},
        {"metadata": {"labels": ["x", {"kind": "安全"}]}},
        {"metadata": {"security": True}},
    ],
)
def test_some_records_are_never_forgotten(changes: dict[str, Any]) -> None:
    record = a_record(5_000, **changes)
    assert is_kept(record)
    assert forget_advice(record, NOW, SETTINGS) is None


def test_switched_off_marks_do_not_keep() -> None:
    assert not is_kept(a_record(metadata={"security": False, "note": "security review"}))


def test_only_active_records_are_advised_on() -> None:
    assert forget_advice(a_record(500, status=Status.ARCHIVED), NOW, SETTINGS) is None


@given(_DAYS, _REST)
def test_forgetting_is_proposed_at_low_retention_and_long_silence_only(
    days: float, rest: dict[str, Any]
) -> None:
    record = a_record(
        days,
        access_count=rest["reads"],
        importance=Importance.HIGH if rest["marked"] else Importance.LOW,
        confidence=rest["confidence"],
        home=Home.PROJECT if rest["core"] else Home.USER,
    )
    if forget_advice(record, NOW, SETTINGS) == "forget":
        assert retention(record, NOW, DECAY) < (0.1 if rest["marked"] else 0.3)
        assert days >= (89.999 if rest["marked"] else 59.999)
        assert not rest["core"]


@given(_DAYS, _DAYS, _DAYS)
def test_what_was_not_here_yet_or_was_read_is_not_unread(
    made: float, here: float, read: float
) -> None:
    moments = [NOW - timedelta(days=days) for days in (made, here, read)]
    record = replace(
        a_record(), created_at=moments[0], arrived_at=moments[1], last_accessed=moments[2]
    )
    assert unread_since(record) == max(moments)
    assert unread_since(replace(record, arrived_at=None, last_accessed=None)) == moments[0]


def test_what_a_person_keeps_is_not_asked_about_for_180_days() -> None:
    asked = a_record(400, tier=Tier.LONG_TERM)
    for days, advice in ((0, None), (179, None), (181, "forget")):
        said = (NOW - timedelta(days=days)).isoformat()
        assert forget_advice(replace(asked, metadata={"kept_at": said}), NOW, SETTINGS) == advice
    damaged = replace(asked, metadata={"kept_at": "yesterday"})
    assert forget_advice(damaged, NOW, SETTINGS) == "forget"
