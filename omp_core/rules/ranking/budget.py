"""Token budget: what of a ranked list fits into it."""

from __future__ import annotations

from collections.abc import Sequence


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
