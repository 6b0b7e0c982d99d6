"""How search results rank (design, section 8). Pure and deterministic.

Each candidate has a score of its own, the weighted sum of its parts in 0..1: keyword is BM25
divided by the best, less when only some of the query's terms hit; semantic is the cosine,
z-scored per (query script, memory script) and divided by the best. Turns of one conversation
then help each other, and share the places that talk has among themselves.
"""

from omp_core.rules.ranking.budget import within_budget
from omp_core.rules.ranking.coherence import PAIRS_WITHIN, Adjacent, coherence
from omp_core.rules.ranking.conversation import (
    Conversation,
    ConversationQuery,
    talk_scores,
    with_conversations,
)
from omp_core.rules.ranking.coverage import Want, coverage, wants
from omp_core.rules.ranking.score import (
    IMPORTANCE_SCORE,
    UNKNOWN_SIMILARITY,
    Evidence,
    Ranked,
    chosen_profile,
    rank,
    recency,
    relevance,
    worth_showing,
)
from omp_core.rules.ranking.traits import (
    EpisodeKey,
    Group,
    Traits,
    asked_days,
    date_words,
    index_tokens,
    says,
    speaker_of,
)

__all__ = [
    "IMPORTANCE_SCORE",
    "PAIRS_WITHIN",
    "UNKNOWN_SIMILARITY",
    "Adjacent",
    "Conversation",
    "ConversationQuery",
    "EpisodeKey",
    "Evidence",
    "Group",
    "Ranked",
    "Traits",
    "Want",
    "asked_days",
    "chosen_profile",
    "coherence",
    "coverage",
    "date_words",
    "index_tokens",
    "rank",
    "recency",
    "relevance",
    "says",
    "speaker_of",
    "talk_scores",
    "wants",
    "with_conversations",
    "within_budget",
    "worth_showing",
]
