"""The one way by which text of a memory reaches the screen.

Textual reads a plain `str` as markup in most places, and passes control bytes on to the
terminal. A `Content` made here is neither parsed nor obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual.content import Content

from omp_core.language.language import CJK
from omp_core.language.terminal import one_line, visible

_MARKED = "underline"
_APART = rf"(?<![^\W_{CJK}]){{word}}(?![^\W_{CJK}])"
"""A word with no letter or digit of an alphabet right before or after it."""

MUTED = "dim"
"""Style of what stands back: an attribute, since a themed grey is unreadable on some terminals."""


def safe(text: str, *, width: int | None = None) -> Content:
    """Return `text` as content that shows every control and obeys none.

    With `width` (cells) it is folded to one line and cut with an ellipsis.
    """
    return Content(shown(text) if width is None else one_line(text, width))


def shown(text: str) -> str:
    """Return `text` with controls made visible, for places that take a `str` and parse nothing.

    These are the values of inputs and text areas, and `notify(..., markup=False)`.
    """
    return visible(text)


def marked(content: Content, words: Sequence[str]) -> Content:
    """Return `content` with the words that were looked for underlined where they stand.

    A word of letters is marked as a whole only, not inside a longer one; a Chinese one anywhere.
    """
    if not words:
        return content
    longest_first = sorted(words, key=len, reverse=True)
    pattern = "|".join(
        re.escape(word) if re.match(f"[{CJK}]", word) else _APART.format(word=re.escape(word))
        for word in longest_first
    )
    return content.highlight_regex(re.compile(pattern), style=_MARKED)


def fit(content: Content, width: int) -> Content:
    """Return `content` cut or padded to exactly `width` cells, wide characters never halved."""
    return content.truncate(max(width, 0), ellipsis=True, pad=True)


def join_lines(lines: list[Content]) -> Content:
    """Return the lines as one content."""
    return Content("\n").join(lines)
