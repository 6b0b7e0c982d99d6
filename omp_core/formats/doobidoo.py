"""mcp-memory-service (doobidoo): a JSON document with `export_metadata` and `memories`.

Memories have no id of their own; the hash of the content identifies them.
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
from omp_core.model import Record

NAME = "mcp-memory-service"


def detect(path: Path) -> bool:
    """Tell whether a file is such a document, whichever of its keys comes first."""
    head = peek(path).json
    if head is None or head.root != "object":
        return False
    first = head.first.get("memories")
    return head.has("export_metadata") or (isinstance(first, dict) and "content_hash" in first)


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the memories of a document. Raises FormatError."""
    content = load_json(read_text(path), str(path))
    rows = content.get("memories") if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise FormatError(
            _("{path}: has no list of memories. Export them again.").format(path=path)
        )
    for number, raw in enumerate(rows, 1):
        yield converted(f"{path.name}#{number}", raw, partial(_record, now=now))


def _record(row: Row, now: datetime) -> Record:
    if row.take("embedding") is not None:
        row.note(_("the embedding is left out; a new one is made"))
    kind = row.take_word("memory_type")
    if kind is not None:
        row.keep("memory_type", kind)
        row.fields.setdefault("category", kind)
    digest = row.take_word("content_hash")
    if digest is not None:
        row.keep("content_hash", digest)
        row.fields.setdefault("id", digest)
    return row.record(NAME, row.take_text("content"), now)
