"""Exact nearest-neighbour search over the stored vectors of one model.

The vectors in the database are the truth. A process holds them as one float32 matrix of shape
(n, dim), mapped from a cache file beside the database, plus a tail of what was written since.
A row is trusted only when the database still holds that revision of that record's vector.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from pathlib import Path
from typing import NamedTuple

import apsw
import msgspec
import numpy as np
from numpy.typing import NDArray

from omp_core.private_files import private_opener
from omp_core.store.sqlite.connection import fetch_all, fetch_value

_log = logging.getLogger(__name__)

_HEADER_BYTES = 4096
_REWRITE_AT_LEAST = 2000
_REWRITE_SHARE = 0.1
SCRIPTS = ("latin", "cjk")


class _Header(msgspec.Struct):
    store: str
    model: str
    count: int
    dim: int
    rev: int


class Near(NamedTuple):
    """A row of the matrix that came near: record key, revision, cosine, script of its text."""

    pk: int
    rev: int
    cosine: float
    script: str


class _Block(NamedTuple):
    pks: NDArray[np.int64]
    revs: NDArray[np.int64]
    scripts: NDArray[np.int8]
    rows: NDArray[np.float32]


class VectorIndex:
    """The matrix of one model, refreshed from the database before each search."""

    def __init__(self, database: Path | None, model: str) -> None:
        self._model = model
        self._cache = _cache_path(database, model) if database else None
        self._blocks: list[_Block] = []
        self._dead: set[tuple[int, int]] = set()
        self._place: dict[int, tuple[int, int]] = {}
        self._rev = 0
        self._store: str | None = None
        self._lock = threading.Lock()

    def nearest(
        self, connection: apsw.Connection, vector: NDArray[np.float32], limit: int
    ) -> list[Near]:
        """Return the rows nearest to a unit vector of shape (dim,), best first."""
        with self._lock:
            self._refresh(connection)
            found: list[Near] = []
            for number, block in enumerate(self._blocks):
                cosines = block.rows @ vector
                for block_number, row in self._dead:
                    if block_number == number:
                        cosines[row] = -np.inf
                for row in _top(cosines, limit):
                    if cosines[row] > -np.inf:
                        found.append(
                            Near(
                                int(block.pks[row]),
                                int(block.revs[row]),
                                float(cosines[row]),
                                SCRIPTS[block.scripts[row]],
                            )
                        )
        found.sort(key=lambda near: -near.cosine)
        return found[:limit]

    def score(
        self, connection: apsw.Connection, vector: NDArray[np.float32], pks: list[int]
    ) -> list[Near]:
        """Return how near those of the given records are that have a vector, in no order."""
        with self._lock:
            self._refresh(connection)
            found = []
            by_block: dict[int, list[int]] = {}
            for pk in pks:
                place = self._place.get(pk)
                if place is not None:
                    by_block.setdefault(place[0], []).append(place[1])
            for number, rows in by_block.items():
                block = self._blocks[number]
                cosines = block.rows[rows] @ vector
                for row, cosine in zip(rows, cosines, strict=True):
                    found.append(
                        Near(
                            int(block.pks[row]),
                            int(block.revs[row]),
                            float(cosine),
                            SCRIPTS[block.scripts[row]],
                        )
                    )
        return found

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
        self._blocks, self._dead, self._place, self._rev = [], set(), {}, 0
        cached = self._map()
        if cached is not None and cached[0].rev <= rev:
            self._append(cached[1])
            self._rev = cached[0].rev

    def _read_since(self, connection: apsw.Connection) -> None:
        pks: list[int] = []
        revs: list[int] = []
        scripts: list[int] = []
        vectors: list[bytes] = []
        for pk, rev, script, vec in fetch_all(
            connection,
            "SELECT pk, rev, script, vec FROM vectors WHERE model = ? AND rev > ? ORDER BY rev",
            (self._model, self._rev),
        ):
            pks.append(pk)
            revs.append(rev)
            scripts.append(SCRIPTS.index(script))
            vectors.append(vec)
        if not pks:
            return
        rows = np.frombuffer(b"".join(vectors), dtype=np.float32).reshape(len(pks), -1)
        self._append(
            _Block(
                np.array(pks, np.int64), np.array(revs, np.int64), np.array(scripts, np.int8), rows
            )
        )
        self._merge_tail()

    def _append(self, block: _Block) -> None:
        number = len(self._blocks)
        if self._place:
            for pk in block.pks.tolist():
                if pk in self._place:
                    self._dead.add(self._place[pk])
        self._blocks.append(block)
        self._place.update((pk, (number, row)) for row, pk in enumerate(block.pks.tolist()))

    def _merge_tail(self) -> None:
        # many small tails would make each search many small products
        if len(self._blocks) > 8:
            self._rebuild(self._compact(self._blocks[1:], 1), keep_first=True)

    def _compact(self, blocks: list[_Block], first: int) -> _Block:
        kept = [
            [row for row in range(len(block.pks)) if (number, row) not in self._dead]
            for number, block in enumerate(blocks, first)
        ]
        return _Block(
            *(
                np.concatenate([column[rows] for column, rows in zip(columns, kept, strict=True)])
                for columns in zip(*blocks, strict=True)
            )
        )

    def _rebuild(self, block: _Block, *, keep_first: bool) -> None:
        first = self._blocks[:1] if keep_first else []
        dead = {place for place in self._dead if place[0] == 0} if keep_first else set()
        self._blocks, self._dead, self._place = [], set(), {}
        for one in (*first, block):
            self._append(one)
        self._dead |= dead

    def _save_if_worth_it(self) -> None:
        if self._cache is None:
            return
        based = len(self._blocks[0].pks) if self._blocks else 0
        fresh = sum(len(block.pks) for block in self._blocks[1:])
        first_time = not self._cache.exists() and based >= _REWRITE_AT_LEAST
        if not first_time and fresh < max(_REWRITE_AT_LEAST, int(based * _REWRITE_SHARE)):
            return
        whole = self._compact(self._blocks, 0)
        header = _Header(
            self._store or "", self._model, len(whole.pks), whole.rows.shape[1], self._rev
        )
        temporary = self._cache.with_suffix(f".{os.getpid()}.tmp")
        try:
            with open(temporary, "wb", opener=private_opener) as file:
                file.write(msgspec.json.encode(header).ljust(_HEADER_BYTES))
                for column in whole:
                    file.write(np.ascontiguousarray(column).data)
            temporary.replace(self._cache)
        except OSError as error:
            # the cache can always be made again; the search goes on without it
            _log.warning("vector cache %s not written: %s", self._cache, error)
            temporary.unlink(missing_ok=True)
        self._rebuild(whole, keep_first=False)

    def _map(self) -> tuple[_Header, _Block] | None:
        if self._cache is None or not self._cache.exists():
            return None
        try:
            with self._cache.open("rb") as file:
                header = msgspec.json.decode(file.read(_HEADER_BYTES).rstrip(), type=_Header)
            if (header.store, header.model) != (self._store, self._model):
                return None
            return header, self._map_block(self._cache, header)
        except (OSError, ValueError, msgspec.DecodeError) as error:
            _log.warning("vector cache %s not used: %s", self._cache, error)
            return None

    @staticmethod
    def _map_block(path: Path, header: _Header) -> _Block:
        offset = _HEADER_BYTES
        columns: list[NDArray[np.generic]] = []
        shapes: list[tuple[type[np.generic], tuple[int, ...]]] = [
            (np.int64, (header.count,)),
            (np.int64, (header.count,)),
            (np.int8, (header.count,)),
            (np.float32, (header.count, header.dim)),
        ]
        for dtype, shape in shapes:
            columns.append(np.memmap(path, dtype, "r", offset, shape))
            offset += int(np.prod(shape)) * np.dtype(dtype).itemsize
        return _Block(*columns)  # type: ignore[arg-type]


def _top(values: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    if len(values) <= limit:
        return np.arange(len(values))
    return np.argpartition(values, -limit)[-limit:]


def forget_matrix(database: Path | None, model: str) -> None:
    """Remove the cache file of a model whose vectors are gone."""
    if database is None:
        return
    try:
        _cache_path(database, model).unlink(missing_ok=True)
    except OSError as error:
        # without vectors behind them its rows are never trusted; it only takes space
        _log.warning("vector cache of %s not removed: %s", model, error)


def _cache_path(database: Path, model: str) -> Path:
    name = hashlib.sha256(model.encode()).hexdigest()[:12]
    return database.with_name(f"{database.name}.{name}.vectors")
