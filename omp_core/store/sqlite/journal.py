"""The journal: acts, what they did to each record, and the log of searches."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from omp_core.model import Act, JournalEntry, SearchLog
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.connection import fetch_all, fetch_one
from omp_core.store.sqlite.statements import Part, number_of


class JournalPart(Part):
    """Reads the journal, and keeps the log of searches."""

    def history(self, record_id: str) -> tuple[JournalEntry, ...]:
        return self._entries("record_id = ?", record_id)

    def entries(self, act_id: str) -> tuple[JournalEntry, ...]:
        return self._entries("act_id = ?", act_id)

    def _entries(self, condition: str, value: str) -> tuple[JournalEntry, ...]:
        sql = f"SELECT {rows.ENTRY_COLUMNS} FROM journal WHERE {condition} ORDER BY seq DESC"
        with self._connections.reading() as connection:
            return tuple(rows.entry_from_row(row) for row in fetch_all(connection, sql, (value,)))

    def audit(self, limit: int) -> tuple[JournalEntry, ...]:
        columns = ", ".join(f"j.{name.strip()}" for name in rows.ENTRY_COLUMNS.split(","))
        sql = (
            f"SELECT {columns} FROM journal j LEFT JOIN records r"
            " ON r.workspace = '' AND r.id = j.record_id"
            " WHERE 'important' IN (r.tier, json_extract(j.before, '$.tier'),"
            " json_extract(j.after, '$.tier')) ORDER BY j.seq DESC LIMIT ?"
        )
        with self._connections.reading() as connection:
            return tuple(rows.entry_from_row(row) for row in fetch_all(connection, sql, (limit,)))

    def count_important_changes(self, since: datetime) -> int:
        with self._connections.reading() as connection:
            return number_of(
                connection,
                "SELECT count(*) FROM journal j JOIN records r"
                " ON r.workspace = '' AND r.id = j.record_id AND r.tier = 'important'"
                " WHERE j.at >= ? AND j.before IS NOT NULL AND j.after IS NOT NULL",
                (rows.to_micros(since),),
            )

    def act(self, act_id: str) -> Act | None:
        return self._one_act("id = ?", (act_id,))

    def acts(self, *, limit: int, before: str | None = None) -> tuple[Act, ...]:
        older = "seq < (SELECT seq FROM acts WHERE id = ?)" if before else "?1 IS NULL"
        sql = f"SELECT {rows.ACT_COLUMNS} FROM acts WHERE {older} ORDER BY seq DESC LIMIT ?2"
        with self._connections.reading() as connection:
            found = fetch_all(connection, sql, (before, limit))
        return tuple(rows.act_from_row(row) for row in found)

    def last_undoable(self, actor: str) -> Act | None:
        return self._one_act(
            "actor = ? AND undoes IS NULL AND undone_by IS NULL AND records > 0"
            " AND kind NOT IN ('mirror', 'purge')",
            (actor,),
        )

    def last_redoable(self, actor: str) -> Act | None:
        return self._one_act(
            "actor = ?1 AND kind = 'undo' AND undone_by IS NULL AND seq > coalesce((SELECT"
            " max(seq) FROM acts WHERE actor = ?1 AND undoes IS NULL AND records > 0), 0)",
            (actor,),
        )

    def _one_act(self, condition: str, params: tuple[Any, ...]) -> Act | None:
        sql = f"SELECT {rows.ACT_COLUMNS} FROM acts WHERE {condition} ORDER BY seq DESC LIMIT 1"
        with self._connections.reading() as connection:
            row = fetch_one(connection, sql, params)
        return None if row is None else rows.act_from_row(row)

    def log_search(self, search: SearchLog) -> None:
        with self._connections.writing(durable=False) as connection:
            connection.execute(
                f"INSERT INTO searches ({rows.SEARCH_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)",
                rows.search_row(search),
            )

    def searches(self, since: datetime) -> tuple[SearchLog, ...]:
        sql = f"SELECT {rows.SEARCH_COLUMNS} FROM searches WHERE at >= ? ORDER BY at"
        with self._connections.reading() as connection:
            found = fetch_all(connection, sql, (rows.to_micros(since),))
        return tuple(rows.search_from_row(row) for row in found)

    def drop_searches(self, *, before: datetime) -> int:
        with self._connections.writing(durable=False) as connection:
            connection.execute("DELETE FROM searches WHERE at < ?", (rows.to_micros(before),))
            return int(connection.changes())
