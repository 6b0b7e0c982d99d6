"""The theme book of a store: what the project may publish lies in its repository, the rest
beside the store.

Themes never mix scopes, so the scope of a theme decides where it lies: that of the project and
no user in `_omp/memory/themes/`, every other one beside the store, private (design, section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import numpy as np

from omp_core.errors import DocumentError
from omp_core.i18n import _
from omp_core.model import Scope
from omp_core.project.backups import BackupFolder
from omp_core.project.theme_book import ModelMark, OpenBook, ThemeBookFile
from omp_core.rules.themes import Theme, ThemeState, VectorSource
from omp_core.rules.themes.book import Link, ThemeBook, ordered, repaired
from omp_core.rules.themes.inputs import mean_vector
from omp_core.settings import DocumentSettings, ThemeSettings

_PROJECT = "project:"
_MOST_ROUNDS = 20

_Result = TypeVar("_Result")


class _MovedMeanwhileError(Exception):
    """The published book is no longer the one that a change started from."""


def private_folder(store: Path) -> Path:
    """Return the folder of a store's own theme book: `store.themes` beside `store.db`."""
    return store.with_name(f"{store.stem}.themes")


@dataclass(frozen=True, slots=True)
class PublishedBook:
    """The part of a book that lies in the repository: themes of exactly this scope."""

    file: ThemeBookFile
    scope: Scope
    backups: BackupFolder


class ThemeBooks:
    """One theme book made of a private file and, inside a project, a published one."""

    def __init__(
        self,
        private: Path,
        documents: DocumentSettings,
        *,
        legacy_scope: Scope,
        published: PublishedBook | None = None,
    ) -> None:
        self.backups = BackupFolder(private / ".backup", "index.yaml", documents.backups_kept)
        self.private = ThemeBookFile(
            private,
            lock_timeout_s=documents.lock_timeout_s,
            backups=self.backups,
            legacy_scope=legacy_scope,
            private=True,
        )
        self.published = published
        self._joined: tuple[OpenBook, OpenBook, OpenBook] | None = None

    def read(self, model: ModelMark, vectors: VectorSource, settings: ThemeSettings) -> OpenBook:
        """Return both parts as one book. Raises DocumentDamagedError."""
        mine = self.private.read(model, vectors, settings)
        if self.published is None:
            return mine
        theirs = self.published.file.read(model, vectors, settings)
        return self._join(mine, theirs, self.published.scope, vectors)

    def update(
        self,
        model: ModelMark,
        vectors: VectorSource,
        settings: ThemeSettings,
        change: Callable[[OpenBook], tuple[ThemeState, _Result]],
        *,
        now: datetime,
    ) -> tuple[ThemeState, ThemeState, _Result]:
        """Change the book under the lock of its private part; see `ThemeBookFile.update`.

        A part that does not change is not written. `change` may be called again when others
        write the published part meanwhile.
        """
        published = self.published
        if published is None:
            return self.private.update(model, vectors, settings, change, now=now)
        for _round in range(_MOST_ROUNDS):
            try:
                return self._update(published, model, vectors, settings, change, now)
            except _MovedMeanwhileError:
                continue
        raise DocumentError(
            _(
                "{file}: not written: it is being saved by somebody else all the time. "
                "Try again when it is quiet."
            ).format(file=published.file.index)
        )

    def _update(
        self,
        published: PublishedBook,
        model: ModelMark,
        vectors: VectorSource,
        settings: ThemeSettings,
        change: Callable[[OpenBook], tuple[ThemeState, _Result]],
        now: datetime,
    ) -> tuple[ThemeState, ThemeState, _Result]:
        theirs = published.file.read(model, vectors, settings)
        joined: list[tuple[ThemeState, ThemeState]] = []

        def change_mine(mine: OpenBook) -> tuple[ThemeState, _Result]:
            whole = self._join(mine, theirs, published.scope, vectors)
            after, result = change(whole)
            joined.append((whole.state, after))
            my_part, their_part = parted(
                after, whole.state, mine.state, theirs.state, published.scope
            )
            if their_part.book != theirs.state.book:
                self._publish(published.file, theirs, their_part, model, vectors, settings, now)
            return my_part, result

        _before, _after, result = self.private.update(
            model, vectors, settings, change_mine, now=now
        )
        before, after = joined[-1]
        if after.book != before.book:
            newer = replace(after.book, generation=before.book.generation + 1)
            after = ThemeState(newer, after.centroids)
        return before, after, result

    def _publish(
        self,
        file: ThemeBookFile,
        seen: OpenBook,
        wanted: ThemeState,
        model: ModelMark,
        vectors: VectorSource,
        settings: ThemeSettings,
        now: datetime,
    ) -> None:
        def change(opened: OpenBook) -> tuple[ThemeState, None]:
            if opened.state.book != seen.state.book:
                raise _MovedMeanwhileError
            return wanted, None

        file.update(model, vectors, settings, change, now=now)

    def _join(
        self, mine: OpenBook, theirs: OpenBook, scope: Scope, vectors: VectorSource
    ) -> OpenBook:
        held = self._joined
        if held is not None and held[0].state is mine.state and held[1].state is theirs.state:
            return replace(held[2], notes=(*mine.notes, *theirs.notes))
        state = joined_state(mine.state, theirs.state, scope, vectors)
        whole = OpenBook(state, mine.settings, (*mine.notes, *theirs.notes))
        self._joined = (mine, theirs, whole)
        return whole


def joined_state(
    mine: ThemeState, theirs: ThemeState, scope: Scope, vectors: VectorSource
) -> ThemeState:
    """Return one state of both parts; a record that both name stays where it was first.

    Themes that lie in the wrong part are left out: a published one of another scope is
    somebody else's, a private one of the published scope is another workspace's view.
    """
    parts = [(theme, mine.centroids[at]) for at, theme in enumerate(mine.book.themes)]
    parts = [(theme, row) for theme, row in parts if theme.scope != scope]
    parts += [
        (theme, theirs.centroids[at])
        for at, theme in enumerate(theirs.book.themes)
        if theme.scope == scope
    ]
    rows = {theme.id: (theme, row) for theme, row in parts}
    book, _repairs = repaired(
        replace(
            mine.book,
            themes=ordered(theme for theme, _row in parts),
            must_link=mine.book.must_link | theirs.book.must_link,
            cannot_link=mine.book.cannot_link | theirs.book.cannot_link,
            generation=mine.book.generation + theirs.book.generation,
            frames=(
                *(frame for frame in mine.book.frames if frame.scope != scope),
                *(frame for frame in theirs.book.frames if frame.scope == scope),
            ),
        )
    )
    centroids = np.zeros((len(book.themes), vectors.dim), np.float32)
    for at, theme in enumerate(book.themes):
        known = rows.get(theme.id)
        centroids[at] = (
            known[1]
            if known is not None and known[0] is theme
            else mean_vector(vectors.vectors(theme.members))
        )
    return ThemeState(book, centroids)


def parted(
    after: ThemeState, before: ThemeState, mine: ThemeState, theirs: ThemeState, scope: Scope
) -> tuple[ThemeState, ThemeState]:
    """Return the private and the published part of a state that grew out of `before`.

    A link is published when each of its ends is a project fact or was, or is, in a published
    theme: the id of a personal record stays private.
    """
    open_ids = {
        member
        for state in (before, after)
        for theme in state.book.themes
        if theme.scope == scope
        for member in theme.members
    }
    closed = {
        member for theme in after.book.themes if theme.scope != scope for member in theme.members
    }

    def publishable(pair: Link, known: Collection[Link]) -> bool:
        if not closed.isdisjoint(pair):
            return False
        return pair in known or all(one in open_ids or one.startswith(_PROJECT) for one in pair)

    their_must = {pair for pair in after.book.must_link if publishable(pair, theirs.book.must_link)}
    their_cannot = {
        pair for pair in after.book.cannot_link if publishable(pair, theirs.book.cannot_link)
    }
    my_part = _part(after, mine, lambda theme: theme.scope != scope, scope_kept=scope)
    their_part = _part(after, theirs, lambda theme: theme.scope == scope, scope_kept=None)
    return (
        _with_links(
            my_part, after.book.must_link - their_must, after.book.cannot_link - their_cannot
        ),
        _with_links(their_part, frozenset(their_must), frozenset(their_cannot)),
    )


def _part(
    after: ThemeState,
    held: ThemeState,
    ours: Callable[[Theme], bool],
    *,
    scope_kept: Scope | None,
) -> ThemeState:
    """Return the themes of `after` that belong to one file, with those of the file that the
    joined book does not show: they stay as they are."""
    hidden = [
        at
        for at, theme in enumerate(held.book.themes)
        if not ours(theme) and (scope_kept is None or theme.scope == scope_kept)
    ]
    shown = [at for at, theme in enumerate(after.book.themes) if ours(theme)]
    taken = {after.book.themes[at].id for at in shown}
    entries = [(after.book.themes[at], after.centroids[at]) for at in shown]
    entries += [
        (held.book.themes[at], held.centroids[at])
        for at in hidden
        if held.book.themes[at].id not in taken
    ]
    entries.sort(key=lambda entry: (entry[0].created_at, entry[0].id))
    rows = np.zeros((len(entries), after.centroids.shape[1]), np.float32)
    for at, (_theme, row) in enumerate(entries):
        rows[at] = row
    names = {theme.scope for at in shown for theme in [after.book.themes[at]]}
    frames = tuple(
        frame
        for frame in after.book.frames
        if (frame.scope != scope_kept if scope_kept is not None else frame.scope in names)
    )
    if scope_kept is not None:
        frames += tuple(frame for frame in held.book.frames if frame.scope == scope_kept)
    book = replace(held.book, themes=tuple(theme for theme, _row in entries), frames=frames)
    return ThemeState(book, rows)


def _with_links(state: ThemeState, must: frozenset[Link], cannot: frozenset[Link]) -> ThemeState:
    book: ThemeBook = replace(state.book, must_link=must, cannot_link=cannot)
    return ThemeState(book, state.centroids)
