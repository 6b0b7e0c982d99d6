"""Searching through themes: the nearest themes, then members that say different things."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from omp_core.language.tokens import query_terms, tokens
from omp_core.rules.ranking import coverage, wants
from omp_core.rules.themes.book import Theme, ThemeState
from omp_core.rules.themes.inputs import Calibrate


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


def labelled_themes(state: ThemeState, text: str, limit: int) -> tuple[tuple[Theme, float], ...]:
    """Return at most `limit` themes whose labels hold words of a query, best first.

    The figure is the share, 0..1, of what the query asks for in words. Of two with the same
    share the bigger theme comes first.
    """
    wanted = wants(query_terms(text))
    held = [(theme, coverage(wanted, set(tokens(theme.label)))) for theme in state.book.themes]
    found = [one for one in held if one[1] > 0.0]
    found.sort(key=lambda one: (-one[1], -one[0].size, one[0].id))
    return tuple(found[:limit])


def diverse(
    vectors: NDArray[np.float32],
    scores: Sequence[float],
    calibrate: Calibrate,
    *,
    limit: int,
    too_alike: float,
    taken: Sequence[int] = (),
    same: Callable[[int, int], bool] | None = None,
) -> list[int]:
    """Choose at most `limit` rows, the best scores first, no two of them variants of one fact.

    A row at least `too_alike` (calibrated) to one that is chosen or `taken` before is passed
    over, if `same` says of the two that they state the same; without it all such rows are.
    Rows without a vector resemble nothing. `vectors` has shape (n, dim), `scores` length n.
    Returns the numbers of the rows that were chosen now, in order of choice.
    """
    held, chosen = list(taken), list[int]()
    passed = set(taken)
    for row in sorted(range(len(scores)), key=lambda row: (-scores[row], row)):
        if len(chosen) == limit:
            break
        if row in passed:
            continue
        if held:
            cosines = np.clip(vectors[held] @ vectors[row], -1.0, 1.0).astype(np.float32)
            alike = np.flatnonzero(calibrate(cosines) >= too_alike).tolist()
            if any(same is None or same(held[place], row) for place in alike):
                continue
        held.append(row)
        chosen.append(row)
    return chosen
