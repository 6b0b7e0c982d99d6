"""Terms that can name a theme: English words as they are written, Chinese without a dictionary.

A Chinese run is broken at stop words. Character sequences that occur in two texts or more
are taken for words, the longest first; what is left between them is a term if it is short
enough to read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from omp_core.assets import assets_path
from omp_core.language.language import CJK

_CHUNK = re.compile(
    rf"(?P<cjk>[{CJK}]+)|(?P<word>[^\W\d_{CJK}](?:[^\W{CJK}]|['’.+#/-](?=\w)|\+\+|#)*)"
)
_SHORTEST_WORD = 2
_LONGEST_WORD = 32
_LONGEST_SEQUENCE = 6
"""Characters of the longest Chinese term."""
_LONGEST_GUESS = 4
"""A longer sequence that is not frequent is broken at the characters of `_LEADING` first."""
_LEADING = frozenset(
    "在用要有到从给再先为以于每最更太将由按向让就还请跟只与及或一二三四五六七八九十两几个台条次位"
)
_TRAILING = frozenset("在用要有到从给再先为以于时里前内外中让就还与及或")
"""Characters that begin or end a Chinese sequence without belonging to the word in it."""
_BETWEEN = re.compile(f"[{''.join(sorted(_LEADING - {'到'}))}没只]")


def terms(texts: Sequence[str]) -> list[list[str]]:
    """Return the terms of each text, in order; words keep the case they are written in.

    Which Chinese sequences count as words is found out from all the texts together.
    """
    frequent = _frequent_sequences(run for text in texts for run in set(_runs(text)))
    return [_terms_of(text, frequent) for text in texts]


def first_words(text: str) -> str:
    """Return a few words for a text that has no term; nothing if it has no word either."""
    found = [
        match[0][: _LONGEST_SEQUENCE if match.lastgroup == "cjk" else _LONGEST_WORD]
        for match in _CHUNK.finditer(text)
    ]
    return " ".join(found[:3])


def key(term: str) -> str:
    """Return what spellings of one term share: its stem for an English word."""
    folded = term.casefold()
    return _stem(folded) if folded.isascii() and folded.isalpha() else folded


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """Return the shipped English stop words."""
    return frozenset(_read_words("en"))


@lru_cache(maxsize=1)
def _chinese_breaks() -> re.Pattern[str]:
    words = sorted(_read_words("zh"), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


def _read_words(language: str) -> list[str]:
    lines = assets_path("stopwords", f"{language}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@lru_cache(maxsize=1 << 14)
def _stem(word: str) -> str:
    import snowballstemmer

    # A stemmer keeps its state in itself, so each call that is not cached takes its own.
    return str(snowballstemmer.stemmer("english").stemWord(word))


@lru_cache(maxsize=1 << 12)
def _runs(text: str) -> tuple[str, ...]:
    """Return the Chinese runs of a text between stop words, of two characters or more."""
    pieces = [
        piece
        for match in _CHUNK.finditer(text)
        if match.lastgroup == "cjk"
        for piece in _chinese_breaks().split(match[0])
    ]
    return tuple(piece for piece in pieces if len(piece) > 1)


def _frequent_sequences(runs: Iterable[str]) -> dict[str, int]:
    """Return the sequences that occur in two runs or more and are not mere parts of longer
    ones, with how often."""
    counts: Counter[str] = Counter()
    for run in runs:
        counts.update(
            {
                run[at : at + length]
                for length in range(2, _LONGEST_SEQUENCE + 1)
                for at in range(len(run) - length + 1)
            }
        )
    frequent = {sequence: count for sequence, count in counts.items() if count > 1}
    for sequence, count in list(frequent.items()):
        for shorter in (sequence[1:], sequence[:-1]):
            if frequent.get(shorter) == count:
                del frequent[shorter]
    return {s: c for s, c in frequent.items() if s[0] not in _LEADING and s[-1] not in _TRAILING}


def _terms_of(text: str, frequent: dict[str, int]) -> list[str]:
    found: list[str] = []
    for match in _CHUNK.finditer(text):
        if match.lastgroup == "word":
            word = match[0].strip("'’.-/")
            if (
                _SHORTEST_WORD <= len(word) <= _LONGEST_WORD
                and word.casefold().replace("’", "'") not in stop_words()
            ):
                found.append(word)
            continue
        for run in _chinese_breaks().split(match[0]):
            found.extend(_segmented(run, frequent))
    return found


def _segmented(run: str, frequent: dict[str, int]) -> list[str]:
    found: list[str] = []
    rest = ""
    at = 0
    while at < len(run):
        word = next(
            (
                run[at : at + length]
                for length in range(min(_LONGEST_SEQUENCE, len(run) - at), 1, -1)
                if run[at : at + length] in frequent
            ),
            None,
        )
        if word is None:
            rest += run[at]
            at += 1
            continue
        found.extend(_guessed(rest))
        found.append(word)
        rest = ""
        at += len(word)
    found.extend(_guessed(rest))
    return found


def _guessed(rest: str) -> list[str]:
    """Return what is short enough to be a word in a sequence that no other text shares."""
    pieces = [rest] if len(rest) <= _LONGEST_GUESS else _BETWEEN.split(rest)
    trimmed = [_trimmed(piece) for piece in pieces]
    return [piece for piece in trimmed if 1 < len(piece) <= _LONGEST_SEQUENCE]


def _trimmed(piece: str) -> str:
    while len(piece) > 2 and piece[0] in _LEADING:
        piece = piece[1:]
    while len(piece) > 2 and piece[-1] in _TRAILING:
        piece = piece[:-1]
    return piece
