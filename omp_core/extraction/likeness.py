"""Tell by their words whether two statements of one conversation say the same."""

from __future__ import annotations

import re
from functools import lru_cache

from omp_core.language.tokens import tokens

SAME_FROM = 0.6
"""Share of common words from which two statements of one conversation say the same."""
TOPIC_FROM = 0.34
"""Share of the shorter one's words from which a correction can mean an earlier statement."""

_PARTICULAR = re.compile(
    r"https?://\S+|\d+(?:\.\d+)*|[A-Za-z][\w.+#-]*|[一二三四五六七八九十百千万两]+"
)
_NEGATION = re.compile(r"不|没|别|勿|无|\b(?:no|not|never|n't|without)\b|n't\b", re.IGNORECASE)


def overlap(one: str, other: str) -> float:
    """Return the Jaccard similarity of the words of two texts, 0..1."""
    mine, theirs = _words(one), _words(other)
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0


def shared(one: str, other: str) -> float:
    """Return which share of the words of the shorter text the other has too, 0..1."""
    mine, theirs = _words(one), _words(other)
    return len(mine & theirs) / min(len(mine), len(theirs)) if mine and theirs else 0.0


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


@lru_cache(maxsize=4096)
def _particulars(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _PARTICULAR.findall(text))


def says_same(one: str, other: str) -> bool:
    """Tell whether two statements say the same: alike, and no number, name or negation
    differs.
    """
    if one == other:
        return True
    if _particulars(one) != _particulars(other):
        return False
    if bool(_NEGATION.search(one)) != bool(_NEGATION.search(other)):
        return False
    return overlap(one, other) >= SAME_FROM
