"""Seed phrases of wallets: a dozen words or more of one BIP-39 word list, numbered or bare."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from omp_core.secrets.kinds import SecretKind, Span

_LEAST = 12
"""Words of the shortest seed phrase (BIP-39: 12, 15, 18, 21 or 24)."""
_WORD = re.compile(r"[^\W\d_]+")
_GAP = re.compile(
    r"(?i)\s*(?:[,，、;|/-]\s*)?(?:(?:word|#|no\.?)?\s{0,2}#?\d{1,2}\s{0,2}[.):、-]?\s{0,2})?"
)
"""What may stand between two words of a phrase: space, one separator, a number."""
_ANNOUNCED = re.compile(
    r"(?i)(?:seed|mnemonic|(?:recovery|secret|backup|wallet) (?:phrase|words)|助记词)"
    r"[^\n:a-z]{0,12}(?:is|是|为|[:=])\s*[\"'“]?"
    r"(?P<value>[a-z]{3,8}(?:[ ,，]+[a-z]{3,8}){11,23})(?![A-Za-z])"
)
_PROSE = re.compile(r"\b(?:the|and|that|with|from|this|are|was|were|have|has|not|for|you)\b", re.I)
_LANGUAGES = (
    "english", "chinese_simplified", "chinese_traditional", "french", "spanish", "italian",
    "portuguese", "czech", "japanese", "korean",
)  # fmt: skip


def phrase_spans(text: str) -> Iterator[Span]:
    """Yield runs of at least 12 words that one word list of BIP-39 holds, and announced ones."""
    for match in _ANNOUNCED.finditer(text):
        if not _PROSE.search(match["value"]):
            yield Span(*match.span("value"), SecretKind.PRIVATE_KEY)
    words = list(_WORD.finditer(text))
    for run in _runs(text, words):
        for language in _LANGUAGES:
            known = _list(language)
            start: int | None = None
            length = 0
            for word in (*run, None):
                if word is not None and _plain(word[0]) in known:
                    start = word.start() if start is None else start
                    length, end = length + 1, word.end()
                    continue
                if start is not None and length >= _LEAST:
                    yield Span(start, end, SecretKind.PRIVATE_KEY)
                start, length = None, 0


def _runs(text: str, words: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield the words that stand next to each other, a dozen or more of them."""
    run: list[re.Match[str]] = []
    for word in words:
        if (
            word[0].lower() in ("word", "no")
            and run
            and text[word.end() : word.end() + 3].strip("# ")[:1].isdigit()
        ):
            continue  # "word 2:"
        if run and not _GAP.fullmatch(text, run[-1].end(), word.start()):
            if len(run) >= _LEAST:
                yield run
            run = []
        run.append(word)
    if len(run) >= _LEAST:
        yield run


def _plain(word: str) -> str:
    return unicodedata.normalize("NFKD", word.lower())


@lru_cache(maxsize=len(_LANGUAGES))
def _list(language: str) -> frozenset[str]:
    from mnemonic import Mnemonic

    return frozenset(_plain(word) for word in Mnemonic(language).wordlist)
