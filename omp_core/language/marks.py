"""Marks in front of a text: `[SCOPE:PERSONAL][CONF:0.9]`, metadata for tools that know only texts.

They are read into fields and taken out of the text, and written again by an export that is
asked for them (extraction seed: metadata tags in the text).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from omp_core.model import Record

SCOPE = "scope"
CONFIDENCE = "conf"
_MARKS = re.compile(r"\s*((?:\[[A-Z][A-Z_]{1,15}:[^\[\]\n]{1,40}\]\s*)+)")
_MARK = re.compile(r"\[([A-Z_]+):([^\[\]]+)\]")


def parted(text: str) -> tuple[str, Mapping[str, str]]:
    """Return a text without the marks in front of it, and these by their names in small letters.

    A text that is nothing but marks stays as it is.
    """
    found = _MARKS.match(text)
    if found is None or not text[found.end() :].strip():
        return text, {}
    marks = {name.lower(): value.strip() for name, value in _MARK.findall(found[1])}
    return text[found.end() :], marks


def confidence_of(mark: str) -> float | None:
    """Return the confidence that a mark says, None when it is no number from 0 to 1."""
    try:
        number = float(mark)
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def marked(record: Record) -> Record:
    """Return a record with whose it is and how sure it is in front of its text."""
    whose = record.metadata.get(SCOPE)
    if not isinstance(whose, str):
        whose = "PERSONAL" if record.scope.user_id else None
    if whose is None:
        whose = "PROJECT" if record.scope.app_id else "UNIVERSAL"
    head = f"[SCOPE:{whose}][CONF:{record.confidence:g}]"
    return replace(record, content=f"{head} {record.content}")


def unmarked(record: Record) -> Record:
    """Return a record without the marks that `marked` put in front of its text."""
    plain = replace(record, content=parted(record.content)[0])
    return plain if marked(plain).content == record.content else record
