"""Themes near to what a search asks for, and their members."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from omp_core.errors import DocumentError, EmbeddingError
from omp_core.i18n import _, ngettext
from omp_core.language.tokens import query_terms, tokens
from omp_core.model import Query, ThemeHit
from omp_core.rules.ranking import coverage, wants
from omp_core.rules.themes import Theme
from omp_core.services.search.candidates import QueryMeaning, SearchRequest
from omp_core.services.themes import Themes
from omp_core.session import Session
from omp_core.store.protocol import Store

_PLACED_AT_ONCE = 500
"""So many new records find their themes before a search; more wait until themes are rebuilt."""

NearTheme = tuple[ThemeHit, Theme]
"""What is told of a theme, and the theme."""


class Neighbourhood:
    """Finds themes by meaning, or without vectors by the words of their labels."""

    def __init__(self, session: Session, themes: Themes) -> None:
        self._session = session
        self._themes = themes

    def near(
        self, store: Store, asked: SearchRequest, meaning: QueryMeaning | None, most: int
    ) -> tuple[list[NearTheme], str | None]:
        """Return the themes near to the text that have members which the query lets through.

        Besides, what is lacking of them: a book that cannot be read is no obstacle.
        """
        settings, scope = self._session.settings.search, asked.query.scope
        found: list[tuple[Theme, float | None, float]]
        try:
            waiting = self._themes.follow(at_once=_PLACED_AT_ONCE).waiting
            if meaning is None:
                labelled = self._themes.labelled(asked.text, scope=scope, limit=asked.reach)
                found = [
                    (theme, None, words)
                    for theme, words in labelled
                    if words >= settings.shown_floor
                ]
            else:
                nearest = self._themes.nearest(
                    meaning.vector, asked.text, scope=scope, limit=asked.reach
                )
                wanted = wants(query_terms(asked.text))
                found = [
                    (one.theme, one.similarity, coverage(wanted, set(tokens(one.theme.label))))
                    for one in nearest
                    if one.similarity >= settings.theme_floor
                ]
        except (DocumentError, EmbeddingError) as error:
            return [], _("the themes are left out: {reason}").format(reason=error)
        near: list[NearTheme] = []
        for theme, similarity, words in found:
            count = store.count(_only(asked.query, theme.members), asked.now)
            if count:
                near.append((ThemeHit(theme.id, theme.label, count, similarity, words), theme))
            if len(near) == most:
                break
        if not waiting:
            return near, None
        return near, ngettext(
            "{count} record is in no theme yet; `omp-tui themes rebuild` places it",
            "{count} records are in no theme yet; `omp-tui themes rebuild` places them",
            waiting,
        ).format(count=waiting)

    def members(
        self, store: Store, asked: SearchRequest, near: Sequence[NearTheme]
    ) -> frozenset[str]:
        """Return the members, let through by the query, of the themes on the text's topic."""
        from_here = self._session.settings.themes.attach_from
        wanted = [
            member
            for hit, theme in near
            if (hit.words if hit.similarity is None else hit.similarity) >= from_here
            for member in theme.members
        ]
        if not wanted:
            return frozenset()
        held = store.page(_only(asked.query, wanted), asked.now, limit=len(wanted))
        return frozenset(record.id for record in held)


def _only(query: Query, ids: Iterable[str]) -> Query:
    """Return the query with the condition that a record is one of these."""
    wanted = frozenset(ids)
    return replace(query, ids=wanted if query.ids is None else wanted & query.ids)


def theme_relevance(shown: Iterable[ThemeHit]) -> dict[str, float]:
    """Return how much each theme has to do with the text, as `relevance` does of a record."""
    return {
        theme.id: 1.0 - (1.0 - theme.words) * (1.0 - (theme.similarity or 0.0)) for theme in shown
    }
