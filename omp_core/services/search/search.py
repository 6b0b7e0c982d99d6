"""The search behind the door: what may be asked, and the journal of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError, StoreError
from omp_core.i18n import _
from omp_core.model import Query, Scope, SearchAnswer, SearchLevel, SearchLog, SearchMode
from omp_core.rules.content import storable
from omp_core.services.embedding import EmbeddingService
from omp_core.services.search.candidates import CandidateSearch, SearchRequest
from omp_core.services.search.token_budget import BudgetedAnswer, TokenBudget
from omp_core.services.tiers import TierService
from omp_core.session import Session
from omp_core.store.protocol import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omp_core.services.search.levels import ThemeLevels
    from omp_core.services.themes import Themes

_log = logging.getLogger(__name__)


class SearchService:
    """The part of `Memory` that searches and keeps the log of it."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        tiering: TierService,
        embedding: EmbeddingService,
        themes: Callable[[], Themes],
    ) -> None:
        self._session = session
        self._availability = availability
        self._tiering = tiering
        self._candidates = CandidateSearch(session, availability, embedding)
        self._themes = themes

    def search(
        self,
        text: str,
        *,
        mode: SearchMode = SearchMode.HYBRID,
        query: Query = Query(),  # noqa: B008 - a frozen value
        limit: int | None = None,
        browse: bool = False,
        vector: NDArray[np.float32] | None = None,
        level: SearchLevel | str = SearchLevel.SEMANTIC,
        token_budget: int | None = None,
        expand: bool = True,
    ) -> SearchAnswer:
        """Return the best matches of `text` among the records that `query` lets through.

        Level `theme` gives the themes nearest to the text. Level `all` gives a few of them,
        then records that say different things: the best matches, and with `expand` members of
        near themes and the episodes that any of these records come from. `limit` is how many
        themes or records there may be, episodes aside; `token_budget` cuts the whole answer.

        A search is journalled and its hits count as read, unless it is a person's browsing
        (`browse`). `vector`, of shape (dim,), spares embedding the text. Raises
        InvalidValueError for an empty text or a limit or budget below 1, and SettingsError
        for an unknown profile of weights.
        """
        limit = self._session.settings.search.limit if limit is None else limit
        if not text.strip():
            raise InvalidValueError(_("query: it is empty; say what to look for"))
        for name, value in (("limit", limit), ("token_budget", token_budget)):
            if value is not None and value < 1:
                raise InvalidValueError(
                    _("{name}: {value} is less than 1").format(name=name, value=value)
                )
        started = time.perf_counter()
        mode, level, text = SearchMode(mode), SearchLevel(level), storable(text)
        reach = max(limit, self._session.settings.search.candidates)
        asked = SearchRequest(text, mode, query, self._session.now(), reach, vector)

        def tell(store: Store) -> BudgetedAnswer:
            budget = TokenBudget(token_budget)
            if level is SearchLevel.THEME:
                return self._levels().themes(store, asked, limit, budget)
            if level is SearchLevel.ALL:
                return self._levels().all(store, asked, limit, budget, expand=expand)
            return self._records(store, asked, limit, budget)

        told = self._availability.read(tell)
        answer = SearchAnswer(
            told.hits,
            told.total,
            mode,
            (time.perf_counter() - started) * 1000,
            self._availability.store_down or told.degraded,
            level,
            told.themes,
            told.tokens,
            told.over_budget,
        )
        if not browse:
            self._note(text, query, answer, told.relevance)
        return answer

    def _records(
        self, store: Store, asked: SearchRequest, limit: int, budget: TokenBudget
    ) -> BudgetedAnswer:
        found = self._candidates.found(store, asked)
        hits, relevant = self._candidates.hits(
            store, asked, found.meaning, found.ranked[:limit], found.evidence
        )
        hits = budget.afford(hits, lambda hit: hit.record.content)
        return budget.told(
            hits, total=len(found.ranked), relevance=relevant, degraded=found.degraded
        )

    def _levels(self) -> ThemeLevels:
        from omp_core.services.search.levels import ThemeLevels

        return ThemeLevels(self._session, self._availability, self._candidates, self._themes())

    def _note(
        self, text: str, query: Query, answer: SearchAnswer, relevant: dict[str, float]
    ) -> None:
        """Journal the search and count its hits as read; a store that is down is no obstacle."""
        ids = tuple(hit.record.id for hit in answer.hits)
        themes = tuple(theme.id for theme in answer.themes)
        shown = themes if answer.level is SearchLevel.THEME else ids
        best = (
            max((relevant[theme_id] for theme_id in themes), default=0.0)
            if answer.level is SearchLevel.THEME
            else max((hit.score for hit in answer.hits), default=0.0)
        )
        floor = self._session.settings.search.relevance_floor
        entry = SearchLog(
            self._session.now(),
            self._session.actor,
            _without_secrets(text),
            answer.mode,
            _scope_without_secrets(query.scope),
            shown,
            best,
            answer.latency_ms,
            any(relevant[one] >= floor for one in shown),
        )
        try:
            store = self._availability.store()
            store.log_search(entry)
            if ids:
                self._tiering.accessed(ids)
        except StoreError as error:
            _log.warning("search not journalled: %s", error)


def _without_secrets(text: str) -> str:
    from omp_core.secrets import redact, scan

    found = scan(text)
    return redact(text, found) if found else text


def _scope_without_secrets(scope: Scope) -> Scope:
    return Scope(
        *(
            value and _without_secrets(value)
            for value in (scope.user_id, scope.agent_id, scope.app_id, scope.run_id)
        )
    )
