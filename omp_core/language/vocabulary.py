"""The vocabulary: words of Chinese and English with what they mean, read from `assets/lexicon`.

The files say beside each table who needs it. Each is read once, when it is first asked for.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from omp_core.assets import assets_path
from omp_core.language.tokens import stem

Dimension = Literal["environment", "part", "property"]
_DIMENSIONS: tuple[Dimension, ...] = ("environment", "part", "property")


@lru_cache(maxsize=8)
def lexicon(name: str) -> Mapping[str, Any]:
    """Return a file of the vocabulary as it is written."""
    return tomllib.loads(assets_path("lexicon", f"{name}.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Software:
    """Names of software in small letters. `everyday` and `ordinary` ones are plain words too."""

    roles: Mapping[str, str]
    spellings: Mapping[str, str]
    everyday: frozenset[str]
    ordinary: frozenset[str]
    names: frozenset[str]

    def spelling(self, word: str) -> str:
        """Return the name that a word spells, or the word in small letters; a version glued to
        a known name is left out.
        """
        low = word.lower()
        low = self.spellings.get(low, low)
        if low in self.roles:
            return low
        bare = re.sub(r"\d+(?:\.\d+)*$", "", low)
        return self.spellings.get(bare, bare) if bare in self.names else low

    def role(self, word: str) -> str | None:
        """Return the role of a name however it is spelt, None for any other word."""
        return self.roles.get(self.spelling(word))


@lru_cache(maxsize=1)
def software() -> Software:
    """Return the well-known names of software and the role that each plays in a project."""
    read = lexicon("software")
    roles = {name: role for role, names in read["roles"].items() for name in names}
    spellings: dict[str, str] = dict(read["spellings"])
    return Software(
        roles,
        spellings,
        frozenset(read["everyday"]),
        frozenset(read["ordinary"]),
        frozenset((*roles, *spellings, *spellings.values(), *read["others"])),
    )


@lru_cache(maxsize=1)
def concepts() -> dict[tuple[Dimension, str], tuple[str, ...]]:
    """Return (dimension, concept) -> its words in both languages."""
    read = lexicon("project")
    return {
        (dimension, name): tuple(words)
        for dimension in _DIMENSIONS
        for name, words in read[dimension].items()
    }


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Words that exclude each other. English words are stems.

    `negatives`: a word -> the word that it is the "not" of. `groups`: a word -> the closed lists
    that it is in. `meanings`: a word of either language -> the English words for it.
    `synonyms`: a word -> the one that it is compared as. `fields`: a word -> the fields it is of.
    """

    negatives: Mapping[str, str]
    groups: Mapping[str, frozenset[int]]
    meanings: Mapping[str, frozenset[str]]
    synonyms: Mapping[str, str]
    fields: Mapping[str, frozenset[int]]

    def degree_of(self, word: str) -> str:
        """Return the word that a comparative or superlative is a degree of, else the word."""
        for ending in ("er", "est"):
            bare = word.removesuffix(ending)
            if bare == word or word in self.groups:
                continue
            for base in (bare, f"{bare}e", bare[:-1], f"{bare[:-1]}y"):
                if _key(base) in self.groups:
                    return _key(base)
        return word

    def exclude(self, one: str, other: str) -> bool:
        """Return whether two different words are of one closed list."""
        none: frozenset[int] = frozenset()
        return one != other and bool(self.groups.get(one, none) & self.groups.get(other, none))


@lru_cache(maxsize=1)
def contrasts() -> Contrasts:
    """Return the opposites and closed lists of both languages."""
    read = lexicon("contrast")
    synonyms = {_key(word): _key(other) for word, other in read["synonyms"].items()}
    negatives: dict[str, str] = {}
    groups: defaultdict[str, set[int]] = defaultdict(set)
    lists = [*read["complements"], *read["groups"]]
    for at, listed in enumerate(lists):
        for word in map(_key, listed.split("/")):
            groups[synonyms.get(word, word)].add(at)
    for listed in read["complements"]:
        positive, negative = (synonyms.get(word, word) for word in map(_key, listed.split("/")))
        negatives[negative] = positive
    fields: defaultdict[str, set[int]] = defaultdict(set)
    for at, listed in enumerate(read["fields"]):
        for word in map(_key, listed.split("/")):
            fields[synonyms.get(word, word)].add(at)
    meanings: defaultdict[str, set[str]] = defaultdict(set)
    for listed in read["bilingual"]:
        english, chinese = listed.split("/", 1)
        for word in (english, *chinese.split("/")):
            key, meant = _key(word), _key(english)
            meanings[synonyms.get(key, key)].add(synonyms.get(meant, meant))
    return Contrasts(
        negatives,
        {word: frozenset(found) for word, found in groups.items()},
        {word: frozenset(found) for word, found in meanings.items()},
        synonyms,
        {word: frozenset(found) for word, found in fields.items()},
    )


@lru_cache(maxsize=64)
def phrases(table: str, name: str) -> re.Pattern[str]:
    """Return a pattern of the words and phrases of a list of grammar, the longest first."""
    words = sorted(lexicon("grammar")[table][name], key=len, reverse=True)
    return re.compile(
        "|".join(
            rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in words
        ),
        re.IGNORECASE,
    )


@lru_cache(maxsize=64)
def words(table: str, name: str) -> frozenset[str]:
    """Return the words of a list of grammar: English ones as stems, and as they are written."""
    listed = lexicon("grammar")[table][name]
    return frozenset((*listed, *map(_key, listed)))


@lru_cache(maxsize=1)
def quantifier_words() -> frozenset[str]:
    """Return the single words that say of how many something is so."""
    listed = lexicon("grammar")["quantifiers"].values()
    return frozenset(word for listing in listed for word in listing if " " not in word)


@lru_cache(maxsize=1)
def chinese_words() -> tuple[str, ...]:
    """Return the Chinese words of more than one character that are read as one, longest first."""
    known = contrasts()
    listed = (*known.groups, *known.meanings, *known.synonyms, *known.fields, *software().roles)
    several = {word for word in listed if not word.isascii() and len(word) > 1}
    grammar = lexicon("grammar")
    several |= {word for word in grammar["verbs"]["chinese"] if len(word) > 1}
    several.update(grammar["compounds"]["words"])
    several |= {word for word in quantifier_words() if not word.isascii() and len(word) > 1}
    return tuple(sorted(several, key=lambda word: (-len(word), word)))


@lru_cache(maxsize=16)
def pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of the wordings, several alternatives joined."""
    found = lexicon("wording")[name]
    return re.compile(found if isinstance(found, str) else "|".join(found), re.IGNORECASE)


@lru_cache(maxsize=2)
def _same(*, ascii_only: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the wordings; of those without a Latin letter none is found in ASCII text."""
    return tuple(
        (re.compile(written, re.IGNORECASE), wording)
        for written, wording in lexicon("wording")["same"]
        if not ascii_only or _LETTER.search(_SYNTAX.sub("", written))
    )


_SYNTAX = re.compile(r"\\[a-zA-Z]|\(\?[:=!<]*")
_LETTER = re.compile("[A-Za-z]")


def same_wording(text: str) -> str:
    """Return `text` with wordings that say the same brought to one of them."""
    for written, wording in _same(ascii_only=text.isascii()):
        text = written.sub(wording, text)
    return text


def _key(word: str) -> str:
    return stem(word) if word.isascii() and word.isalpha() else word
