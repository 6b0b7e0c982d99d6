"""Metadata that openmemory-plus writes in front of a memory's text: `[SCOPE:PERSONAL]`."""

from __future__ import annotations

import re

from omp_core.formats.row import Row

_TAGS = re.compile(r"\s*((?:\[[A-Z][A-Z_]{1,15}:[^\[\]\n]{1,40}\]\s*)+)")
_TAG = re.compile(r"\[([A-Z_]+):([^\[\]]+)\]")
_NAMES = {"conf": "confidence"}


def take_embedded_tags(row: Row, content: str | None) -> str | None:
    """Return the text without its leading tags, which become metadata of the row."""
    found = _TAGS.match(content or "")
    if content is None or found is None or not content[found.end() :].strip():
        return content
    for name, value in _TAG.findall(found[1]):
        key = _NAMES.get(name.lower(), name.lower())
        row.keep(key, value.strip())
    return content[found.end() :]
