"""The table of topics beside vectors: how likely a topic is for a text, and its direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from omp_core.rules.themes.book import unit
from omp_core.rules.topics import CueTable, shipped_cues

Rows: TypeAlias = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Rows]
"""Turns texts into centred unit vectors, shape (n, dim)."""

_PACK_ZH = 4
_PACK_EN = 5
_RELATED = 0.15
"""How much topics of one family have in common."""
_SHARPNESS = 12.0
_CUES_COUNT = 3.5


@dataclass(frozen=True)
class TopicTable(CueTable):
    """The table of topics, and what it says of texts with vectors."""

    def scores(self, texts: Sequence[str]) -> Rows:
        """Return the sum of the weights of each text's cues per topic, shape (n, topics)."""
        rows = np.zeros((len(texts), len(self.topics)), np.float32)
        for at, text in enumerate(texts):
            for numbers, weight in self.cues_of(text).values():
                rows[at, list(numbers)] += np.float32(weight)
        return rows

    @cached_property
    def mixing(self) -> NDArray[np.float64]:
        """The square root of how much topics have in common, shape (topics, topics)."""
        count = len(self.topics)
        common = np.eye(count)
        for a in range(count):
            for b in range(count):
                if a != b and self.topics[a].family == self.topics[b].family:
                    common[a, b] = _RELATED
        values, vectors = np.linalg.eigh(common)
        root: NDArray[np.float64] = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
        return root

    def prototypes(self, embed: Embed) -> Rows:
        """Return the direction of each topic, shape (topics, dim), with a model's vectors."""
        packs: list[str] = []
        parts: list[tuple[int, int, int, int]] = []
        for topic in self.topics:
            zh = [*topic.anchors_zh], _packed(topic.zh, _PACK_ZH, "、")
            en = [*topic.anchors_en], _packed(topic.en, _PACK_EN, " ")
            parts.append((len(zh[0]), len(zh[1]), len(en[0]), len(en[1])))
            packs += [*zh[0], *zh[1], *en[0], *en[1]]
        rows = embed(packs)
        found = np.zeros((len(self.topics), rows.shape[1]), np.float32)
        at = 0
        for number, counts in enumerate(parts):
            sums = []
            for count in counts:
                sums.append(rows[at : at + count].sum(axis=0))
                at += count
            sides = [unit(np.stack(sums[side : side + 2])).sum(axis=0) for side in (0, 2)]
            found[number] = unit(np.stack(sides)).sum(axis=0)
        return unit(found)

    def shares_within(self, vectors: Rows) -> Rows:
        """Return how likely each topic is, read back from theme vectors, (n, topics)."""
        roots = vectors[:, -len(self.topics) :] @ np.linalg.inv(self.mixing)
        squares = np.clip(roots, 0, None) ** 2
        totals = squares.sum(axis=1, keepdims=True)
        shares: Rows = np.divide(
            squares, totals, out=np.zeros_like(squares), where=totals > 0
        ).astype(np.float32)
        return shares

    def shares(self, vectors: Rows, texts: Sequence[str], prototypes: Rows) -> Rows:
        """Return how likely each topic is for each text, shape (n, topics), rows summing to 1."""
        logits = _SHARPNESS * (vectors @ prototypes.T) + _CUES_COUNT * self.scores(texts)
        logits -= logits.max(axis=1, keepdims=True)
        odds = np.exp(logits)
        shares: Rows = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
        return shares


@lru_cache(maxsize=1)
def shipped_topics() -> TopicTable:
    """Return the table of the package."""
    cues = shipped_cues()
    return TopicTable(cues.topics, cues.doubtful)


def _packed(cues: Sequence[str], size: int, joiner: str) -> list[str]:
    return [joiner.join(cues[at : at + size]) for at in range(0, len(cues), size)]
