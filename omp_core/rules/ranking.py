"""How search results rank (orchestrator seed, 2, in the form of the design, section 8).

score = w_k * keyword + w_s * semantic + w_r * recency + w_i * importance, each part in 0..1:
keyword is BM25 divided by the best, less when only some of the query's terms hit; semantic is
the cosine z-scored per (query script, memory script) and brought to 0..1 over the candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from omp_core.model import Hit, Importance, Record, ScoreParts, SearchMode
from omp_core.settings import SearchSettings, Weights

IMPORTANCE_SCORE: Mapping[Importance, float] = {
    Importance.HIGH: 1.0,
    Importance.MEDIUM: 0.5,
    Importance.LOW: 0.0,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one candidate: BM25, share of query terms hit, z-scored cosine.

    None means that the candidate was not found on that way.
    """

    record: Record
    bm25: float | None
    coverage: float
    z: float | None


def recency(record: Record, now: datetime, half_life_days: float) -> float:
    """Return 1 for a record of this moment, halved by each half-life since its last change."""
    age_days = max(0.0, (now - record.updated_at).total_seconds() / 86_400)
    return float(0.5 ** (age_days / half_life_days))


def rank(
    evidence: Sequence[Evidence],
    mode: SearchMode,
    settings: SearchSettings,
    now: datetime,
    *,
    semantic_available: bool,
) -> list[Hit]:
    """Return the candidates as hits, best first.

    Without vectors the semantic part falls back to the keyword part (orchestrator seed, 2).
    """
    if not evidence:
        return []
    best = max((one.bm25 for one in evidence if one.bm25 is not None), default=0.0)
    scores = [one.z for one in evidence if one.z is not None]
    low, high = (min(scores), max(scores)) if scores else (0.0, 0.0)
    weights = settings.profiles[settings.profile]
    hits = []
    for one in evidence:
        keyword = one.coverage * one.bm25 / best if one.bm25 is not None and best > 0 else 0.0
        if not semantic_available:
            semantic = keyword
        elif one.z is None:
            semantic = 0.0
        else:
            semantic = (one.z - low) / (high - low) if high > low else 1.0
        parts = ScoreParts(
            keyword,
            semantic,
            recency(one.record, now, settings.recency_half_life_days),
            IMPORTANCE_SCORE[one.record.importance],
        )
        hits.append(Hit(one.record, _score(parts, mode, weights), parts))
    hits.sort(key=lambda hit: (-hit.score, hit.record.id))
    return hits


def _score(parts: ScoreParts, mode: SearchMode, weights: Weights) -> float:
    if mode is SearchMode.KEYWORD:
        return parts.keyword
    if mode is SearchMode.SEMANTIC:
        return parts.semantic
    return (
        weights.keyword * parts.keyword
        + weights.semantic * parts.semantic
        + weights.recency * parts.recency
        + weights.importance * parts.importance
    )
