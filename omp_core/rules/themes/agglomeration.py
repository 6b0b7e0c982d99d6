"""Themes from scratch: capped agglomeration, then every record settles where it fits best.

Works on rows: `vectors` (n, dim) of records that may move, and fixed groups that may only
grow. Scales by looking only at each record's nearest ones. Deterministic.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from omp_core.rules.themes.book import unit
from omp_core.rules.themes.ground import Calibrate
from omp_core.settings import ThemeSettings

_BLOCK = 512
_NEAREST = 48
"""How many nearest records of each one are tried; for small sets that is all of them."""
_PASSES = 10
_GAIN = 1e-4
"""A record moves only for a gain in similarity above this: rounding moves nothing."""


@dataclass(slots=True)
class Fixed:
    """A theme that may take in records but lose none: sum of its vectors, size, key.

    `blocked` are the rows that must not join it.
    """

    total: NDArray[np.float32]
    size: int
    blocked: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Cluster:
    total: NDArray[np.float32]
    size: int
    rows: list[int]
    fixed: int = -1
    """Which fixed theme it is; -1: none."""
    near: set[int] = field(default_factory=set)
    version: int = 0
    must: bool = False
    """Holds must-linked records, which move together or not at all."""


def group(
    vectors: NDArray[np.float32],
    calibrate: Calibrate,
    settings: ThemeSettings,
    *,
    fixed: Sequence[Fixed] = (),
    must: Sequence[Sequence[int]] = (),
    cannot: Sequence[tuple[int, int]] = (),
) -> list[list[int]]:
    """Group all rows. Returns one sorted row list for each fixed theme (what joins it, perhaps
    nothing), then the free groups.

    Two groups join, the most similar first, if one is a single record and they are at least
    `attach_from` alike, or both are themes and more than `merge_above` alike; never over
    `split_above` members, never against a cannot-link. After that each record moves to the
    theme with room that it is most similar to, if that is at least `settle_from`.
    """
    apart = _apart(len(vectors), cannot)
    clusters = _start(vectors, fixed, must)
    _link(clusters, vectors, calibrate, settings)
    _agglomerate(clusters, calibrate, settings, apart, fixed)
    alive = [cluster for cluster in clusters if cluster.size]
    _settle(alive, vectors, calibrate, settings, apart, fixed)
    joined = [sorted(cluster.rows) for cluster in alive if cluster.fixed >= 0]
    free = [sorted(cluster.rows) for cluster in alive if cluster.fixed < 0 and cluster.rows]
    return joined + sorted(free, key=lambda rows: rows[0])


def _apart(count: int, cannot: Sequence[tuple[int, int]]) -> dict[int, set[int]]:
    apart: dict[int, set[int]] = {}
    for a, b in cannot:
        apart.setdefault(a, set()).add(b)
        apart.setdefault(b, set()).add(a)
    return apart


def _start(
    vectors: NDArray[np.float32], fixed: Sequence[Fixed], must: Sequence[Sequence[int]]
) -> list[_Cluster]:
    clusters = [
        _Cluster(theme.total.astype(np.float32), theme.size, [], fixed=at)
        for at, theme in enumerate(fixed)
    ]
    gathered = {row for rows in must for row in rows}
    for rows in must:
        clusters.append(
            _Cluster(vectors[list(rows)].sum(axis=0), len(rows), list(rows), must=len(rows) > 1)
        )
    clusters.extend(
        _Cluster(vectors[row], 1, [row]) for row in range(len(vectors)) if row not in gathered
    )
    return clusters


def _link(
    clusters: list[_Cluster],
    vectors: NDArray[np.float32],
    calibrate: Calibrate,
    settings: ThemeSettings,
) -> None:
    """Make each cluster know those near enough to join it now or after some joining."""
    units = unit(np.stack([c.total for c in clusters])) if clusters else vectors
    keep = min(_NEAREST, len(clusters) - 1)
    if keep <= 0:
        return
    for start in range(0, len(clusters), _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, len(clusters)))
        cosines = units[rows] @ units.T
        cosines[np.arange(len(rows)), rows] = -2.0
        best = np.argpartition(-cosines, keep - 1, axis=1)[:, :keep]
        alike = calibrate(np.take_along_axis(cosines, best, axis=1))
        for at, row in enumerate(rows):
            for other in best[at][alike[at] >= settings.settle_from]:
                clusters[row].near.add(int(other))
                clusters[other].near.add(int(row))


def _agglomerate(
    clusters: list[_Cluster],
    calibrate: Calibrate,
    settings: ThemeSettings,
    apart: dict[int, set[int]],
    fixed: Sequence[Fixed],
) -> None:
    heap: list[tuple[float, int, int, int, int]] = []

    def offers(at: int, others: Sequence[int]) -> list[tuple[float, int, int, int, int]]:
        if not others:
            return []
        me = clusters[at]
        totals = np.stack([clusters[other].total for other in others])
        lengths = np.sqrt(np.einsum("ij,ij->i", totals, totals)) * np.sqrt(me.total @ me.total)
        dots = totals @ me.total
        cosines = np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
        alike = np.round(calibrate(np.clip(cosines, -1.0, 1.0).astype(np.float32)), 6)
        found = []
        for other, likeness in zip(others, alike.tolist(), strict=True):
            peer = clusters[other]
            if not _may_join(me, peer, likeness, settings):
                continue
            low, high = min(at, other), max(at, other)
            found.append((-likeness, low, high, clusters[low].version, clusters[high].version))
        return found

    for at, cluster in enumerate(clusters):
        heap.extend(offers(at, sorted(other for other in cluster.near if other > at)))
    heapq.heapify(heap)
    while heap:
        _likeness, a, b, version_a, version_b = heapq.heappop(heap)
        first, second = clusters[a], clusters[b]
        if first.version != version_a or second.version != version_b:
            continue
        if _forbidden(first, second, apart, fixed):
            continue
        first.total = first.total + second.total
        first.size += second.size
        first.rows += second.rows
        first.must |= second.must
        first.near = (first.near | second.near) - {a, b}
        for other in second.near:
            clusters[other].near.discard(b)
            if other != a:
                clusters[other].near.add(a)
        second.size, second.rows, second.near = 0, [], set()
        second.version = -1
        first.version += 1
        for offer in offers(a, sorted(first.near)):
            heapq.heappush(heap, offer)


def _may_join(a: _Cluster, b: _Cluster, likeness: float, settings: ThemeSettings) -> bool:
    if not a.size or not b.size or a.size + b.size > settings.split_above:
        return False
    if a.fixed >= 0 or b.fixed >= 0:
        # A fixed theme takes in single records; it does not move, nor take in whole themes.
        free = b if a.fixed >= 0 else a
        return free.fixed < 0 and free.size == 1 and likeness >= settings.attach_from
    if min(a.size, b.size) == 1:
        return likeness >= settings.attach_from
    return likeness > settings.merge_above


def _forbidden(
    a: _Cluster, b: _Cluster, apart: dict[int, set[int]], fixed: Sequence[Fixed]
) -> bool:
    for one, other in ((a, b), (b, a)):
        if one.fixed >= 0 and not fixed[one.fixed].blocked.isdisjoint(other.rows):
            return True
    return any(not apart[row].isdisjoint(b.rows) for row in a.rows if row in apart)


def _settle(
    clusters: list[_Cluster],
    vectors: NDArray[np.float32],
    calibrate: Calibrate,
    settings: ThemeSettings,
    apart: dict[int, set[int]],
    fixed: Sequence[Fixed],
) -> None:
    home = np.full(len(vectors), -1)
    for at, cluster in enumerate(clusters):
        home[cluster.rows] = at
    movable = np.array(
        [row for c in clusters if not c.must for row in c.rows if vectors[row].any()],
        dtype=np.int64,
    )
    movable.sort()
    if not len(movable):
        return

    def likeness(cosine: float) -> float:
        return float(calibrate(np.array([np.clip(cosine, -1.0, 1.0)], dtype=np.float32))[0])

    def at_home(row: int) -> float:
        own = clusters[home[row]]
        rest = own.total - vectors[row]
        length = float(np.sqrt(rest @ rest))
        if own.size < 2 or length == 0:
            return -1.0
        return likeness(float(rest @ vectors[row]) / length)

    for _ in range(_PASSES):
        wishes = _wishes(movable, home, clusters, vectors, calibrate, settings)
        moved = False
        for row, target in wishes:
            old, new = clusters[home[row]], clusters[target]
            if not new.size or new.size >= settings.split_above:
                continue
            length = float(np.sqrt(new.total @ new.total))
            there = likeness(float(new.total @ vectors[row]) / length) if length else -1.0
            if there < settings.settle_from or there <= at_home(row) + _GAIN:
                continue
            if _forbidden(_Cluster(vectors[row], 1, [row]), new, apart, fixed):
                continue
            old.total = old.total - vectors[row]
            old.size -= 1
            old.rows.remove(row)
            new.total = new.total + vectors[row]
            new.size += 1
            new.rows.append(row)
            home[row] = target
            moved = True
        if not moved:
            break


def _wishes(
    movable: NDArray[np.int64],
    home: NDArray[np.int64],
    clusters: list[_Cluster],
    vectors: NDArray[np.float32],
    calibrate: Calibrate,
    settings: ThemeSettings,
) -> list[tuple[int, int]]:
    """Return (row, wished theme), the largest gain first."""
    totals = np.stack([cluster.total for cluster in clusters])
    sizes = np.array([cluster.size for cluster in clusters])
    units = unit(totals)
    closed = (sizes == 0) | (sizes >= settings.split_above)
    found: list[tuple[float, int, int]] = []
    for start in range(0, len(movable), _BLOCK):
        rows = movable[start : start + _BLOCK]
        own = home[rows]
        cosines = vectors[rows] @ units.T
        cosines[:, closed] = -2.0
        cosines[np.arange(len(rows)), own] = -2.0
        best = np.round(cosines, 6).argmax(axis=1)
        there = cosines[np.arange(len(rows)), best]
        rest = unit(totals[own] - vectors[rows])
        here = np.where(sizes[own] > 1, np.einsum("ij,ij->i", rest, vectors[rows]), -2.0)
        alike = calibrate(np.clip(there, -1.0, 1.0).astype(np.float32))
        for at in np.flatnonzero((alike >= settings.settle_from) & (there > here)):
            found.append((round(float(here[at] - there[at]), 6), int(rows[at]), int(best[at])))
    return [(row, target) for _gain, row, target in sorted(found)]
