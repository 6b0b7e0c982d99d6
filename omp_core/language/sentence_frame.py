"""Sentence frame: where the predicate begins, which words tell something, how long a value is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from omp_core.language.analysis import Analysis, Token
from omp_core.language.vocabulary import contrasts, quantifier_words, words


def told_words(tokens: Sequence[Token]) -> list[Token]:
    """Return the telling words, or those with content where none tells much."""
    return telling_words(tokens) or [
        token
        for token in tokens
        if token.content and token.surface.lower() not in quantifier_words()
    ]


@lru_cache(maxsize=1)
def _idle_or_shares() -> frozenset[str]:
    return frozenset(words("idle", "words") | quantifier_words())


def telling_words(tokens: Sequence[Token]) -> list[Token]:
    idle, groups = words("idle", "words"), contrasts().groups
    said_nothing = _idle_or_shares()
    return [
        token
        for token in tokens
        if (
            token.content
            and token.key not in idle
            and token.surface.lower() not in said_nothing
            and (token.key in groups or not _is_adverb(token.surface))
        )
        or (token.part == "relation" and token.key in groups)
    ]


def _is_adverb(word: str) -> bool:
    return word.isascii() and len(word) > 4 and word.endswith("ly")


def predicates(a: Analysis, b: Analysis) -> tuple[int, int]:
    """Return where in each text what is said of the subject begins."""
    for one in a.verbs:
        for other in b.verbs:
            if one.key == other.key or (one.part == "copula" and other.part == "copula"):
                return one.start, other.start
    return predicate_start(a), predicate_start(b)


def predicate_start(found: Analysis) -> int:
    """Return where the predicate begins: at a verb, an amount, or behind the first word."""
    starts = [found.verbs[0].start] if found.verbs else []
    starts += [one.start for one in found.quantities[:1] if one.start]
    return min(starts) if starts else next((one.end for one in found.tokens), 0)


def is_verbal(word: str) -> bool:
    """`are kept` and `are retained` may mean the same, `are red` cannot."""
    return word.isascii() and len(word) > 4 and word.endswith(("ed", "ing", "ly"))


def has_key(keys: set[str], key: str) -> bool:
    """`Postgres` is there when `PostgreSQL` is."""
    return key in keys or any(
        min(len(key), len(other)) >= 4 and (key.startswith(other) or other.startswith(key))
        for other in keys
    )


def span(found: Analysis, tokens: Sequence[Token]) -> str:
    return found.text[tokens[0].start : tokens[-1].end] if tokens else ""


SLOT_WORDS = 4
_SLOT_CHARACTERS = 8
"""More words than this are no value of a slot but another statement."""


def slot_words(found: Analysis) -> int:
    return _SLOT_CHARACTERS if found.script == "cjk" else SLOT_WORDS
