"""The journal: acts, what they did to each record, and the log of searches."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from omp_core.model import Act, JournalEntry, SearchLog
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.legible import read
from omp_core.store.sqlite.sql_statements import Part, number_of

WHOLE = "NOT EXISTS (SELECT 1 FROM acts whole WHERE whole.id = acts.cause)"
"""Not a part of another act, with which it is shown and undone."""


class JournalPart(Part):
    """Reads the journal, and keeps the log of searches."""

    def history(self, record_id: str) -> tuple[JournalEntry, ...]:
        return self._entries("record_id = ?", record_id)

    def entries(self, act_id: str) -> tuple[JournalEntry, ...]:
        return self._entries("act_id = ?", act_id)

    def _entries(self, condition: str, value: str) -> tuple[JournalEntry, ...]:
        return self._read_entries(
            rows.ENTRY_COLUMNS, "seq", f"FROM journal WHERE {condition} ORDER BY seq DESC", value
        )

    def _read_entries(
        self, columns: str, key: str, tail: str, value: object
    ) -> tuple[JournalEntry, ...]:
        with self._connections.reading() as connection:
            found = read(
                connection, columns, tail, (value,), rows.entry_from_row,
                table="journal", key=key, noted=self._illegible,
            )  # fmt: skip
        return tuple(found)

    def audit(self, limit: int) -> tuple[JournalEntry, ...]:
        columns = ", ".join(f"j.{name.strip()}" for name in rows.ENTRY_COLUMNS.split(","))
        tail = (
            "FROM journal j LEFT JOIN records r ON r.workspace = '' AND r.id = j.record_id"
            f" WHERE 'important' IN (r.tier, {_tier('before')}, {_tier('after')})"
            " ORDER BY j.seq DESC LIMIT ?"
        )
        return self._read_entries(columns, "j.seq", tail, limit)

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
        return self._acts(f"{older} AND {WHOLE} ORDER BY seq DESC LIMIT ?2", (before, limit))

    def caused_by(self, act_id: str) -> tuple[Act, ...]:
        return self._acts("cause = ? ORDER BY seq DESC", (act_id,))

    def last_undoable(self, actor: str) -> Act | None:
        return self._one_act(
            "actor = ? AND undoes IS NULL AND undone_by IS NULL AND records > 0"
            " AND kind NOT IN ('mirror', 'purge', 'refuse', 'denied')"
            f" AND {WHOLE}",
            (actor,),
        )

    def last_redoable(self, actor: str) -> Act | None:
        return self._one_act(
            "actor = ?1 AND kind = 'undo' AND undone_by IS NULL AND seq > coalesce((SELECT"
            " max(seq) FROM acts WHERE actor = ?1 AND undoes IS NULL AND records > 0"
            f" AND kind NOT IN ('refuse', 'denied')), 0) AND {WHOLE}",
            (actor,),
        )

    def _one_act(self, condition: str, params: tuple[Any, ...]) -> Act | None:
        found = self._acts(f"{condition} ORDER BY seq DESC LIMIT 1", params)
        return found[0] if found else None

    def _acts(self, condition: str, params: tuple[Any, ...]) -> tuple[Act, ...]:
        with self._connections.reading() as connection:
            found = read(
                connection, rows.ACT_COLUMNS, f"FROM acts WHERE {condition}", params,
                rows.act_from_row, table="acts", key="seq", noted=self._illegible,
            )  # fmt: skip
        return tuple(found)

    def log_search(self, search: SearchLog) -> None:
        with self._connections.writing(durable=False) as connection:
            connection.execute(
                f"INSERT INTO searches ({rows.SEARCH_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)",
                rows.search_row(search),
            )

    def searches(self, since: datetime) -> tuple[SearchLog, ...]:
        with self._connections.reading() as connection:
            found = read(
                connection, rows.SEARCH_COLUMNS, "FROM searches WHERE at >= ? ORDER BY at",
                (rows.to_micros(since),), rows.search_from_row,
                table="searches", key="seq", noted=self._illegible,
            )  # fmt: skip
        return tuple(found)

    def drop_searches(self, *, before: datetime) -> int:
        with self._connections.writing(durable=False) as connection:
            connection.execute("DELETE FROM searches WHERE at < ?", (rows.to_micros(before),))
            return int(connection.changes())


def _tier(side: str) -> str:
    """Return SQL for the tier in one side of an entry; NULL where that side cannot be read."""
    return f"CASE WHEN json_valid(j.{side}) THEN json_extract(j.{side}, '$.tier') END"
