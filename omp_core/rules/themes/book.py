"""The theme book: themes, what people said about them, and their centroids."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from omp_core.errors import NotFoundError
from omp_core.i18n import _
from omp_core.model import Scope

NOBODY = Scope()
"""The scope of records that belong to no user and no app."""

_CAUTION = 10
"""A mean over few records is subtracted in part only: m / (m + 10) of it."""

Link = tuple[str, str]
"""Two record ids, the smaller one first."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A group of records about one thing. `members` are record ids in the order of joining.

    A pinned theme is a person's: no automatic pass takes a member away, splits it or merges
    it into another. A label by a human is never replaced by the machine's.
    """

    id: str
    label: str
    members: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    scope: Scope = NOBODY
    label_by_human: bool = False
    pinned: bool = False
    neighbours: tuple[str, ...] = ()
    """Ids of the nearest themes of the same scope, the nearest first."""

    @property
    def size(self) -> int:
        return len(self.members)


@dataclass(frozen=True, slots=True)
class Frame:
    """What the records of a scope had in common when it was last rebuilt.

    `means` holds float32 bytes of the mean vector per script, `counts` how many records each
    is made of. `size` is how many records the scope had.
    """

    scope: Scope
    size: int
    means: tuple[bytes, bytes]
    counts: tuple[int, int]

    def offset(self, number: int, dim: int) -> NDArray[np.float32]:
        """Return what to subtract from a vector of the script of this number, shape (dim,)."""
        count = self.counts[number]
        if not count or len(self.means[number]) != 4 * dim:
            return np.zeros(dim, np.float32)
        mean = np.frombuffer(self.means[number], "<f4")
        offset: NDArray[np.float32] = (mean * (count / (count + _CAUTION))).astype(np.float32)
        return offset


@dataclass(frozen=True, slots=True)
class ThemeBook:
    """All themes of a workspace, oldest first, and the marks that people set.

    `must_link` pairs stay in one theme, `cannot_link` pairs never share one. `generation`
    rises by one with every write. A record is in at most one theme.
    """

    themes: tuple[Theme, ...] = ()
    must_link: frozenset[Link] = frozenset()
    cannot_link: frozenset[Link] = frozenset()
    generation: int = 0
    model_id: str = ""
    calibration_version: str = ""
    frames: tuple[Frame, ...] = ()
    """What theme vectors are measured against, one frame for each scope that was rebuilt."""


@dataclass(frozen=True)
class ThemeState:
    """A book with the centroid of each theme: float32 of shape (themes, dim), same order.

    A centroid is the plain mean of the members' vectors, those without a vector left out;
    a theme whose members have no vectors has a centroid of zeros.
    """

    book: ThemeBook
    centroids: NDArray[np.float32]

    @cached_property
    def units(self) -> NDArray[np.float32]:
        """The centroids scaled to unit length; zeros stay zeros."""
        return unit(self.centroids)

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """Record id -> id of its theme."""
        return {member: theme.id for theme in self.book.themes for member in theme.members}

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Theme id -> its place in the book and in the centroids."""
        return {theme.id: row for row, theme in enumerate(self.book.themes)}

    def theme(self, theme_id: str) -> Theme:
        """Return the theme of that id. Raises NotFoundError."""
        row = self.rows.get(theme_id)
        if row is None:
            raise NotFoundError(
                _("there is no theme {theme_id!r}; `themes list` shows all ids").format(
                    theme_id=theme_id
                )
            )
        return self.book.themes[row]

    def theme_of(self, record_id: str) -> Theme | None:
        """Return the theme that a record is in."""
        owner = self.owners.get(record_id)
        return None if owner is None else self.theme(owner)

    def centroid(self, theme_id: str) -> NDArray[np.float32]:
        """Return the centroid of a theme, shape (dim,). Raises NotFoundError."""
        self.theme(theme_id)
        row: NDArray[np.float32] = self.centroids[self.rows[theme_id]]
        return row


def empty_state(dim: int, *, model_id: str = "", calibration_version: str = "") -> ThemeState:
    """Return a book without themes, for vectors of length `dim`."""
    book = ThemeBook(model_id=model_id, calibration_version=calibration_version)
    return ThemeState(book, np.zeros((0, dim), np.float32))


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the rows scaled to unit length; rows of zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    scaled: NDArray[np.float32] = np.divide(
        vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0
    )
    return scaled


def link(a: str, b: str) -> Link:
    """Return the pair with the smaller id first."""
    return (a, b) if a <= b else (b, a)


def theme_scope(scope: Scope) -> Scope:
    """Return the part of a record's scope that its theme shares: the user and the app.

    Agents and runs of one project write about the same things, users and projects do not.
    """
    return Scope(user_id=scope.user_id, app_id=scope.app_id)


def in_scope(theme: Theme, wanted: Scope) -> bool:
    """Return whether a search with the scope `wanted` would look into this theme.

    The agent and the run of the search filter members, not themes.
    """
    return wanted.user_id in (None, theme.scope.user_id) and wanted.app_id in (
        None,
        theme.scope.app_id,
    )


def new_theme_id(members: Iterable[str], taken: Collection[str]) -> str:
    """Return an id that follows from the members, so that equal input gives equal books."""
    founder = "\n".join(sorted(members))
    attempt = 0
    while True:
        digest = hashlib.sha256(f"{founder}\n{attempt}".encode()).hexdigest()
        theme_id = f"th-{digest[:12]}"
        if theme_id not in taken:
            return theme_id
        attempt += 1


def ordered(themes: Iterable[Theme]) -> tuple[Theme, ...]:
    """Return the themes in the order of the book."""
    return tuple(sorted(themes, key=lambda theme: (theme.created_at, theme.id)))


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that was wrong in a book and was put right, as a sentence."""

    message: str


def repaired(book: ThemeBook) -> tuple[ThemeBook, tuple[Repair, ...]]:
    """Return the book with every record in one theme, ids unique, links and order sound.

    A file that people and git merge can say that a record is in two themes: the pinned one
    keeps it, else the older one. Themes without members go.
    """
    repairs: list[Repair] = []
    by_id: dict[str, Theme] = {}
    for theme in ordered(book.themes):
        if theme.id in by_id:
            renamed = new_theme_id(theme.members, by_id)
            repairs.append(
                Repair(f"two themes had the id {theme.id}; the younger one is now {renamed}")
            )
            theme = replace(theme, id=renamed)
        by_id[theme.id] = theme
    owners: dict[str, str] = {}
    for theme in sorted(by_id.values(), key=lambda theme: not theme.pinned):
        for member in theme.members:
            owners.setdefault(member, theme.id)
    kept: list[Theme] = []
    for theme in by_id.values():
        members = tuple(dict.fromkeys(m for m in theme.members if owners[m] == theme.id))
        lost = [m for m in dict.fromkeys(theme.members) if owners[m] != theme.id]
        repairs.extend(
            Repair(f"record {m} was in {theme.id} and {owners[m]}; it stays in {owners[m]}")
            for m in lost
        )
        if members:
            kept.append(theme if members == theme.members else replace(theme, members=members))
        else:
            repairs.append(Repair(f"theme {theme.id} had no members; it was left out"))
    must = frozenset(link(a, b) for a, b in book.must_link if a != b)
    cannot = frozenset(link(a, b) for a, b in book.cannot_link if a != b) - must
    themes = tuple(kept)
    if (themes, must, cannot) == (book.themes, book.must_link, book.cannot_link):
        return book, tuple(repairs)
    return replace(book, themes=themes, must_link=must, cannot_link=cannot), tuple(repairs)
