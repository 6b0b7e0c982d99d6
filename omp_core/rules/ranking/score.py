"""The score of a hit with its parts, and how relevant a memory is at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from omp_core.errors import SettingsError
from omp_core.model import Hit, Importance, Record, ScoreParts, SearchMode
from omp_core.settings import SHIPPED_PROFILES, SearchSettings, Weights

IMPORTANCE_SCORE: Mapping[Importance, float] = {
    Importance.HIGH: 1.0,
    Importance.MEDIUM: 0.5,
    Importance.LOW: 0.0,
}

UNKNOWN_SIMILARITY = 0.62
"""Taken for the calibrated similarity of a memory that was found by its words and has no
vector: the median of those that have one lies between 0.59 and 0.73 on notes and dialogues,
and 0.62 is the common scale's "same topic" (design, section 6)."""


_COVERAGE_POWER = 0.75
"""How much less words count that cover only a part of the query. Measured with the packaged
model: on LoCoMo the first five hold 54, 53, 52 % of the evidence at powers 0.5, 0.75 and 1;
on notes whose wrong answers share the words, the mean reciprocal rank is 0.40, 0.43, 0.43."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one candidate.

    `bm25` is None when its words did not bring it in; `z` is its cosine, z-scored for query
    and memory script, and `similarity` the same cosine on the common scale, both None when
    it has no vector. `coverage`, 0..1, is the share of what the query asks for.
    """

    record: Record
    bm25: float | None
    coverage: float
    z: float | None
    similarity: float | None = None


def relevance(evidence: Evidence) -> float:
    """Return how much a candidate has to do with the query, 0..1, whatever else there is.

    Words and meaning are independent witnesses, each of which may be right alone (an
    identifier; a translation), so it is 1 - (1 - coverage) * (1 - similarity). Over the
    demo's journalled searches the best relevance tells those that found something from
    those that did not in 95 of 100 pairs; the larger of the two alone does in 91.
    """
    similarity = evidence.similarity
    if similarity is None:
        similarity = UNKNOWN_SIMILARITY if evidence.coverage > 0.0 else 0.0
    return 1.0 - (1.0 - evidence.coverage) * (1.0 - similarity)


def worth_showing(evidence: Sequence[Evidence], settings: SearchSettings) -> dict[str, float]:
    """Return the relevance of the candidates that are not noise, by record id.

    Something is always nearest, also to words that mean nothing. When no memory holds a word
    of the query, the best must therefore reach `found_floor`, or all are noise.
    """
    relevant = {one.record.id: relevance(one) for one in evidence}
    by_words = any(one.coverage > 0.0 for one in evidence)
    if not by_words and max(relevant.values(), default=0.0) < settings.found_floor:
        return {}
    return {
        record_id: value for record_id, value in relevant.items() if value >= settings.shown_floor
    }


def recency(record: Record, now: datetime, half_life_days: float) -> float:
    """Return 1 for a record of this moment, halved by each half-life since its last change."""
    age_days = max(0.0, (now - record.updated_at).total_seconds() / 86_400)
    return float(0.5 ** (age_days / half_life_days))


def weights(settings: SearchSettings) -> Weights:
    """Return the weights of the chosen profile. Raises SettingsError for an unknown name."""
    known = {**SHIPPED_PROFILES, **settings.profiles}
    chosen = known.get(settings.profile)
    if chosen is None:
        raise SettingsError(
            f"search.profile: there is no profile {settings.profile!r};"
            f" known are {', '.join(sorted(known))}"
        )
    return chosen


def rank(
    evidence: Sequence[Evidence],
    mode: SearchMode,
    settings: SearchSettings,
    now: datetime,
    *,
    semantic_available: bool,
) -> list[Hit]:
    """Return the candidates as hits, best first; equal ones by id.

    Without vectors, or for a record that has none yet, the semantic part is the keyword part
    (orchestrator seed, 2).
    """
    chosen = weights(settings)
    best = max((one.bm25 for one in evidence if one.bm25 is not None), default=0.0)
    nearest = max((one.z for one in evidence if one.z is not None), default=0.0)
    hits = []
    for one in evidence:
        keyword = _keyword(one, best)
        parts = ScoreParts(
            keyword,
            keyword if one.z is None or not semantic_available else _share(one.z, nearest),
            recency(one.record, now, settings.recency_half_life_days),
            IMPORTANCE_SCORE[one.record.importance],
        )
        hits.append(Hit(one.record, _score(parts, mode, chosen), parts))
    hits.sort(key=lambda hit: (-hit.score, hit.record.id))
    return hits


def _keyword(one: Evidence, best: float) -> float:
    """Return BM25 as a share of the best, less when only some of the query is covered.

    Memories that merely share some of the query's words are the usual wrong answer (design,
    section 8).
    """
    if one.bm25 is None:
        return 0.0
    return _share(one.bm25, best) * float(one.coverage**_COVERAGE_POWER)


def _share(value: float, best: float) -> float:
    """Return what `value` is of the best, 0..1.

    Zero stays zero: it is what unrelated texts have, of BM25 and of z-scores. Between the
    worst and the best candidate instead, two that are nearly alike would lie at 0 and 1.
    """
    return max(0.0, value) / best if best > 0.0 else 0.0


def _score(parts: ScoreParts, mode: SearchMode, chosen: Weights) -> float:
    if mode is SearchMode.KEYWORD:
        return parts.keyword
    if mode is SearchMode.SEMANTIC:
        return parts.semantic
    return (
        chosen.keyword * parts.keyword
        + chosen.semantic * parts.semantic
        + chosen.recency * parts.recency
        + chosen.importance * parts.importance
    )
