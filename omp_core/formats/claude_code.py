"""Claude Code's auto memory: a folder of `MEMORY.md` and one Markdown file per memory.

`MEMORY.md` is an index, one line a memory; in older folders it holds memories itself. The
format is internal to Claude Code: frontmatter that is not YAML is kept as text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from omp_core.errors import FormatError
from omp_core.formats.files import read_text
from omp_core.formats.folders import FolderFile, folder_files, members
from omp_core.formats.item import ImportItem
from omp_core.formats.markdown import Block, blocks, read_note
from omp_core.formats.pieces import block_record, keep_frontmatter, text_record
from omp_core.formats.row import Row, converted
from omp_core.i18n import _
from omp_core.model import Category, Record

NAME = "claude-code"
_INDEX = "MEMORY.md"
_TYPES: Mapping[str, Category] = {
    "user": Category.IDENTITY,
    "feedback": Category.PREFERENCE,
    "project": Category.FACT,
    "reference": Category.FACT,
}
_TYPE_LINE = re.compile(r"^\s*type:\s*(user|feedback|project|reference)\s*$", re.MULTILINE)
_ENTRY = re.compile(
    r"\[([^\]\n]+)\]\(([^)\s]+\.md)\)\s*(?:[-\u2013\u2014:\uff1a]+\s*)?(.*)", re.DOTALL
)


def detect(path: Path) -> bool:
    """Tell whether a path is such a folder, its index, or a project's folder around it."""
    return _folder(path) is not None


def _folder(path: Path) -> Path | None:
    if path.is_file() and path.name == _INDEX:
        path = path.parent
    for folder in (path, path / "memory"):
        if not folder.is_dir():
            continue
        if (folder / _INDEX).is_file() and not (folder / "USER.md").is_file():
            return folder
        if any(_is_memory(file) for file in members(folder, "*.md")[:20]):
            return folder
    return None


def _is_memory(file: Path) -> bool:
    try:
        note = read_note(read_text(file))
    except FormatError:
        return False
    inner = note.frontmatter.get("metadata")
    inner = inner if isinstance(inner, dict) else {}
    if note.raw is not None:
        return _TYPE_LINE.search(note.raw) is not None
    typed = note.frontmatter.get("type") in _TYPES or inner.get("type") in _TYPES
    return typed and "name" in note.frontmatter and "description" in note.frontmatter


@dataclass(frozen=True, slots=True)
class _Entry:
    title: str
    hook: str


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield a memory per file, then what the index holds beyond its links to them."""
    folder = _folder(path) or path
    if not folder.is_dir():
        raise FormatError(
            _("{path}: is no Claude Code memory folder. Name the folder itself.").format(path=path)
        )
    files = list(folder_files(folder, ".md"))
    index = next((file for file in files if file.path == folder / _INDEX), None)
    entries: dict[str, _Entry] = {}
    loose: list[Block] = []
    if index is not None:
        known = {_name(file.path.relative_to(folder).as_posix()) for file in files}
        for block in blocks(index.text):
            found = _ENTRY.match(block.text)
            if found and _name(found[2]) in known:
                entries[_name(found[2])] = _Entry(found[1], found[3].strip())
            else:
                loose.append(block)
    for file in files:
        if file.problem:
            yield ImportItem(file.place, None, file.problem)
        elif file is not index:
            entry = entries.get(_name(file.path.relative_to(folder).as_posix()))
            yield converted(file.place, {}, partial(_memory, file=file, entry=entry, now=now))
    for block in loose:
        if index is not None:
            place = f"{index.place}:{block.line}"
            yield converted(place, {}, partial(_index_line, file=index, block=block, now=now))


def _name(written: str) -> str:
    """Return a file's name as an index means it: some systems fold case and decompose letters."""
    return unicodedata.normalize("NFC", unquote(written).removeprefix("./")).casefold()


def _memory(row: Row, file: FolderFile, entry: _Entry | None, now: datetime) -> Record:
    note = read_note(file.text)
    inner = note.frontmatter.pop("metadata", None)
    row.metadata.update(inner if isinstance(inner, dict) else {})
    if inner is not None and not isinstance(inner, dict):
        row.keep("metadata", inner)
    keep_frontmatter(row, note)
    if found := _TYPE_LINE.search(note.raw or ""):
        row.keep("type", found[1])
    kind = row.metadata.get("type")
    category = _TYPES.get(kind, Category.FACT) if isinstance(kind, str) else Category.FACT
    if entry is not None:
        row.keep("index_title", entry.title)
        if entry.hook:
            row.keep("index_line", entry.hook)
    if "modified" in row.metadata:
        row.fields["modified"] = row.metadata.pop("modified")
    description = row.metadata.get("description")
    description = description if isinstance(description, str) else ""
    content = note.body.strip() or description or (note.raw or "").strip()
    return text_record(row, NAME, file, content, now, category)


def _index_line(row: Row, file: FolderFile, block: Block, now: datetime) -> Record:
    if found := _ENTRY.match(block.text):
        row.note(_("the index names {file}, which is not there").format(file=found[2]))
    return block_record(row, NAME, file, block, now)
