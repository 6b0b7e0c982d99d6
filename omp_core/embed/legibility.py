"""Whether a text is made of words that a model knows, told by how its vocabulary cuts it.

Something is always nearest, also to words that mean nothing, and often nearer than the answer
to a real question is to it: likeness cannot tell them apart, the vocabulary can.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from omp_core.language.language import CJK

Pieces = Callable[[str], tuple[int, int]]
"""Into how many pieces of its vocabulary a model cuts a word, and how many it does not know."""

_LONG = re.compile(rf"[^\W\d_{CJK}]{{5,}}")
_CHARACTERS = re.compile(f"[{CJK}]+")
_LETTERS_A_PIECE = 2.1
"""Words cut finer than this are no words: letters at random come to 1.1-2.0, questions of people
to 2.2 and more. Shorter words than five letters are left out: they are names as often as not."""
_UNKNOWN = 0.5
"""More unknown characters than this share are no words."""


def legible(text: str, pieces: Pieces) -> bool:
    """Return whether a model can make anything of the words of a text.

    A text without long words or CJK characters is legible: it says too little to tell.
    """
    words, characters = _LONG.findall(text), "".join(_CHARACTERS.findall(text))
    if characters and pieces(characters)[1] <= _UNKNOWN * len(characters):
        return True
    if not words:
        return not characters
    return sum(map(len, words)) >= _LETTERS_A_PIECE * sum(pieces(word)[0] for word in words)
