"""What a front end shows of the themes, and what an operation on them answers."""

from __future__ import annotations

from dataclasses import dataclass

from omp_core.model import Receipt, Record
from omp_core.rules.themes import (
    Assimilation,
    BookHealth,
    Rebuild,
    SuggestedSplit,
    Suggestion,
    Theme,
    ThemeHealth,
    ThemePreview,
)


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """A theme in a list, with its figures."""

    theme: Theme
    health: ThemeHealth


@dataclass(frozen=True, slots=True)
class ThemeListing:
    """The themes of a scope, the biggest first.

    `unsorted` counts records that are in no theme: they wait for a vector, or no theme forms
    by itself. `degraded` says why none does; `notes` what was repaired in the book.
    """

    rows: tuple[ThemeRow, ...]
    health: BookHealth
    unsorted: int
    degraded: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A near theme and how alike it is, calibrated."""

    theme: Theme
    similarity: float


@dataclass(frozen=True, slots=True)
class ThemeMembers:
    """What is in one theme.

    `records` are its members in the order of joining, `plane` their places on a plane for a
    plot, empty where they have no vectors. `split` is the suggested number of parts with its
    reason.
    """

    theme: Theme
    records: tuple[Record, ...]
    plane: tuple[tuple[float, float], ...]
    neighbours: tuple[Neighbour, ...]
    split: SuggestedSplit


@dataclass(frozen=True, slots=True)
class ThemeDetail(ThemeMembers):
    """One theme in full: its members, its figures, what could be done with it."""

    row: ThemeRow
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True)
class ThemeChange:
    """What an operation did or, as a dry run, would do; `receipt.act_id` is the undo."""

    receipt: Receipt
    preview: ThemePreview

    @property
    def changed(self) -> bool:
        return bool(self.preview.before or self.preview.after or self.preview.links)


@dataclass(frozen=True, slots=True)
class RebuildChange:
    """What a rebuild did or would do."""

    receipt: Receipt
    report: Rebuild
    themes: int


@dataclass(frozen=True, slots=True)
class AssimilationResult:
    """What bringing the book up to date did; `waiting` records were too many to place."""

    assimilation: Assimilation = Assimilation()  # noqa: RUF009 - a frozen value
    forgotten: int = 0
    rebuilt: bool = False
    waiting: int = 0
