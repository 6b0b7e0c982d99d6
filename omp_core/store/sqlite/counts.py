"""Counts over the store: for the overview, the health report, and live refresh."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from omp_core.model import Home, Query, Status, Tier
from omp_core.store.protocol import Census, ChangeStamp, HealthRow
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.connection import fetch_all
from omp_core.store.sqlite.filters import where
from omp_core.store.sqlite.statements import Part, number_of


class CountPart(Part):
    """Counts without handing out records."""

    def census(self, now: datetime) -> Census:
        condition = where(Query(statuses=frozenset()), self._workspace, now)
        sql = (
            "SELECT r.status, r.tier, r.home, count(*), sum(r.open_disputes > 0)"
            f" FROM records r WHERE {condition.sql} GROUP BY 1, 2, 3"
        )
        tiers = dict.fromkeys(Tier, 0)
        homes = dict.fromkeys(Home, 0)
        statuses = dict.fromkeys(Status, 0)
        disputed = 0
        with self._connections.reading() as connection:
            for status, tier, home, number, in_dispute in fetch_all(
                connection, sql, condition.params
            ):
                statuses[Status(status)] += number
                if status == Status.ACTIVE:
                    tiers[Tier(tier)] += number
                    homes[Home(home)] += number
                    disputed += in_dispute
        return Census(tiers, homes, statuses, disputed)

    def health_rows(self, now: datetime) -> Iterator[HealthRow]:
        condition = where(Query(), self._workspace, now)
        sql = (
            "SELECT r.tier, r.category, r.created_at,"
            " coalesce(r.last_accessed, r.created_at), r.access_count, r.importance,"
            " r.confidence, r.home, r.open_disputes > 0, length(r.content)"
            f" FROM records r WHERE {condition.sql}"
        )
        with self._connections.reading() as connection:
            for row in fetch_all(connection, sql, condition.params):
                yield HealthRow(
                    Tier(row[0]),
                    row[1],
                    rows.from_micros(row[2]),
                    rows.from_micros(row[3]),
                    row[4],
                    row[5],
                    row[6],
                    Home(row[7]),
                    bool(row[8]),
                    row[9],
                )

    def entities(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        with self._connections.reading() as connection:
            for column in ("user_id", "agent_id", "app_id", "run_id"):
                found[column] = dict(
                    fetch_all(
                        connection,
                        f"SELECT {column}, count(*) FROM records WHERE workspace = ''"
                        f" AND {column} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC",
                    )
                )
        return found

    def change_stamp(self) -> ChangeStamp:
        with self._connections.reading() as connection:
            return (
                number_of(connection, "SELECT coalesce(max(seq), 0) FROM acts"),
                number_of(connection, "SELECT coalesce(max(seq), 0) FROM searches"),
            )
