"""basic-memory: Markdown notes with observations and relations, alone or in a folder.

Each line `- [category] text #tag (context)` is one memory, the prose around them another; each
`- kind [[Target]]` becomes a link of all of them. A note without observations is one memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from omp_core.errors import FormatError
from omp_core.formats.files import read_text
from omp_core.formats.folders import FolderFile, folder_file, folder_files, walk
from omp_core.formats.item import ImportItem
from omp_core.formats.markdown import MarkdownNote, read_note
from omp_core.formats.pieces import text_record
from omp_core.formats.row import Row, converted
from omp_core.model import Json, Record

NAME = "basic-memory"
_OBSERVATION = re.compile(r"[-*]\s+\[(?![xX -]\])([^\[\]()\n]+)\]\s+(\S.*)")
_RELATION = re.compile(
    r"[-*]\s+(?:\"([^\"]+)\"|([^\[\]\n]*?))\s*\[\[([^\[\]]+)\]\]\s*(?:\((.*)\))?\s*"
)
_CONTEXT = re.compile(r"\s*\(([^()]*)\)\s*\Z")
_TAG = re.compile(r"(?<!\S)#([^\s#]+)")
_LOOKED_AT = 50


def detect(path: Path) -> bool:
    """Tell whether a file, or one of the first notes of a folder, is such a note."""
    if path.is_file():
        return path.suffix == ".md" and _is_note(path)
    if not path.is_dir():
        return False
    return any(_is_note(file) for file in islice(walk(path, ".md"), _LOOKED_AT))


def _is_note(path: Path) -> bool:
    try:
        note = read_note(read_text(path))
    except FormatError:
        return False
    return "permalink" in note.frontmatter and "title" in note.frontmatter


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the memories of a note, or of all notes below a folder."""
    files = folder_files(path, ".md") if path.is_dir() else [folder_file(path, path.name)]
    for file in files:
        if file.problem:
            yield ImportItem(file.place, None, file.problem)
        else:
            yield from _note(file, now)


def _note(file: FolderFile, now: datetime) -> Iterator[ImportItem]:
    note = read_note(file.text)
    observations: list[tuple[int, str, str]] = []
    links: list[Json] = []
    related: set[int] = set()
    for number, line in _prose(note):
        if found := _OBSERVATION.fullmatch(line):
            observations.append((number, found[1].strip(), found[2]))
        elif found := _RELATION.fullmatch(line):
            related.add(number)
            kind = (found[1] or found[2] or "relates_to").strip()
            link = {"relation": kind, "to": found[3].strip()}
            links.append({**link, "context": found[4]} if found[4] else link)
    convert = partial(_record, file=file, note=note, links=links, now=now)
    prose = _without(note, {number for number, _category, _text in observations} | related)
    if not observations and note.body.strip():
        yield converted(file.place, {}, partial(convert, content=note.body.strip()))
    elif any(line.strip() and not line.startswith("#") for line in prose.split("\n")):
        yield converted(file.place, {}, partial(convert, content=prose))
    for number, category, text in observations:
        raw = {"category": category, "line": number}
        yield converted(f"{file.place}:{number}", raw, partial(convert, content=text))


def _without(note: MarkdownNote, taken: set[int]) -> str:
    """Return a body without the lines that are memories or links by themselves."""
    lines = enumerate(note.body.split("\n"), note.first)
    return "\n".join(line for number, line in lines if number not in taken).strip()


def _prose(note: MarkdownNote) -> Iterator[tuple[int, str]]:
    """Yield the lines of a body that are no code, with their numbers."""
    fence = ""
    for number, line in enumerate(note.body.split("\n"), note.first):
        mark = line.strip()[:3]
        if mark in ("```", "~~~"):
            fence = "" if fence == mark else fence or mark
        elif not fence:
            yield number, line.strip()


def _record(
    row: Row, file: FolderFile, note: MarkdownNote, links: list[Json], now: datetime, content: str
) -> Record:
    head: dict[str, Any] = dict(note.frontmatter)
    tags = head.pop("tags", None)
    row.fields["created_at"] = head.pop("created", None)
    row.fields["updated_at"] = head.pop("modified", None)
    for name, value in head.items():
        row.keep(name, value)
    line = row.take("line")
    if line is not None:
        row.keep("line", line)
        row.metadata["tags"] = _TAG.findall(content)
        if found := _CONTEXT.search(content):
            row.keep("context", found[1])
            content = content[: found.start()]
        content = _TAG.sub("", content).strip()
    row.fields["tags"] = tags
    if links:
        row.keep("links", links)
    return text_record(row, NAME, file, content, now)
