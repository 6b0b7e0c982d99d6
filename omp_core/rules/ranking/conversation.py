"""Talk: turns of one conversation help each other, and take the places that talk has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from omp_core.language.tokens import tokens
from omp_core.rules.ranking.score import Ranked, recency
from omp_core.rules.ranking.traits import Traits
from omp_core.settings import ConversationWeights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns of one episode in the order in which they were said.

    `vectors` has shape (turns, dim); a turn without a vector has a row of zeros.
    """

    turns: Sequence[Traits]
    vectors: Floats


@dataclass(frozen=True, slots=True)
class ConversationQuery:
    """What the turns are held against: the query's unit vector, shape (dim,), and its tokens."""

    vector: Floats
    tokens: frozenset[str]
    now: datetime
    half_life_days: float


def talk_scores(
    conversations: Sequence[Conversation],
    keyword: Mapping[str, float],
    asked: ConversationQuery,
    weights: ConversationWeights,
) -> dict[str, float]:
    """Return how well each turn answers, with what its conversation adds, by record id.

    `keyword` holds the keyword part of the turns that words brought in. With u = keyword and
    semantic part of the turn alone, the score of turn i is u_i, with shares of its two
    neighbours on both sides and of the best turn of the conversation, and with how much it
    says, whether its speaker was asked about, and its recency.
    """
    import numpy as np

    near = [_nearness(one.vectors, asked.vector, weights.smooth) for one in conversations]
    nearest = max((float(values.max()) for values in near if values.size), default=0.0)
    asked_about = _speaker_asked_about(conversations, asked.tokens)
    found: dict[str, float] = {}
    for conversation, cosines in zip(conversations, near, strict=True):
        turns = conversation.turns
        alone = weights.keyword * np.array([keyword.get(turn.id, 0.0) for turn in turns])
        if nearest > 0.0:
            alone = alone + weights.semantic * cosines / nearest
        scores = alone + weights.session * alone.max()
        for distance, share in ((1, weights.next_turns), (2, weights.second_turns)):
            scores[distance:] += share * alone[:-distance]
            scores[:-distance] += share * alone[distance:]
        several = len({turn.speaker for turn in turns if turn.speaker}) > 1
        scores += weights.says * np.array([turn.says if several else 0.5 for turn in turns])
        scores += weights.recency * np.array(
            [recency(turn.updated_at, asked.now, asked.half_life_days) for turn in turns]
        )
        if asked_about is not None:
            named = [turn.speaker == asked_about for turn in turns]
            scores += weights.speaker * np.array(named, dtype=np.float64)
        found.update(zip((turn.id for turn in turns), scores.tolist(), strict=True))
    return found


def with_conversations(
    ranked: Sequence[Ranked],
    talk: Mapping[str, float],
    turns: Mapping[str, Traits],
    members: frozenset[str],
) -> list[Ranked]:
    """Return the ranked list with its talk in the order of talk.

    The k-th place that a turn holds in `ranked` goes to the k-th turn by its score in `talk`,
    with that place's score; turns that had no place follow at the end. What is no talk keeps
    its place exactly. `members` are all records of `ranked` that are talk, `turns` the traits
    of those in `talk`. What the conversation adds to a turn's own score, or takes from it, is
    a part of its own.
    """
    by_id = {one.id: one for one in ranked}
    order = sorted(talk, key=lambda record_id: (-talk[record_id], record_id))
    order += [one.id for one in ranked if one.id in members and one.id not in talk]
    places = [at for at, one in enumerate(ranked) if one.id in members]
    placed = list(ranked)
    for at, record_id in zip(places, order, strict=False):
        own = by_id.get(record_id) or Ranked(turns[record_id], (), 0.0)
        placed[at] = _in_place(own, ranked[at].score)
    lowest = placed[-1].score if placed else 0.0
    rest = order[len(places) :]
    for step, record_id in enumerate(rest, 1):
        own = by_id.get(record_id) or Ranked(turns[record_id], (), 0.0)
        placed.append(_in_place(own, lowest * (1.0 - step / (len(rest) + 1))))
    return placed


def _in_place(own: Ranked, score: float) -> Ranked:
    gained = score - own.score
    return replace(own, sums=(*own.sums, ("conversation", gained, 1.0)), score=score)


def _nearness(vectors: Floats, query: Floats, smooth: float) -> Floats:
    """Return the cosines, not below 0, of the query and each turn with shares of its neighbours."""
    import numpy as np

    mixed = vectors.copy()
    mixed[1:] += smooth * vectors[:-1]
    mixed[:-1] += smooth * vectors[1:]
    norms = np.linalg.norm(mixed, axis=1)
    cosines = mixed @ query / np.where(norms > 0.0, norms, 1.0)
    return np.maximum(cosines, 0.0)


def _speaker_asked_about(
    conversations: Sequence[Conversation], asked: frozenset[str]
) -> str | None:
    """Return the one speaker whom the query names; None if it names none or several."""
    speakers = {turn.speaker for one in conversations for turn in one.turns if turn.speaker}
    named = [one for one in sorted(speakers) if asked.issuperset(tokens(one))]
    return named[0] if len(named) == 1 else None
