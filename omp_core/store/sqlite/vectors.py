"""Nearest-neighbour search over the stored vectors of one model.

The vectors in the database are the truth. A process holds them as one float32 matrix of shape
(n, dim): the base, mapped from a cache file beside the database, and the tail of what was
written since, by whichever process. A row is trusted only when the database still holds that
revision of that record's vector.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import NamedTuple

import apsw
import numpy as np
from numpy.typing import NDArray

from omp_core.store.sqlite.connection import fetch_all, fetch_value
from omp_core.store.sqlite.matrix import (
    SCRIPTS,
    Matrix,
    MatrixStamp,
    Tail,
    cache_path,
    closest,
    empty_matrix,
    map_matrix,
    signs_of,
    write_matrix,
)

_log = logging.getLogger(__name__)

_REWRITE_AT_LEAST = 2000
_REWRITE_SHARE = 0.1
_ROUGH_FROM = 4096
"""Rows from which a look at the signs is cheaper than at all numbers."""
_ROUGH_REACH = 32
"""So many times the wanted rows are taken by their signs and then looked at exactly."""
_ROUGH_SHARE = 64
"""One row in so many is taken by its signs at least."""


class Near(NamedTuple):
    """A row of the matrix that came near: record key, revision, cosine, script of its text."""

    pk: int
    rev: int
    cosine: float
    script: str


class VectorIndex:
    """The matrix of one model, refreshed from the database before each search."""

    def __init__(self, database: Path | None, model: str) -> None:
        self._model = model
        self._cache = cache_path(database, model) if database else None
        self._lock = threading.Lock()
        self._store: str | None = None
        self._begin(empty_matrix(), 0)

    def _begin(self, base: Matrix, rev: int) -> None:
        self._base, self._rev = base, rev
        self._alive = np.ones(len(base.pks), dtype=bool)
        self._order: NDArray[np.intp] | None = None
        self._last = int(base.pks.max(initial=-1))
        self._tail = Tail()

    def nearest(
        self,
        connection: apsw.Connection,
        vector: NDArray[np.float32],
        limit: int,
        *,
        exact: bool = True,
    ) -> list[Near]:
        """Return the rows nearest to a unit vector of shape (dim,), best first.

        What is not `exact` chooses by the signs of the numbers first: of unit vectors with a
        cosine c these differ in arccos(c) / pi of their places (Goemans and Williamson 1995),
        so that in a large matrix only rows far from the vector can be missed.
        """
        with self._lock:
            self._refresh(connection)
            found = []
            for part, alive in ((self._base, self._alive), (self._tail.matrix, self._tail.alive)):
                count = len(part.pks)
                if exact or count < _ROUGH_FROM:
                    chosen = None
                    cosines = np.vecdot(part.rows, vector) if count else np.empty(0, np.float32)
                    cosines[~alive] = -np.inf
                else:
                    most = max(_ROUGH_REACH * limit, count // _ROUGH_SHARE)
                    chosen = closest(part.signs, vector, most)
                    chosen = chosen[alive[chosen]]
                    cosines = np.vecdot(part.rows[chosen], vector)
                for at in _top(cosines, limit):
                    if cosines[at] > -np.inf:
                        row = at if chosen is None else chosen[at]
                        found.append(_near(part, row, cosines[at]))
        found.sort(key=lambda near: -near.cosine)
        return found[:limit]

    def score(
        self, connection: apsw.Connection, vector: NDArray[np.float32], pks: list[int]
    ) -> list[Near]:
        """Return how near those of the given records are that have a vector, in no order."""
        with self._lock:
            self._refresh(connection)
            wanted = np.array(pks, np.int64)
            based, held = self._base_rows(wanted)
            based = based[held]
            based = based[self._alive[based]]
            late = [row for row in map(self._tail.row_of, pks) if row is not None]
            found = []
            for part, rows in ((self._base, based), (self._tail.matrix, np.array(late, np.intp))):
                if len(rows):
                    cosines = np.vecdot(part.rows[rows], vector)
                    found += [_near(part, *pair) for pair in zip(rows, cosines, strict=True)]
        return found

    def _base_rows(self, pks: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return the row in the base for each key, and which of them are rows of it."""
        if not len(self._base.pks):
            return np.zeros(len(pks), np.intp), np.zeros(len(pks), dtype=bool)
        if self._order is None:
            self._order = np.argsort(self._base.pks)
        at = np.searchsorted(self._base.pks, pks, sorter=self._order)
        rows = self._order[np.minimum(at, len(self._order) - 1)]
        return rows, self._base.pks[rows] == pks

    def _refresh(self, connection: apsw.Connection) -> None:
        store = fetch_value(connection, "SELECT value FROM meta WHERE key = 'store_id'")
        rev = fetch_value(connection, "SELECT value FROM meta WHERE key = 'vector_rev'")
        if store != self._store or rev < self._rev:
            self._store = store
            self._load(rev)
        if rev > self._rev:
            self._read_since(connection)
            self._rev = rev
            self._save_if_worth_it()

    def _load(self, rev: int) -> None:
        self._begin(empty_matrix(), 0)
        cached = map_matrix(self._cache, self._store or "", self._model)
        if cached is not None and cached[0] <= rev:
            self._begin(cached[1], cached[0])

    def _read_since(self, connection: apsw.Connection) -> None:
        found = fetch_all(
            connection,
            "SELECT pk, rev, script, vec FROM vectors WHERE model = ? AND rev > ? ORDER BY rev",
            (self._model, self._rev),
        )
        if not found:
            return
        pks, revs, scripts, vectors = zip(*found, strict=True)
        rows = np.frombuffer(b"".join(vectors), dtype=np.float32).reshape(len(pks), -1)
        added = Matrix(
            rows,
            signs_of(rows),
            np.array(pks, np.int64),
            np.array(revs, np.int64),
            np.array([SCRIPTS.index(script) for script in scripts], np.int8),
        )
        if added.pks.min() <= self._last:  # what is new has a higher key than all before
            based, held = self._base_rows(added.pks)
            self._alive[based[held]] = False
        self._tail.add(added)

    def _save_if_worth_it(self) -> None:
        fresh = len(self._tail.matrix.pks)
        if self._cache is None or fresh < max(
            _REWRITE_AT_LEAST, int(len(self._base.pks) * _REWRITE_SHARE)
        ):
            return
        parts = [self._tail.matrix.of(self._tail.alive)]
        if len(self._base.pks):
            parts.insert(0, self._base.of(self._alive))
        whole = Matrix.joined(parts)
        try:
            write_matrix(self._cache, MatrixStamp(self._store or "", self._model, self._rev), whole)
        except OSError as error:
            # the cache can always be made again; the search goes on without it
            _log.warning("vector cache %s not written: %s", self._cache, error)
        self._begin(whole, self._rev)


def _near(part: Matrix, row: np.intp, cosine: np.float32) -> Near:
    return Near(int(part.pks[row]), int(part.revs[row]), float(cosine), SCRIPTS[part.scripts[row]])


def _top(values: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    if len(values) <= limit:
        return np.arange(len(values))
    return np.argpartition(values, -limit)[-limit:]


def forget_matrix(database: Path | None, model: str) -> None:
    """Remove the cache file of a model whose vectors are gone."""
    if database is None:
        return
    try:
        cache_path(database, model).unlink(missing_ok=True)
    except OSError as error:
        # without vectors behind them its rows are never trusted; it only takes space
        _log.warning("vector cache of %s not removed: %s", model, error)
