"""What a text must be to be a memory."""

from __future__ import annotations

import re

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.rules.rot import is_acknowledgement

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def storable(text: str) -> str:
    """Return the text with lone surrogates, which no file can hold, replaced by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def without_controls(text: str) -> tuple[str, int]:
    """Return the text without control characters, and how many there were."""
    return _CONTROL.subn("", text)


def accept(text: str, max_chars: int, *, stored_before: bool = False) -> str:
    """Return the text as it will be stored.

    Raises InvalidValueError for an empty text, one of more than `max_chars` characters, one
    with control characters other than tab and line ends, and one that only acknowledges
    something ("ok", "好的") unless it was `stored_before` and comes back (design, section 6).
    """
    if not text.strip():
        raise InvalidValueError(_("content: it is empty; a memory needs a text"))
    if not stored_before and is_acknowledgement(text):
        raise InvalidValueError(
            _("content: it only acknowledges something, which is no memory: {text}").format(
                text=headline(text)
            )
        )
    if len(text) > max_chars:
        raise InvalidValueError(
            _(
                "content: {count:,} characters are more than the {max_chars:,} allowed; "
                "a memory is one fact, so split it, or keep the text in a file and "
                "remember its path"
            ).format(count=len(text), max_chars=max_chars)
        )
    found = _CONTROL.search(text)
    if found is not None:
        raise InvalidValueError(
            _(
                "content: control character U+{code:04X} at character {position}; remove "
                "it and try again"
            ).format(code=ord(found[0]), position=found.start() + 1)
        )
    return storable(text)
