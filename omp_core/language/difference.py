"""Which words two texts differ in, as pieces that put together again are the texts themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from omp_core.language.tokens import words

_MOST = 1500
"""Words compared one by one; what stands beyond them in a longer text counts as different."""


@dataclass(frozen=True, slots=True)
class DifferencePiece:
    """A part of a text, and whether the other text says something else there."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Both texts in pieces; no two neighbours of a side are alike in `differs`."""

    left: tuple[DifferencePiece, ...]
    right: tuple[DifferencePiece, ...]


def difference(left: str, right: str) -> Difference:
    """Return both texts in pieces, those marked in which they differ.

    Words are those of our tokens, a CJK character alone; marks and white space between two
    different words belong to the difference.
    """
    a, b = words(left), words(right)
    start = _same_start(a, b)
    end = _same_start(a[start:][::-1], b[start:][::-1])
    inner_a, inner_b = a[start : len(a) - end], b[start : len(b) - end]
    differs_a = [True] * len(inner_a)
    differs_b = [True] * len(inner_b)
    matcher = SequenceMatcher(None, inner_a[:_MOST], inner_b[:_MOST], autojunk=False)
    for at_a, at_b, size in matcher.get_matching_blocks():
        differs_a[at_a : at_a + size] = [False] * size
        differs_b[at_b : at_b + size] = [False] * size
    return Difference(
        _pieces(a, [False] * start + _closed(inner_a, differs_a) + [False] * end),
        _pieces(b, [False] * start + _closed(inner_b, differs_b) + [False] * end),
    )


def _same_start(a: Sequence[str], b: Sequence[str]) -> int:
    pairs = zip(a, b, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(a), len(b)))


def _closed(parts: Sequence[str], differs: list[bool]) -> list[bool]:
    """Mark what holds no word and stands between two differences."""
    closed = list(differs)
    last: int | None = None
    for at, part in enumerate(parts):
        if differs[at]:
            if last is not None:
                closed[last + 1 : at] = [True] * (at - last - 1)
            last = at
        elif any(character.isalnum() for character in part):
            last = None
    return closed


def _pieces(parts: Sequence[str], differs: Sequence[bool]) -> tuple[DifferencePiece, ...]:
    pieces: list[DifferencePiece] = []
    run: list[str] = []
    for at, part in enumerate(parts):
        run.append(part)
        if at + 1 == len(parts) or differs[at + 1] != differs[at]:
            pieces.append(DifferencePiece("".join(run), differs[at]))
            run = []
    return tuple(pieces)
