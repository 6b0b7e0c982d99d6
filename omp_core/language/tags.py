"""Tags as people and programs write them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable

_SEPARATOR = re.compile(r"[,，\n]")


def tags_of(value: str | Iterable[object]) -> list[str]:
    """Return the tags of a list, of text with commas, or of the text of a list in JSON or Python.

    Each is stripped, numbers are their text, empty ones are left out; order and case stay.
    """
    parts: Iterable[object] = _listed(value) if isinstance(value, str) else value
    given = (part for part in parts if part is not None)
    words = (part.strip() if isinstance(part, str) else json.dumps(part) for part in given)
    return [word for word in words if word]


def _listed(text: str) -> Iterable[object]:
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]"):
        for read in (json.loads, ast.literal_eval):
            try:
                found = read(stripped)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if isinstance(found, list):
                return found
    return _SEPARATOR.split(text)
