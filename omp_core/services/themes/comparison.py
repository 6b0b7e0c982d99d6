"""What is in a theme, and which themes are near to it or to single records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.rules import themes as rules
from omp_core.rules.themes import BookInputs, Theme, ThemeItem, ThemeState, theme_scope
from omp_core.rules.themes.book import unit
from omp_core.rules.themes.inputs import mean_vector
from omp_core.services.themes.views import Neighbour, ThemeMembers
from omp_core.store.protocol import Store


def members(state: ThemeState, theme: Theme, inputs: BookInputs, store: Store) -> ThemeMembers:
    """Return the members of a theme, their places on a plane, its neighbours and a split."""
    held = store.get_many(list(theme.members))
    records = tuple(held[member] for member in theme.members if member in held)
    vectors = inputs.vectors.vectors([record.id for record in records])
    plane = rules.member_map(vectors) if vectors.any() else ()
    near = [state.theme(name) for name in theme.neighbours]
    return ThemeMembers(
        theme=theme,
        records=records,
        plane=tuple((float(x), float(y)) for x, y in plane),
        neighbours=_with_likeness(state, near, state.units[state.rows[theme.id]], inputs),
        split=rules.suggest_split(state, theme.id, inputs),
    )


def alike(state: ThemeState, theme: Theme, inputs: BookInputs) -> tuple[Neighbour, ...]:
    """Return all other themes of its scope, the most alike first."""
    others = [one for one in state.book.themes if one.scope == theme.scope and one.id != theme.id]
    return _nearest_first(state, others, state.units[state.rows[theme.id]], inputs)


def homes(
    state: ThemeState, items: Sequence[ThemeItem], inputs: BookInputs
) -> tuple[Neighbour, ...]:
    """Return the themes that may take these records, the nearest to their mean first.

    Raises InvalidValueError for none, and for records that no theme may hold together.
    """
    scopes = {theme_scope(item.scope) for item in items}
    if not scopes:
        raise InvalidValueError(_("No records were named to move."))
    if len(scopes) > 1:
        raise InvalidValueError(_("Records of different users or projects cannot share a theme."))
    names = {item.id for item in items}
    scope = scopes.pop()
    fit = [
        theme
        for theme in state.book.themes
        if theme.scope == scope and not names.issubset(theme.members)
    ]
    mean = mean_vector(inputs.vectors.vectors(sorted(names)))
    return _nearest_first(state, fit, unit(mean[None, :])[0], inputs)


def _with_likeness(
    state: ThemeState, themes: Sequence[Theme], vector: NDArray[np.float32], inputs: BookInputs
) -> tuple[Neighbour, ...]:
    rows = state.units[[state.rows[theme.id] for theme in themes]]
    likeness = inputs.calibrate(np.clip(rows @ vector, -1.0, 1.0).astype(np.float32))
    return tuple(
        Neighbour(theme, float(value)) for theme, value in zip(themes, likeness, strict=True)
    )


def _nearest_first(
    state: ThemeState, themes: Sequence[Theme], vector: NDArray[np.float32], inputs: BookInputs
) -> tuple[Neighbour, ...]:
    found = _with_likeness(state, themes, vector, inputs)
    return tuple(sorted(found, key=lambda near: (-near.similarity, near.theme.id)))
