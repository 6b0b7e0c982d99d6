"""engram: its JSON export, and the gzip chunks of an `.engram/` folder.

Times are SQLite text in UTC. Row ids differ from one database to the next; session, title
and time identify an observation.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, cast

from omp_core.errors import FormatError
from omp_core.formats.files import decode, opened, read_limited, read_text
from omp_core.formats.folders import leads_out, members
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import load_json
from omp_core.formats.row import Row, converted, record_id
from omp_core.i18n import _
from omp_core.model import Json, Record, Scope

NAME = "engram"
_SQLITE_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?")
_TIMES = ("created_at", "updated_at", "last_seen_at", "deleted_at")


def detect(path: Path) -> bool:
    """Tell whether a path is an export, or a folder with a manifest of chunks."""
    if path.is_dir():
        return _folder(path) is not None
    head = peek(path).json
    if head is None or head.root != "object":
        return False
    first = head.first.get("observations")
    return (isinstance(first, dict) and "session_id" in first and "content" in first) or (
        head.has("version") and head.has("observations") and head.has("prompts")
    )


def _folder(path: Path) -> Path | None:
    for folder in (path, path / ".engram"):
        if (folder / "manifest.json").is_file() and _chunks(folder):
            return folder
    return None


def _chunks(folder: Path) -> list[Path]:
    return members(folder, "*.gz", "chunks/*.gz")


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the observations of an export, or of all chunks by name. Raises FormatError."""
    folder = _folder(path) if path.is_dir() else None
    if folder is None:
        content = load_json(read_text(path), str(path))
        yield from _observations(content, str(path), path.name, now)
        return
    for chunk in _chunks(folder):
        place = chunk.relative_to(folder).as_posix()
        if problem := leads_out(chunk, folder):
            yield ImportItem(place, None, problem)
            continue
        try:
            yield from _observations(_unpacked(chunk), str(chunk), place, now)
        except FormatError as error:
            yield ImportItem(place, None, str(error))


def _unpacked(chunk: Path) -> Json:
    try:
        with opened(chunk) as packed, gzip.GzipFile(fileobj=io.BytesIO(packed.read())) as stream:
            data = read_limited(cast(IO[bytes], stream), str(chunk))
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise FormatError(
            _("{chunk}: is damaged ({error}). Fetch the chunk again.").format(
                chunk=chunk, error=error
            )
        ) from error
    return load_json(decode(data, str(chunk)), str(chunk))


def _observations(content: Json, name: str, place: str, now: datetime) -> Iterator[ImportItem]:
    rows = content.get("observations") if isinstance(content, dict) else None
    if rows is None and isinstance(content, dict) and {"sessions", "prompts"} & content.keys():
        return
    if not isinstance(rows, list):
        raise FormatError(
            _("{name}: has no list of observations. Export them again.").format(name=name)
        )
    for number, raw in enumerate(rows, 1):
        yield converted(f"{place}#{number}", raw, partial(_record, now=now))
    for table in ("sessions", "prompts"):
        if content.get(table):
            problem = _("{key} holds no memories and was not read.").format(key=table)
            yield ImportItem(f"{place}#{table}", None, problem)


def _record(row: Row, now: datetime) -> Record:
    for key in _TIMES:
        value = row.fields.get(key)
        if isinstance(value, str) and _SQLITE_TIME.fullmatch(value):
            row.fields[key] = f"{value}Z"
    title = row.take_text("title")
    content = row.take_text("content") or title
    if title is not None:
        row.keep("title", title)
    kind = row.take_word("type")
    if kind is not None:
        row.keep("type", kind)
        row.fields["category"] = kind
    number = row.take("id")
    if number is not None:
        row.keep("original_id", number)
    session, created = row.fields.get("session_id"), row.fields.get("created_at")
    if session and created:
        row.fields["id"] = record_id(NAME, title or "", Scope(), str(session), str(created))
    scope = Scope(app_id=row.take_word("project"))
    return row.record(NAME, content, now, scope=scope)
