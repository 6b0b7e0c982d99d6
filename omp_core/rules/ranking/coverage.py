"""How much of what a query asks for a memory holds in words."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from omp_core.language.language import CJK
from omp_core.language.stopwords import QUESTION_CHARACTERS

_CJK_RUN = re.compile(f"[{CJK}]+")
_CHARACTER_WEIGHT = 0.5
"""Most Chinese words have two characters, so two of them count as much as one English word."""


@dataclass(frozen=True, slots=True)
class Want:
    """One thing that a query asks for: held when any of the tokens is, and how much it counts."""

    tokens: frozenset[str]
    weight: float


def wants(terms: Sequence[tuple[str, ...]]) -> tuple[Want, ...]:
    """Return what the terms of `query_terms` ask for.

    A word or identifier is one want. CJK text asks for its single characters, each held when
    a bigram with it is: pairs that span two words are in no memory, and would make every
    Chinese answer look like half of one. Characters that only put the question do not count,
    unless there are no others.
    """
    words = [Want(frozenset(term), 1.0) for term in terms if not _CJK_RUN.fullmatch(term[0])]
    pairs: dict[str, set[str]] = {}
    for term in terms:
        if _CJK_RUN.fullmatch(term[0]):
            for character in term[0]:
                pairs.setdefault(character, set()).add(term[0])
    telling = [character for character in pairs if character not in QUESTION_CHARACTERS]
    if not telling and not words:
        telling = list(pairs)
    return (
        *words,
        *(Want(frozenset(pairs[character]), _CHARACTER_WEIGHT) for character in telling),
    )


def coverage(wanted: Sequence[Want], held: Set[str]) -> float:
    """Return the share, by weight, of what is wanted that a text with these tokens holds."""
    total = sum(want.weight for want in wanted)
    if not total:
        return 0.0
    return sum(want.weight for want in wanted if not want.tokens.isdisjoint(held)) / total
