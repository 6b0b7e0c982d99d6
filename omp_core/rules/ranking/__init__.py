"""How search results rank (orchestrator seed, 2, in the form of the design, section 8).

score = w_k * keyword + w_s * semantic + w_r * recency + w_i * importance, each part in 0..1:
keyword is BM25 divided by the best, less when only some of the query's terms hit; semantic is
the cosine, z-scored per (query script, memory script) and divided by the best.
"""

from omp_core.rules.ranking.budget import within_budget
from omp_core.rules.ranking.coverage import Want, coverage, wants
from omp_core.rules.ranking.score import (
    IMPORTANCE_SCORE,
    UNKNOWN_SIMILARITY,
    Evidence,
    rank,
    recency,
    relevance,
    weights,
    worth_showing,
)

__all__ = [
    "IMPORTANCE_SCORE",
    "UNKNOWN_SIMILARITY",
    "Evidence",
    "Want",
    "coverage",
    "rank",
    "recency",
    "relevance",
    "wants",
    "weights",
    "within_budget",
    "worth_showing",
]
