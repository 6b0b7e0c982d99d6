"""JSON lines of texts with times: `{"timestamp": ..., "content": ...}`, as small tools write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from omp_core.formats.files import lines, opened
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import pieces
from omp_core.formats.row import Row, converted
from omp_core.i18n import _
from omp_core.model import Json, Record

NAME = "json-lines"
_TEXTS = ("content", "text", "memory", "observation", "note", "fact")
_TIMES = ("timestamp", "time", "date", "ts")
_START = re.compile(r"\{\s*\"")


def detect(path: Path) -> bool:
    """Tell whether the first objects of a file are texts; what has a role is a conversation."""
    head = peek(path)
    if head.json is not None and head.json.root == "list":
        return False
    first = list(head.objects())
    return bool(first) and all(map(_is_text, first))


def _is_text(value: dict[str, Json]) -> bool:
    return "role" not in value and any(isinstance(value.get(key), str) for key in _TEXTS)


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield a memory for each object of each line, and what is damaged."""
    with opened(path) as stream:
        for line in lines(stream, path.name):
            place = f"{path.name}:{line.number}"
            if line.problem:
                yield ImportItem(place, None, line.problem)
            found = list(pieces(line.text, _START))
            for number, piece in enumerate(found, 1):
                own = place if len(found) == 1 else f"{place}({number})"
                if piece.problem:
                    problem = _("The line is damaged ({reason}). Mend it, or leave it out.")
                    yield ImportItem(own, None, problem.format(reason=piece.problem))
                else:
                    yield converted(own, piece.value, partial(_record, now=now))


def _record(row: Row, now: datetime) -> Record:
    if not any(row.fields.get(name) for name in ("created_at", "createdAt", "created")):
        row.fields["created_at"] = row.take(*_TIMES)
    told = row.fields.get("created_at")
    return row.record(NAME, row.take_text(*_TEXTS), now, identity=(str(told or ""),))
