"""Which records match a text, by words and by meaning, and how well."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.errors import EmbeddingError
from omp_core.i18n import _, ngettext
from omp_core.language.language import script
from omp_core.language.tokens import query_terms, query_tokens, tokens
from omp_core.model import Hit, Query, SearchMode
from omp_core.rules.ranking import Evidence, coverage, rank, wants, worth_showing
from omp_core.services.embedding import Embedding
from omp_core.session import Session
from omp_core.store.protocol import Candidate, Store

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from omp_core.embed.protocol import Embedder
    from omp_core.model import Record

_log = logging.getLogger(__name__)

_EMBEDDED_AT_ONCE = 500
"""So many missing vectors are made before a search; more are left to the background."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One search: what, how and where. `reach` is how many records each way brings in."""

    text: str
    mode: SearchMode
    query: Query
    now: datetime
    reach: int
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True)
class Meaning:
    """A loaded model with the query's vector, of shape (dim,), and the nearest records."""

    embedder: Embedder
    vector: NDArray[np.float32]
    nearest: list[Candidate]


@dataclass(slots=True)
class Found:
    """Relevant hits, best first, how relevant each is, and what the search had to do without."""

    hits: list[Hit]
    relevance: dict[str, float] = field(default_factory=dict)
    degraded: str | None = None


class Matching:
    """Finds records by words and by meaning."""

    def __init__(self, session: Session, availability: Availability, embedding: Embedding) -> None:
        self._session = session
        self._availability = availability
        self._embedding = embedding

    def found(self, store: Store, asked: Asked) -> Found:
        """Return the records that match, those left out that have nothing to do with it."""
        settings = self._session.settings.search
        meaning, degraded = self.meaning(store, asked)
        by_words = self.by_words(store, asked, meaning)
        evidence = evidence_of(store, asked.text, by_words, meaning)
        relevant = worth_showing(evidence, settings)
        hits = rank(
            evidence, asked.mode, settings, asked.now, semantic_available=meaning is not None
        )
        shown = [hit for hit in hits if hit.record.id in relevant]
        return Found(shown, relevant, degraded)

    def meaning(
        self, store: Store, asked: Asked, *, records: bool = True
    ) -> tuple[Meaning | None, str | None]:
        """Return what the vectors say, and what is missing of them as a sentence for people.

        Nothing of either in a search by words only. Without `records` only the query itself
        is embedded.
        """
        if asked.mode is SearchMode.KEYWORD:
            return None, None
        none = _("no vectors: the semantic part is the keyword part")
        embedder = self._availability.embedder()
        if embedder is None or embedder.degraded is not None:
            return None, none
        try:
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
        return Meaning(embedder, vector, nearest), degraded

    def by_words(self, store: Store, asked: Asked, meaning: Meaning | None) -> list[Candidate]:
        """Return what the words bring in; nothing in a search by meaning that has vectors."""
        if asked.mode is SearchMode.SEMANTIC and meaning is not None:
            return []
        return store.keyword(query_tokens(asked.text), asked.query, asked.now, asked.reach)


def evidence_of(
    store: Store,
    text: str,
    by_words: list[Candidate],
    meaning: Meaning | None,
    also: Sequence[str] = (),
) -> list[Evidence]:
    """Join both ways; what only the words brought in is compared by its vector as well.

    What the words did not bring in holds none of them, or fewer than all that they did. The
    records `also` are looked at besides; their words must be among `by_words`.
    """
    bm25 = {one.id: one.score for one in by_words}
    nearest = [] if meaning is None else meaning.nearest
    wanted_ids = dict.fromkeys([*bm25, *(one.id for one in nearest), *also])
    records = store.get_many(list(wanted_ids))
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
    store: Store, text: str, meaning: Meaning, records: dict[str, Record]
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
