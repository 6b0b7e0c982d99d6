"""Talk among the memories: whether a group's episodes are it, and its share in a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from omp_core.language.tokens import query_tokens
from omp_core.model import Query
from omp_core.rules.ranking import (
    PAIRS_WITHIN,
    ConversationQuery,
    EpisodeKey,
    Group,
    Ranked,
    chosen_profile,
    coherence,
    talk_scores,
    with_conversations,
)
from omp_core.store.protocol import Store

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from omp_core.settings import SearchSettings

_MEASURED_AGAIN = 0.1
"""Coherence holds until the store has grown by this share (design, section 8)."""


class Conversations:
    """Ranks turns by what was said around them.

    The coherence of a group is measured at its first search and kept for this process.
    """

    def __init__(self, settings: SearchSettings) -> None:
        self._settings = settings
        self._coherence: dict[tuple[str, Group], tuple[int, float]] = {}

    def ranked(
        self,
        store: Store,
        ranked: Sequence[Ranked],
        question: str,
        query: Query,
        now: datetime,
        model_id: str,
        vector: NDArray[np.float32],
    ) -> list[Ranked]:
        """Return the list with its talk in the order of talk; without any, as it was."""
        weights = chosen_profile(self._settings).conversation
        if weights is None:
            return list(ranked)
        coherent = {
            group: self._coherence_of(store, model_id, group) >= weights.coherent_from
            for group in {one.traits.group for one in ranked if one.traits.episode is not None}
        }
        talk = [
            one for one in ranked if one.traits.episode is not None and coherent[one.traits.group]
        ]
        if not talk:
            return list(ranked)
        wanted: dict[EpisodeKey, None] = {}
        for one in talk[: weights.best]:
            key = one.traits.conversation
            if key is not None:
                wanted.setdefault(key)
        held = store.conversations(model_id, list(wanted), query, now, weights.most_turns)
        alone = {turn.id for one in held if len(one.turns) == 1 for turn in one.turns}
        conversations = [one for one in held if len(one.turns) > 1]
        if not conversations:
            return list(ranked)
        scores = talk_scores(
            conversations,
            {one.id: one.part("keyword") for one in talk},
            ConversationQuery(
                vector,
                frozenset(query_tokens(question)),
                now,
                self._settings.recency_half_life_days,
            ),
            weights,
        )
        return with_conversations(
            ranked,
            scores,
            {turn.id: turn for one in conversations for turn in one.turns},
            frozenset(one.id for one in talk if one.id not in alone),
        )

    def _coherence_of(self, store: Store, model_id: str, group: Group) -> float:
        key = (model_id, group)
        size = store.mark()
        known = self._coherence.get(key)
        if known is None or abs(size - known[0]) > _MEASURED_AGAIN * known[0]:
            pairs = store.adjacent(model_id, group, PAIRS_WITHIN)
            known = self._coherence[key] = (size, coherence(pairs))
        return known[1]
