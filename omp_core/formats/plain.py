"""Foreign values made into plain JSON values that a store can hold as UTF-8."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, time

from omp_core.i18n import _
from omp_core.model import Json

MAX_DEPTH = 100
"""Levels of lists and mappings in one row; deeper nesting is an attack or a loop."""
MAX_NODES = 1_000_000
"""Values in one row. Aliases of a YAML file can stand for more than any memory holds."""


class NotPlainError(Exception):
    """A value that is nested too deeply or is too large to be one memory."""


def plain(value: object) -> tuple[Json, list[str]]:
    """Return `value` as a JSON value, and a note for each kind of change that it took.

    Lone surrogates become U+FFFD, numbers that JSON cannot hold and all other values
    become text, times become ISO 8601. Raises NotPlainError.
    """
    cleaner = _Cleaner()
    cleaned = cleaner.clean(value, 0)
    return cleaned, cleaner.notes()


def storable(text: str) -> tuple[str, bool]:
    """Return `text` with lone surrogates replaced by U+FFFD, and whether there were any."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), True
    return text, False


class _Cleaner:
    def __init__(self) -> None:
        self._nodes = 0
        self._surrogates = False
        self._numbers = False

    def notes(self) -> list[str]:
        notes = []
        if self._surrogates:
            notes.append(_("half of a character pair (a lone surrogate) replaced by U+FFFD"))
        if self._numbers:
            notes.append(_("a number that JSON cannot hold kept as text"))
        return notes

    def clean(self, value: object, depth: int) -> Json:
        self._nodes += 1
        if depth > MAX_DEPTH:
            raise NotPlainError(_("it is nested too deeply to be a memory"))
        if self._nodes > MAX_NODES:
            raise NotPlainError(_("it holds too many values to be one memory"))
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool | int):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else self._number(value)
        if isinstance(value, Mapping):
            return {self._key(key): self.clean(each, depth + 1) for key, each in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.clean(each, depth + 1) for each in value]
        if isinstance(value, datetime | date | time):
            return value.isoformat()
        return self._text(str(value))

    def _key(self, key: object) -> str:
        return self._text(key if isinstance(key, str) else str(self.clean(key, 0)))

    def _text(self, text: str) -> str:
        text, changed = storable(text)
        self._surrogates |= changed
        return text

    def _number(self, value: float) -> str:
        self._numbers = True
        return str(value)
