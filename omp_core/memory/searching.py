"""Search over both homes: keyword, semantic, hybrid."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from omp_core.errors import InvalidValueError, StoreError
from omp_core.i18n import _, ngettext
from omp_core.memory.context import Context
from omp_core.memory.embedding import Embedding
from omp_core.memory.tiering import Tiering
from omp_core.model import Hit, Query, SearchAnswer, SearchLog, SearchMode
from omp_core.rules.ranking import Evidence, rank
from omp_core.store.protocol import Candidate, Store
from omp_core.text.language import script
from omp_core.text.tokens import query_terms, tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omp_core.embed.protocol import Embedder

_log = logging.getLogger(__name__)

_EMBEDDED_AT_ONCE = 500
"""So many missing vectors are made before a search; more are left to the background."""
_CANDIDATES = 100
"""How many records each way of searching brings into the ranking."""


class Searching:
    """The part of `Memory` that searches and keeps the log of it."""

    def __init__(self, context: Context, tiering: Tiering, embedding: Embedding) -> None:
        self._context = context
        self._embedding = embedding
        self._tiering = tiering

    def search(
        self,
        text: str,
        *,
        mode: SearchMode = SearchMode.HYBRID,
        query: Query = Query(),  # noqa: B008 - a frozen value
        limit: int | None = None,
        browse: bool = False,
        vector: NDArray[np.float32] | None = None,
    ) -> SearchAnswer:
        """Return the best matches of `text` among the records that `query` lets through.

        A search is journalled and its hits count as read, unless it is a person's browsing
        (`browse`). `vector`, of shape (dim,), spares embedding the text. Raises
        InvalidValueError for an empty text or a limit below 1.
        """
        context = self._context
        limit = context.settings.search.limit if limit is None else limit
        if not text.strip():
            raise InvalidValueError("query: it is empty; say what to look for")
        if limit < 1:
            raise InvalidValueError(f"limit: {limit} is less than 1")
        started = time.perf_counter()
        hits, relevant, degraded = context.read(
            lambda store: self._ranked(store, text, mode, query, vector)
        )
        answer = SearchAnswer(
            tuple(hits[:limit]),
            len(hits),
            mode,
            (time.perf_counter() - started) * 1000,
            degraded,
        )
        if not browse:
            self._note(text, query, answer, relevant)
        return answer

    def _ranked(
        self,
        store: Store,
        text: str,
        mode: SearchMode,
        query: Query,
        vector: NDArray[np.float32] | None,
    ) -> tuple[list[Hit], dict[str, float], str | None]:
        """Return the hits, how relevant each is, and what the answer has to do without."""
        context = self._context
        now = context.now()
        terms = query_terms(text)
        words = list(dict.fromkeys(token for term in terms for token in term))
        by_keyword = (
            store.keyword(words, query, now, _CANDIDATES)
            if words and mode is not SearchMode.SEMANTIC
            else []
        )
        degraded = context.store_down
        by_vector: list[Candidate] = []
        embedder = None
        if mode is not SearchMode.KEYWORD:
            embedder = context.embedder()
            if embedder is None or embedder.degraded is not None:
                degraded = degraded or _("no vectors: the semantic part is the keyword part")
                embedder = None
                if mode is SearchMode.SEMANTIC and words:
                    by_keyword = store.keyword(words, query, now, _CANDIDATES)
            else:
                missing = self._embedding.catch_up(store, _EMBEDDED_AT_ONCE)
                if missing:
                    degraded = degraded or ngettext(
                        "{count} record has no vector yet and is found by its words only",
                        "{count} records have no vectors yet and are found by their words only",
                        missing,
                    ).format(count=missing)
                values = embedder.embed_query(text) if vector is None else vector
                by_vector = store.nearest(embedder.model_id, values, query, now, _CANDIDATES)
        evidence, relevant = self._evidence(store, text, terms, by_keyword, by_vector, embedder)
        hits = rank(
            evidence,
            mode,
            context.settings.search,
            now,
            semantic_available=embedder is not None,
        )
        return [hit for hit in hits if hit.record.id in relevant], relevant, degraded

    def _evidence(
        self,
        store: Store,
        text: str,
        terms: list[tuple[str, ...]],
        by_keyword: list[Candidate],
        by_vector: list[Candidate],
        embedder: Embedder | None,
    ) -> tuple[list[Evidence], dict[str, float]]:
        """Join both ways, and say of each candidate above the floor how relevant it is, 0..1.

        Relevance is absolute, unlike the parts of the score: the share of the query's terms
        that hit, or the calibrated similarity, whichever is more.
        """
        bm25 = {one.id: one.score for one in by_keyword}
        z: dict[str, float] = {}
        relevance: dict[str, float] = {}
        if embedder is not None and by_vector:
            import numpy as np

            ids = [one.id for one in by_vector]
            cosines = np.array([one.score for one in by_vector], dtype=np.float32)
            cjk = np.array([one.script == "cjk" for one in by_vector])
            scores = embedder.cells.z_scores(cosines, script(text), cjk)
            z = dict(zip(ids, scores.tolist(), strict=True))
            relevance = dict(zip(ids, embedder.calibrate(cosines).tolist(), strict=True))
        evidence = []
        records = store.get_many(list(dict.fromkeys([*bm25, *z])))
        for record_id, record in records.items():
            coverage = 0.0
            if record_id in bm25 and terms:
                held = set(tokens(record.content))
                coverage = sum(not held.isdisjoint(term) for term in terms) / len(terms)
                relevance[record_id] = max(coverage, relevance.get(record_id, 0.0))
            evidence.append(Evidence(record, bm25.get(record_id), coverage, z.get(record_id)))
        floor = self._context.settings.search.relevance_floor
        return evidence, {
            record_id: value
            for record_id, value in relevance.items()
            if value >= floor or record_id in bm25
        }

    def _note(
        self, text: str, query: Query, answer: SearchAnswer, relevant: dict[str, float]
    ) -> None:
        """Journal the search and count its hits as read; a store that is down is no obstacle."""
        context = self._context
        ids = tuple(hit.record.id for hit in answer.hits)
        floor = context.settings.search.relevance_floor
        best = max((relevant[record_id] for record_id in ids), default=0.0)
        entry = SearchLog(
            context.now(),
            context.actor,
            _without_secrets(text),
            answer.mode,
            query.scope,
            ids,
            max((hit.score for hit in answer.hits), default=0.0),
            answer.latency_ms,
            best >= floor,
        )
        try:
            store = context.store()
            store.log_search(entry)
            if ids:
                self._tiering.accessed(ids)
        except StoreError as error:
            _log.warning("search not journalled: %s", error)


def _without_secrets(text: str) -> str:
    from omp_core.rules.secrets import redact, scan

    found = scan(text)
    return redact(text, found) if found else text
