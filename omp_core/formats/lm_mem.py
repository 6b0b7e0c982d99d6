"""lm-mem: its exported JSON object, the bare list that its importer wants, and its CSV.

Times are Unix seconds; an `expires_at` of 0 means that the memory never expires.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TextIO

from omp_core.errors import FormatError
from omp_core.formats.files import MAX_LINE_BYTES, mark_of, opened, read_text
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import load_json
from omp_core.formats.row import Row, converted
from omp_core.i18n import _
from omp_core.model import Json, Record

NAME = "lm-mem"
_OWN_KEYS = ("expires_at", "tags", "run_id")
_SEPARATORS = (",", ";", "\t")


def detect(path: Path) -> bool:
    """Tell whether a file is one of the shapes."""
    head = peek(path)
    if head.json is None:
        return _separator(head.text.partition("\n")[0]) is not None
    if head.json.root == "list":
        return _is_memory(head.json.first.get(""))
    if head.json.has("records"):
        return _is_memory(head.json.first.get("records")) or "records" in head.json.empty
    return head.json.keys == {"csv"}


def _is_memory(row: Json) -> bool:
    return isinstance(row, dict) and "content" in row and any(key in row for key in _OWN_KEYS)


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the memories of a JSON document or, row by row, of a CSV file.

    Raises FormatError.
    """
    convert = partial(_record, now=now)
    if peek(path).json is None:
        yield from _csv_file(path, convert)
        return
    content = load_json(read_text(path), str(path))
    if isinstance(content, dict) and isinstance(content.get("csv"), str):
        text = io.StringIO(content["csv"], newline="")
        yield from _csv_rows(text, f"{path.name}#csv", convert)
        return
    rows = content.get("records") if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise FormatError(
            _("{path}: has no list of records. Export the memories again.").format(path=path)
        )
    for number, raw in enumerate(rows, 1):
        yield converted(f"{path.name}#{number}", raw, convert)


def _csv_file(path: Path, convert: Callable[[Row], Record]) -> Iterator[ImportItem]:
    with opened(path) as stream:
        mark, encoding = mark_of(stream.read(4))
        stream.seek(len(mark))
        text = io.TextIOWrapper(stream, encoding, newline="")
        try:
            yield from _csv_rows(text, path.name, convert)
        except UnicodeDecodeError as error:
            read_text(path)  # names the byte
            raise FormatError(
                _("{path}: is not {encoding} throughout.").format(
                    path=path, encoding=encoding.upper()
                )
            ) from error


def _csv_rows(text: TextIO, name: str, convert: Callable[[Row], Record]) -> Iterator[ImportItem]:
    if csv.field_size_limit() < MAX_LINE_BYTES:
        csv.field_size_limit(MAX_LINE_BYTES)
    header = text.readline()
    separator = _separator(header)
    if separator is None:
        raise FormatError(
            _("{name}: the first line names no column `content`. Export it again.").format(
                name=name
            )
        )
    columns = _columns(header, separator)
    rows = csv.DictReader(text, columns, restkey="more columns", delimiter=separator)
    line = 2
    while True:
        try:
            raw = next(rows, None)
        except csv.Error as error:
            problem = _("The rest is no CSV ({reason}). Mend the line, or export it again.")
            yield ImportItem(f"{name}:{line}", None, problem.format(reason=error))
            return
        if raw is None:
            return
        filled = {key: value for key, value in raw.items() if value not in (None, "")}
        yield converted(f"{name}:{line}", filled, convert)
        line = rows.line_num + 2


def _separator(header: str) -> str | None:
    """Return what separates the columns, if this is the first line of such a file."""
    for separator in _SEPARATORS:
        columns = _columns(header, separator)
        if "content" in columns and any(key in columns for key in ("id", *_OWN_KEYS)):
            return separator
    return None


def _columns(header: str, separator: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([header], delimiter=separator), [])]
    except csv.Error:
        return []


def _record(row: Row, now: datetime) -> Record:
    return row.record(NAME, row.take_text("content"), now)
