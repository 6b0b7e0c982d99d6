"""The nearest themes of each theme, kept exact while single themes change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1024
_SLACK = 1e-5
"""Two ways of computing one cosine in float32 differ by less than this."""


def nearest(
    units: NDArray[np.float32], ids: Sequence[str], group: NDArray[np.int64], count: int
) -> list[tuple[str, ...]]:
    """Return for each theme the ids of the `count` nearest of its group, nearest first.

    `units`: unit centroids (k, dim); `group`: the number of each theme's scope (k,).
    """
    found: list[tuple[str, ...]] = []
    for start in range(0, len(ids), _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, len(ids)))
        found.extend(_nearest_rows(rows, units, ids, group, count))
    return found


def updated(
    units: NDArray[np.float32],
    ids: Sequence[str],
    group: NDArray[np.int64],
    count: int,
    before: Sequence[tuple[str, ...]],
    changed: NDArray[np.bool_],
) -> dict[int, tuple[str, ...]]:
    """Return the lists that differ from `before`, by row, after some themes changed.

    `before` holds the lists that were exact until the themes marked in `changed` (k,) were
    added or moved, or others vanished. Only lists that can have changed are computed: those
    of changed themes, those naming a changed or vanished one, and those that a changed theme
    now reaches into.
    """
    row_of = {theme_id: row for row, theme_id in enumerate(ids)}
    stale = changed.copy()
    last = np.arange(len(ids))
    peers = np.bincount(group) - 1 if len(ids) else np.zeros(0, np.int64)
    for row, names in enumerate(before):
        if stale[row]:
            continue
        places = [row_of.get(name, -1) for name in names]
        if len(places) < min(count, int(peers[group[row]])) or any(
            place < 0 or changed[place] for place in places
        ):
            stale[row] = True
        elif places:
            last[row] = places[-1]
    moved = np.flatnonzero(changed)
    if len(moved):
        reach = np.einsum("ij,ij->i", units, units[last])
        cosines = units @ units[moved].T
        cosines[group[:, None] != group[moved][None, :]] = -2.0
        stale |= cosines.max(axis=1) >= reach - _SLACK
    rows = np.flatnonzero(stale)
    lists = [
        found
        for start in range(0, len(rows), _BLOCK)
        for found in _nearest_rows(rows[start : start + _BLOCK], units, ids, group, count)
    ]
    found_by_row: dict[int, tuple[str, ...]] = dict(zip(rows.tolist(), lists, strict=True))
    return {row: found for row, found in found_by_row.items() if found != before[row]}


def _nearest_rows(
    rows: NDArray[np.int64],
    units: NDArray[np.float32],
    ids: Sequence[str],
    group: NDArray[np.int64],
    count: int,
) -> list[tuple[str, ...]]:
    if not len(rows):
        return []
    cosines = np.round(units[rows] @ units.T, 6)
    cosines[group[rows][:, None] != group[None, :]] = -np.inf
    cosines[np.arange(len(rows)), rows] = -np.inf
    wanted = min(count, len(ids) - 1)
    if wanted <= 0:
        return [() for _ in rows]
    # Ties at the border are settled by id, so all that tie with the last one are compared.
    border = -np.partition(-cosines, wanted - 1, axis=1)[:, wanted - 1]
    rank = np.empty(len(ids), np.int64)
    rank[np.argsort(np.array(ids))] = np.arange(len(ids))
    lists = []
    for at in range(len(rows)):
        close = np.flatnonzero((cosines[at] >= border[at]) & np.isfinite(cosines[at]))
        best = close[np.lexsort((rank[close], -cosines[at, close]))][:wanted]
        lists.append(tuple(ids[row] for row in best.tolist()))
    return lists
