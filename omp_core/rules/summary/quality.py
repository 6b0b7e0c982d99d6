"""Four figures that say how good a summary is (orchestrator seed, 3).

They are computed from the summary as it reads and from the records, not from what the
writer meant to keep. Consistency is compared word by word; a change of meaning that keeps
the words is beyond it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from omp_core.language.compare import compare
from omp_core.language.language import CJK
from omp_core.language.sentences import estimate_tokens
from omp_core.language.tokens import tokens
from omp_core.rules.summary import cues
from omp_core.rules.summary.facts import KeyFact, names, numbers, told

RETENTION_PASS = 0.90
COMPRESSION_PASS = 3.0
COMPRESSION_FROM = 300
"""Estimated tokens of the originals from which on they have to shrink to a third: a few short
memories are facts already, and headings and dates alone take more than they can give."""
READABILITY_PASS = 0.80
ACCURACY_PASS = 0.95

_COVERED_SHARE = 0.85
"""A fact is kept when a line has all its numbers and names and this share of its words."""
_LONG_LINE_TOKENS = 50
_WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+(?:[-.:,'’/@+%#]+[^\W{CJK}]+)*%?")
_LINE = re.compile(r"^\s*- (?:(?:\d{4}-)?\d\d-\d\d )?(.*)$")


@dataclass(frozen=True, slots=True)
class Quality:
    """The four figures; `missed` are the key facts that the summary does not tell."""

    retention: float
    compression: float
    readability: float
    accuracy: float
    missed: tuple[KeyFact, ...] = ()
    tokens: int = COMPRESSION_FROM
    """Estimated tokens of the originals."""

    @property
    def passed(self) -> bool:
        """Whether all four reach their pass marks."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the figures below their pass marks; compression counts from a length on."""
        marks = (
            ("retention", self.retention, RETENTION_PASS),
            ("compression", self.compression, COMPRESSION_PASS),
            ("readability", self.readability, READABILITY_PASS),
            ("accuracy", self.accuracy, ACCURACY_PASS),
        )
        low = (name for name, value, least in marks if value < least)
        long = self.tokens >= COMPRESSION_FROM
        return tuple(name for name in low if long or name != "compression")


def assess(text: str, originals: Sequence[str], facts: Sequence[KeyFact]) -> Quality:
    """Return the quality of summary `text` of `originals`, whose key facts are `facts`."""
    found = [match for line in text.splitlines() if (match := _LINE.match(line))]
    lines = [match[1] for match in found]
    # a date in front may be when a fact was recorded or a part of the fact: it counts as told
    read = [_Line.of(match[0]) for match in found]
    missed = tuple(fact for fact in facts if not _is_told(fact, read))
    before, after = sum(map(estimate_tokens, originals)), estimate_tokens(text)
    said = [_Sentence.of(sentence) for original in originals for sentence in told(original)]
    true = sum(any(_is_consistent(line, sentence) for sentence in said) for line in lines)
    return Quality(
        retention=1.0 - len(missed) / len(facts) if facts else 1.0,
        compression=before / after if after else 0.0,
        readability=readability(text),
        accuracy=true / len(lines) if lines else 1.0,
        missed=missed,
        tokens=before,
    )


@dataclass(frozen=True, slots=True)
class _Line:
    """What a line of the summary tells."""

    text: str
    numbers: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]
    negations: int

    @classmethod
    def of(cls, text: str) -> _Line:
        words = frozenset(tokens(text))
        return cls(
            text, numbers(text), names(text) | words, words, len(cues.NEGATION.findall(text))
        )


def _is_told(fact: KeyFact, lines: Sequence[_Line]) -> bool:
    """Return whether one line tells a fact: each number and name of the whole sentence, its
    negations, and nearly all words of what matters.
    """
    figures = numbers(fact.sentence)
    called = names(fact.sentence) - _openings(fact.sentence)
    wanted = frozenset(tokens(fact.text))
    negations = len(cues.NEGATION.findall(fact.text))
    return any(
        len(wanted & line.words) >= _COVERED_SHARE * len(wanted)
        and figures <= line.numbers
        and called <= line.names
        and negations <= line.negations
        and not compare(fact.text, line.text).contradicts
        for line in lines
    )


def _openings(sentence: str) -> frozenset[str]:
    """Return the names in the label of a sentence (`TODO:`), which a heading stands for."""
    label = cues.LABEL.match(sentence)
    return names(label[0]) | {label[0].strip(" :：").lower()} if label else frozenset()


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the originals with its words and where they stand."""

    text: str
    words: tuple[tuple[str, int, int], ...]
    vocabulary: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Sentence:
        words = tuple((match[0].lower(), *match.span()) for match in _WORD.finditer(text))
        return cls(text, words, frozenset(word for word, _, _ in words))


def _is_consistent(line: str, sentence: _Sentence) -> bool:
    """Return whether `line` is `sentence` with words left out, none of them one that changes
    the claim: a negation, condition, doubt or contrast.
    """
    wanted = [word.lower() for word in _WORD.findall(line)]
    if not wanted or not sentence.vocabulary.issuperset(wanted):
        return False
    done = 0
    rest = iter(sentence.words)
    for word in wanted:
        start, end = next(((a, b) for other, a, b in rest if other == word), (-1, -1))
        if start < 0 or cues.GUARD.search(sentence.text[done:start]):
            return False
        done = end
    return not cues.GUARD.search(sentence.text[done:])


def readability(text: str) -> float:
    """Return how far `text` is structured, 0..1: headings, list lines, levels, short lines."""
    lines = [line for line in text.splitlines() if line.strip()]
    body = [line for line in lines if not line.startswith("#")]
    if not body:
        return 0.0
    levels = {len(line) - len(line.lstrip("#")) for line in lines if line.startswith("#")}
    listed = [line for line in body if _LINE.match(line)]
    short = [line for line in body if estimate_tokens(line) <= _LONG_LINE_TOKENS]
    headed = _headed(lines, len(body))
    parts = (headed, len(listed) / len(body), min(1.0, len(levels) / 2), len(short) / len(body))
    return sum(parts) / len(parts)


def _headed(lines: Sequence[str], bodies: int) -> float:
    """Return the share of body lines that stand under a heading."""
    heading = False
    under = 0
    for line in lines:
        if line.startswith("#"):
            heading = True
        else:
            under += heading
    return under / bodies
