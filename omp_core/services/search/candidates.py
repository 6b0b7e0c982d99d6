"""Which records match a text, by words and by meaning, and how well."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.errors import EmbeddingError
from omp_core.i18n import _, ngettext
from omp_core.language.language import script
from omp_core.language.tokens import held_words, query_terms, query_tokens, tokens
from omp_core.model import Hit, Query, SearchMode
from omp_core.rules.ranking import (
    Evidence,
    Ranked,
    Traits,
    asked_days,
    coverage,
    rank,
    relevance,
    wants,
    worth_showing,
)
from omp_core.rules.topics import topics_of
from omp_core.services.embedding import EmbeddingService
from omp_core.services.search.talk import Conversations
from omp_core.session import Session
from omp_core.store.protocol import Candidate, Store

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from omp_core.embed.protocol import Embedder

_log = logging.getLogger(__name__)

_EMBEDDED_AT_ONCE = 500
"""So many missing vectors are made before a search; more are left to the background."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search: what, how and where. `reach` is how many records each way brings in."""

    text: str
    mode: SearchMode
    query: Query
    now: datetime
    reach: int
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True)
class QueryMeaning:
    """A loaded model with the query's vector, of shape (dim,), and the nearest records."""

    embedder: Embedder
    vector: NDArray[np.float32]
    nearest: list[Candidate]


@dataclass(slots=True)
class Candidates:
    """Relevant records, best first, what is known of them, and what the search had to do
    without.
    """

    ranked: list[Ranked]
    evidence: list[Evidence]
    meaning: QueryMeaning | None
    degraded: str | None = None


class CandidateSearch:
    """Finds records by words and by meaning, and ranks them."""

    def __init__(
        self, session: Session, availability: Availability, embedding: EmbeddingService
    ) -> None:
        self._session = session
        self._availability = availability
        self._embedding = embedding
        self._conversations = Conversations(session.settings.search)

    def found(self, store: Store, asked: SearchRequest) -> Candidates:
        """Return the records that match, those left out that have nothing to do with it."""
        meaning, degraded = self.meaning(store, asked)
        by_words = self.by_words(store, asked, meaning)
        evidence = evidence_of(store, asked.text, by_words, meaning)
        relevant = worth_showing(evidence, self._session.settings.search)
        ranked = [one for one in self.ranked(asked, meaning, evidence) if one.id in relevant]
        ranked = self.with_conversations(store, asked, meaning, ranked)
        return Candidates(ranked, evidence, meaning, degraded)

    def ranked(
        self, asked: SearchRequest, meaning: QueryMeaning | None, evidence: Sequence[Evidence]
    ) -> list[Ranked]:
        """Return the candidates by their own scores."""
        return rank(
            evidence,
            asked.mode,
            script(asked.text),
            self._session.settings.search,
            asked.now,
            semantic_available=meaning is not None,
            topics=topics_of(frozenset(tokens(asked.text))),
        )

    def with_conversations(
        self, store: Store, asked: SearchRequest, meaning: QueryMeaning | None, ranked: list[Ranked]
    ) -> list[Ranked]:
        """Return a hybrid search's list with its talk in the order of talk.

        It is not longer than the search reaches, or than it was.
        """
        if meaning is None or asked.mode is not SearchMode.HYBRID:
            return ranked
        placed = self._conversations.ranked(
            store,
            ranked,
            asked.text,
            asked.query,
            asked.now,
            meaning.embedder.model_id,
            meaning.vector,
        )
        return placed[: max(asked.reach, len(ranked))]

    def hits(
        self,
        store: Store,
        asked: SearchRequest,
        meaning: QueryMeaning | None,
        ranked: Sequence[Ranked],
        evidence: Sequence[Evidence],
    ) -> tuple[list[Hit], dict[str, float]]:
        """Return the records of a ranked list as hits, and how relevant each is by its id.

        One that only its conversation brought in is looked at here for the first time.
        """
        known = {one.id: one for one in evidence}
        records = store.get_many([one.id for one in ranked])
        strangers = [one.traits for one in ranked if one.id not in known]
        known |= {one.id: one for one in _of_conversations(store, asked.text, meaning, strangers)}
        wanted = frozenset(query_tokens(asked.text))
        hits = [
            Hit(
                records[one.id],
                one.score,
                one.parts,
                similarity=known[one.id].similarity,
                words=held_words(records[one.id].content, wanted),
            )
            for one in ranked
            if one.id in records
        ]
        return hits, {hit.record.id: relevance(known[hit.record.id]) for hit in hits}

    def meaning(
        self, store: Store, asked: SearchRequest, *, records: bool = True
    ) -> tuple[QueryMeaning | None, str | None]:
        """Return what the vectors say, and what is missing of them as a sentence for people.

        Nothing of either in a search by words only, or for words that mean nothing to the
        model: a memory that holds one of them may be meant, a near one is not. Without `records`
        only the query itself is embedded.
        """
        if asked.mode is SearchMode.KEYWORD:
            return None, None
        none = _("no vectors: the semantic part is the keyword part")
        embedder = self._availability.embedder()
        if embedder is None or embedder.degraded is not None:
            return None, none
        try:
            if asked.vector is None and not embedder.legible(asked.text):
                return None, None
            missing = self._embedding.catch_up(store, _EMBEDDED_AT_ONCE)
            vector = embedder.embed_query(asked.text) if asked.vector is None else asked.vector
        except EmbeddingError as error:
            _log.warning("searching by words only: %s", error)
            return None, none
        nearest: list[Candidate] = []
        if records:
            nearest = store.nearest(embedder.model_id, vector, asked.query, asked.now, asked.reach)
        degraded = None
        if missing:
            degraded = ngettext(
                "{count} record has no vector yet and is found by its words only",
                "{count} records have no vectors yet and are found by their words only",
                missing,
            ).format(count=missing)
        return QueryMeaning(embedder, vector, nearest), degraded

    def by_words(
        self, store: Store, asked: SearchRequest, meaning: QueryMeaning | None
    ) -> list[Candidate]:
        """Return what the words bring in; nothing in a search by meaning that has vectors."""
        if asked.mode is SearchMode.SEMANTIC and meaning is not None:
            return []
        words = [*query_tokens(asked.text), *asked_days(asked.text)]
        return store.keyword(words, asked.query, asked.now, asked.reach)


def evidence_of(
    store: Store,
    text: str,
    by_words: list[Candidate],
    meaning: QueryMeaning | None,
    also: Sequence[str] = (),
) -> list[Evidence]:
    """Join both ways; what only the words brought in is compared by its vector as well.

    What the words did not bring in holds none of them, or fewer than all that they did. The
    records `also` are looked at besides; their words must be among `by_words`.
    """
    bm25 = {one.id: one.score for one in by_words}
    cosine = {} if meaning is None else {one.id: one.score for one in meaning.nearest}
    traits = store.traits(list(dict.fromkeys([*bm25, *cosine, *also])))
    z, similarity = ({}, {}) if meaning is None else _by_meaning(store, text, meaning, traits)
    wanted = wants([*query_terms(text), *((day,) for day in asked_days(text))])
    covered = bm25 or traits
    return [
        Evidence(
            one,
            bm25.get(record_id),
            coverage(wanted, one.tokens) if record_id in covered else 0.0,
            z.get(record_id),
            similarity.get(record_id),
        )
        for record_id, one in traits.items()
    ]


def _of_conversations(
    store: Store, text: str, meaning: QueryMeaning | None, turns: Sequence[Traits]
) -> list[Evidence]:
    if not turns:
        return []
    alone = None if meaning is None else replace(meaning, nearest=[])
    return evidence_of(store, text, [], alone, [turn.id for turn in turns])


def _by_meaning(
    store: Store, text: str, meaning: QueryMeaning, traits: dict[str, Traits]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the z-scored cosines and the calibrated ones of those records that have vectors."""
    import numpy as np

    embedder = meaning.embedder
    cosine = {one.id: one.score for one in meaning.nearest if one.id in traits}
    others = [record_id for record_id in traits if record_id not in cosine]
    for record_id, values in store.vectors(embedder.model_id, others).items():
        cosine[record_id] = float(values @ meaning.vector)
    ids = list(cosine)
    cosines = np.array([cosine[record_id] for record_id in ids], dtype=np.float32)
    cjk = np.array([traits[record_id].script == "cjk" for record_id in ids], dtype=bool)
    scores = embedder.cells.z_scores(cosines, script(text), cjk)
    calibrated = embedder.calibrate(cosines)
    return (
        dict(zip(ids, scores.tolist(), strict=True)),
        dict(zip(ids, calibrated.tolist(), strict=True)),
    )
