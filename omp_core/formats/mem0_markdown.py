"""mem0-plugin: one Markdown file of many memories, each behind a block of `key: value` lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from omp_core.formats.files import read_text
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.formats.row import Row, converted
from omp_core.model import Record

NAME = "mem0-markdown"
# A rule inside a memory is no new block unless lines of keys with an id follow it.
_BLOCK = re.compile(
    r"^---[ \t]*\n((?:[a-z_]+:[^\n]*\n)*?id:[^\n]*\n(?:[a-z_]+:[^\n]*\n)*)---[ \t]*$", re.M
)
_LISTS = ("files",)


def detect(path: Path) -> bool:
    """Tell whether a text begins with such a block."""
    found = _BLOCK.match(peek(path).text.replace("\r\n", "\n").lstrip())
    return found is not None and "created_at:" in found[1]


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the memories of a file. Raises FormatError."""
    text = read_text(path).replace("\r\n", "\n")
    found = list(_BLOCK.finditer(text))
    ends = [block.start() for block in found[1:]] + [len(text)]
    line = seen = 0
    for block, end in zip(found, ends, strict=True):
        line += text.count("\n", seen, block.start())
        seen = block.start()
        pairs = (key_line.partition(":") for key_line in block[1].splitlines())
        raw = {key.strip(): value.strip() for key, _colon, value in pairs if value.strip()}
        content = text[block.end() : end].strip()
        place = f"{path.name}:{line + 1}"
        yield converted(place, raw, partial(_record, content=content, now=now))


def _record(row: Row, content: str, now: datetime) -> Record:
    kind = row.take_word("type")
    if kind is not None:
        row.keep("type", kind)
        row.fields["category"] = kind
    for name in _LISTS:
        value = row.take_text(name)
        if value is not None:
            row.keep(name, [part.strip() for part in value.split(",") if part.strip()])
    return row.record(NAME, content, now)
