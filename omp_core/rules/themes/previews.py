"""What an operation would do, theme by theme, before it is done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from omp_core.rules.themes.book import Link, Theme, ThemeState
from omp_core.rules.themes.inputs import BookInputs, cohesion
from omp_core.rules.themes.patch import diff


@dataclass(frozen=True, slots=True)
class ThemeFigure:
    """A theme in a preview. `new`: it does not exist before the operation."""

    theme: Theme
    cohesion: float
    new: bool = False


@dataclass(frozen=True, slots=True)
class ThemePreview:
    """The themes that an operation touches, as they are and as they would be.

    `cannot_link` are pairs that would never meet again by themselves, `released` those that
    would be free to.
    """

    before: tuple[ThemeFigure, ...]
    after: tuple[ThemeFigure, ...]
    must_link: tuple[Link, ...] = ()
    cannot_link: tuple[Link, ...] = ()
    released: tuple[Link, ...] = ()

    @property
    def links(self) -> int:
        """How many marks on records would come or go."""
        return len(self.must_link) + len(self.cannot_link) + len(self.released)

    @property
    def removed(self) -> tuple[str, ...]:
        """Ids of themes that would be gone."""
        left = {figure.theme.id for figure in self.after}
        return tuple(f.theme.id for f in self.before if f.theme.id not in left)


def preview(before: ThemeState, after: ThemeState, inputs: BookInputs) -> ThemePreview:
    """Compare the state before an operation with the one it returned."""
    patch = diff(before.book, after.book)
    return ThemePreview(
        before=_figures(before, patch.before.themes, inputs, known=before),
        after=_figures(after, patch.after.themes, inputs, known=before),
        must_link=tuple(sorted(patch.after.must_link)),
        cannot_link=tuple(sorted(patch.after.cannot_link)),
        released=tuple(sorted(patch.before.must_link | patch.before.cannot_link)),
    )


def theme_cohesion(theme: Theme, inputs: BookInputs) -> float:
    """Return the mean calibrated similarity of two members of a theme, 0..1."""
    return cohesion(inputs.vectors.vectors(theme.members), inputs.calibrate)


def _figures(
    state: ThemeState, touched: Collection[str], inputs: BookInputs, *, known: ThemeState
) -> tuple[ThemeFigure, ...]:
    return tuple(
        ThemeFigure(theme, theme_cohesion(theme, inputs), new=theme.id not in known.rows)
        for theme in state.book.themes
        if theme.id in touched
    )
