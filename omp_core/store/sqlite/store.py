"""`SqliteStore`: the `Store` protocol over one SQLite file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from omp_core.errors import StoreError, VersionConflictError
from omp_core.model import (
    Act,
    Home,
    JournalEntry,
    Order,
    Query,
    Record,
    Scope,
    SearchLog,
    Status,
    Tier,
)
from omp_core.store.protocol import (
    Batch,
    Candidate,
    Census,
    ChangeStamp,
    HealthRow,
    NoTwin,
    Put,
    Removal,
    Vector,
)
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.connection import Connections, fetch_all, fetch_one, fetch_value
from omp_core.store.sqlite.filters import ORDERS, Where, where
from omp_core.store.sqlite.vectors import Near, VectorIndex
from omp_core.text.tokens import tokens

_PAGE = 500
_COMMON_SHARE = 0.1
_COMMON_FROM = 2000
"""In a store of this size, a term that more than that share holds tells nothing apart."""

_INSERT = (
    "INSERT INTO records (workspace, file, content_hash, open_disputes, "
    + rows.COLUMNS
    + ") VALUES (:workspace, :file, :content_hash, :open_disputes, "
    + ", ".join(f":{name.strip()}" for name in rows.COLUMNS.split(","))
    + ") ON CONFLICT DO NOTHING RETURNING pk"
)
_COUNTERS = {"last_accessed", "access_count"}
_UPDATE = (
    "UPDATE records SET content_hash = :content_hash, open_disputes = :open_disputes, "
    + ", ".join(
        f"{name} = :{name}"
        for name in (part.strip() for part in rows.COLUMNS.split(","))
        if name not in _COUNTERS
    )
    + " WHERE workspace = :workspace AND id = :id AND version = :expected RETURNING pk"
)
_SELECT = "SELECT " + ", ".join(f"r.{name.strip()}" for name in rows.COLUMNS.split(","))


class SqliteStore:
    """One SQLite file. `path` None keeps everything in this process's memory.

    Raises StoreUnavailableError, StoreDamagedError or StoreTooNewError when it cannot be
    opened.
    """

    label = "sqlite"

    def __init__(
        self, path: Path | None, *, workspace: str = "", busy_timeout_s: float = 30.0
    ) -> None:
        self.path = path
        self._workspace = workspace
        self._connections = Connections(path, busy_timeout_s)
        self._indexes: dict[str, VectorIndex] = {}

    @property
    def connections(self) -> Connections:
        """The connections, for what works on the whole database: backup and check."""
        return self._connections

    def close(self) -> None:
        self._connections.close()

    # records

    def get(self, record_id: str) -> Record | None:
        return self.get_many([record_id]).get(record_id)

    def get_many(self, record_ids: Sequence[str]) -> dict[str, Record]:
        found: dict[str, Record] = {}
        with self._connections.reading() as connection:
            for some in _slices(record_ids):
                sql = (
                    f"{_SELECT} FROM records r WHERE r.workspace IN ('', ?)"
                    f" AND r.id IN ({_marks(some)})"
                )
                for row in fetch_all(connection, sql, (self._workspace, *some)):
                    found[row[0]] = rows.from_row(row)
        return found

    def twin(self, content_hash: str, scope: Scope, now: datetime) -> Record | None:
        with self._connections.reading() as connection:
            row = fetch_one(
                connection,
                f"{_SELECT} FROM records r WHERE {_TWIN}",
                _twin_params(content_hash, scope, now),
            )
        return None if row is None else rows.from_row(row)

    def page(
        self,
        query: Query,
        now: datetime,
        *,
        order: Order = "updated",
        descending: bool = True,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[Record, ...]:
        condition = where(query, self._workspace, now)
        direction = "DESC" if descending else "ASC"
        by = f"ORDER BY {ORDERS[order]} {direction}, r.pk {direction}"
        sql = (
            f"{_SELECT} FROM records r JOIN (SELECT r.pk AS chosen FROM records r"
            f" WHERE {condition.sql} {by} LIMIT ? OFFSET ?) ON r.pk = chosen {by}"
        )
        with self._connections.reading() as connection:
            found = fetch_all(connection, sql, (*condition.params, limit, offset))
        return tuple(rows.from_row(row) for row in found)

    def count(self, query: Query, now: datetime) -> int:
        condition = where(query, self._workspace, now)
        with self._connections.reading() as connection:
            return _number(
                connection,
                f"SELECT count(*) FROM records r WHERE {condition.sql}",
                condition.params,
            )

    def iterate(self, query: Query, now: datetime) -> Iterator[Record]:
        condition = where(query, self._workspace, now)
        sql = (
            f"{_SELECT}, r.pk FROM records r WHERE {condition.sql} AND r.pk > ?"
            " ORDER BY r.pk LIMIT ?"
        )
        last = 0
        while True:
            with self._connections.reading() as connection:
                found = fetch_all(connection, sql, (*condition.params, last, _PAGE))
            for row in found:
                yield rows.from_row(row[:-1])
            if len(found) < _PAGE:
                return
            last = found[-1][-1]

    def commit(self, batch: Batch) -> None:
        with self._connections.writing() as connection:
            for condition in batch.conditions:
                _require_no_twin(connection, condition, batch.act.at)
            for put in batch.puts:
                self._put(connection, put)
            for removal in batch.removals:
                self._remove(connection, removal)
            _write_act(connection, batch.act)
            _write_entries(connection, batch.entries)

    def touch(self, record_ids: Sequence[str], at: datetime) -> None:
        if not record_ids:
            return
        with self._connections.writing(durable=False) as connection:
            connection.executemany(
                "UPDATE records SET access_count = access_count + 1, last_accessed = ?"
                " WHERE workspace IN ('', ?) AND id = ?",
                [(rows.to_micros(at), self._workspace, record_id) for record_id in record_ids],
            )

    def _put(self, connection: apsw.Connection, put: Put) -> None:
        row = rows.to_row(put.record)
        parameters = {**row, "workspace": "", "file": None, "expected": put.expected}
        if put.expected is None:
            pk = _returned(connection, _INSERT, parameters)
            text_changed = True
        else:
            text_changed = (
                fetch_value(
                    connection,
                    "SELECT content_hash FROM records WHERE workspace = '' AND id = ?",
                    (put.record.id,),
                )
                != row["content_hash"]
            )
            pk = _returned(connection, _UPDATE, parameters)
        if pk is None:
            raise VersionConflictError(
                f"record {put.record.id} changed since it was read; read it again"
            )
        if text_changed:
            _index_text(connection, pk, put.record.content, new=put.expected is None)
        if put.vector is not None:
            _write_vector(connection, pk, put.vector)

    def _remove(self, connection: apsw.Connection, removal: Removal) -> None:
        pk = _returned(
            connection,
            "DELETE FROM records WHERE workspace = '' AND id = ? AND version = ? RETURNING pk",
            (removal.id, removal.expected),
        )
        if pk is None:
            raise VersionConflictError(
                f"record {removal.id} changed since it was read; read it again"
            )
        connection.execute("DELETE FROM keywords WHERE rowid = ?", (pk,))

    # search

    def keyword(
        self, terms: Sequence[str], query: Query, now: datetime, limit: int
    ) -> list[Candidate]:
        condition = where(query, self._workspace, now)
        with self._connections.reading() as connection:
            telling = _telling(connection, terms)
            if not telling:
                return []
            match = " OR ".join(f'"{term}"' for term in telling)
            found = fetch_all(
                connection,
                "SELECT r.id, bm25(keywords) AS rank FROM keywords JOIN records r"
                f" ON r.pk = keywords.rowid WHERE keywords MATCH ? AND {condition.sql}"
                " ORDER BY rank LIMIT ?",
                (match, *condition.params, limit),
            )
        return [Candidate(record_id, -rank) for record_id, rank in found]

    def nearest(
        self, model_id: str, vector: NDArray[np.float32], query: Query, now: datetime, limit: int
    ) -> list[Candidate]:
        index = self._indexes.get(model_id)
        if index is None:
            index = self._indexes.setdefault(model_id, VectorIndex(self.path, model_id))
        condition = where(query, self._workspace, now)
        with self._connections.reading() as connection:
            reach = limit * 2
            near = index.nearest(connection, vector, reach)
            found = _matching(connection, model_id, near, condition)
            if len(found) < limit and len(near) == reach:
                # the filter lets few of the nearest through: score all that it lets through
                pks = [
                    pk
                    for (pk,) in fetch_all(
                        connection,
                        f"SELECT r.pk FROM records r WHERE {condition.sql}",
                        condition.params,
                    )
                ]
                near = sorted(index.score(connection, vector, pks), key=lambda one: -one.cosine)
                found = _matching(connection, model_id, near[: limit * 2], condition)
        return found[:limit]

    def vectors(self, model_id: str, record_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        found: dict[str, NDArray[np.float32]] = {}
        with self._connections.reading() as connection:
            for some in _slices(record_ids):
                for record_id, blob in fetch_all(
                    connection,
                    "SELECT r.id, v.vec FROM records r JOIN vectors v ON v.pk = r.pk"
                    f" WHERE v.model = ? AND r.workspace IN ('', ?) AND r.id IN ({_marks(some)})",
                    (model_id, self._workspace, *some),
                ):
                    found[record_id] = np.frombuffer(blob, dtype=np.float32)
        return found

    def put_vectors(self, vectors: Iterable[tuple[str, str, Vector]]) -> None:
        with self._connections.writing(durable=False) as connection:
            for record_id, content_hash, vector in vectors:
                pk = fetch_value(
                    connection,
                    "SELECT pk FROM records WHERE workspace IN ('', ?) AND id = ?"
                    " AND content_hash = ?",
                    (self._workspace, record_id, content_hash),
                )
                if pk is not None:
                    _write_vector(connection, pk, vector)

    def without_vector(self, model_id: str, limit: int) -> list[tuple[str, str]]:
        with self._connections.reading() as connection:
            return fetch_all(
                connection,
                f"SELECT r.id, r.content {_WITHOUT_VECTOR} ORDER BY r.pk LIMIT ?",
                (self._workspace, model_id, limit),
            )

    def count_without_vector(self, model_id: str) -> int:
        with self._connections.reading() as connection:
            return _number(
                connection, f"SELECT count(*) {_WITHOUT_VECTOR}", (self._workspace, model_id)
            )

    # journal

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
            return _number(
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

    # aggregates

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
                _number(connection, "SELECT coalesce(max(seq), 0) FROM acts"),
                _number(connection, "SELECT coalesce(max(seq), 0) FROM searches"),
            )

    # mirror of project documents

    def mirror_digests(self) -> dict[str, str]:
        with self._connections.reading() as connection:
            return dict(
                fetch_all(
                    connection,
                    "SELECT file, digest FROM mirror_files WHERE workspace = ?",
                    (self._workspace,),
                )
            )

    def mirror(self, file: str, digest: str | None, records: Sequence[Record], act: Act) -> None:
        if not self._workspace:
            raise StoreError("project documents are mirrored only in a workspace")
        wanted = {record.id: rows.to_row(record) for record in records}
        with self._connections.writing() as connection:
            held = {
                record_id: (pk, content_hash)
                for pk, record_id, content_hash in fetch_all(
                    connection,
                    "SELECT pk, id, content_hash FROM records WHERE workspace = ? AND file = ?",
                    (self._workspace, file),
                )
            }
            for record_id, (pk, content_hash) in held.items():
                # an unchanged text keeps its row, and with it vector and counters
                if wanted.get(record_id, {}).get("content_hash") != content_hash:
                    connection.execute("DELETE FROM records WHERE pk = ?", (pk,))
                    connection.execute("DELETE FROM keywords WHERE rowid = ?", (pk,))
                else:
                    row = wanted.pop(record_id)
                    connection.execute(
                        "UPDATE records SET metadata = :metadata, updated_at = :updated_at,"
                        " tags = :tags WHERE pk = :pk",
                        {**{key: row[key] for key in ("metadata", "updated_at", "tags")}, "pk": pk},
                    )
            for row in wanted.values():
                parameters = {**row, "workspace": self._workspace, "file": file}
                pk = _returned(connection, _INSERT, parameters)
                if pk is not None:
                    _index_text(connection, pk, row["content"], new=True)
            _remember_digest(connection, self._workspace, file, digest)
            _write_act(connection, act)


_TWIN = (
    "r.workspace = '' AND r.content_hash = ? AND r.status = 'active' AND r.user_id IS ?"
    " AND r.agent_id IS ? AND r.app_id IS ? AND r.run_id IS ?"
    " AND (r.expires_at IS NULL OR r.expires_at > ?)"
)
_WITHOUT_VECTOR = (
    "FROM records r WHERE r.workspace IN ('', ?) AND r.status IN ('active', 'candidate')"
    " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = ? AND v.pk = r.pk)"
)


def _twin_params(content_hash: str, scope: Scope, now: datetime) -> tuple[Any, ...]:
    return (
        content_hash, scope.user_id, scope.agent_id, scope.app_id, scope.run_id,
        rows.to_micros(now),
    )  # fmt: skip


def _require_no_twin(connection: apsw.Connection, condition: NoTwin, now: datetime) -> None:
    found = fetch_one(
        connection,
        f"SELECT 1 FROM records r WHERE {_TWIN}",
        _twin_params(condition.content_hash, condition.scope, now),
    )
    if found is not None:
        raise VersionConflictError("the same text was just stored by another process")


def _index_text(connection: apsw.Connection, pk: int, content: str, *, new: bool) -> None:
    if not new:
        connection.execute("DELETE FROM keywords WHERE rowid = ?", (pk,))
        connection.execute("DELETE FROM vectors WHERE pk = ?", (pk,))
    connection.execute(
        "INSERT INTO keywords (rowid, tokens) VALUES (?, ?)", (pk, " ".join(tokens(content)))
    )


def _write_vector(connection: apsw.Connection, pk: int, vector: Vector) -> None:
    # a revision is never given twice, not even after its vector is gone
    rev = fetch_value(
        connection, "UPDATE meta SET value = value + 1 WHERE key = 'vector_rev' RETURNING value"
    )
    connection.execute(
        "INSERT INTO vectors (model, pk, rev, script, vec) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET rev = excluded.rev, script = excluded.script,"
        " vec = excluded.vec",
        (vector.model_id, pk, rev, vector.script, vector.values.astype(np.float32).tobytes()),
    )


def _write_act(connection: apsw.Connection, act: Act) -> None:
    connection.execute(
        f"INSERT INTO acts ({rows.ACT_COLUMNS}) VALUES (?,?,?,?,?,?,?,?)", rows.act_row(act)
    )
    if act.undoes is not None:
        connection.execute("UPDATE acts SET undone_by = ? WHERE id = ?", (act.id, act.undoes))
        if act.kind == "redo":
            # what the undo had taken back is in force again, and can be undone again
            connection.execute(
                "UPDATE acts SET undone_by = NULL WHERE undone_by = ?", (act.undoes,)
            )


def _write_entries(connection: apsw.Connection, entries: Sequence[JournalEntry]) -> None:
    connection.executemany(
        "INSERT INTO journal (act_id, kind, actor, at, record_id, version, before, after)"
        " VALUES (?,?,?,?,?,?,?,?)",
        [rows.entry_row(entry) for entry in entries],
    )


def _remember_digest(
    connection: apsw.Connection, workspace: str, file: str, digest: str | None
) -> None:
    if digest is None:
        connection.execute(
            "DELETE FROM mirror_files WHERE workspace = ? AND file = ?", (workspace, file)
        )
    else:
        connection.execute(
            "INSERT INTO mirror_files VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET digest = excluded.digest",
            (workspace, file, digest),
        )


def _telling(connection: apsw.Connection, terms: Sequence[str]) -> list[str]:
    """Leave out unknown terms, and very common ones while rarer ones are there."""
    wanted = list(dict.fromkeys(terms))
    if not wanted:
        return []
    held: dict[str, int] = dict(
        fetch_all(
            connection,
            f"SELECT term, doc FROM keyword_terms WHERE term IN ({_marks(wanted)})",
            tuple(wanted),
        )
    )
    total = _number(connection, "SELECT coalesce(max(pk), 0) FROM records")
    known = [term for term in wanted if term in held]
    if total < _COMMON_FROM:
        return known
    rare = [term for term in known if held[term] <= total * _COMMON_SHARE]
    return rare or known


def _matching(
    connection: apsw.Connection, model_id: str, near: list[Near], condition: Where
) -> list[Candidate]:
    """Keep the rows that pass the filter and whose vector is still the stored one."""
    found: dict[int, tuple[str, int]] = {}
    for some in _slices([one.pk for one in near]):
        for record_id, pk, rev in fetch_all(
            connection,
            "SELECT r.id, r.pk, v.rev FROM records r JOIN vectors v ON v.pk = r.pk"
            f" WHERE v.model = ? AND r.pk IN ({_marks(some)}) AND {condition.sql}",
            (model_id, *some, *condition.params),
        ):
            found[pk] = (record_id, rev)
    return [
        Candidate(found[one.pk][0], one.cosine, one.script)
        for one in near
        if one.pk in found and found[one.pk][1] == one.rev
    ]


def _slices(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), _PAGE):
        yield values[start : start + _PAGE]


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def _number(connection: apsw.Connection, sql: str, params: tuple[Any, ...] = ()) -> int:
    return int(fetch_value(connection, sql, params))


def _returned(connection: apsw.Connection, sql: str, params: Any) -> int | None:
    value = fetch_value(connection, sql, params)
    return None if value is None else int(value)
