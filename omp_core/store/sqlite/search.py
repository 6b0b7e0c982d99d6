"""Search by words over the full-text index and by vectors over the matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw
import msgspec
import numpy as np
from numpy.typing import NDArray

from omp_core.model import Home, Query, Scope
from omp_core.rules.ranking import Adjacent, Conversation, EpisodeKey, Group, Traits
from omp_core.store.protocol import Alike, Candidate, Vector
from omp_core.store.sqlite.connection import fetch_all, fetch_value
from omp_core.store.sqlite.filters import Where, where
from omp_core.store.sqlite.keywords import TRAITS, traits_of
from omp_core.store.sqlite.legible import read
from omp_core.store.sqlite.rows import to_micros
from omp_core.store.sqlite.sql_statements import (
    SAME_SCOPE,
    Part,
    marks,
    number_of,
    scope_params,
    slices,
    write_vector,
)
from omp_core.store.sqlite.vectors import Near, VectorIndex, forget_matrix

_COMMON_SHARE = 0.1
_COMMON_FROM = 2000
"""In a store of this size, a term that more than that share holds tells nothing apart."""

_WITHOUT_VECTOR = (
    "FROM records r WHERE r.workspace IN ('', ?) AND r.status IN ('active', 'candidate')"
    " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = ? AND v.pk = r.pk)"
)
_COMPARED = (
    f"{SAME_SCOPE} AND r.home = 'user' AND +r.status = 'active'"
    " AND (r.expires_at IS NULL OR r.expires_at > ?)"
)


class SearchPart(Part):
    """Finds candidates, and keeps vectors."""

    path: Path | None
    _indexes: dict[str, VectorIndex]

    def keyword(
        self, terms: Sequence[str], query: Query, now: datetime, limit: int
    ) -> list[Candidate]:
        condition = where(query, self._workspace, now)
        with self._connections.reading() as connection:
            telling = _telling(connection, terms)
            if not telling:
                return []
            match = " OR ".join(f'"{term}"' for term in telling)
            found = read(
                connection, "r.id, bm25(keywords)",
                "FROM keywords JOIN records r ON r.pk = keywords.rowid"
                f" WHERE keywords MATCH ? AND {condition.sql} ORDER BY bm25(keywords) LIMIT ?",
                (match, *condition.params, limit), _as_it_is,
                table="records", key="r.pk", noted=self._illegible,
            )  # fmt: skip
        return [Candidate(record_id, -rank) for record_id, rank in found]

    def traits(self, record_ids: Sequence[str]) -> dict[str, Traits]:
        found: dict[str, Traits] = {}
        with self._connections.reading() as connection:
            for some in slices(record_ids):
                for row in fetch_all(
                    connection,
                    f"SELECT {TRAITS} FROM records r JOIN traits t ON t.pk = r.pk"
                    f" WHERE r.workspace IN ('', ?) AND r.id IN ({marks(some)})",
                    (self._workspace, *some),
                ):
                    found[row[0]] = traits_of(row)
        return found

    def conversations(
        self, model_id: str, episodes: Sequence[EpisodeKey], query: Query, now: datetime, most: int
    ) -> list[Conversation]:
        condition = where(query, self._workspace, now)
        sql = (
            f"SELECT {TRAITS}, v.vec FROM records r INDEXED BY records_episode"
            " JOIN traits t ON t.pk = r.pk LEFT JOIN vectors v ON v.model = ? AND v.pk = r.pk"
            " WHERE r.user_id IS ? AND r.app_id IS ? AND r.episode = ?"
            f" AND {condition.sql} ORDER BY r.created_at, r.id LIMIT ?"
        )
        found: list[Conversation] = []
        with self._connections.reading() as connection:
            for (user_id, app_id), episode in episodes:
                key = (model_id, user_id, app_id, episode)
                rows = fetch_all(connection, sql, (*key, *condition.params, most + 1))
                if len(rows) > most:
                    continue
                most -= len(rows)
                turns = tuple(traits_of(row[:-1]) for row in rows)
                found.append(Conversation(turns, _stacked([row[-1] for row in rows])))
        return found

    def adjacent(self, model_id: str, group: Group, most: int) -> Adjacent:
        with self._connections.reading() as connection:
            rows = fetch_all(
                connection,
                "SELECT pk, episode FROM records INDEXED BY records_episode"
                " WHERE user_id IS ? AND app_id IS ? AND episode IS NOT NULL"
                " ORDER BY episode, created_at, id",
                group,
            )
            pairs = [at for at in range(len(rows) - 1) if rows[at][1] == rows[at + 1][1]]
            chosen = pairs[:: -(-len(pairs) // most)] if pairs else []
            pks = sorted({rows[at + step][0] for at in chosen for step in (0, 1)})
            vectors: dict[int, bytes] = {}
            for some in slices(pks):
                sql = f"SELECT pk, vec FROM vectors WHERE model = ? AND pk IN ({marks(some)})"
                vectors.update(fetch_all(connection, sql, (model_id, *some)))
        held = [at for at in chosen if rows[at][0] in vectors and rows[at + 1][0] in vectors]
        return Adjacent(
            [rows[at][1] for at in held],
            _stacked([vectors[rows[at][0]] for at in held]),
            _stacked([vectors[rows[at + 1][0]] for at in held]),
        )

    def nearest(
        self, model_id: str, vector: NDArray[np.float32], query: Query, now: datetime, limit: int
    ) -> list[Candidate]:
        index = self._index(model_id)
        condition = where(query, self._workspace, now)
        with self._connections.reading() as connection:
            reach = limit * 2
            near = index.nearest(connection, vector, reach)
            found = _matching(connection, model_id, near, condition)
            if len(found) < limit and len(near) == reach:
                # the filter lets few of the nearest through: score all that it lets through
                pks = self._pks(connection, condition)
                near = sorted(index.score(connection, vector, pks), key=lambda one: -one.cosine)
                found = _matching(connection, model_id, near[: limit * 2], condition)
        return found[:limit]

    def alike(
        self, vector: Vector, scope: Scope, now: datetime, *, floor: float, limit: int
    ) -> list[Alike]:
        model_id, index = vector.model_id, self._index(vector.model_id)
        condition = Where(_COMPARED, (*scope_params(scope), to_micros(now)))
        with self._connections.reading() as connection:
            for reach in (2 * limit, 32 * limit):
                near = index.nearest(connection, vector.values, reach, exact=False)
                close = [one for one in near if one.cosine >= floor]
                found = self._compared(connection, model_id, close, condition)
                if len(found) >= limit or len(close) < reach:
                    return found[:limit]
            # many of other scopes are near: score all of this one
            wide = where(Query(scope=scope, home=Home.USER), self._workspace, now)
            pks = self._pks(connection, wide)
            near = index.score(connection, vector.values, pks)
            close = sorted(
                (one for one in near if one.cosine >= floor), key=lambda one: -one.cosine
            )
            return self._compared(connection, model_id, close[: 2 * limit], condition)[:limit]

    def _compared(
        self, connection: apsw.Connection, model_id: str, near: list[Near], condition: Where
    ) -> list[Alike]:
        """Return what is compared of the rows that pass, if their vector is still the stored."""
        found: dict[int, tuple[int, str, str, str]] = {}
        for some in slices([one.pk for one in near]):
            for pk, *row in read(
                connection, "r.pk, v.rev, r.id, r.content, r.category",
                "FROM records r JOIN vectors v ON v.pk = r.pk"
                f" WHERE v.model = ? AND r.pk IN ({marks(some)}) AND {condition.sql}",
                (model_id, *some, *condition.params), _as_it_is,
                table="records", key="r.pk", noted=self._illegible,
            ):  # fmt: skip
                found[pk] = tuple(row)
        return [
            Alike(*found[one.pk][1:], cosine=one.cosine)
            for one in near
            if one.pk in found and found[one.pk][0] == one.rev
        ]

    @staticmethod
    def _pks(connection: apsw.Connection, condition: Where) -> list[int]:
        sql = f"SELECT r.pk FROM records r WHERE {condition.sql}"
        return [pk for (pk,) in fetch_all(connection, sql, condition.params)]

    def _index(self, model_id: str) -> VectorIndex:
        index = self._indexes.get(model_id)
        if index is None:
            index = self._indexes.setdefault(model_id, VectorIndex(self.path, model_id))
        return index

    def vectors(self, model_id: str, record_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        found: dict[str, NDArray[np.float32]] = {}
        with self._connections.reading() as connection:
            for some in slices(record_ids):
                for record_id, blob in fetch_all(
                    connection,
                    # CROSS JOIN: few records lead to their vectors, never the other way round
                    "SELECT r.id, v.vec FROM records r CROSS JOIN vectors v ON v.pk = r.pk"
                    f" WHERE v.model = ? AND r.workspace IN ('', ?) AND r.id IN ({marks(some)})",
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
                    write_vector(connection, pk, vector)

    def without_vector(self, model_id: str, limit: int) -> list[tuple[str, str]]:
        with self._connections.reading() as connection:
            return read(
                connection, "r.id, r.content", f"{_WITHOUT_VECTOR} ORDER BY r.pk LIMIT ?",
                (self._workspace, model_id, limit), _as_it_is,
                table="records", key="r.pk", noted=self._illegible,
            )  # fmt: skip

    def count_without_vector(self, model_id: str) -> int:
        with self._connections.reading() as connection:
            return number_of(
                connection, f"SELECT count(*) {_WITHOUT_VECTOR}", (self._workspace, model_id)
            )

    def vector_counts(self) -> dict[str, int]:
        with self._connections.reading() as connection:
            return dict(
                fetch_all(connection, "SELECT model, count(*) FROM vectors GROUP BY 1 ORDER BY 1")
            )

    def drop_vectors(self, *, keep: str) -> int:
        with self._connections.writing(durable=False) as connection:
            models = fetch_all(
                connection, "SELECT DISTINCT model FROM vectors WHERE model <> ?", (keep,)
            )
            connection.execute("DELETE FROM vectors WHERE model <> ?", (keep,))
            gone = int(connection.changes())
        for (model,) in models:
            self._indexes.pop(model, None)
            forget_matrix(self.path, model)
        return gone


def _telling(connection: apsw.Connection, terms: Sequence[str]) -> list[str]:
    """Leave out unknown terms, and very common ones while rarer ones are there."""
    wanted = list(dict.fromkeys(terms))
    if not wanted:
        return []
    held: dict[str, int] = {}
    for some in slices(wanted):
        sql = f"SELECT term, doc FROM keyword_terms WHERE term IN ({marks(some)})"
        held.update(fetch_all(connection, sql, tuple(some)))
    total = number_of(connection, "SELECT coalesce(max(pk), 0) FROM records")
    known = [term for term in wanted if term in held]
    if total < _COMMON_FROM:
        return known
    rare = [term for term in known if held[term] <= total * _COMMON_SHARE]
    return rare or known


def _as_it_is(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row


def _stacked(blobs: Sequence[bytes | None]) -> NDArray[np.float32]:
    """Return vectors as rows; one that is missing is a row of zeros."""
    width = next((len(blob) for blob in blobs if blob is not None), 4)
    blank = bytes(width)
    whole = b"".join(blank if blob is None else blob for blob in blobs)
    return np.frombuffer(whole, dtype=np.float32).reshape(len(blobs), width // 4)


def _matching(
    connection: apsw.Connection, model_id: str, near: list[Near], condition: Where
) -> list[Candidate]:
    """Keep the rows that pass the filter and whose vector is still the stored one."""
    pks = msgspec.json.encode([one.pk for one in near]).decode()
    # CROSS JOIN: the few that are near are looked up, whatever else the condition is about
    sql = (
        "SELECT r.id, r.pk, v.rev FROM json_each(?) near CROSS JOIN records r"
        " ON r.pk = near.value CROSS JOIN vectors v ON v.model = ? AND v.pk = r.pk"
        f" WHERE {condition.sql}"
    )
    rows = fetch_all(connection, sql, (pks, model_id, *condition.params))
    found = {pk: (record_id, rev) for record_id, pk, rev in rows}
    return [
        Candidate(found[one.pk][0], one.cosine, one.script)
        for one in near
        if one.pk in found and found[one.pk][1] == one.rev
    ]
