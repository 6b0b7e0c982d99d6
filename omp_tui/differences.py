"""Two texts beside each other, the words that differ marked by brackets as well as by weight."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from omp_core.language.difference import DifferencePiece, difference
from omp_tui.text import safe

_CHANGED = "bold underline"


def differing(before: str, after: str) -> tuple[Content, Content]:
    """Return both texts, safe to show, with brackets around the words that the other has not."""
    found = difference(before, after)
    return _marked(found.left), _marked(found.right)


def _marked(pieces: Iterable[DifferencePiece]) -> Content:
    parts: list[Content | str] = []
    for piece in pieces:
        text = safe(piece.text)
        parts += ["[", text.stylize(_CHANGED), "]"] if piece.differs else [text]
    return Content.assemble(*parts)
