"""A theme book being changed: operations edit a draft, `finish` makes a new state of it."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from omp_core.errors import NotFoundError
from omp_core.i18n import _
from omp_core.model import Scope
from omp_core.rules.themes.book import (
    Link,
    Theme,
    ThemeState,
    link,
    new_theme_id,
    ordered,
    unit,
)
from omp_core.rules.themes.inputs import BookInputs, mean_vector
from omp_core.rules.themes.labels import label_themes
from omp_core.rules.themes.neighbours import nearest, updated

_Kind = TypeVar("_Kind", bound=np.generic)
_SPARE_ROWS = 16


class BookDraft:
    """Themes, links and centroids under change. The state that it starts from is untouched.

    Every change goes through `put` or `drop`, which keep owners, centroids and the sizes
    that the automatic passes look at in step with the themes.
    """

    def __init__(self, state: ThemeState, inputs: BookInputs) -> None:
        self.state = state
        self.inputs = inputs
        self.themes: dict[str, Theme] = {theme.id: theme for theme in state.book.themes}
        self.owners: dict[str, str] = dict(state.owners)
        self.must: set[Link] = set(state.book.must_link)
        self.cannot: set[Link] = set(state.book.cannot_link)
        self.changed: dict[str, None] = {}
        self.relabel: set[str] = set()
        self._rows: dict[str, int] = dict(state.rows)
        self._ids: list[str | None] = [theme.id for theme in state.book.themes]
        self._means = _roomier(state.centroids)
        self._units = _roomier(state.units)
        count = len(self._ids)
        self._sizes = _roomier(np.array([t.size for t in state.book.themes], np.int64))
        self._pinned = _roomier(np.array([t.pinned for t in state.book.themes], np.bool_))
        self._scopes: dict[Scope, int] = {}
        self._scope_of = _roomier(np.full(count, -1, np.int64))
        for row, theme in enumerate(state.book.themes):
            self._scope_of[row] = self._scope_number(theme.scope)

    # reading

    def theme(self, theme_id: str) -> Theme:
        """Return the theme as it is now. Raises NotFoundError."""
        theme = self.themes.get(theme_id)
        if theme is None:
            raise NotFoundError(
                _("there is no theme {theme_id!r}; `themes list` shows all ids").format(
                    theme_id=theme_id
                )
            )
        return theme

    def centroid(self, theme_id: str) -> NDArray[np.float32]:
        row: NDArray[np.float32] = self._units[self._rows[theme_id]]
        return row

    def similarities(self, direction: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the calibrated similarity of a unit vector to every row, rounded to 1e-6."""
        cosines = np.clip(self._units[: len(self._ids)] @ direction, -1.0, 1.0)
        return np.round(self.inputs.calibrate(cosines.astype(np.float32)), 6)

    def candidates(self, scope: Scope) -> NDArray[np.bool_]:
        """Return which rows hold a theme of exactly this scope."""
        number = self._scopes.get(scope, -2)
        found: NDArray[np.bool_] = self._scope_of[: len(self._ids)] == number
        return found

    def room(self, more: int) -> NDArray[np.bool_]:
        """Return which rows can take `more` members without going over the cap."""
        cap = self.inputs.settings.split_above
        fits: NDArray[np.bool_] = self._sizes[: len(self._ids)] + more <= cap
        return fits

    @property
    def sizes(self) -> NDArray[np.int64]:
        return self._sizes[: len(self._ids)]

    @property
    def pinned(self) -> NDArray[np.bool_]:
        return self._pinned[: len(self._ids)]

    def row(self, theme_id: str) -> int:
        return self._rows[theme_id]

    def id_at(self, row: int) -> str:
        theme_id = self._ids[row]
        assert theme_id is not None, "only rows of living themes are candidates"
        return theme_id

    def parted(self, ones: Iterable[str], others: Iterable[str]) -> bool:
        """Return whether a cannot-link lies between the two sets of records."""
        if not self.cannot:
            return False
        against = set(others)
        partners = self._partners(self.cannot, ones)
        return not partners.isdisjoint(against)

    def must_partners(self, record_id: str) -> set[str]:
        """Return the records that must share a theme with this one."""
        return self._partners(self.must, [record_id]) if self.must else set()

    def links_within(self, members: Sequence[str], links: Iterable[Link]) -> list[tuple[int, int]]:
        """Return the links among `members` as pairs of positions."""
        at = {member: position for position, member in enumerate(members)}
        return sorted((at[a], at[b]) for a, b in links if a in at and b in at)

    # changing

    def put(self, theme: Theme, *, relabel: bool = True) -> None:
        """Add or replace a theme. Its centroid is computed from its members' vectors."""
        old = self.themes.get(theme.id)
        for member in old.members if old is not None else ():
            if self.owners.get(member) == theme.id:
                del self.owners[member]
        for member in theme.members:
            self.owners[member] = theme.id
        self.themes[theme.id] = theme
        self.changed[theme.id] = None
        if relabel:
            self.relabel.add(theme.id)
        row = self._rows.get(theme.id)
        if row is None:
            row = self._new_row(theme)
        if old is None or old.members != theme.members:
            self.refresh(theme.id)
        self._sizes[row] = theme.size
        self._pinned[row] = theme.pinned

    def refresh(self, theme_id: str) -> None:
        """Compute a theme's centroid anew, because members or their vectors may have changed."""
        row = self._rows[theme_id]
        members = self.themes[theme_id].members
        mean = mean_vector(self.inputs.vectors.vectors(members))
        if np.array_equal(mean, self._means[row]):
            return
        self._means[row] = mean
        self._units[row] = unit(mean[None, :])[0]
        self.changed[theme_id] = None

    def drop(self, theme_id: str) -> None:
        """Remove a theme; members that nobody else took are in no theme."""
        theme = self.themes.pop(theme_id)
        for member in theme.members:
            if self.owners.get(member) == theme_id:
                del self.owners[member]
        row = self._rows.pop(theme_id)
        self._ids[row] = None
        self._scope_of[row] = -1
        self._sizes[row] = 0
        self.changed[theme_id] = None

    def found(
        self, members: Sequence[str], scope: Scope, *, pinned: bool = False, label: str = ""
    ) -> Theme:
        """Add a new theme and return it. A given label counts as a human's."""
        now = self.inputs.now
        theme = Theme(
            id=new_theme_id(members, ChainMap[str, object](self.themes, self.changed)),  # type: ignore[arg-type]
            label=label,
            members=tuple(members),
            created_at=now,
            updated_at=now,
            scope=scope,
            label_by_human=bool(label),
            pinned=pinned,
        )
        self.put(theme)
        return theme

    def without(self, theme_id: str, gone: Iterable[str]) -> Theme | None:
        """Take members out; return what is left, None when the theme went with them."""
        theme = self.theme(theme_id)
        leaving = set(gone)
        members = tuple(member for member in theme.members if member not in leaving)
        if not members:
            self.drop(theme_id)
            return None
        left = replace(theme, members=members)
        self.put(left)
        return left

    def unite(self, records: Iterable[str]) -> None:
        """Forget what contradicts a person who put these records into one theme: cannot-links
        among them, and must-links that lead to other themes."""
        group = set(records)
        self.cannot = {(a, b) for a, b in self.cannot if not (a in group and b in group)}
        self.keep_inside(group)

    def keep_inside(self, group: Collection[str]) -> None:
        """Forget must-links from a set of records to records that are in a theme without them."""
        self.must = {
            (a, b)
            for a, b in self.must
            if (a in group) == (b in group) or (b if a in group else a) not in self.owners
        }

    def loosen(self, ones: Iterable[str], others: Iterable[str]) -> set[Link]:
        """Forget must-links between the two sets; returns all pairs between them."""
        right = set(others)
        between = {link(a, b) for a in set(ones) for b in right if a != b}
        self.must -= between
        return between

    def part(self, ones: Iterable[str], others: Iterable[str]) -> None:
        """Note that these records must not meet again, and forget must-links between them."""
        self.cannot |= self.loosen(ones, others)

    # finishing

    def finish(self) -> ThemeState:
        """Return the new state: themes in order, labels and neighbours brought up to date."""
        if not self.changed and self._links_unchanged():
            return self.state
        now = self.inputs.now
        for theme_id in self.changed:
            theme = self.themes.get(theme_id)
            if theme is not None:
                self.themes[theme_id] = replace(theme, updated_at=now)
        themes = ordered(self.themes.values())
        rows = np.array([self._rows[theme.id] for theme in themes], dtype=np.int64)
        units = self._units[rows]
        themes = self._with_neighbours(themes, units, rows)
        themes = label_themes(
            themes,
            [at for at, t in enumerate(themes) if t.id in self.relabel and not t.label_by_human],
            self.inputs,
        )
        book = replace(
            self.state.book,
            themes=themes,
            must_link=frozenset(self.must),
            cannot_link=frozenset(self.cannot),
        )
        return ThemeState(book, self._means[rows])

    def _with_neighbours(
        self, themes: tuple[Theme, ...], units: NDArray[np.float32], rows: NDArray[np.int64]
    ) -> tuple[Theme, ...]:
        ids = [theme.id for theme in themes]
        group = self._scope_of[rows]
        count = self.inputs.settings.neighbours
        changed = np.array([theme_id in self.changed for theme_id in ids], dtype=np.bool_)
        if changed.sum() * 4 > len(ids):
            lists = nearest(units, ids, group, count)
            differing = {
                at: names for at, names in enumerate(lists) if names != themes[at].neighbours
            }
        else:
            before = [theme.neighbours for theme in themes]
            differing = updated(units, ids, group, count, before, changed)
        if not differing:
            return themes
        fresh = list(themes)
        for at, names in differing.items():
            fresh[at] = replace(fresh[at], neighbours=names)
        return tuple(fresh)

    def _links_unchanged(self) -> bool:
        book = self.state.book
        return self.must == book.must_link and self.cannot == book.cannot_link

    def _partners(self, links: set[Link], ones: Iterable[str]) -> set[str]:
        asked = set(ones)
        return {b for a, b in links if a in asked} | {a for a, b in links if b in asked}

    def _scope_number(self, scope: Scope) -> int:
        return self._scopes.setdefault(scope, len(self._scopes))

    def _new_row(self, theme: Theme) -> int:
        row = len(self._ids)
        if row == len(self._means):
            self._means = _roomier(self._means)
            self._units = _roomier(self._units)
            self._sizes = _roomier(self._sizes)
            self._pinned = _roomier(self._pinned)
            self._scope_of = _roomier(self._scope_of)
        self._ids.append(theme.id)
        self._rows[theme.id] = row
        self._scope_of[row] = self._scope_number(theme.scope)
        return row


def _roomier(array: NDArray[_Kind]) -> NDArray[_Kind]:
    """Return a copy with spare rows at the end."""
    spare = max(_SPARE_ROWS, len(array) // 8)
    grown = np.zeros((len(array) + spare, *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown
