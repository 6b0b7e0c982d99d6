"""Two texts beside each other, the words that differ marked by brackets as well as by weight."""

from __future__ import annotations

import difflib
import re
from itertools import groupby

from textual.content import Content

from omp_tui.text import safe

_PIECE = re.compile(r"[^\W\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+|\s+|.", re.DOTALL)
"""A word, a space between two, or a character: Chinese, Japanese and Korean go one by one."""
_MOST = 2_000
"""Pieces that are compared of each side: comparing costs their product."""
_CHANGED = "bold underline"


def differing(before: str, after: str) -> tuple[Content, Content]:
    """Return both texts, safe to show, with brackets around the words that the other has not.

    Texts of more than 2,000 words are shown without marks.
    """
    left, right = _PIECE.findall(before), _PIECE.findall(after)
    if len(left) > _MOST or len(right) > _MOST:
        return safe(before), safe(after)
    same_left, same_right = set[int](), set[int]()
    for block in difflib.SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
        same_left |= set(range(block.a, block.a + block.size))
        same_right |= set(range(block.b, block.b + block.size))
    return _marked(left, same_left), _marked(right, same_right)


def _marked(pieces: list[str], same: set[int]) -> Content:
    # a space between two words that differ is part of the difference
    joined = [
        index in same and not (pieces[index].isspace() and {index - 1, index + 1}.isdisjoint(same))
        for index in range(len(pieces))
    ]
    parts: list[Content | str | tuple[str, str]] = []
    for unchanged, group in groupby(range(len(pieces)), key=joined.__getitem__):
        text = safe("".join(pieces[index] for index in group))
        parts += [text] if unchanged else ["[", text.stylize(_CHANGED), "]"]
    return Content.assemble(*parts)
