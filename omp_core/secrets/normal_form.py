"""One plain form of a text for detection, with the way back to the places in the original."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_SELECTORS = range(0xFE00, 0xFE10)
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` is what detectors read; `origin[i]` is where its character i came from.

    `origin` is None when both texts have the same places.
    """

    text: str
    origin: tuple[int, ...] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that folded into `start:end` (not empty)."""
        if self.origin is None:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1


def fold(text: str) -> Folded:
    """Fold full-width and mathematical letters and digits, digits of every script, dashes
    and spaces to ASCII; drop invisible characters.
    """
    if text.isascii():
        return Folded(text, None)
    table = {char: folded for char in set(text) if (folded := _fold_char(char)) != char}
    if not table:
        return Folded(text, None)
    if all(len(folded) == 1 for folded in table.values()):
        return Folded(text.translate({ord(char): folded for char, folded in table.items()}), None)
    parts: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(text):
        folded = table.get(char, char)
        parts.append(folded)
        origin.extend([place] * len(folded))
    return Folded("".join(parts), tuple(origin))


@lru_cache(maxsize=8192)
def _fold_char(char: str) -> str:
    if char.isascii():
        return char
    category = unicodedata.category(char)
    if category == "Cf" or char in _FILLERS or ord(char) in _SELECTORS:
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Pd" or char == "\u2212":
        return "-"
    if category == "Zs":
        return " "
    return unicodedata.normalize("NFKC", char)
