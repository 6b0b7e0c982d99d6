"""The table of topics: cue words in both languages, and what those of a text speak for.

A bilingual table of topics is the knowledge that vectors of short texts lack: it makes texts
alike that share no word, also across languages (`assets/themes/topics.json`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import sqrt
from types import MappingProxyType

import msgspec

from omp_core.assets import assets_path
from omp_core.language.language import CJK
from omp_core.language.tokens import tokens

_CJK_RUN = re.compile(f"[{CJK}]+")
_LONGEST_CUE = 5
_WEIGHT_EN = 1.0
_WEIGHT_ZH = 1.5
_WEIGHT_CHARACTER = 0.7

Topics = Mapping[int, float]
"""How much the cues of a text speak for each topic, by the topic's number."""

NO_TOPICS: Topics = MappingProxyType({})

Cues = Mapping[str, tuple[tuple[int, ...], float]]
"""Cue words: the topics that each speaks for, and its weight for each."""


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
class CueTable:
    """Topics in order. `doubtful` cues have other meanings too; each with its share."""

    topics: tuple[Topic, ...]
    doubtful: Mapping[str, float]

    @cached_property
    def version(self) -> str:
        """What changes when the table does."""
        raw = msgspec.json.encode([self.topics, sorted(self.doubtful.items())])
        return hashlib.sha256(raw).hexdigest()[:12]

    @cached_property
    def english(self) -> Cues:
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
    def chinese(self) -> Cues:
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

    def cues_of(self, text: str) -> Cues:
        """Return the cues in a text: the topics each speaks for, and its weight for each."""
        found = {
            token: self.english[token]
            for token in dict.fromkeys(tokens(text))
            if token in self.english
        }
        for run in _CJK_RUN.findall(text):
            for cue in _longest_cues(run, self.chinese):
                found[cue] = self.chinese[cue]
        return found

    def is_sure_cue(self, term: str, topic: int) -> bool:
        """Return whether a term is a cue of a topic that has no other meaning."""
        return self.is_cue(term, topic) and self.doubtful.get(term.casefold(), 1.0) == 1.0

    def is_cue(self, term: str, topic: int) -> bool:
        """Return whether a term is a cue of a topic."""
        folded = term.casefold()
        held = self.chinese.get(folded) or self.english.get(folded)
        return held is not None and topic in held[0]

    def cue_within(self, term: str, topic: int) -> str | None:
        """Return the longest Chinese cue of a topic that a term holds."""
        held = [
            cue for cue in self.topics[topic].zh if len(cue) > 1 and cue in term and cue != term
        ]
        return max(held, key=len) if held else None

    def topics_of(self, held: frozenset[str]) -> Topics:
        """Return the topics that the cues among the index tokens of a text speak for.

        A Chinese cue of more than two characters is held when all its pairs are; a cue that
        lies within a longer one that is held does not count.
        """
        found: dict[int, float] = {}
        for cue in self._among(held):
            numbers, weight = self._cues[cue]
            for number in numbers:
                found[number] = found.get(number, 0.0) + weight
        return found

    def signs_of(self, topics: Topics) -> frozenset[str]:
        """Return the tokens of which a text on one of these topics holds at least one."""
        return frozenset().union(*(self._signs[number] for number in topics))

    def _among(self, held: frozenset[str]) -> list[str]:
        near = held & self._known
        cues = [token for token in near if token in self._cues]
        longer = [one for token in near & self._longer.keys() for one in self._longer[token]]
        cues += [cue for cue, pairs in longer if pairs <= held]
        chinese = [cue for cue in cues if not cue.isascii()]
        inside = {cue for cue in chinese for other in chinese if cue != other and cue in other}
        return sorted(cue for cue in cues if cue not in inside)

    @cached_property
    def _cues(self) -> Cues:
        return {**self.english, **self.chinese}

    @cached_property
    def _signs(self) -> Sequence[frozenset[str]]:
        """For each topic its cues of one token, and the first pairs of longer ones."""
        found: list[set[str]] = [set() for _topic in self.topics]
        for cue, (numbers, _weight) in self._cues.items():
            for number in numbers:
                found[number].add(cue if cue in self.english else cue[:2])
        return [frozenset(signs) for signs in found]

    @cached_property
    def _longer(self) -> Mapping[str, list[tuple[str, frozenset[str]]]]:
        """Chinese cues of more than two characters with their pairs, by the first pair."""
        found: dict[str, list[tuple[str, frozenset[str]]]] = {}
        for cue in self.chinese:
            if len(cue) > 2:
                pairs = [cue[at : at + 2] for at in range(len(cue) - 1)]
                found.setdefault(pairs[0], []).append((cue, frozenset(pairs)))
        return found

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._cues) | frozenset(self._longer)


@lru_cache(maxsize=1)
def shipped_cues() -> CueTable:
    """Return the table of the package."""
    raw = msgspec.json.decode(assets_path("themes", "topics.json").read_bytes(), type=_Raw)
    return CueTable(raw.topics, raw.doubtful)


def topics_of(held: frozenset[str]) -> Topics:
    """Return the topics of the package's table that the index tokens of a text speak for."""
    return shipped_cues().topics_of(held)


def signs_of(topics: Topics) -> frozenset[str]:
    """Return the tokens of which a text on one of these topics holds at least one."""
    return shipped_cues().signs_of(topics)


def topic_likeness(one: Topics, other: Topics) -> float:
    """Return the cosine of two texts' topics, 0..1; 0 where either has no cue."""
    common = sum(weight * other[number] for number, weight in one.items() if number in other)
    if not common:
        return 0.0
    sizes = [sum(weight * weight for weight in side.values()) for side in (one, other)]
    return min(1.0, common / sqrt(sizes[0] * sizes[1]))


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
