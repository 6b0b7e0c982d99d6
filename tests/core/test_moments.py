"""A day without a time is the whole of that day where the person is."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.errors import InvalidValueError
from omp_core.moments import moment, zone

NOW = datetime(2026, 3, 1, 20, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "where", "last", "meant"),
    [
        ("2026-12-31", "UTC", False, "2026-12-31T00:00:00Z"),
        ("2026-12-31", "UTC", True, "2027-01-01T00:00:00Z"),
        ("2026-12-31", "Asia/Shanghai", True, "2026-12-31T16:00:00Z"),
        ("2026-12-31", "America/New_York", True, "2027-01-01T05:00:00Z"),
        ("20261231", "Asia/Shanghai", False, "2026-12-30T16:00:00Z"),
        ("2026-12-31T09:00", "Asia/Shanghai", True, "2026-12-31T09:00:00Z"),
        ("2026-12-31T09:00+08:00", "UTC", False, "2026-12-31T01:00:00Z"),
        ("9:15", "Asia/Shanghai", False, "2026-03-02T01:15:00Z"),
        ("2026-03-29", "Europe/Berlin", True, "2026-03-29T22:00:00Z"),
    ],
)
def test_what_a_text_means(text: str, where: str, last: bool, meant: str) -> None:
    assert moment(text, NOW, zone(where), last=last) == datetime.fromisoformat(meant)


@given(st.dates(max_value=date(9000, 1, 1)))
def test_a_day_has_a_beginning_and_an_end(day: date) -> None:
    here = zone("Asia/Shanghai")
    length = moment(f"{day}", NOW, here, last=True) - moment(f"{day}", NOW, here)
    assert timedelta(hours=22) <= length <= timedelta(hours=26)


@pytest.mark.parametrize("text", ["tomorrow", "", "2026-13-01", "25:00"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(InvalidValueError, match="is not a time"):
        moment(text, NOW, UTC)


def test_a_zone_that_there_is_not_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="Europe/Berlin"):
        zone("Nowhere/At_all")
