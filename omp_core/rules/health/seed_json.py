"""The report in the JSON form that the orchestrator's specification fixes."""

from __future__ import annotations

from omp_core.model import Json
from omp_core.rules.health.report import HealthReport


def to_seed_json(report: HealthReport) -> dict[str, Json]:
    """Return the report as JSON.

    `capacity`, `distribution`, `hit_rate`, `staleness` and `alerts` have exactly the keys of
    the specification, a figure that cannot be given being null. Added are `score`, `grade`,
    `targets`, `parts` (each with its value, lost points and the reason), `actions` (what
    cures each alert, in their order) and `notes` (why a figure is missing).
    """
    view, known = report.view, report.known
    hit_rate, stale = view.hit_rate, view.stale
    return {
        "capacity": {
            use.tier.value.replace("-", "_"): {
                "used": use.used,
                "limit": use.limit,
                "utilization": round(use.used / use.limit, 4)
                if use.limit and use.used is not None
                else None,
            }
            for use in report.capacity
        },
        "distribution": {
            "by_type": dict(report.by_type),
            "by_age": {
                "last_7d": report.by_age.last_7d if known else None,
                "last_30d": report.by_age.last_30d if known else None,
                "older": report.by_age.older if known else None,
            },
        },
        "hit_rate": {
            "last_7d": _rounded(hit_rate.last_7d),
            "last_30d": _rounded(hit_rate.last_30d),
            "trend": hit_rate.trend,
        },
        "staleness": {
            "stale_count": stale.count if known else None,
            "stale_ratio": round(stale.ratio, 2) if known else None,
            "oldest_unaccessed_days": None if stale.oldest_days is None else int(stale.oldest_days),
        },
        "alerts": [
            {"level": alert.level, "message": f"{alert.message} {alert.cure}"}
            for alert in report.alerts
        ],
        "score": view.score,
        "grade": view.grade,
        "targets": dict(report.targets),
        "parts": {
            row.name: {
                "value": row.value,
                "target": row.target,
                "ok": row.ok,
                "lost_points": round(row.lost, 2),
                "reason": row.reason,
            }
            for row in view.rows
        },
        "actions": [
            {
                "alert": alert.id,
                "action": alert.action,
                "number": alert.number,
                "message": alert.message,
                "cure": alert.cure,
            }
            for alert in report.alerts
        ],
        "notes": [hit_rate.reason] if hit_rate.reason else [],
    }


def _rounded(rate: float | None) -> float | None:
    return None if rate is None else round(rate, 4)
