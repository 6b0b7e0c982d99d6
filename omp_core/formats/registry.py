"""All formats that can be imported, and telling which of them a file has."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import ModuleType

from omp_core.errors import FormatError
from omp_core.formats import (
    basic_memory,
    claude_code,
    claude_mem,
    doobidoo,
    engram,
    instructions,
    json_lines,
    lm_mem,
    mcp_memory,
    mem0,
    mem0_markdown,
    notes,
    openmemory,
    openmemory_plus,
    own,
    saved,
)
from omp_core.formats.files import opened, read_text, refuse_unmarked_utf16
from omp_core.formats.head import Head, peek
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import load_json
from omp_core.formats.row import record_id
from omp_core.i18n import _


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that memories can come in. `read` yields in the order of the file."""

    name: str
    title: str
    detect: Callable[[Path], bool]
    read: Callable[[Path, datetime], Iterator[ImportItem]]


def _format(module: ModuleType, title: str) -> Format:
    return Format(module.NAME, title, module.detect, module.read)


FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        _format(own, "omp-tui export (JSON lines)"),
        _format(openmemory, "OpenMemory backup (zip)"),
        _format(saved, "omp-tui saved memory (JSON)"),
        _format(doobidoo, "mcp-memory-service export (JSON)"),
        _format(claude_mem, "claude-mem export (JSON)"),
        _format(engram, "engram export (JSON) or .engram/ folder"),
        _format(lm_mem, "lm-mem export (JSON or CSV)"),
        _format(mem0, "mem0 memories (JSON)"),
        _format(mcp_memory, "MCP reference memory (JSON lines)"),
        _format(openmemory_plus, "openmemory-plus folder (_omp/)"),
        _format(claude_code, "Claude Code memory folder (MEMORY.md)"),
        _format(mem0_markdown, "mem0-plugin export (Markdown)"),
        _format(basic_memory, "basic-memory notes (Markdown)"),
        _format(json_lines, "texts with times (JSON lines)"),
        _format(instructions, "instruction files, editor rules, memory banks (Markdown)"),
        _format(notes, "any Markdown file or folder; .serena/memories"),
    )
}
"""Every format by name, in the order in which they are tried: the surest signs first."""


def detect(path: Path) -> Format:
    """Return the format of a file or folder, judged by what is in it.

    Raises FormatError naming the file and what is wrong with it, or the known formats.
    """
    _check(path)
    found = next((each for each in FORMATS.values() if each.detect(path)), None)
    if found is None:
        raise FormatError(_unknown(path))
    return found


def read(path: Path, format: str | None = None, *, now: datetime) -> Iterator[ImportItem]:
    """Yield what a file holds, row by row. `now` stands in for times that are missing.

    Rows that cannot be read come with a problem; only a file that cannot be read at all
    raises FormatError. Rows of one id and different texts get ids of their own.
    """
    if format is None:
        chosen = detect(path)
    else:
        _check(path)
        if format not in FORMATS:
            raise FormatError(
                _("There is no format {format!r}. Known: {known}.").format(
                    format=format, known=", ".join(FORMATS)
                )
            )
        chosen = FORMATS[format]
    items = chosen.read(path, now)
    return items if chosen.name in (own.NAME, saved.NAME) else _with_own_ids(items, chosen.name)


def _with_own_ids(items: Iterable[ImportItem], format_name: str) -> Iterator[ImportItem]:
    contents: dict[str, int] = {}
    for item in items:
        record = item.record
        if record is None:
            yield item
            continue
        known = contents.setdefault(record.id, hash(record.content))
        if known != hash(record.content):
            other = record_id(format_name, record.content, record.scope, record.id)
            metadata = {**record.metadata, "original_id": record.id}
            note = _("another row has the same id; this one gets its own")
            record = replace(record, id=other, metadata=metadata)
            item = replace(item, record=record, notes=(*item.notes, note))
        yield item


def _check(path: Path) -> None:
    if path.is_dir():
        if not os.access(path, os.R_OK | os.X_OK):
            raise FormatError(
                _(
                    "{path}: no permission to look into the folder. Give yourself the right "
                    "(chmod u+rx), or copy it to a place of your own."
                ).format(path=path)
            )
        return
    with opened(path) as stream:
        start = stream.read(4)
    if not start:
        raise FormatError(_("{path}: is empty, so there is nothing to import.").format(path=path))
    refuse_unmarked_utf16(start, str(path))


def _unknown(path: Path) -> str:
    known = "; ".join(each.title for each in FORMATS.values())
    if path.is_dir():
        return _("{path}: no known kind of memory folder. Known are: {known}.").format(
            path=path, known=known
        )
    with opened(path) as stream:
        start = stream.read(4)
    if start.startswith(b"PK\x03\x04"):
        return _unknown_zip(path, known)
    head = peek(path)
    talk = _conversation(head)
    if talk:
        return _(
            "{path}: is a {program} conversation, not an export of memories. "
            "Let memories be extracted from it instead."
        ).format(path=path, program=talk)
    if "\0" not in head.text:
        text = read_text(path)  # raises where it is not UTF-8
        if head.json is not None and "\n{" not in head.text:
            load_json(text, str(path))  # raises where it is damaged
    return _("{path}: is in no known format. Known are: {known}.").format(path=path, known=known)


def _unknown_zip(path: Path, known: str) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            held = ", ".join(archive.namelist()[:5])
    except (OSError, zipfile.BadZipFile) as error:
        return _(
            "{path}: the zip is damaged or cut off ({error}). Download or copy it again."
        ).format(path=path, error=error)
    return _("{path}: the zip holds no memories ({held}). Known are: {known}.").format(
        path=path, held=held, known=known
    )


def _conversation(head: Head) -> str | None:
    first = head.json.first.get("") if head.json else None
    if isinstance(first, dict) and "mapping" in first:
        return "ChatGPT"
    if isinstance(first, dict) and "chat_messages" in first:
        return "Claude"
    return None
