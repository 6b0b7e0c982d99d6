"""How well the memory is: capacity, distribution, hit rate, staleness, score and alerts.

The store counts, this judges: `count_records` walks light rows once, `count_searches` the
search log, and `health` turns those counts into one report.
"""

from __future__ import annotations

from omp_core.rules.health.alerts import Action, AlertId, refused_settings, review_alert
from omp_core.rules.health.figures import (
    CHART_DAYS,
    AgeCounts,
    DaySearches,
    HealthInput,
    RecordCounts,
    RecordRow,
    SearchCounts,
    SearchRow,
    count_records,
    count_searches,
)
from omp_core.rules.health.report import HealthReport, health, with_alerts
from omp_core.rules.health.seed_json import to_seed_json
from omp_core.rules.health.unseen import Blindness, without_score

__all__ = [
    "CHART_DAYS",
    "Action",
    "AgeCounts",
    "AlertId",
    "Blindness",
    "DaySearches",
    "HealthInput",
    "HealthReport",
    "RecordCounts",
    "RecordRow",
    "SearchCounts",
    "SearchRow",
    "count_records",
    "count_searches",
    "health",
    "refused_settings",
    "review_alert",
    "to_seed_json",
    "with_alerts",
    "without_score",
]
