"""The journal as it is looked through: acts and searches together, the latest first.

A line is found again by its key, `act:<id>` or `search:<number>`. Lines of one moment stand in
the order in which they were written, acts above searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw

from omp_core.model import Act, SearchLog
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.connection import fetch_all
from omp_core.store.sqlite.journal import WHOLE
from omp_core.store.sqlite.legible import read
from omp_core.store.sqlite.sql_statements import Part, marks, number_of, slices
from omp_core.views import Activity, ActivityQuery

_ACT, _SEARCH = "act", "search"
_FOUND = ("miss", "hit")
"""Kinds of searches, by what the log says in `hit`."""
_PAST_ALL = 1 << 62
"""A number above that of every row."""
_SEARCH_COLUMNS = f"seq, {rows.SEARCH_COLUMNS}"


@dataclass(frozen=True, slots=True)
class _Condition:
    """SQL with its parameters."""

    sql: str
    params: tuple[Any, ...]


class ActivityPart(Part):
    """Pages of the journal."""

    def activity(
        self, query: ActivityQuery, *, limit: int, before: str | None = None
    ) -> tuple[Activity, ...]:
        with self._connections.reading() as connection:
            acts, searches = _acts(query), _searches(query)
            if before is not None:
                acts, searches = _below(connection, before, acts, searches)
            found = self._act_lines(connection, acts, limit)
            found += self._search_lines(connection, searches, limit)
            found.sort(key=lambda line: (line.what.at, isinstance(line.what, Act)), reverse=True)
            page = found[:limit]
            moved = _moved(connection, [one.what for one in page if isinstance(one.what, Act)])
        return tuple(
            replace(one, moved=moved[one.what.id])
            if isinstance(one.what, Act) and one.what.id in moved
            else one
            for one in page
        )

    def count_activity(self, query: ActivityQuery) -> int:
        acts, searches = _acts(query), _searches(query)
        with self._connections.reading() as connection:
            return number_of(
                connection, f"SELECT count(*) FROM acts WHERE {acts.sql}", acts.params
            ) + number_of(
                connection, f"SELECT count(*) FROM searches WHERE {searches.sql}", searches.params
            )

    def actors(self) -> tuple[str, ...]:
        with self._connections.reading() as connection:
            found = fetch_all(
                connection, "SELECT actor FROM acts UNION SELECT actor FROM searches ORDER BY 1", ()
            )
        return tuple(str(actor) for (actor,) in found)

    def _act_lines(
        self, connection: apsw.Connection, wanted: _Condition, limit: int
    ) -> list[Activity]:
        tail = f"FROM acts WHERE {wanted.sql} ORDER BY at DESC, seq DESC LIMIT ?"
        found = read(
            connection, rows.ACT_COLUMNS, tail, (*wanted.params, limit), rows.act_from_row,
            table="acts", key="seq", noted=self._illegible,
        )  # fmt: skip
        return [Activity(f"{_ACT}:{act.id}", act) for act in found]

    def _search_lines(
        self, connection: apsw.Connection, wanted: _Condition, limit: int
    ) -> list[Activity]:
        tail = f"FROM searches WHERE {wanted.sql} ORDER BY at DESC, seq DESC LIMIT ?"
        found = read(
            connection, _SEARCH_COLUMNS, tail, (*wanted.params, limit), _numbered_search,
            table="searches", key="seq", noted=self._illegible,
        )  # fmt: skip
        return [Activity(f"{_SEARCH}:{search.seq}", search) for search in found]


def _numbered_search(row: tuple[Any, ...]) -> SearchLog:
    return replace(rows.search_from_row(row[1:]), seq=row[0])


def _acts(query: ActivityQuery) -> _Condition:
    kinds = query.kinds - set(_FOUND)
    if query.kinds and not kinds:
        return _Condition("0", ())
    sql, params = _who_and_when(query)
    if kinds:
        sql += f" AND kind IN ({marks(tuple(kinds))})"
        params += sorted(kinds)
    if query.record_id is not None:
        sql += (
            " AND id IN (SELECT coalesce(part.cause, part.id) FROM journal JOIN acts part"
            " ON part.id = journal.act_id WHERE journal.record_id = ?)"
        )
        params.append(query.record_id)
    return _Condition(f"{WHOLE} AND {sql}", tuple(params))


def _searches(query: ActivityQuery) -> _Condition:
    kinds = [index for index, name in enumerate(_FOUND) if name in query.kinds]
    if query.kinds and not kinds:
        return _Condition("0", ())
    sql, params = _who_and_when(query)
    if kinds:
        sql += f" AND hit IN ({marks(kinds)})"
        params += kinds
    if query.record_id is not None:
        sql += (
            " AND json_valid(result_ids)"
            " AND EXISTS (SELECT 1 FROM json_each(result_ids) WHERE value = ?)"
        )
        params.append(query.record_id)
    return _Condition(sql, tuple(params))


def _who_and_when(query: ActivityQuery) -> tuple[str, list[Any]]:
    sql, params = "1", list[Any]()
    if query.actors:
        sql += f" AND actor IN ({marks(tuple(query.actors))})"
        params += sorted(query.actors)
    if query.since is not None:
        sql += " AND at >= ?"
        params.append(rows.to_micros(query.since))
    return sql, params


def _below(
    connection: apsw.Connection, key: str, acts: _Condition, searches: _Condition
) -> tuple[_Condition, _Condition]:
    """Narrow both to what stands below a line; a line that is gone has nothing below it."""
    kind, _colon, name = key.partition(":")
    table, column = ("acts", "id") if kind == _ACT else ("searches", "seq")
    found = fetch_all(connection, f"SELECT at, seq FROM {table} WHERE {column} = ?", (name,))
    at, seq = found[0] if found else (-1, -1)
    # of the same moment: all searches stand below an act, no act below a search
    if kind == _ACT:
        return _older(acts, at, seq), _older(searches, at, _PAST_ALL)
    return _older(acts, at, -1), _older(searches, at, seq)


def _older(wanted: _Condition, at: int, seq: int) -> _Condition:
    return _Condition(f"({wanted.sql}) AND (at, seq) < (?, ?)", (*wanted.params, at, seq))


def _moved(connection: apsw.Connection, acts: Sequence[Act]) -> dict[str, int]:
    """Return how many records the rules moved because of each of these acts."""
    ids = [act.id for act in acts if act.actor != "system"]
    moved: dict[str, int] = {}
    for some in slices(ids):
        counted = fetch_all(
            connection,
            "SELECT coalesce(acts.cause, acts.id), count(*) FROM journal"
            " JOIN acts ON acts.id = journal.act_id WHERE journal.actor = 'system'"
            f" AND (acts.id IN ({marks(some)}) OR acts.cause IN ({marks(some)})) GROUP BY 1",
            (*some, *some),
        )
        moved |= {str(act_id): int(count) for act_id, count in counted}
    return moved
