"""What a text states, as far as words can tell: its content words, names, quantities, denials."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from omp_core.language.language import CJK, Script, script
from omp_core.language.lexicon import (
    ALIASES,
    CLAUSE_END,
    NEGATION,
    REJECTED,
    same_wording,
)
from omp_core.language.quantities import Quantity, quantities, with_digits
from omp_core.language.stopwords import FUNCTION_CHARACTERS, FUNCTION_WORDS
from omp_core.language.tokens import stem

_WORD = re.compile(
    rf"(?P<cjk>[{CJK}])|(?P<word>[^\W_{CJK}]+(?:[-_./+#@][^\W_{CJK}]+)*(?:\+\+|\#)?)"
)
# In a memory nearly everything is said of the user.
_SAYS_NOTHING = FUNCTION_WORDS | {"user", "users"}
_QUOTED = re.compile(r"[“\"「『《`]([^”\"」』》`\n]{1,60})[”\"」』》`]")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？:：\n])[\s\"“'(\-*]*$")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or one CJK character, that carries content.

    `key` compares: small letters, stemmed, short forms spelt out. `name` marks what is
    written like a name, `denied` what a negation in its clause reaches.
    """

    key: str
    surface: str
    start: int
    end: int
    name: bool
    denied: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """What was found in `text`, which is the original in canonical wording."""

    text: str
    script: Script
    tokens: tuple[Token, ...]
    quantities: tuple[Quantity, ...]
    quoted: frozenset[str]
    denies: bool


@lru_cache(maxsize=4096)
def facts(text: str) -> Facts:
    """Read the facts of `text`. Never fails; what it does not understand is plain words."""
    kind = script(text)
    canonical = same_wording(with_digits(unicodedata.normalize("NFKC", text)))
    found = quantities(canonical)
    taken = [(quantity.start, quantity.end) for quantity in found]
    denials = _denied_spans(canonical)
    taken += [(start, inside) for start, inside, _ in denials]
    tokens = [
        _token(canonical, kind, match, denials)
        for match in _WORD.finditer(_blanked(canonical, taken))
        if not _says_nothing(match)
    ]
    return Facts(
        text=canonical,
        script=kind,
        tokens=tuple(tokens),
        quantities=tuple(found),
        quoted=frozenset(match[1].strip().lower() for match in _QUOTED.finditer(canonical)),
        denies=bool(denials),
    )


def _denied_spans(text: str) -> list[tuple[int, int, int]]:
    """Return (start of the mark, its end, end of the clause that it denies)."""
    marks = [match.span() for match in NEGATION.finditer(text)]
    marks += [match.span("mark") for match in REJECTED.finditer(text)]
    spans = []
    for start, end in sorted(marks):
        stop = CLAUSE_END.search(text, end)
        spans.append((start, end, stop.start() if stop else len(text)))
    return spans


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _says_nothing(match: re.Match[str]) -> bool:
    if match.lastgroup == "cjk":
        return match[0] in FUNCTION_CHARACTERS
    return match[0].lower() in _SAYS_NOTHING


def _token(
    text: str, kind: Script, match: re.Match[str], denials: list[tuple[int, int, int]]
) -> Token:
    surface = match[0]
    low = surface.lower()
    key = ALIASES.get(low, low)
    if key.isascii() and key.isalpha():
        key = stem(key)
    return Token(
        key=key,
        surface=surface,
        start=match.start(),
        end=match.end(),
        name=match.lastgroup == "word" and _is_name(text, kind, match),
        denied=any(inside <= match.start() < stop for _, inside, stop in denials),
    )


def _is_name(text: str, kind: Script, match: re.Match[str]) -> bool:
    surface = match[0]
    if kind == "cjk" or not surface.isalpha() or surface[1:] != surface[1:].lower():
        return True
    return surface[0].isupper() and not _SENTENCE_START.search(text, 0, match.start())
