"""Counts over the store: for the overview, the health report, and live refresh."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from omp_core.model import Home, Query, Status, Tier
from omp_core.store.protocol import Census, ChangeStamp, HealthRecord
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.filters import UNREAD_SINCE, where
from omp_core.store.sqlite.legible import read
from omp_core.store.sqlite.sql_statements import Part, number_of


class CountPart(Part):
    """Counts without handing out records."""

    def census(self, now: datetime) -> Census:
        condition = where(Query(statuses=frozenset()), self._workspace, now)
        columns = "r.status, r.tier, r.home, count(*), sum(r.open_disputes > 0)"
        tail = f"FROM records r WHERE {condition.sql} GROUP BY r.status, r.tier, r.home"
        tiers = dict.fromkeys(Tier, 0)
        homes = dict.fromkeys(Home, 0)
        statuses = dict.fromkeys(Status, 0)
        disputed = 0
        with self._connections.reading() as connection:
            for status, tier, home, number, in_dispute in read(
                connection, columns, tail, condition.params, _census_row,
                table="records", key="min(r.pk)", noted=self._illegible,
            ):  # fmt: skip
                statuses[status] += number
                if status is Status.ACTIVE:
                    tiers[tier] += number
                    homes[home] += number
                    disputed += in_dispute
        return Census(tiers, homes, statuses, disputed)

    def health_rows(self, now: datetime) -> Iterator[HealthRecord]:
        condition = where(Query(), self._workspace, now)
        columns = (
            f"r.tier, r.category, r.created_at, {UNREAD_SINCE},"
            " r.access_count, r.importance, r.confidence, r.home, r.open_disputes > 0,"
            " length(r.content)"
        )
        with self._connections.reading() as connection:
            yield from read(
                connection, columns, f"FROM records r WHERE {condition.sql}", condition.params,
                _health_row, table="records", key="r.pk", noted=self._illegible,
            )  # fmt: skip

    def entities(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        with self._connections.reading() as connection:
            for column in ("user_id", "agent_id", "app_id", "run_id"):
                found[column] = dict(
                    read(
                        connection, f"{column}, count(*)",
                        f"FROM records WHERE workspace = '' AND {column} IS NOT NULL"
                        f" GROUP BY {column} ORDER BY count(*) DESC",
                        (), _pair, table="records", key="min(pk)", noted=self._illegible,
                    )
                )  # fmt: skip
        return found

    def change_stamp(self) -> ChangeStamp:
        with self._connections.reading() as connection:
            return (
                number_of(connection, "SELECT coalesce(max(seq), 0) FROM acts"),
                number_of(connection, "SELECT coalesce(max(seq), 0) FROM searches"),
            )


def _census_row(row: tuple[Any, ...]) -> tuple[Status, Tier, Home, int, int]:
    return Status(row[0]), Tier(row[1]), Home(row[2]), row[3], row[4]


def _health_row(row: tuple[Any, ...]) -> HealthRecord:
    return HealthRecord(
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


def _pair(row: tuple[Any, ...]) -> tuple[str, int]:
    return row[0], row[1]
