"""Groups inside one theme: where it falls apart, how to cut what is too big, how many parts.

All functions work on rows: `vectors` has shape (n, dim), links are pairs of row numbers, and
a grouping is a list of sorted row lists, the biggest first. Nothing is random: equal input
gives equal groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from omp_core.errors import InvalidValueError
from omp_core.i18n import _, ngettext
from omp_core.rules.themes.book import unit
from omp_core.rules.themes.inputs import Calibrate, pair_similarities
from omp_core.settings import ThemeSettings

RowLink = tuple[int, int]
Groups = list[list[int]]

_ROUNDS = 20
_SMALLEST_SHARE = 0.25
"""A cut leaves at least this share on either side, so that a theme does not shed its members
one by one, each time it is full again."""


def connected(linked: NDArray[np.bool_]) -> Groups:
    """Return the connected components of a symmetric adjacency matrix (n, n)."""
    count = len(linked)
    component = np.full(count, -1)
    found = 0
    for start in range(count):
        if component[start] >= 0:
            continue
        frontier = np.array([start])
        while len(frontier):
            component[frontier] = found
            reached = linked[frontier].any(axis=0) & (component < 0)
            frontier = np.flatnonzero(reached)
        found += 1
    return biggest_first([np.flatnonzero(component == c).tolist() for c in range(found)])


def biggest_first(groups: Iterable[Iterable[int]]) -> Groups:
    """Return the groups sorted inside, and by size; among equals the earliest member leads."""
    return sorted((sorted(group) for group in groups), key=lambda group: (-len(group), group[0]))


def parts_under_cap(
    vectors: NDArray[np.float32],
    calibrate: Calibrate,
    settings: ThemeSettings,
    *,
    must: Sequence[RowLink] = (),
    cannot: Sequence[RowLink] = (),
) -> Groups:
    """Split the members of a theme into parts of at most `settings.split_above`.

    Members at least `cluster_edge` alike belong together; a component of them that is still
    too big is cut in two until it fits. Parts that would attach to each other are put back
    together as far as they fit, so that a theme of loosely related records does not shatter.
    Must-links hold even over the cap.
    """
    cap = settings.split_above
    linked = pair_similarities(vectors, calibrate) >= settings.cluster_edge
    np.fill_diagonal(linked, True)
    for a, b in must:
        linked[a, b] = linked[b, a] = True
    parts: Groups = []
    waiting = connected(linked)
    while waiting:
        group = waiting.pop()
        if len(group) <= cap and not _parted(group, cannot):
            parts.append(group)
            continue
        halves = cut(vectors, group, must=must, cannot=cannot)
        if len(halves) == 1:
            parts.append(group)
        else:
            waiting.extend(halves)
    return _rejoined(vectors, calibrate, settings, biggest_first(parts), cannot)


def cut(
    vectors: NDArray[np.float32],
    group: Sequence[int],
    *,
    must: Sequence[RowLink] = (),
    cannot: Sequence[RowLink] = (),
) -> Groups:
    """Cut a group in two by balanced spherical 2-means; return it whole if must-links forbid.

    Starts from a pair that must not stay together, else from the two units that are least
    alike. Each side keeps at least a quarter, as far as must-links allow.
    """
    units = _units(group, must)
    if len(units) < 2:
        return [sorted(group)]
    weight = np.array([len(rows) for rows in units], dtype=np.float64)
    sums = np.stack([vectors[rows].sum(axis=0) for rows in units])
    points = unit(sums)
    left, right = _seeds(points, units, cannot)
    centres = points[[left, right]]
    side = np.zeros(len(units), dtype=np.bool_)
    for _round in range(_ROUNDS):
        lean = np.round(points @ (centres[1] - centres[0]), 6)
        # The seeds stay apart: every cut makes progress and separates what it set out to.
        lean[left], lean[right] = -np.inf, np.inf
        chosen = _balanced(lean, weight)
        if np.array_equal(chosen, side):
            break
        side = chosen
        centres = unit(np.stack([sums[~side].sum(axis=0), sums[side].sum(axis=0)]))
    return biggest_first(
        [row for at in np.flatnonzero(side == which) for row in units[at]]
        for which in (False, True)
    )


def into(
    vectors: NDArray[np.float32],
    calibrate: Calibrate,
    count: int,
    *,
    must: Sequence[RowLink] = (),
    cannot: Sequence[RowLink] = (),
) -> Groups:
    """Split all rows into exactly `count` groups.

    Ward agglomeration down to `count`, then spherical k-means from there. Raises
    InvalidValueError when the links leave no such split.
    """
    rows = len(vectors)
    if not 1 <= count <= rows:
        raise InvalidValueError(
            ngettext(
                "{rows} member cannot be split into {count} parts",
                "{rows} members cannot be split into {count} parts",
                rows,
            ).format(rows=rows, count=count)
        )
    units = _units(range(rows), must)
    if len(units) < count:
        raise InvalidValueError(
            ngettext(
                "must-links leave {most} part at most, {count} were asked for; release "
                "a link or ask for fewer parts",
                "must-links leave {most} parts at most, {count} were asked for; release "
                "a link or ask for fewer parts",
                len(units),
            ).format(most=len(units), count=count)
        )
    apart = _unit_links(units, cannot)
    labels = _ward(vectors, units, count, apart)
    labels = _k_means(vectors, units, labels, count, apart)
    return biggest_first(
        [row for at in np.flatnonzero(labels == label) for row in units[at]]
        for label in range(count)
    )


def silhouette(similarities: NDArray[np.float32], groups: Sequence[Sequence[int]]) -> float:
    """Return the mean silhouette of a grouping, -1..1, by the distance 1 - similarity.

    Rousseeuw 1987: (b - a) / max(a, b) for each member, with a the mean distance to its own
    group and b that to the nearest other one; 0 for a member alone. One group gives 0.
    """
    rows = len(similarities)
    if len(groups) < 2:
        return 0.0
    distances = 1.0 - similarities.astype(np.float64)
    np.fill_diagonal(distances, 0.0)
    membership = np.zeros((rows, len(groups)))
    for label, group in enumerate(groups):
        membership[list(group), label] = 1.0
    sizes = membership.sum(axis=0)
    totals = distances @ membership
    own = membership.astype(np.bool_)
    inside = totals[own] / np.maximum((membership * (sizes - 1)).sum(axis=1), 1.0)
    outside = np.where(own, np.inf, totals / sizes).min(axis=1)
    widest = np.maximum(inside, outside)
    alone = (membership * sizes).sum(axis=1) == 1
    width = np.divide(outside - inside, widest, out=np.zeros(rows), where=widest > 0)
    return float(np.where(alone, 0.0, width).mean())


def _units(rows: Iterable[int], must: Sequence[RowLink]) -> Groups:
    """Return the rows gathered by must-links, in the order of their first rows."""
    order = sorted(rows)
    place = {row: at for at, row in enumerate(order)}
    linked = np.eye(len(order), dtype=np.bool_)
    for a, b in must:
        if a in place and b in place:
            linked[place[a], place[b]] = linked[place[b], place[a]] = True
    if not must:
        return [[row] for row in order]
    gathered = [[order[at] for at in group] for group in connected(linked)]
    return sorted(gathered, key=lambda group: group[0])


def _unit_links(units: Groups, links: Sequence[RowLink]) -> NDArray[np.bool_]:
    at = {row: number for number, group in enumerate(units) for row in group}
    apart = np.zeros((len(units), len(units)), dtype=np.bool_)
    for a, b in links:
        if a in at and b in at and at[a] != at[b]:
            apart[at[a], at[b]] = apart[at[b], at[a]] = True
    return apart


def _parted(group: Sequence[int], cannot: Sequence[RowLink]) -> bool:
    members = set(group)
    return any(a in members and b in members for a, b in cannot)


def _seeds(
    points: NDArray[np.float32], units: Groups, cannot: Sequence[RowLink]
) -> tuple[int, int]:
    apart = np.argwhere(np.triu(_unit_links(units, cannot), 1))
    if len(apart):
        return int(apart[0][0]), int(apart[0][1])
    likeness = np.round(points @ points.T, 6)
    np.fill_diagonal(likeness, np.inf)
    left, right = divmod(int(likeness.argmin()), len(points))
    return left, right


def _balanced(lean: NDArray[np.float32], weight: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which units go right: those that lean there, moved on until both sides have
    their share."""
    order = np.argsort(lean, kind="stable")
    left_weight = np.cumsum(weight[order])
    total = left_weight[-1]
    least = max(1.0, np.floor(total * _SMALLEST_SHARE))
    natural = int((lean < 0).sum())
    fits = [
        at
        for at in range(1, len(order))
        if left_weight[at - 1] >= least and total - left_weight[at - 1] >= least
    ]
    at = min(fits or range(1, len(order)), key=lambda at: (abs(at - natural), at))
    side = np.zeros(len(lean), dtype=np.bool_)
    side[order[at:]] = True
    return side


def _rejoined(
    vectors: NDArray[np.float32],
    calibrate: Calibrate,
    settings: ThemeSettings,
    parts: Groups,
    cannot: Sequence[RowLink],
) -> Groups:
    """Join the two most similar parts that would attach and fit, until there are none."""
    while len(parts) > 1:
        sizes = np.array([len(part) for part in parts])
        centres = unit(np.stack([vectors[part].mean(axis=0) for part in parts]))
        alike = pair_similarities(centres, calibrate)
        alone = np.minimum(sizes[:, None], sizes[None, :]) == 1
        wanted = np.where(alone, settings.settle_from, settings.attach_from)
        fits = (sizes[:, None] + sizes[None, :] <= settings.split_above) & (alike >= wanted)
        fits &= ~_unit_links(parts, cannot)
        np.fill_diagonal(fits, False)
        if not fits.any():
            break
        a, b = divmod(int(np.where(fits, alike, -1.0).argmax()), len(parts))
        joined = parts[a] + parts[b]
        parts = biggest_first(
            [part for at, part in enumerate(parts) if at not in (a, b)] + [joined]
        )
    return parts


def _ward(
    vectors: NDArray[np.float32], units: Groups, count: int, apart: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return a label 0..count-1 for each unit. Raises InvalidValueError when blocked."""
    sizes = np.array([len(rows) for rows in units], dtype=np.float64)
    means = np.stack([vectors[rows].mean(axis=0, dtype=np.float64) for rows in units])
    label = np.arange(len(units))
    alive = np.ones(len(units), dtype=np.bool_)
    apart = apart.copy()
    squares = (means * means).sum(axis=1)
    cost = squares[:, None] + squares[None, :] - 2 * means @ means.T
    cost *= sizes[:, None] * sizes[None, :] / (sizes[:, None] + sizes[None, :])
    cost = np.round(np.maximum(cost, 0.0), 9)
    cost[apart] = np.inf
    np.fill_diagonal(cost, np.inf)
    for _round in range(len(units) - count):
        a, b = divmod(int(cost.argmin()), len(units))
        if not np.isfinite(cost[a, b]):
            raise InvalidValueError(
                _("cannot-links leave no split into {count} parts; ask for more parts").format(
                    count=count
                )
            )
        label[label == b] = a
        means[a] = (means[a] * sizes[a] + means[b] * sizes[b]) / (sizes[a] + sizes[b])
        sizes[a] += sizes[b]
        alive[b] = False
        apart[a] |= apart[b]
        apart[:, a] |= apart[:, b]
        gaps = ((means - means[a]) ** 2).sum(axis=1)
        row = np.round(gaps * sizes * sizes[a] / (sizes + sizes[a]), 9)
        row[apart[a] | ~alive] = np.inf
        row[a] = np.inf
        cost[a], cost[:, a] = row, row
        cost[b], cost[:, b] = np.inf, np.inf
    return np.unique(label, return_inverse=True)[1].astype(np.int64)


def _k_means(
    vectors: NDArray[np.float32],
    units: Groups,
    labels: NDArray[np.int64],
    count: int,
    apart: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Move units to the nearest centre, one at a time, never emptying a group."""
    sums = np.stack([vectors[rows].sum(axis=0) for rows in units])
    points = unit(sums)
    labels = labels.copy()
    for _round in range(_ROUNDS):
        moved = False
        for at in range(len(units)):
            mine = labels == labels[at]
            if mine.sum() == 1:
                continue
            centres = np.stack(
                [
                    sums[(labels == c) & (np.arange(len(units)) != at)].sum(axis=0)
                    for c in range(count)
                ]
            )
            near = np.round(unit(centres) @ points[at], 6)
            for label in range(count):
                if apart[at, labels == label].any():
                    near[label] = -np.inf
            best = int(near.argmax())
            if near[best] > near[labels[at]]:
                labels[at] = best
                moved = True
        if not moved:
            break
    return labels
