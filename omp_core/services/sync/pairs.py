"""Pairs of a project fact and a user record that may speak of the same thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.i18n import _
from omp_core.language.tokens import query_terms
from omp_core.model import Category, Dispute, DisputeKind, Home, Query, Record
from omp_core.rules.sync import keywords, statement_of, subject
from omp_core.services.embedding import EmbeddingService
from omp_core.session import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omp_core.store.protocol import Candidate, Store

PROJECT_ACTOR = "project"
"""Who speaks for the documents in a dispute: `project:<app_id>`."""
_WANTED = 20
"""How many records each way of looking should bring beside one fact."""
_CROWD = 3 * _WANTED
_MOST_WORDS = 40
Progress = Callable[[int, int], None]
_OF_THE_PAST = frozenset({Category.EPISODE, Category.CONCEPT})
"""What happened once contradicts nothing that holds now, nor does the summary of a theme."""


@dataclass(frozen=True, slots=True)
class HomePair:
    """The ids of both sides, and how alike their texts are: calibrated, None without vectors."""

    fact_id: str
    record_id: str
    similarity: float | None


@dataclass(frozen=True, slots=True)
class HomePairs:
    """All pairs of a project, the number of facts looked at, and what it had to do without."""

    pairs: tuple[HomePair, ...]
    facts: int
    degraded: str | None


class PairSearch:
    """Finds for each fact the user records that are near it, by meaning and by words."""

    def __init__(
        self, session: Session, availability: Availability, embedding: EmbeddingService
    ) -> None:
        self._session = session
        self._availability = availability
        self._embedding = embedding

    def pairs(self, app_id: str, progress: Progress | None = None) -> HomePairs:
        """Return the pairs of this project's facts with its records and those of no project.

        Records that are bound to one session are left alone. What is disputed already is a
        pair in any case, even if the fact is gone. `progress` is told how many
        facts were looked at, and of how many. Raises StoreUnavailableError.
        """
        store, now = self._availability.store(), self._session.now()
        embedder = self._availability.embedder()
        degraded = None
        if embedder is None or embedder.degraded is not None:
            degraded = _("no vectors: memories are found by their words only")
            embedder = None
        else:
            self._embedding.embed_missing()
        facts = [
            fact
            for fact in store.iterate(Query(home=Home.PROJECT), now)
            if fact.category not in _OF_THE_PAST
        ]
        model = None if embedder is None else embedder.model_id
        vectors = {} if model is None else store.vectors(model, [fact.id for fact in facts])
        found: dict[str, list[str]] = {}
        for number, fact in enumerate(facts, start=1):
            found[fact.id] = self._beside(store, fact, app_id, model, vectors.get(fact.id))
            if progress is not None:
                progress(number, len(facts))
        for record in store.iterate(Query(home=Home.USER, disputed=True), now):
            for dispute in record.disputes:
                if dispute.other_id is not None and is_of_project(dispute, record, app_id):
                    found.setdefault(dispute.other_id, []).append(record.id)
        return HomePairs(tuple(self._measured(store, found)), len(facts), degraded)

    def _beside(
        self,
        store: Store,
        fact: Record,
        app_id: str,
        model: str | None,
        vector: NDArray[np.float32] | None,
    ) -> list[str]:
        now = self._session.now()
        words = _words(fact)

        def near(query: Query, limit: int) -> list[Candidate]:
            if model is None or vector is None:
                return []
            return store.nearest(model, vector, query, now, limit)

        def worded(query: Query, limit: int) -> list[Candidate]:
            return store.keyword(words, query, now, limit) if words else []

        return [one for look in (near, worded) for one in self._looked_up(store, look, app_id)]

    def _looked_up(
        self, store: Store, look: Callable[[Query, int], list[Candidate]], app_id: str
    ) -> list[str]:
        """Return the best candidates of this project and of none.

        Asking for those alone is slow in a large store, so that is done only where the records
        of other projects crowd them out.
        """
        found = [one.id for one in look(Query(home=Home.USER), _CROWD)]
        mine = [
            record_id
            for record_id, record in store.get_many(found).items()
            if record.scope.app_id in (app_id, None) and record.scope.run_id is None
        ]
        if len(mine) >= _WANTED or len(found) < _CROWD:
            return mine
        own, free = (
            Query(home=Home.USER, metadata={"app_id": app, "run_id": None})
            for app in (app_id, None)
        )
        return [one.id for query in (own, free) for one in look(query, _WANTED)]

    def _measured(self, store: Store, found: dict[str, list[str]]) -> Iterable[HomePair]:
        embedder = self._availability.ready_embedder()
        pairs = [(fact, one) for fact, ids in found.items() for one in dict.fromkeys(ids)]
        if embedder is None or embedder.degraded is not None or not pairs:
            return [HomePair(fact, record, None) for fact, record in pairs]
        import numpy as np

        named = list(dict.fromkeys(one for pair in pairs for one in pair))
        vectors = store.vectors(embedder.model_id, named)
        held = [(fact, one) for fact, one in pairs if fact in vectors and one in vectors]
        cosines = np.array(
            [float(vectors[fact] @ vectors[record]) for fact, record in held], dtype=np.float32
        )
        likeness = dict(zip(held, embedder.calibrate(cosines).tolist(), strict=True))
        return [HomePair(fact, record, likeness.get((fact, record))) for fact, record in pairs]


def is_of_project(dispute: Dispute, record: Record, app_id: str) -> bool:
    """Return whether a dispute on a record is with the documents of this project.

    The id of a fact alone does not tell: other projects have a `project.yaml` too.
    """
    if dispute.kind is not DisputeKind.CROSS_HOME:
        return False
    if dispute.incoming_actor == PROJECT_ACTOR:
        return record.scope.app_id in (None, app_id)
    return dispute.incoming_actor == f"{PROJECT_ACTOR}:{app_id}"


def _words(fact: Record) -> Sequence[str]:
    """Return what to look for: the words of the fact's keys, in both languages, and its value."""
    statement = statement_of(fact)
    said = [*keywords(subject(statement.about)), statement.value]
    found = dict.fromkeys(word for text in said for term in query_terms(text) for word in term)
    return list(found)[:_MOST_WORDS]
