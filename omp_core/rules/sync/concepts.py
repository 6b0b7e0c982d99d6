"""Words of Chinese and English for the parts, environments and properties of a project."""

from __future__ import annotations

import re
from functools import lru_cache

from omp_core.language.tokens import stem
from omp_core.language.vocabulary import Dimension, concepts


def find_concepts(text: str) -> tuple[dict[Dimension, frozenset[str]], str]:
    """Return the concepts of a text, and the text without their words.

    The longest word counts: a test environment is no test, an image registry no repository.
    """
    found: dict[Dimension, set[str]] = {"environment": set(), "part": set(), "property": set()}
    pattern, owners = _pattern()

    def take(match: re.Match[str]) -> str:
        dimension, name = owners[_key(match["word"])]
        found[dimension].add(name)
        return " "

    rest = pattern.sub(take, text)
    return {dimension: frozenset(names) for dimension, names in found.items()}, rest


@lru_cache(maxsize=1)
def _pattern() -> tuple[re.Pattern[str], dict[str, tuple[Dimension, str]]]:
    owners = {_key(word): owner for owner, words in concepts().items() for word in words}
    written = sorted((word for words in concepts().values() for word in words), key=len)
    alternatives = "|".join(
        rf"(?<![A-Za-z0-9]){_spaced(word)}(?:e?s)?(?![A-Za-z0-9])" if word.isascii() else word
        for word in reversed(written)
    )
    return re.compile(rf"(?P<word>{alternatives})", re.IGNORECASE), owners


def _spaced(word: str) -> str:
    return re.sub(r"\\?[ -]", r"[ -]?", word)


def _key(word: str) -> str:
    """Bring the ways to write a word to one: plural, hyphen or space or none."""
    if not word.isascii():
        return word
    *head, last = re.split(r"[ -]", word.lower())
    return "".join([*head, stem(last)]) if not head else stem("".join([*head, last]))
