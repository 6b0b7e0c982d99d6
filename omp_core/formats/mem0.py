"""mem0: what its API, its `get_all` and its dashboard write, as a JSON document.

A list of memories, alone or under one of several keys. Self-made rows vary: the text is in
`memory`, `text`, `content` or `data`, and `data` may be an object that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from omp_core.errors import FormatError
from omp_core.formats.files import read_text
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import load_json
from omp_core.formats.row import Row, converted
from omp_core.i18n import _
from omp_core.model import Json, Record

NAME = "mem0"
_LISTS = ("results", "memories", "items", "data")
_TEXTS = ("memory", "text", "content", "data")
_TOTALS = ("count", "total")
_PAGING = frozenset({"next", "previous", "page", "page_size", "pages", "limit", "offset", *_TOTALS})


def detect(path: Path) -> bool:
    """Tell whether a file is a list of objects with a text, alone or under a known key."""
    head = peek(path).json
    if head is None:
        return False
    names = ("",) if head.root == "list" else _LISTS
    found = next((head.first[name] for name in names if name in head.first), None)
    return _is_memory(found) or (found is None and not head.empty.isdisjoint(("", "results")))


def _is_memory(row: Json) -> bool:
    if not isinstance(row, dict):
        return False
    data = row.get("data")
    inner = data if isinstance(data, dict) else {}
    return any(isinstance(holder.get(name), str) for holder in (row, inner) for name in _TEXTS)


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the memories of a document. Raises FormatError."""
    content = load_json(read_text(path), str(path))
    if isinstance(content, list):
        content = {"": content}
    key = next((key for key in ("", *_LISTS) if isinstance(content.get(key), list)), None)
    if key is None:
        raise FormatError(
            _("{path}: has no list of memories under {keys}. Export them again.").format(
                path=path, keys=", ".join(_LISTS)
            )
        )
    rows = content.pop(key)
    convert = partial(_record, now=now)
    for number, raw in enumerate(rows, 1):
        yield converted(f"{path.name}#{number}", raw, convert)
    yield from _left_out(path, content, len(rows))


def _left_out(path: Path, rest: dict[str, Json], read_rows: int) -> Iterator[ImportItem]:
    """Yield a problem for all that the file promises or holds beyond the memories read."""
    for name in _TOTALS:
        total = rest.get(name)
        if isinstance(total, int) and total > read_rows:
            problem = _(
                "The file says that there are {total} memories and holds {rows}. "
                "Export the other pages as well."
            )
            place = f"{path.name}#{name}"
            yield ImportItem(place, None, problem.format(total=total, rows=read_rows))
            break
    for name, value in rest.items():
        if name not in _PAGING and isinstance(value, list | dict) and value:
            problem = _("{key} holds no memories and was not read.").format(key=name)
            yield ImportItem(f"{path.name}#{name}", None, problem)


def _record(row: Row, now: datetime) -> Record:
    inner = row.fields.get("data")
    if isinstance(inner, dict):
        del row.fields["data"]
        for name, value in inner.items():
            if row.fields.get(name) in (None, ""):
                row.fields[name] = value
            else:
                row.keep(name, value)
    return row.record(NAME, row.take_text(*_TEXTS), now)
