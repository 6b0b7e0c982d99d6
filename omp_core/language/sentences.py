"""Sentences and token counts of Chinese and English text."""

from __future__ import annotations

import math
import re

from omp_core.language.language import CJK

_CLOSERS = "”’」』）】》〉\"')\\]"
_END = re.compile(
    rf"[。！？｡]+[{_CLOSERS}]*"  # these end a sentence wherever they stand
    rf"|[.!?]+[{_CLOSERS}]*(?=\s|$|[{CJK}])"
    rf"|…+[{_CLOSERS}]*(?=\s|$)"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|dr|mr|mrs|ms|prof|st|no|fig|vol|jr|sr"
    r"|inc|ltd|co|corp|dept|est|[A-Za-z])\.$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)、])$")
_CJK_CHAR = re.compile(f"[{CJK}]")


def sentences(text: str) -> list[str]:
    """Split Chinese and English `text` into sentences, stripped, none empty, in order.

    Line ends always separate. A full stop of the Latin kind ends a sentence only in front
    of white space, CJK text or the end, and not behind an abbreviation, an initial, a list
    number, or in front of a small letter. Nothing but white space gets lost.
    """
    found: list[str] = []
    for line in text.splitlines():
        start = 0
        for match in _END.finditer(line):
            if _goes_on(line, start, match):
                continue
            found.append(line[start : match.end()])
            start = match.end()
        found.append(line[start:])
    return [stripped for sentence in found if (stripped := sentence.strip())]


def _goes_on(line: str, start: int, match: re.Match[str]) -> bool:
    if match[0].strip(".…"):
        return False
    head = line[start : match.end()]
    if _BULLET.match(head) or _ABBREVIATION.search(head):
        return True
    rest = line[match.end() :].lstrip()
    return rest[:1].isascii() and rest[:1].islower()


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a language model reads: one for each CJK character, one for
    every four other characters, rounded up.
    """
    cjk = len(_CJK_CHAR.findall(text))
    return cjk + math.ceil((len(text) - cjk) / 4)
