"""Taking back what must not be published: personal themes in the project's repository."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from omp_core.i18n import ngettext
from omp_core.model import Record, Scope
from omp_core.project.backups import BackupFolder
from omp_core.project.theme_book import ModelMark, OpenBook
from omp_core.rules.themes import Theme, ThemeState, VectorSource, theme_scope
from omp_core.rules.themes.book import Link, new_theme_id, ordered
from omp_core.rules.themes.inputs import mean_vector
from omp_core.services.themes.books import PublishedBook, ThemeBooks
from omp_core.settings import ThemeSettings
from omp_core.store.protocol import Store

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What lies in a published book and is this person's: themes to move, themes that stay."""

    taken: tuple[Theme, ...]
    left: tuple[Theme, ...]
    personal: frozenset[str]
    """Ids of this store that must not be named in the repository."""

    def touches(self, pair: Link) -> bool:
        """Return whether a link names a personal record."""
        return not self.personal.isdisjoint(pair)


def judged(themes: Sequence[Theme], scope: Scope, store: Store) -> Withdrawal:
    """Return which of the published themes hold records of this store that are personal.

    A record is publishable when it belongs to the project (`scope`) and to no user. Ids that
    the store has never seen are somebody else's and stay.
    """
    members = [member for theme in themes for member in theme.members]
    held = store.get_many(members)
    personal = {member for member, record in held.items() if theme_scope(record.scope) != scope}
    personal |= {
        member
        for theme in themes
        if theme.scope != scope
        for member in theme.members
        if member not in held and store.history(member)
    }
    taken: list[Theme] = []
    left: list[Theme] = []
    for theme in themes:
        mine = tuple(member for member in theme.members if member in personal)
        rest = tuple(member for member in theme.members if member not in personal)
        if not mine:
            left.append(theme)
            continue
        taken.append(replace(theme, members=mine, scope=_scope_of(mine, held, theme.scope)))
        if rest:
            # The label may have been made of personal words: the machine names it again.
            name = new_theme_id(rest, [theme.id])
            left.append(replace(theme, id=name, members=rest, label="", label_by_human=False))
    return Withdrawal(tuple(taken), tuple(left), frozenset(personal))


def withdraw(
    books: ThemeBooks,
    model: ModelMark,
    vectors: VectorSource,
    settings: ThemeSettings,
    store: Store,
    now: datetime,
) -> str | None:
    """Move personal themes, their links and the kept versions of the book out of the
    repository, and return the sentence to tell about it; None when there was nothing.

    They are written beside the store before they leave the repository: a crash between the
    two is mended by the next look. Raises DocumentError.
    """
    published = books.published
    if published is None:
        return None
    opened = published.file.read(model, vectors, settings)
    found = judged(opened.state.book.themes, published.scope, store)
    if not found.taken:
        return None
    _take_in(books, found, opened, model, vectors, settings, now)
    _leave(published, found, model, vectors, settings, store, now)
    _move_backups(published.backups, books.backups, now)
    return ngettext(
        "moved {count} personal theme from {file} to your own folder. The history of the "
        "repository may still hold it",
        "moved {count} personal themes from {file} to your own folder. The history of the "
        "repository may still hold them",
        len(found.taken),
    ).format(count=len(found.taken), file="_omp/memory/themes/")


def _take_in(
    books: ThemeBooks,
    found: Withdrawal,
    opened: OpenBook,
    model: ModelMark,
    vectors: VectorSource,
    settings: ThemeSettings,
    now: datetime,
) -> None:
    def change(mine: OpenBook) -> tuple[ThemeState, None]:
        owned = mine.state.owners
        ids = set(mine.state.rows)
        fresh = []
        for theme in found.taken:
            members = tuple(member for member in theme.members if member not in owned)
            if members:
                name = theme.id if theme.id not in ids else new_theme_id(members, ids)
                ids.add(name)
                fresh.append(replace(theme, id=name, members=members, neighbours=()))
        book = opened.state.book
        return _with(
            mine.state,
            [*mine.state.book.themes, *fresh],
            mine.state.book.must_link | set(filter(found.touches, book.must_link)),
            mine.state.book.cannot_link | set(filter(found.touches, book.cannot_link)),
            vectors,
        ), None

    books.private.update(model, vectors, settings, change, now=now)


def _leave(
    published: PublishedBook,
    found: Withdrawal,
    model: ModelMark,
    vectors: VectorSource,
    settings: ThemeSettings,
    store: Store,
    now: datetime,
) -> None:
    def change(theirs: OpenBook) -> tuple[ThemeState, None]:
        book = theirs.state.book
        again = judged(book.themes, published.scope, store)
        personal = found.personal | again.personal
        return _with(
            theirs.state,
            again.left,
            frozenset(pair for pair in book.must_link if personal.isdisjoint(pair)),
            frozenset(pair for pair in book.cannot_link if personal.isdisjoint(pair)),
            vectors,
        ), None

    published.file.update(model, vectors, settings, change, now=now, keep_backup=False)


def _with(
    state: ThemeState,
    themes: Sequence[Theme],
    must: frozenset[Link],
    cannot: frozenset[Link],
    vectors: VectorSource,
) -> ThemeState:
    placed = ordered(themes)
    known = {theme.id: (theme, state.centroids[at]) for at, theme in enumerate(state.book.themes)}
    names = {theme.id for theme in placed}
    rows = np.zeros((len(placed), vectors.dim), np.float32)
    for at, theme in enumerate(placed):
        before = known.get(theme.id)
        same = before is not None and before[0].members == theme.members
        rows[at] = before[1] if before and same else mean_vector(vectors.vectors(theme.members))
    kept = tuple(
        replace(theme, neighbours=tuple(name for name in theme.neighbours if name in names))
        for theme in placed
    )
    book = replace(state.book, themes=kept, must_link=must, cannot_link=cannot)
    return ThemeState(book, rows)


def _scope_of(members: Sequence[str], held: dict[str, Record], otherwise: Scope) -> Scope:
    scopes = [theme_scope(held[member].scope) for member in members if member in held]
    return max(set(scopes), key=lambda one: (scopes.count(one), repr(one))) if scopes else otherwise


def _move_backups(source: BackupFolder, target: BackupFolder, now: datetime) -> None:
    """Move the kept versions: they name the same themes. Each is whole in one place or both."""
    for version in reversed(source.versions()):
        try:
            target.keep(version.file.read_bytes(), now)
            version.file.unlink()
        except OSError as error:
            _log.warning("%s was not moved: %s", version.file, error)
