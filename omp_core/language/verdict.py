"""What becomes of two texts: similarity of vectors proposes, the comparison of words decides."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Literal, Protocol

from omp_core.language.analysis import analyse, says_changed
from omp_core.language.compare import compare
from omp_core.language.language import script
from omp_core.language.normal import normalise
from omp_core.language.respect import Comparison, Respect
from omp_core.language.vocabulary import words

Verdict = Literal["exact", "same", "merge", "contradiction", "related", "unrelated"]

RELATED_FROM = 0.62
"""Calibrated similarity of one topic (design, section 6)."""
CONTRADICTION_FROM = 0.78
"""Calibrated similarity of paraphrases; a contradiction needs the same frame besides."""
_ONE_FIELD = 0.08
"""So much less similarity is asked of two likings of one field (memory skill, updates)."""
_ACROSS = 0.035
"""So much less similarity is asked of two languages: translations are alike at 0.82 and more."""
_WORDS_AGREE = 0.05
"""So much less similarity makes a proposal where the words, too, say that texts are alike."""
OPPOSED_FROM = 0.74
"""Calibrated similarity from which two words of one closed list contradict each other: halfway
between one topic and near-duplicates."""
REPLACED_FROM = 0.5
"""Calibrated similarity from which words of replacement speak of what another text says."""
_FURTHER = re.compile(r"[，,；;]\s*\w")
_SAME_FRAME = 0.75
"""Share of content words in common, apart from the difference, that makes one frame."""
_SAME_TOPIC_WORDS = 0.3
"""Share of the shorter text's words below which no frame of `_SAME_FRAME` is possible."""
_TELLING = 4
"""Content words from which a share of them says something."""
_SAME_WORDS = 0.5
"""Share of content words in common from which the words, too, say that texts are alike."""


class Thresholds(Protocol):
    """The duplicate thresholds of the settings."""

    @property
    def propose_from(self) -> float: ...

    @property
    def same_from(self) -> float: ...


def judge(a: str, b: str, similarity: float, settings: Thresholds) -> Verdict:
    """Say what two texts are to each other.

    `similarity` is calibrated. `exact` is equal after normalisation, whatever the similarity;
    only it may be merged silently. `same` and `merge` propose to merge. In a `contradiction`
    the texts differ in one respect and cannot both be true. Two facts are `related`.
    """
    if normalise(a) == normalise(b):
        return "exact"
    if similarity < REPLACED_FROM:
        return "unrelated"
    lowest = min(OPPOSED_FROM, settings.propose_from - _ONE_FIELD)
    if similarity < lowest and says_changed(a) == says_changed(b):
        # Below the lowest threshold only words of replacement count, which one of the two has:
        # most pairs end here, without being read word by word.
        return "related" if similarity >= RELATED_FROM else "unrelated"
    both_like = _likes(a) and _likes(b)
    decidable = settings.propose_from - (_ONE_FIELD if both_like else 0.0)
    if similarity < decidable and _far_apart(a, b):
        return "related" if similarity >= RELATED_FROM else "unrelated"
    found = compare(a, b)
    if _goes_on(a, b) and not found.contradicts and similarity >= RELATED_FROM:
        return "merge"
    if found.contradicts and similarity >= _contradiction_from(a, b, found, settings):
        return "contradiction"
    if found.alike and similarity >= _duplicate_from(a, b, found, settings):
        return "same" if similarity >= settings.same_from else "merge"
    return "related" if similarity >= RELATED_FROM else "unrelated"


def _goes_on(a: str, b: str) -> bool:
    """Return whether one text is the other and a further clause (memory skill, fuller texts)."""
    short, long = sorted((normalise(a).rstrip("。."), normalise(b)), key=len)
    rest = long.removeprefix(short)
    return rest != long and bool(_FURTHER.match(rest))


def _far_apart(a: str, b: str) -> bool:
    """Return whether too few words are in common for one frame, as a look at the words tells.

    Words of replacement and other languages are not asked.
    """
    one, other = analyse(a), analyse(b)
    if one.script != other.script or one.changed or other.changed:
        return False
    mine, theirs = _keys(a), _keys(b)
    shorter = min(len(mine), len(theirs))
    return shorter >= _TELLING and len(mine & theirs) < _SAME_TOPIC_WORDS * shorter


@lru_cache(maxsize=4096)
def _likes(text: str) -> bool:
    return any(token.key in words("verbs", "taste") for token in analyse(text).sequence)


@lru_cache(maxsize=4096)
def _keys(text: str) -> frozenset[str]:
    return frozenset(token.key for token in analyse(text).tokens)


def _duplicate_from(a: str, b: str, found: Comparison, settings: Thresholds) -> float:
    if script(a) != script(b):
        return settings.propose_from - _ACROSS
    if found.respect is Respect.TASTE:
        return settings.propose_from - _ONE_FIELD
    words_agree = found.same and found.frame >= _SAME_WORDS
    return settings.propose_from - (_WORDS_AGREE if words_agree else 0.0)


def _contradiction_from(a: str, b: str, found: Comparison, settings: Thresholds) -> float:
    """Return the similarity from which texts that differ in one respect contradict each other.

    Words of replacement say so by themselves. Where few words are in common nothing tells that
    both speak of one thing; across languages the similarity alone does.
    """
    if found.respect is Respect.REPLACEMENT:
        return REPLACED_FROM if script(a) == script(b) else RELATED_FROM
    if script(a) != script(b):
        return settings.propose_from - _ACROSS
    if found.respect is Respect.OPPOSITE and found.frame >= _SAME_FRAME:
        return OPPOSED_FROM
    return CONTRADICTION_FROM if found.frame >= _SAME_FRAME else math.inf


def fuller(a: str, b: str) -> str:
    """Return the text that says more: more different content, then more characters."""

    def says(text: str) -> tuple[int, int, str]:
        found = analyse(text)
        content = {token.key for token in found.tokens}
        amounts = {(quantity.kind, quantity.value) for quantity in found.quantities}
        return len(content) + len(amounts), len(normalise(text)), text

    return max(a, b, key=says)
