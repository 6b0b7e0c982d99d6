from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.i18n import use_language
from omp_core.model import Home, Tier
from omp_core.rules.health import (
    CHART_DAYS,
    AgeCounts,
    HealthInput,
    RecordCounts,
    SearchCounts,
    count_records,
    count_searches,
    health,
    to_seed_json,
)
from omp_core.settings import AlertSettings, Settings
from omp_core.views import DecayCounts

NOW = datetime(2026, 3, 15, 12, tzinfo=UTC)
SETTINGS = Settings()
DATA = Path(__file__).parent / "data"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OMP_LANG", "en")
    use_language("en")
    yield
    use_language("auto")


@dataclass(frozen=True)
class Row:
    tier: Tier = Tier.LONG_TERM
    category: str = "fact"
    created_at: datetime = NOW
    last_used: datetime = NOW
    access_count: int = 0
    importance: str = "medium"
    confidence: float = 0.8
    home: Home = Home.USER
    disputed: bool = False
    length: int = 40


@dataclass(frozen=True)
class Search:
    at: datetime
    hit: bool


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def counts(**changes: Any) -> RecordCounts:
    sound = RecordCounts(
        tiers={Tier.WORKING: 5, Tier.SHORT_TERM: 20, Tier.LONG_TERM: 70, Tier.IMPORTANT: 5},
        categories={"fact": 100},
        ages=AgeCounts(100, 0, 0),
        unread=(100, 0, 0, 0, 0),
        decay=DecayCounts(active=100),
        confidence_mean=1.0,
    )
    return replace(sound, **changes)


def report_of(records: RecordCounts | None = None, **rest: Any) -> dict[str, Any]:
    shown = to_seed_json(health(HealthInput(records or counts(), **rest), SETTINGS, NOW))
    return json.loads(json.dumps(shown))  # type: ignore[no-any-return]


def alert_ids(records: RecordCounts | None = None, **rest: Any) -> list[str]:
    return [action["alert"] for action in report_of(records, **rest)["actions"]]


# The specification's own example. Its figures come from different moments (462 records by
# tier, 380 by age), and it lists one alert of two that its rules give.
SEED = json.loads((DATA / "health_example.json").read_text("utf-8"))
SEED_INPUT = HealthInput(
    RecordCounts(
        tiers={Tier.WORKING: 18, Tier.SHORT_TERM: 87, Tier.LONG_TERM: 342, Tier.IMPORTANT: 15},
        categories={"preference": 45, "decision": 30, "fact": 20, "lesson": 15},
        ages=AgeCounts(60, 120, 200),
        unread=(60, 120, 177, 23, 0),
        decay=DecayCounts(active=300, aging=57, stale=18, cleanup=5),
        rotten=23,
        stale=23,
        oldest_unread_days=45.9,
        confidence_mean=0.83,
        disputed=4,
    ),
    SearchCounts(searches_7d=100, hits_7d=72, searches_30d=400, hits_30d=260),
)


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return "text" if isinstance(value, str) else "number or null"


def test_seed_example_key_for_key() -> None:
    shown = to_seed_json(health(SEED_INPUT, SETTINGS, NOW))
    required = {key: shown[key] for key in SEED}
    assert shape(required) == shape(SEED)
    assert [*shown][: len(SEED)] == [*SEED]
    for part in ("capacity", "distribution", "hit_rate", "staleness"):
        assert required[part] == SEED[part], part


def test_seed_example_alerts_follow_the_rules() -> None:
    shown = to_seed_json(health(SEED_INPUT, SETTINGS, NOW))
    assert shown["alerts"][0]["level"] == SEED["alerts"][0]["level"]
    assert shown["alerts"][0]["message"].startswith("Working memory is 90 % full.")
    assert [(one["alert"], one["number"]) for one in shown["actions"]] == [
        ("working-full", 5),
        ("short-term-full", 10),
    ]


def test_everything_fits_json() -> None:
    json.dumps(to_seed_json(health(HealthInput(), SETTINGS, NOW)), allow_nan=False)
    json.dumps(to_seed_json(health(SEED_INPUT, SETTINGS, NOW)), allow_nan=False)


def test_empty_memory_is_well() -> None:
    report = health(HealthInput(), SETTINGS, NOW)
    assert report.view.score == 100
    assert report.view.grade == "excellent"
    assert report.alerts == ()
    assert all(row.lost == 0 and row.reason is None for row in report.view.rows)
    assert to_seed_json(report)["staleness"] == {
        "stale_count": 0,
        "stale_ratio": 0.0,
        "oldest_unaccessed_days": None,
    }


def test_lost_points_have_reasons_and_add_up() -> None:
    records = counts(
        decay=DecayCounts(active=71, aging=17, stale=9, cleanup=3),
        rotten=12,
        confidence_mean=0.83,
        disputed=6,
    )
    view = health(HealthInput(records), SETTINGS, NOW).view
    assert view.score == int(100 * (0.3 * 0.71 + 0.2 * 0.88 + 0.3 * 0.83 + 0.2 * 0.94))
    assert view.grade == "excellent"
    assert [(row.name, row.value, row.target, row.ok) for row in view.rows] == [
        ("active", "71 %", "> 60 %", True),
        ("rot", "12 %", "< 20 %", True),
        ("confidence", "0.83", "> 0.70", True),
        ("conflict", "6 %", "< 5 %", False),
    ]
    assert [round(row.lost, 6) for row in view.rows] == [8.7, 2.4, 5.1, 1.2]
    assert [row.reason for row in view.rows] == [
        "29 of 100 records have faded below active.",
        "12 of 100 records are stale, due for clean-up or trivial.",
        "Records are on average only 83 % certain.",
        "6 of 100 records have open disputes.",
    ]


@pytest.mark.parametrize(
    ("active", "grade"), [(100, "excellent"), (34, "excellent"), (33, "good"), (0, "good")]
)
def test_grades(active: int, grade: str) -> None:
    records = counts(decay=DecayCounts(active=active, aging=100 - active))
    view = health(HealthInput(records), SETTINGS, NOW).view
    assert view.grade == grade


def test_poor_grade() -> None:
    records = counts(decay=DecayCounts(cleanup=100), rotten=100, confidence_mean=0.5)
    view = health(HealthInput(records), SETTINGS, NOW).view
    assert (view.score, view.grade) == (35, "poor")


@given(
    st.integers(1, 1000).flatmap(
        lambda total: st.tuples(st.just(total), *[st.integers(0, total)] * 3, st.floats(0, 1))
    )
)
def test_score_is_the_formula(given_: tuple[int, int, int, int, float]) -> None:
    total, active, rotten, disputed, confidence = given_
    records = RecordCounts(
        ages=AgeCounts(total, 0, 0),
        decay=DecayCounts(active=active, aging=total - active),
        rotten=rotten,
        disputed=disputed,
        confidence_mean=confidence,
    )
    report = health(HealthInput(records), SETTINGS, NOW)
    exact = 100 * (
        0.3 * active / total
        + 0.2 * (1 - rotten / total)
        + 0.3 * confidence
        + 0.2 * (1 - disputed / total)
    )
    assert 0 <= report.view.score <= 100
    assert exact - 1 - 1e-6 <= report.view.score <= exact + 1e-6
    assert sum(report.lost.values()) == pytest.approx(100 - exact)


def test_hit_rate_needs_searches() -> None:
    shown = report_of(searches=SearchCounts(searches_7d=3, hits_7d=0, searches_30d=4, hits_30d=0))
    assert shown["hit_rate"] == {"last_7d": None, "last_30d": None, "trend": None}
    assert shown["notes"] == ["3 searches in 7 days, 5 needed."]
    assert shown["alerts"] == []


@pytest.mark.parametrize(
    ("week", "month", "trend"),
    [
        ((10, 8), (40, 20), "improving"),
        ((10, 4), (40, 22), "declining"),
        ((100, 50), (300, 150), "steady"),
        ((100, 51), (300, 151), "steady"),
        ((10, 8), (14, 10), None),
        ((4, 4), (40, 20), None),
    ],
)
def test_trend(week: tuple[int, int], month: tuple[int, int], trend: str | None) -> None:
    searches = SearchCounts(*week, *month)
    assert report_of(searches=searches)["hit_rate"]["trend"] == trend


@pytest.mark.parametrize(
    ("tiers", "expected"),
    [
        ({Tier.WORKING: 17}, []),
        ({Tier.WORKING: 18}, ["working-full"]),
        ({Tier.SHORT_TERM: 85}, []),
        ({Tier.SHORT_TERM: 86}, ["short-term-full"]),
        ({Tier.WORKING: 20, Tier.SHORT_TERM: 100}, ["working-full", "short-term-full"]),
        ({Tier.LONG_TERM: 9_999}, []),
        ({Tier.LONG_TERM: 10_000}, ["long-term-large"]),
        ({Tier.IMPORTANT: 50_000}, []),
    ],
)
def test_capacity_alerts(tiers: dict[Tier, int], expected: list[str]) -> None:
    assert alert_ids(counts(tiers=tiers)) == expected


def test_cure_of_a_full_tier_moves_enough() -> None:
    settings = Settings(alerts=AlertSettings(working_moves=1))
    records = counts(tiers={Tier.WORKING: 20})
    (alert,) = health(HealthInput(records), settings, NOW).alerts
    assert alert.number == 3
    assert (20 - alert.number) / 20 <= settings.alerts.tier_full


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ({"searches": SearchCounts(100, 29, 100, 29)}, ["hit-rate-low"]),
        ({"searches": SearchCounts(100, 30, 100, 30)}, []),
        ({"searches": SearchCounts(4, 0, 4, 0)}, []),
        ({"records": counts(stale=10)}, []),
        ({"records": counts(stale=11)}, ["stale"]),
        ({"disputes_open": 4, "oldest_dispute_days": 2.5}, ["disputes-waiting"]),
        ({"important_changes_7d": 1}, ["important-modified"]),
    ],
)
def test_other_alerts(given_: dict[str, Any], expected: list[str]) -> None:
    assert alert_ids(**given_) == expected


def test_every_alert_names_its_cure_and_warnings_come_first() -> None:
    records = counts(
        tiers={Tier.WORKING: 20, Tier.SHORT_TERM: 100, Tier.LONG_TERM: 12_000}, stale=60
    )
    report = health(HealthInput(records, SearchCounts(50, 5, 90, 30), 4, 2.5, 3), SETTINGS, NOW)
    assert [(alert.level, alert.id, alert.action) for alert in report.alerts] == [
        ("warning", "working-full", "promote-working"),
        ("warning", "short-term-full", "move-short-term"),
        ("warning", "hit-rate-low", "suggest-hybrid"),
        ("warning", "disputes-waiting", "open-conflicts"),
        ("info", "stale", "archive-stale"),
        ("info", "long-term-large", "review-long-term"),
        ("info", "important-modified", "show-audit"),
    ]
    assert all(alert.message and alert.cure for alert in report.alerts)
    assert report.alerts[3].message == "4 disputes wait, the oldest since 2 days."
    assert report.view.alerts == report.alerts


def test_counting_records() -> None:
    rows = [
        Row(Tier.WORKING, category="preference"),
        Row(Tier.SHORT_TERM, created_at=ago(7), last_used=ago(6.9), disputed=True),
        Row(created_at=ago(29), last_used=ago(29), access_count=2, confidence=0.4),
        Row(created_at=ago(200), last_used=ago(45)),
        Row(created_at=ago(400), last_used=ago(180), length=3),
        Row(Tier.IMPORTANT, created_at=ago(900), last_used=ago(900), importance="high"),
        Row(Tier.LONG_TERM, created_at=ago(99), last_used=ago(99), home=Home.PROJECT),
        Row(length=3),
    ]
    found = count_records(iter(rows), NOW, SETTINGS)
    assert found == RecordCounts(
        tiers={Tier.WORKING: 1, Tier.SHORT_TERM: 1, Tier.LONG_TERM: 5, Tier.IMPORTANT: 1},
        categories={"fact": 7, "preference": 1},
        ages=AgeCounts(2, 2, 4),
        unread=(3, 1, 1, 1, 2),
        decay=DecayCounts(active=3, aging=3, stale=1, cleanup=1),
        rotten=3,
        stale=2,
        oldest_unread_days=180.0,
        confidence_mean=0.75,
        disputed=1,
    )


_ROWS = st.builds(
    Row,
    tier=st.sampled_from(Tier),
    created_at=st.floats(0, 1000).map(ago),
    last_used=st.floats(-1, 1000).map(ago),
    access_count=st.integers(0, 20),
    importance=st.sampled_from(["high", "medium", "low"]),
    confidence=st.floats(0, 1),
    home=st.sampled_from(Home),
    disputed=st.booleans(),
    length=st.integers(0, 100),
)


@given(st.lists(_ROWS, max_size=30))
def test_every_record_is_counted_once(rows: list[Row]) -> None:
    found = count_records(rows, NOW, SETTINGS)
    levels = found.decay
    assert (
        len(rows)
        == sum(found.tiers.values())
        == sum(found.categories.values())
        == found.ages.total
        == sum(found.unread)
        == levels.active + levels.aging + levels.stale + levels.cleanup
    )
    assert levels.stale + levels.cleanup <= found.rotten <= len(rows)
    report = health(HealthInput(found), SETTINGS, NOW)
    assert 0 <= report.view.score <= 100
    assert sum(bucket.count for bucket in report.view.unread) == len(rows)


def test_counting_searches() -> None:
    rows = [
        Search(ago(40), True),
        Search(ago(29.9), True),
        Search(ago(7), True),
        Search(ago(6.9), False),
        Search(ago(0), True),
        Search(NOW + timedelta(minutes=1), True),
    ]
    found = count_searches(rows, NOW)
    assert (found.searches_7d, found.hits_7d) == (2, 1)
    assert (found.searches_30d, found.hits_30d) == (4, 3)
    assert len(found.days) == CHART_DAYS
    assert [day.day for day in found.days] == sorted(day.day for day in found.days)
    assert found.days[-1].day == NOW.date()
    assert (found.days[-1].searches, found.days[-1].hits) == (1, 1)
    view = health(HealthInput(searches=found), SETTINGS, NOW).view
    assert view.hit_rate.by_day[-1] == 1.0
    assert view.hit_rate.by_day[-2] is None


def test_unread_buckets_are_labelled() -> None:
    view = health(HealthInput(counts(unread=(1, 2, 3, 4, 5))), SETTINGS, NOW).view
    assert [(one.from_days, one.to_days, one.count) for one in view.unread] == [
        (0, 7, 1),
        (7, 30, 2),
        (30, 90, 3),
        (90, 180, 4),
        (180, None, 5),
    ]
