"""Searching through themes: the nearest themes, then members that say different things."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from omp_core.rules.themes.book import Theme, ThemeState
from omp_core.rules.themes.ground import Calibrate


def nearest_themes(
    state: ThemeState, query: NDArray[np.float32], calibrate: Calibrate, limit: int
) -> tuple[tuple[Theme, float], ...]:
    """Return at most `limit` themes and their calibrated similarity to a query, best first.

    `query` is a centred unit vector of shape (dim,). Themes without a centroid are left out.
    """
    cosines = np.clip(state.units @ query, -1.0, 1.0).astype(np.float32)
    alike = np.round(calibrate(cosines), 6)
    known = np.flatnonzero(state.units.any(axis=1))
    best = known[np.argsort(-alike[known], kind="stable")][:limit]
    return tuple((state.book.themes[row], float(alike[row])) for row in best.tolist())


def diverse(
    vectors: NDArray[np.float32],
    scores: Sequence[float],
    calibrate: Calibrate,
    *,
    limit: int,
    too_alike: float,
) -> list[int]:
    """Choose at most `limit` rows, the best scores first, no two of them variants of one fact.

    A row at least `too_alike` (calibrated) to a chosen one is passed over; rows without a
    vector resemble nothing. `vectors` has shape (n, dim), `scores` length n. Returns row
    numbers in order of choice.
    """
    chosen: list[int] = []
    for row in sorted(range(len(scores)), key=lambda row: (-scores[row], row)):
        if len(chosen) == limit:
            break
        if chosen:
            cosines = np.clip(vectors[chosen] @ vectors[row], -1.0, 1.0).astype(np.float32)
            if float(calibrate(cosines).max()) >= too_alike:
                continue
        chosen.append(row)
    return chosen


def within_budget(costs: Sequence[int], budget: int) -> list[int]:
    """Return the places of the items that fit a token budget, taken in order.

    One that does not fit is passed over for smaller ones after it.
    """
    kept: list[int] = []
    left = budget
    for place, cost in enumerate(costs):
        if cost <= left:
            kept.append(place)
            left -= cost
    return kept
