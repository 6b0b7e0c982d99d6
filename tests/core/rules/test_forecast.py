"""What becomes of a record that nobody reads."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.model import Home, Importance, Record, Status, Tier
from omp_core.rules.decay import forget_advice
from omp_core.rules.forecast import forecast
from omp_core.settings import Settings

NOW = datetime(2026, 3, 15, 12, tzinfo=UTC)
SETTINGS = Settings()
RECORD = Record(
    id="a",
    content="uses tabs",
    created_at=NOW - timedelta(days=4),
    updated_at=NOW - timedelta(days=4),
    tier=Tier.SHORT_TERM,
    importance=Importance.LOW,
    confidence=0.5,
)


@pytest.mark.parametrize(
    ("fields", "step", "days"),
    [
        ({}, "long-term", 3),
        ({"last_accessed": NOW}, "long-term", 7),
        ({"tier": Tier.WORKING}, "short-term-when-full", None),
        ({"tier": Tier.IMPORTANT}, "stays", None),
        ({"home": Home.PROJECT}, "stays", None),
        ({"locked": True}, "stays", None),
        ({"status": Status.ARCHIVED}, "stays", None),
        ({"expires_at": NOW + timedelta(days=1)}, "expires", 1),
        ({"expires_at": NOW + timedelta(days=30)}, "long-term", 3),
        ({"tier": Tier.WORKING, "expires_at": NOW + timedelta(days=30)}, "expires", 30),
        ({"tier": Tier.LONG_TERM, "tags": frozenset({"security"})}, "stays", None),
    ],
)
def test_the_next_step(fields: dict[str, object], step: str, days: int | None) -> None:
    found = forecast(replace(RECORD, **fields), NOW, SETTINGS)  # type: ignore[arg-type]
    assert found.step == step
    assert found.at == (None if days is None else NOW + timedelta(days=days))


def test_a_long_term_record_is_asked_about_on_the_first_day_of_the_rule() -> None:
    record = replace(RECORD, tier=Tier.LONG_TERM)
    found = forecast(record, NOW, SETTINGS)
    assert found.step == "asked"
    assert found.at is not None
    assert forget_advice(record, found.at, SETTINGS) is not None
    assert forget_advice(record, found.at - timedelta(days=1), SETTINGS) is None


@given(days=st.integers(0, 400), reads=st.integers(0, 40), sure=st.floats(0, 1))
def test_the_curve_falls_and_begins_where_the_record_stands(
    days: int, reads: int, sure: float
) -> None:
    made = NOW - timedelta(days=days)
    record = replace(RECORD, created_at=made, access_count=reads, confidence=sure)
    found = forecast(record, NOW, SETTINGS)
    assert found.curve[0] == found.retention
    assert list(found.curve) == sorted(found.curve, reverse=True)
    assert all(0 <= one <= 1 for one in found.curve)
