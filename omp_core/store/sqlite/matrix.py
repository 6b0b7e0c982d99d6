"""The matrix of vectors with what is known of each row, in memory and in its cache file."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from omp_core.private_files import private_opener

_log = logging.getLogger(__name__)

SCRIPTS = ("latin", "cjk")
_HEADER_BYTES = 4096
_LAYOUT = 2
_ALIGNED = 64
"""Each column begins at a multiple of so many bytes, so that it is read as it lies."""
_WORD_BYTES = 8
_FIRST_ROOM = 64


class Matrix(NamedTuple):
    """Columns of n rows: unit vectors (n, dim), the signs of their numbers as bits in words
    (words, n), record keys, revisions, places in SCRIPTS.
    """

    rows: NDArray[np.float32]
    signs: NDArray[np.uint64]
    pks: NDArray[np.int64]
    revs: NDArray[np.int64]
    scripts: NDArray[np.int8]

    def of(self, chosen: NDArray[np.bool_] | slice) -> Matrix:
        """Return some of the rows: a view of a slice, a copy of those that a mask marks."""
        return Matrix(
            self.rows[chosen],
            self.signs[:, chosen],
            self.pks[chosen],
            self.revs[chosen],
            self.scripts[chosen],
        )

    def put(self, where: slice, rows: Matrix) -> None:
        """Write rows into a slice of as many."""
        columns: tuple[NDArray[Any], ...] = self.of(where)
        for column, new in zip(columns, rows, strict=True):
            column[...] = new

    @staticmethod
    def joined(parts: Sequence[Matrix]) -> Matrix:
        """Return the rows of all parts; there is at least one."""
        rows, signs, pks, revs, scripts = zip(*parts, strict=True)
        return Matrix(
            np.concatenate(rows),
            np.concatenate(signs, axis=1),
            np.concatenate(pks),
            np.concatenate(revs),
            np.concatenate(scripts),
        )


class Tail:
    """A matrix that rows are added to, in amortised constant time."""

    def __init__(self) -> None:
        self._room = empty_matrix()
        self._alive = np.zeros(0, dtype=bool)
        self._count = 0
        self._place: dict[int, int] = {}

    @property
    def matrix(self) -> Matrix:
        """The rows so far; a view."""
        return self._room.of(slice(self._count))

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which rows are the latest of their record."""
        return self._alive[: self._count]

    def row_of(self, pk: int) -> int | None:
        """Return the latest row of a record."""
        return self._place.get(pk)

    def add(self, rows: Matrix) -> None:
        """Add rows; they take the place of earlier ones of the same records."""
        start, end = self._count, self._count + len(rows.pks)
        if end > len(self._room.pks):
            self._grow(rows, max(end, 2 * len(self._room.pks), _FIRST_ROOM))
        self._room.put(slice(start, end), rows)
        self._alive[start:end] = True
        for row, pk in enumerate(rows.pks.tolist(), start):
            earlier = self._place.get(pk)
            if earlier is not None:
                self._alive[earlier] = False
            self._place[pk] = row
        self._count = end

    def _grow(self, like: Matrix, capacity: int) -> None:
        held, alive, count = self.matrix, self._alive, self._count
        self._room = empty_matrix(capacity, like.rows.shape[1], like.signs.shape[0])
        self._alive = np.zeros(capacity, dtype=bool)
        self._alive[:count] = alive[:count]
        if count:
            self._room.put(slice(count), held)


def empty_matrix(count: int = 0, dim: int = 0, words: int = 0) -> Matrix:
    """Return a matrix with room for `count` rows whose values are not set."""
    return Matrix(
        np.empty((count, dim), np.float32),
        np.empty((words, count), np.uint64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.int8),
    )


def signs_of(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return which numbers of each row are positive, as bits in words of shape (words, n)."""
    packed = np.packbits(rows > 0, axis=1)
    missing = -packed.shape[1] % _WORD_BYTES
    whole = np.pad(packed, ((0, 0), (0, missing))) if missing else packed
    return np.ascontiguousarray(np.ascontiguousarray(whole).view(np.uint64).T)


def closest(signs: NDArray[np.uint64], vector: NDArray[np.float32], most: int) -> NDArray[np.intp]:
    """Return the `most` rows whose signs differ least from the vector's, and their equals."""
    apart = np.zeros(signs.shape[1], np.uint16)
    for word, own in zip(signs, signs_of(vector[None])[:, 0], strict=True):
        apart += np.bitwise_count(word ^ own)
    reached = np.bincount(apart).cumsum()
    return np.flatnonzero(apart <= np.searchsorted(reached, most))


# the cache file


class MatrixStamp(NamedTuple):
    """What a cached matrix belongs to: store, model, and the revision that it has come to."""

    store: str
    model: str
    rev: int


class _Header(msgspec.Struct):
    store: str
    model: str
    count: int
    dim: int
    rev: int
    layout: int = 1


def cache_path(database: Path, model: str) -> Path:
    """Return where the matrix of a model is cached."""
    name = hashlib.sha256(model.encode()).hexdigest()[:12]
    return database.with_name(f"{database.name}.{name}.vectors")


def write_matrix(cache: Path, stamp: MatrixStamp, matrix: Matrix) -> None:
    """Write the cache file. Raises OSError; the file is then what it was."""
    count, dim = matrix.rows.shape
    header = _Header(stamp.store, stamp.model, count, dim, stamp.rev, _LAYOUT)
    temporary = cache.with_suffix(f".{os.getpid()}.tmp")
    try:
        with open(temporary, "wb", opener=private_opener) as file:
            file.write(msgspec.json.encode(header).ljust(_HEADER_BYTES))
            for column in matrix:
                file.write(bytes(-file.tell() % _ALIGNED))
                file.write(np.ascontiguousarray(column).data)
        temporary.replace(cache)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def map_matrix(cache: Path | None, store: str, model: str) -> tuple[int, Matrix] | None:
    """Return the cached matrix and its revision, mapped; None if there is none that fits."""
    if cache is None or not cache.exists():
        return None
    try:
        with cache.open("rb") as file:
            header = msgspec.json.decode(file.read(_HEADER_BYTES).rstrip(), type=_Header)
        if (header.store, header.model, header.layout) != (store, model, _LAYOUT):
            return None
        return header.rev, _mapped(cache, header.count, header.dim)
    except (OSError, ValueError, msgspec.DecodeError) as error:
        _log.warning("vector cache %s not used: %s", cache, error)
        return None


def _mapped(path: Path, count: int, dim: int) -> Matrix:
    words = -(-dim // (8 * _WORD_BYTES))
    offset = _HEADER_BYTES
    columns: list[NDArray[np.generic]] = []
    shapes: list[tuple[type[np.generic], tuple[int, ...]]] = [
        (np.float32, (count, dim)),
        (np.uint64, (words, count)),
        (np.int64, (count,)),
        (np.int64, (count,)),
        (np.int8, (count,)),
    ]
    for dtype, shape in shapes:
        offset += -offset % _ALIGNED
        columns.append(np.asarray(np.memmap(path, dtype, "r", offset, shape)))
        offset += int(np.prod(shape)) * np.dtype(dtype).itemsize
    return Matrix(*columns)  # type: ignore[arg-type]
