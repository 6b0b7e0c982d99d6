"""Values of documents as a person types them on one line, and as such a line reads."""

from __future__ import annotations

import contextlib
import json

import msgspec

from omp_core.model import Json


def meant(text: str) -> Json:
    """Return the value that a text stands for in JSON, if that is written in the same way.

    `3.10` stays the text that it is: as a number it would be 3.1.
    """
    # a text that is no Unicode (a lone surrogate) is no JSON either
    with contextlib.suppress(msgspec.DecodeError, UnicodeEncodeError):
        value = msgspec.json.decode(text)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or msgspec.json.encode(value).decode() == text:
            return value
    return text


def typed(value: Json) -> str:
    """Return the text that `meant` reads as `value`: texts bare where they can be, else JSON."""
    if isinstance(value, str) and meant(value) == value and isinstance(meant(value), str):
        return str(value)
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)  # with spaces, as people write it
    return msgspec.json.encode(value).decode()
