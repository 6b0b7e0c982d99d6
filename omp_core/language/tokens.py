"""Our own words for keyword search in Chinese, English and code.

Index and query go through the same rules, so that a query finds what was indexed:

- CJK runs give unigrams and bigrams, because no space says where a Chinese word ends;
- words of alphabets give themselves and, when ASCII, their Snowball English stem;
- identifiers (`user_id`, `HTTPServer2`, `src/app.py`, `v1.2.3`) give themselves and their
  parts, also when glued to Chinese text (`用pytest写`).

Tokens hold only ASCII letters, digits, `_-./:@#+` and non-ASCII characters: they survive a
tokenizer that splits at every other ASCII character. They hold no white space.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator, Set
from functools import lru_cache
from itertools import groupby
from typing import Any

from omp_core.language.language import CJK
from omp_core.language.stopwords import QUESTION_CHARACTERS, QUESTION_WORDS

# Combining marks are part of the word that they stand in.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963"
    "\u0966-\u0dff\u0e31-\u0e4e"
)
_LETTER = rf"(?:[^\W_{CJK}]|[{_MARKS}])"
_CHUNK = re.compile(
    rf"(?P<cjk>[{CJK}]+)"
    # Words joined by the marks of identifiers and paths; `.env`, `@types/node`, `c++`, `c#`.
    rf"|(?P<word>(?:(?<![^\s(\[{{,;=])[.@#])?{_LETTER}+(?:[-_./:@#+'’]{{1,3}}{_LETTER}+)*"
    rf"(?:\+\+|\#)?)"
    r"|(?P<sign>[\u2600-\u27bf\U0001f300-\U0001faff])"
)
_POSSESSIVE = re.compile(r"['’]s(?![^\W_])", re.IGNORECASE)
_APOSTROPHES = str.maketrans("", "", "'’")
_JOINERS = re.compile(r"[-_./:@#+]+")
_DOTTED = re.compile(r"(?<!\d)\d+(?:\.\d+)+(?!\d)", re.ASCII)
_CAMEL = re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SURROGATES = re.compile("[\ud800-\udfff]")

_LONGEST = 100
"""Longer chunks (hashes, base64) are indexed by their parts only."""
_MOST_PARTS = 64
"""A chunk of more parts than this is data, not a name; the rest of it is left out."""

_stemmer_lock = threading.Lock()


def tokens(text: str) -> list[str]:
    """Return the index tokens of `text`, in order and with repetitions."""
    found: list[str] = []
    for kind, chunk in _chunks(text):
        if kind == "cjk":
            found.extend(_cjk_index(chunk))
        elif kind == "word":
            found.extend(_expand(chunk))
        else:
            found.append(chunk)
    return found


def words(text: str) -> list[str]:
    """Return the text cut into its words and what stands between them; nothing is left out.

    A CJK character is a word of its own. Joined again the parts are the text.
    """
    found: list[str] = []
    end = 0
    for match in _CHUNK.finditer(text):
        if match.start() > end:
            found.append(text[end : match.start()])
        found += match[0] if match.lastgroup == "cjk" else [match[0]]
        end = match.end()
    if end < len(text):
        found.append(text[end:])
    return found


def shared(one: str, other: str) -> float:
    """Return which share of the tokens of the shorter text the other has too, 0..1."""
    mine, theirs = _token_set(one), _token_set(other)
    return len(mine & theirs) / min(len(mine), len(theirs)) if mine and theirs else 0.0


@lru_cache(maxsize=4096)
def _token_set(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


def query_tokens(text: str) -> list[str]:
    """Return the tokens to look for, without repetitions.

    These are the spellings of `query_terms`, and for CJK text the single characters with
    content besides: they find words that are written with one character more or less.
    """
    found = dict.fromkeys(token for term in query_terms(text) for token in term)
    for kind, chunk in _chunks(text):
        if kind == "cjk":
            found.update(dict.fromkeys(char for char in chunk if char not in QUESTION_CHARACTERS))
    return list(found)


def held_words(text: str, wanted: Set[str]) -> tuple[str, ...]:
    """Return the words of `text` that have one of these tokens, as the text spells them.

    Of a CJK run these are the longest pieces whose characters or pairs are wanted. Each piece
    comes once, in the order of the text, and is found in it as it is.
    """
    found: dict[str, None] = {}
    for match in _CHUNK.finditer(text):
        chunk = match[0]
        same = unicodedata.normalize("NFKC", chunk)
        if match.lastgroup != "cjk":
            if not wanted.isdisjoint(_expand(same) if match.lastgroup == "word" else (same,)):
                found[chunk] = None
            continue
        spelt = same if len(same) == len(chunk) else chunk
        held = [char in wanted for char in spelt]
        for at in range(len(spelt) - 1):
            if spelt[at : at + 2] in wanted:
                held[at] = held[at + 1] = True
        if any(held):
            for is_held, run in groupby(zip(chunk, held, strict=True), key=lambda one: one[1]):
                if is_held:
                    found["".join(char for char, _held in run)] = None
    return tuple(found)


def query_terms(text: str) -> list[tuple[str, ...]]:
    """Return what a query asks for: one tuple for each term, holding its spellings.

    A term is a CJK bigram (a single character when it stands alone), a word with its stem
    or an identifier with its parts; it is covered when any of its spellings is found. Words
    that only put the question are left out, unless there are no others. No term appears
    twice.
    """
    terms: dict[tuple[str, ...], bool] = {}
    for kind, chunk in _chunks(text):
        if kind == "cjk" and len(chunk) > 1:
            for at in range(len(chunk) - 1):
                pair = chunk[at : at + 2]
                terms[(pair,)] = not QUESTION_CHARACTERS.issuperset(pair)
        elif kind == "cjk":
            terms[(chunk,)] = chunk not in QUESTION_CHARACTERS
        elif kind == "word":
            # a word too long to be one, such as a letter under a pile of accents, has no spelling
            if spellings := _expand(chunk):
                terms[spellings] = chunk.lower() not in QUESTION_WORDS
        else:
            terms[(chunk,)] = True
    telling = [term for term, tells in terms.items() if tells]
    return telling or list(terms)


def _chunks(text: str) -> Iterator[tuple[str, str]]:
    text = unicodedata.normalize("NFKC", _SURROGATES.sub(" ", text))
    for match in _CHUNK.finditer(text):
        kind = match.lastgroup or "sign"
        yield kind, match[0]


def _cjk_index(run: str) -> Iterator[str]:
    for at, char in enumerate(run):
        yield char
        if at + 1 < len(run):
            yield run[at : at + 2]


@lru_cache(maxsize=1 << 16)
def _expand(chunk: str) -> tuple[str, ...]:
    """Return the spellings of a word or identifier: whole, parts, stems, without accents."""
    chunk = _POSSESSIVE.sub("", chunk).translate(_APOSTROPHES)
    found: dict[str, None] = {}
    if len(chunk) <= _LONGEST:
        found[chunk.lower()] = None
    for part in _parts(chunk)[:_MOST_PARTS]:
        low = part.lower()
        if len(low) > _LONGEST:
            continue
        found[low] = None
        if not low.isascii():
            found[_without_accents(low)] = None
        elif low.isalpha():
            found[stem(low)] = None
    found.pop("", None)
    return tuple(found)


def _parts(chunk: str) -> list[str]:
    """Cut at joiners, between letters and digits, and where camelCase starts a new word.

    A dotted number stays one part, with its beginnings: `1.2.3` is also `1` and `1.2`.
    """
    parts = _JOINERS.split(_DOTTED.sub(".", chunk))
    for number in _DOTTED.findall(chunk):
        steps = number.split(".")
        parts.extend(".".join(steps[:n]) for n in range(len(steps), 0, -1))
    for piece in list(parts):
        if piece.isascii() and "." not in piece:
            parts.extend(_CAMEL.findall(piece))
    return parts


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the Snowball English stem of a word in small letters."""
    # The stemmer keeps its state in itself.
    with _stemmer_lock:
        stemmed: str = _english().stemWord(word)
    return stemmed


@lru_cache(maxsize=1)
def _english() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def _without_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
