"""Search over both homes: keyword, semantic, hybrid."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omp_core.errors import EmbeddingError, InvalidValueError, StoreError
from omp_core.i18n import _, ngettext
from omp_core.memory.context import Context
from omp_core.memory.embedding import Embedding
from omp_core.memory.tiering import Tiering
from omp_core.model import Hit, Query, SearchAnswer, SearchLog, SearchMode
from omp_core.rules.content import storable
from omp_core.rules.ranking import Evidence, coverage, rank, wants, worth_showing
from omp_core.store.protocol import Candidate, Store
from omp_core.text.language import script
from omp_core.text.tokens import query_terms, query_tokens, tokens

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from omp_core.embed.protocol import Embedder
    from omp_core.model import Record

_log = logging.getLogger(__name__)

_EMBEDDED_AT_ONCE = 500
"""So many missing vectors are made before a search; more are left to the background."""
_CANDIDATES = 75
"""How many records each way of searching brings into the ranking, or the limit if more."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One search: what, how and where."""

    text: str
    mode: SearchMode
    query: Query
    now: datetime
    reach: int
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True)
class _Meaning:
    """A loaded model with the query's vector, of shape (dim,), and the nearest records."""

    embedder: Embedder
    vector: NDArray[np.float32]
    nearest: list[Candidate]


@dataclass(slots=True)
class _Found:
    """Relevant hits, best first, how relevant each is, and what the search had to do without."""

    hits: list[Hit]
    relevance: dict[str, float] = field(default_factory=dict)
    degraded: str | None = None


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
        InvalidValueError for an empty text or a limit below 1, and SettingsError for an
        unknown profile of weights.
        """
        context = self._context
        limit = context.settings.search.limit if limit is None else limit
        if not text.strip():
            raise InvalidValueError("query: it is empty; say what to look for")
        if limit < 1:
            raise InvalidValueError(f"limit: {limit} is less than 1")
        started = time.perf_counter()
        mode, text = SearchMode(mode), storable(text)
        asked = _Asked(text, mode, query, context.now(), max(limit, _CANDIDATES), vector)
        found = context.read(lambda store: self._found(store, asked))
        answer = SearchAnswer(
            tuple(found.hits[:limit]),
            len(found.hits),
            mode,
            (time.perf_counter() - started) * 1000,
            context.store_down or found.degraded,
        )
        if not browse:
            self._note(text, query, answer, found.relevance)
        return answer

    def _found(self, store: Store, asked: _Asked) -> _Found:
        settings = self._context.settings.search
        meaning, degraded = None, None
        if asked.mode is not SearchMode.KEYWORD:
            meaning, degraded = self._meaning(store, asked)
        by_words: list[Candidate] = []
        if asked.mode is not SearchMode.SEMANTIC or meaning is None:
            words = query_tokens(asked.text)
            by_words = store.keyword(words, asked.query, asked.now, asked.reach)
        evidence = _evidence(store, asked.text, by_words, meaning)
        relevant = worth_showing(evidence, settings)
        hits = rank(
            evidence, asked.mode, settings, asked.now, semantic_available=meaning is not None
        )
        shown = [hit for hit in hits if hit.record.id in relevant]
        return _Found(shown, relevant, degraded)

    def _meaning(self, store: Store, asked: _Asked) -> tuple[_Meaning | None, str | None]:
        """Return what the vectors say, and what is missing of them as a sentence for people."""
        none = _("no vectors: the semantic part is the keyword part")
        embedder = self._context.embedder()
        if embedder is None or embedder.degraded is not None:
            return None, none
        try:
            missing = self._embedding.catch_up(store, _EMBEDDED_AT_ONCE)
            vector = embedder.embed_query(asked.text) if asked.vector is None else asked.vector
        except EmbeddingError as error:
            _log.warning("searching by words only: %s", error)
            return None, none
        nearest = store.nearest(embedder.model_id, vector, asked.query, asked.now, asked.reach)
        degraded = None
        if missing:
            degraded = ngettext(
                "{count} record has no vector yet and is found by its words only",
                "{count} records have no vectors yet and are found by their words only",
                missing,
            ).format(count=missing)
        return _Meaning(embedder, vector, nearest), degraded

    def _note(
        self, text: str, query: Query, answer: SearchAnswer, relevant: dict[str, float]
    ) -> None:
        """Journal the search and count its hits as read; a store that is down is no obstacle."""
        context = self._context
        ids = tuple(hit.record.id for hit in answer.hits)
        floor = context.settings.search.relevance_floor
        entry = SearchLog(
            context.now(),
            context.actor,
            _without_secrets(text),
            answer.mode,
            query.scope,
            ids,
            max((hit.score for hit in answer.hits), default=0.0),
            answer.latency_ms,
            any(relevant[record_id] >= floor for record_id in ids),
        )
        try:
            store = context.store()
            store.log_search(entry)
            if ids:
                self._tiering.accessed(ids)
        except StoreError as error:
            _log.warning("search not journalled: %s", error)


def _evidence(
    store: Store, text: str, by_words: list[Candidate], meaning: _Meaning | None
) -> list[Evidence]:
    """Join both ways; what only the words brought in is compared by its vector as well.

    What the words did not bring in holds none of them, or fewer than all that they did.
    """
    bm25 = {one.id: one.score for one in by_words}
    nearest = [] if meaning is None else meaning.nearest
    records = store.get_many(list(dict.fromkeys([*bm25, *(one.id for one in nearest)])))
    z, similarity = ({}, {}) if meaning is None else _by_meaning(store, text, meaning, records)
    wanted = wants(query_terms(text))
    covered = bm25 or records
    return [
        Evidence(
            record,
            bm25.get(record_id),
            coverage(wanted, set(tokens(record.content))) if record_id in covered else 0.0,
            z.get(record_id),
            similarity.get(record_id),
        )
        for record_id, record in records.items()
    ]


def _by_meaning(
    store: Store, text: str, meaning: _Meaning, records: dict[str, Record]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the z-scored cosines and the calibrated ones of those records that have vectors."""
    import numpy as np

    embedder = meaning.embedder
    cosine = {one.id: one.score for one in meaning.nearest if one.id in records}
    others = [record_id for record_id in records if record_id not in cosine]
    for record_id, values in store.vectors(embedder.model_id, others).items():
        cosine[record_id] = float(values @ meaning.vector)
    ids = list(cosine)
    cosines = np.array([cosine[record_id] for record_id in ids], dtype=np.float32)
    cjk = np.array([script(records[record_id].content) == "cjk" for record_id in ids], dtype=bool)
    scores = embedder.cells.z_scores(cosines, script(text), cjk)
    calibrated = embedder.calibrate(cosines)
    return (
        dict(zip(ids, scores.tolist(), strict=True)),
        dict(zip(ids, calibrated.tolist(), strict=True)),
    )


def _without_secrets(text: str) -> str:
    from omp_core.rules.secrets import redact, scan

    found = scan(text)
    return redact(text, found) if found else text
