"""The table of topics: what the cues of a text say about its topic, and a topic's direction.

A bilingual table of topics with cue words is the knowledge that vectors of short texts lack:
it makes texts of one theme alike that share no word (`assets/themes/topics.json`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from omp_core.assets import assets_path
from omp_core.language.language import CJK
from omp_core.language.tokens import tokens
from omp_core.rules.themes.book import unit

Rows: TypeAlias = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Rows]
"""Turns texts into centred unit vectors, shape (n, dim)."""

_CJK_RUN = re.compile(f"[{CJK}]+")
_LONGEST_CUE = 5
_WEIGHT_EN = 1.0
_WEIGHT_ZH = 1.5
_WEIGHT_CHARACTER = 0.7
_PACK_ZH = 4
_PACK_EN = 5
_RELATED = 0.15
"""How much topics of one family have in common."""
_SHARPNESS = 12.0
_CUES_COUNT = 3.5


class Topic(msgspec.Struct, frozen=True):
    """One topic: its names and what speaks for it in both languages."""

    id: str
    family: str
    en: tuple[str, ...]
    zh: tuple[str, ...]
    anchors_en: tuple[str, ...]
    anchors_zh: tuple[str, ...]
    label_en: str
    label_zh: str


class _Raw(msgspec.Struct, frozen=True):
    version: int
    topics: tuple[Topic, ...]
    doubtful: dict[str, float] = {}


@dataclass(frozen=True)
class TopicTable:
    """Topics in order. `doubtful` cues have other meanings too; each with its share."""

    topics: tuple[Topic, ...]
    doubtful: Mapping[str, float]

    @cached_property
    def version(self) -> str:
        """What changes when the table does."""
        raw = msgspec.json.encode([self.topics, sorted(self.doubtful.items())])
        return hashlib.sha256(raw).hexdigest()[:12]

    @cached_property
    def _english(self) -> Mapping[str, tuple[tuple[int, ...], float]]:
        found: dict[str, set[int]] = {}
        doubtful: dict[str, float] = {}
        for number, topic in enumerate(self.topics):
            for cue in topic.en:
                for token in dict.fromkeys((cue.casefold(), *_stem_of(cue))):
                    found.setdefault(token, set()).add(number)
                    share = self.doubtful.get(cue, 1.0)
                    doubtful[token] = min(doubtful.get(token, 1.0), share)
        return {
            token: (tuple(sorted(numbers)), _WEIGHT_EN * doubtful[token] / len(numbers))
            for token, numbers in found.items()
        }

    @cached_property
    def _chinese(self) -> Mapping[str, tuple[tuple[int, ...], float]]:
        found: dict[str, set[int]] = {}
        for number, topic in enumerate(self.topics):
            for cue in topic.zh:
                found.setdefault(cue, set()).add(number)
        return {
            cue: (
                tuple(sorted(numbers)),
                (_WEIGHT_ZH if len(cue) > 1 else _WEIGHT_CHARACTER)
                * self.doubtful.get(cue, 1.0)
                / len(numbers),
            )
            for cue, numbers in found.items()
        }

    def cues_of(self, text: str) -> dict[str, tuple[tuple[int, ...], float]]:
        """Return the cues in a text: the topics each speaks for, and its weight for each."""
        found = {
            token: self._english[token]
            for token in dict.fromkeys(tokens(text))
            if token in self._english
        }
        for run in _CJK_RUN.findall(text):
            for cue in _longest_cues(run, self._chinese):
                found[cue] = self._chinese[cue]
        return found

    def scores(self, texts: Sequence[str]) -> Rows:
        """Return the sum of the weights of each text's cues per topic, shape (n, topics)."""
        rows = np.zeros((len(texts), len(self.topics)), np.float32)
        for at, text in enumerate(texts):
            for numbers, weight in self.cues_of(text).values():
                rows[at, list(numbers)] += np.float32(weight)
        return rows

    def is_sure_cue(self, term: str, topic: int) -> bool:
        """Return whether a term is a cue of a topic that has no other meaning."""
        folded = term.casefold()
        held = self._chinese.get(folded) or self._english.get(folded)
        return held is not None and topic in held[0] and self.doubtful.get(folded, 1.0) == 1.0

    def is_cue(self, term: str, topic: int) -> bool:
        """Return whether a term is a cue of a topic."""
        folded = term.casefold()
        held = self._chinese.get(folded) or self._english.get(folded)
        return held is not None and topic in held[0]

    def cue_within(self, term: str, topic: int) -> str | None:
        """Return the longest Chinese cue of a topic that a term holds."""
        held = [
            cue for cue in self.topics[topic].zh if len(cue) > 1 and cue in term and cue != term
        ]
        return max(held, key=len) if held else None

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
    raw = msgspec.json.decode(assets_path("themes", "topics.json").read_bytes(), type=_Raw)
    return TopicTable(raw.topics, raw.doubtful)


def _stem_of(cue: str) -> list[str]:
    """Return the stem under which the tokens of a text show a cue of one word."""
    return [token for token in tokens(cue)[1:2] if cue.isascii() and cue.isalpha()]


def _longest_cues(run: str, known: Mapping[str, object]) -> list[str]:
    """Return the cues in a Chinese run, without those that lie inside a longer one."""
    spans = [
        (at, at + length)
        for at in range(len(run))
        for length in range(1, min(_LONGEST_CUE, len(run) - at) + 1)
        if run[at : at + length] in known
    ]
    return [
        run[start:end]
        for start, end in spans
        if not any((a <= start and end <= b) and (b - a) > (end - start) for a, b in spans)
    ]


def _packed(cues: Sequence[str], size: int, joiner: str) -> list[str]:
    return [joiner.join(cues[at : at + size]) for at in range(0, len(cues), size)]
