"""Which side of a dispute the rules would follow, and why (design, section 6, cross-home).

The rules only advise here: a person settles. Sides more than the settings' hours apart: the
newer; confidence further apart than the settings' gap: the surer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from omp_core.model import DisputeSide, Home
from omp_core.rules.sync import ClaimSide, newer, surer
from omp_core.settings import CrossHomeSettings

PreferenceReason = Literal["newer", "surer", "address", "same", "project"]
"""`address`: of two addresses the project's; `same`: the project has this text already;
`project`: the project's side was preferred when both were compared."""

_SIDES: dict[Home, DisputeSide] = {Home.USER: "current", Home.PROJECT: "incoming"}


@dataclass(frozen=True, slots=True)
class Preference:
    """The side that the rules follow. `by`: hours of age or points of confidence between both."""

    side: DisputeSide
    reason: PreferenceReason
    by: float = 0.0


def preference(
    current: ClaimSide, incoming: ClaimSide, settings: CrossHomeSettings
) -> Preference | None:
    """Return what age and confidence say of two sides; None where neither decides."""
    by_age = newer(current, incoming, settings)
    if by_age is not None:
        hours = abs((incoming.at - current.at).total_seconds()) / 3600
        return Preference(_SIDES[by_age], "newer", hours)
    by_confidence = surer(current, incoming, settings)
    if by_confidence is not None:
        gap = abs(incoming.confidence - current.confidence)
        return Preference(_SIDES[by_confidence], "surer", gap)
    return None
