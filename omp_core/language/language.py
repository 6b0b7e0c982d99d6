"""Which script a text is written in."""

from __future__ import annotations

import re
from typing import Literal

Script = Literal["cjk", "latin"]

CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u3035\u303b"
    "\u3041-\u3096\u3099-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c"
    "\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\uff66-\uff9d"
    "\U0001b000-\U0001b16f\U00020000-\U0003fffd"
)
"""Han, kana, bopomofo and Hangul, as the inside of a regular expression's class."""

_CJK_CHAR = re.compile(f"[{CJK}]")
_OTHER_WORD = re.compile(rf"[^\W_{CJK}]+")


def script(text: str) -> Script:
    """Return `cjk` when at least as many CJK characters as other words are in `text`.

    A word of an alphabet counts as much as one CJK character, so that Chinese sentences
    full of English names (`用户偏好 pytest，不用 unittest`) stay Chinese. Text without
    letters counts as Latin.
    """
    characters = len(_CJK_CHAR.findall(text))
    if not characters:
        return "latin"
    return "cjk" if characters >= len(_OTHER_WORD.findall(text)) else "latin"
