"""Themes from scratch: communities of near records, cut to size, every record settled.

Works on rows: `vectors` (n, dim) of records that may move, and fixed groups that may only
grow. Deterministic; numpy only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omp_core.rules.themes.book import unit
from omp_core.rules.themes.cluster import parts_under_cap
from omp_core.rules.themes.communities import (
    Graph,
    collapsed,
    communities,
    nearest_graph,
    within,
)
from omp_core.rules.themes.inputs import Calibrate
from omp_core.settings import ThemeSettings

_NEAREST = 10
_RESOLUTION = 1.4
_FINER = (1.0, 1.5, 2.25, 3.4)
_MOST_KEPT = 0.9
"""A cut that leaves more than this in one part is none."""
_PASSES = 6
_GAIN = 0.02
_ALONE = 0.33
"""How well a record alone is placed: the cosine that stands for the edge 0.66."""
_LONELY = 0.15
"""A theme of one member has to be so much nearer."""
_BLOCK = 1024


@dataclass(slots=True)
class Fixed:
    """A theme that may take in records but lose none: sum of its vectors and its size.

    `blocked` are the rows that must not join it.
    """

    total: NDArray[np.float32]
    size: int
    blocked: frozenset[int] = frozenset()


def group(
    vectors: NDArray[np.float32],
    calibrate: Calibrate,
    settings: ThemeSettings,
    *,
    fixed: Sequence[Fixed] = (),
    must: Sequence[Sequence[int]] = (),
    cannot: Sequence[tuple[int, int]] = (),
) -> list[list[int]]:
    """Return the rows of each group: first one list per fixed theme, then the new themes.

    Rows of a `must` list stay together, those of a `cannot` pair never meet. Only must-linked
    rows make a group larger than the cap.
    """
    run = _Grouping(vectors, calibrate, settings, fixed, must, cannot)
    run.form()
    run.part()
    run.settle()
    return run.result()


class _Grouping:
    def __init__(
        self,
        vectors: NDArray[np.float32],
        calibrate: Calibrate,
        settings: ThemeSettings,
        fixed: Sequence[Fixed],
        must: Sequence[Sequence[int]],
        cannot: Sequence[tuple[int, int]],
    ) -> None:
        self.vectors = vectors
        self.calibrate = calibrate
        self.settings = settings
        self.cap = settings.split_above
        self.fixed = fixed
        self.cannot = cannot
        self.against: dict[int, set[int]] = defaultdict(set)
        for a, b in cannot:
            self.against[a].add(b)
            self.against[b].add(a)
        held = {row for rows in must for row in rows}
        self.units = [list(rows) for rows in must]
        self.units += [[row] for row in range(len(vectors)) if row not in held]
        self.units.sort(key=min)
        self.bound = held
        self.joined: list[list[int]] = [[] for _ in fixed]
        self.themes: list[list[int]] = []

    # communities

    def form(self) -> None:
        """Find communities, and let each pinned theme take the nearest of its own."""
        if not self.units:
            return
        centres = [unit(one.total[None, :])[0] for one in self.fixed]
        rows = np.vstack([self.vectors, *(centre[None, :] for centre in centres)])
        owner = [0] * len(rows)
        for number, members in enumerate(self.units):
            for row in members:
                owner[row] = number
        for number in range(len(centres)):
            owner[len(self.vectors) + number] = len(self.units) + number
        graph = collapsed(nearest_graph(rows, _NEAREST), owner, len(self.units) + len(centres))
        found: dict[int, list[int]] = defaultdict(list)
        for node, community in enumerate(communities(graph, _RESOLUTION)):
            found[community].append(node)
        for nodes in found.values():
            pinned = [node - len(self.units) for node in nodes if node >= len(self.units)]
            free = [node for node in nodes if node < len(self.units)]
            for node in self._taken(pinned, free, centres):
                free.remove(node)
            for piece in self._cut(graph, free):
                self.themes.append([row for node in piece for row in self.units[node]])

    def _taken(
        self, pinned: list[int], free: list[int], centres: list[NDArray[np.float32]]
    ) -> list[int]:
        offers = []
        for number in pinned:
            for node in free:
                cosine = float(np.min(self.vectors[self.units[node]] @ centres[number]))
                likeness = float(self.calibrate(np.array([cosine], np.float32))[0])
                if likeness >= self.settings.attach_from:
                    offers.append((-round(cosine, 6), node, number))
        taken: list[int] = []
        for _cosine, node, number in sorted(offers):
            rows, joined = self.units[node], self.joined[number]
            one = self.fixed[number]
            if (
                node not in taken
                and one.size + len(joined) + len(rows) <= self.cap
                and one.blocked.isdisjoint(rows)
                and not self._parted(rows, joined)
            ):
                joined.extend(rows)
                taken.append(node)
        return taken

    def _cut(self, graph: Graph, nodes: list[int]) -> list[list[int]]:
        """Cut units (numbers) into pieces that do not go over the cap."""
        waiting, done = [nodes] if nodes else [], []
        while waiting:
            piece = waiting.pop()
            size = sum(len(self.units[node]) for node in piece)
            if size <= self.cap or len(piece) == 1:
                done.append(piece)
                continue
            waiting.extend(self._finer(graph, piece, size) or [])
            if not waiting or waiting[-1] is piece:
                done.append(piece)
        return done

    def _finer(self, graph: Graph, piece: list[int], size: int) -> list[list[int]]:
        inner = within(graph, piece)
        for resolution in _FINER:
            parts: dict[int, list[int]] = defaultdict(list)
            for node, community in zip(piece, communities(inner, resolution), strict=True):
                parts[community].append(node)
            largest = max(sum(len(self.units[node]) for node in part) for part in parts.values())
            if len(parts) > 1 and largest <= _MOST_KEPT * size:
                return list(parts.values())
        rows = [row for node in piece for row in self.units[node]]
        at = {row: place for place, row in enumerate(rows)}
        must = [
            (at[one], at[other])
            for node in piece
            for one, other in zip(self.units[node], self.units[node][1:], strict=False)
        ]
        cannot = [(at[a], at[b]) for a, b in self.cannot if a in at and b in at]
        groups = parts_under_cap(
            self.vectors[rows], self.calibrate, self.settings, must=must, cannot=cannot
        )
        node_of = {row: node for node in piece for row in self.units[node]}
        pieces = [
            list(dict.fromkeys(node_of[rows[place]] for place in members)) for members in groups
        ]
        return pieces if len(pieces) > 1 else [[node] for node in piece]

    # what must not be together

    def part(self) -> None:
        """Let the second of each pair that must not meet leave, with what it is bound to."""
        unit_of = {row: members for members in self.units for row in members}
        for number, rows in enumerate(self.themes):
            for row in sorted(rows):
                if row in rows and any(other in rows for other in self.against[row] if other < row):
                    leaving = unit_of[row]
                    self.themes[number] = rows = [one for one in rows if one not in leaving]
                    self.themes.append(list(leaving))
        self.themes = [rows for rows in self.themes if rows]

    def _parted(self, rows: Sequence[int], others: Sequence[int]) -> bool:
        return bool(self.against) and any(
            not self.against[row].isdisjoint(others) for row in rows if row in self.against
        )

    # settling

    def settle(self) -> None:
        """Move single records to the theme that they fit best, the largest gain first."""
        groups = [*self.joined, *self.themes]
        dim = self.vectors.shape[1]
        sums = np.zeros((len(groups), dim), np.float64)
        sizes = np.zeros(len(groups), np.int64)
        place = np.full(len(self.vectors), -1, np.int64)
        for number, rows in enumerate(groups):
            if number < len(self.fixed):
                sums[number] += self.fixed[number].total
                sizes[number] += self.fixed[number].size
            if rows:
                sums[number] += self.vectors[rows].sum(axis=0, dtype=np.float64)
                sizes[number] += len(rows)
                place[rows] = number
        free = np.array(
            [row for row in range(len(self.vectors)) if row not in self.bound], np.int64
        )
        members = [set(rows) for rows in groups]
        for _pass in range(_PASSES):
            if not self._settle_once(free, sums, sizes, place, members):
                break
        self.joined = [sorted(rows) for rows in members[: len(self.fixed)]]
        self.themes = [sorted(rows) for rows in members[len(self.fixed) :] if rows]

    def _settle_once(
        self,
        free: NDArray[np.int64],
        sums: NDArray[np.float64],
        sizes: NDArray[np.int64],
        place: NDArray[np.int64],
        members: list[set[int]],
    ) -> bool:
        offers: list[tuple[float, int, int]] = []
        centres = unit(sums.astype(np.float32))
        closed = (sizes >= self.cap) | (sizes == 0)
        lonely = np.where(sizes == 1, np.float32(_LONELY), np.float32(0))
        for start in range(0, len(free), _BLOCK):
            rows = free[start : start + _BLOCK]
            cosines = np.round(self.vectors[rows] @ centres.T, 6) - lonely
            cosines[:, closed] = -2
            cosines[np.arange(len(rows)), place[rows]] = -2
            best = cosines.argmax(axis=1)
            for row, target, cosine in zip(
                rows.tolist(), best.tolist(), cosines.max(axis=1).tolist(), strict=True
            ):
                gain = cosine - self._own(row, sums, sizes, place)
                if gain >= _GAIN:
                    offers.append((-round(gain, 6), row, target))
        moved = False
        for _gain, row, target in sorted(offers):
            source = int(place[row])
            if (
                sizes[target] >= self.cap
                or sizes[target] == 0
                or self._parted([row], list(members[target]))
                or (target < len(self.fixed) and row in self.fixed[target].blocked)
                or self._at(row, target, sums, sizes) - self._own(row, sums, sizes, place) < _GAIN
            ):
                continue
            for number, sign in ((source, -1), (target, 1)):
                sums[number] += sign * self.vectors[row]
                sizes[number] += sign
            members[source].discard(row)
            members[target].add(row)
            place[row] = target
            moved = True
        return moved

    def _own(
        self,
        row: int,
        sums: NDArray[np.float64],
        sizes: NDArray[np.int64],
        place: NDArray[np.int64],
    ) -> float:
        number = int(place[row])
        if sizes[number] <= 1:
            return _ALONE
        rest = sums[number] - self.vectors[row]
        length = float(np.sqrt(rest @ rest))
        return float(rest @ self.vectors[row]) / length if length else _ALONE

    def _at(
        self, row: int, number: int, sums: NDArray[np.float64], sizes: NDArray[np.int64]
    ) -> float:
        length = float(np.sqrt(sums[number] @ sums[number]))
        cosine = float(sums[number] @ self.vectors[row]) / length if length else 0.0
        return cosine - (_LONELY if sizes[number] == 1 else 0.0)

    def result(self) -> list[list[int]]:
        return [*self.joined, *sorted(self.themes, key=min)]
