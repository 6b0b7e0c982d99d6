"""Instruction files, editor rules and memory banks: Markdown, told by name and place.

Each top-level bullet or other block is one memory; the file and line are its provenance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from omp_core.formats.folders import FolderFile, folder_file, members
from omp_core.formats.held_file import HeldFile
from omp_core.formats.item import ImportItem
from omp_core.formats.pieces import note_items, text_record
from omp_core.formats.row import Row, converted
from omp_core.i18n import _
from omp_core.model import Category, Record

NAME = "instructions"
_FILES = frozenset(
    {"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", "copilot-instructions.md"}
    | {".cursorrules", ".windsurfrules", ".clinerules"}
)
_PLACES = (
    *sorted(_FILES),
    *(".claude/CLAUDE.md", ".github/copilot-instructions.md", ".continue/rules.md"),
)
_RULES = (".claude/rules", ".cursor/rules", ".windsurf/rules")
_BANK_FILES = frozenset(
    {"projectbrief.md", "productContext.md", "activeContext.md", "systemPatterns.md"}
    | {"techContext.md", "progress.md"}
)
_ENTRY_FILES = ("MEMORY.md", "USER.md")
_SEPARATOR = re.compile(r"^\s*§\s*$", re.MULTILINE)
_IMPORT = re.compile(r"@\S+(?:\s+@\S+)*")


def detect(path: Path) -> bool:
    """Tell whether a path is such a file, or a folder that holds some."""
    return next(_places(path), None) is not None


def _places(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files that are meant, each with the place to name it by."""
    if path.is_file():
        # text that is held lies in no folder
        above = None if isinstance(path, HeldFile) else path.resolve().parent
        named = path.name in _FILES or path.suffix == ".mdc"
        if named or (above is not None and _is_folder(above, path)):
            yield path, path.name
        return
    for name in _PLACES:
        if (path / name).is_file():
            yield path / name, name
    for folder in (path, *(path / name for name in (*_RULES, "memory-bank"))):
        for file in members(folder, "*.md", "*.mdc"):
            if file.name not in _FILES and _is_folder(folder.resolve(), file):
                yield file, file.relative_to(path).as_posix()
    if all((path / name).is_file() for name in _ENTRY_FILES):
        yield from ((path / name, name) for name in _ENTRY_FILES)


def _is_folder(folder: Path, file: Path) -> bool:
    """Tell whether all Markdown of the folder is meant: rules, or a memory bank."""
    rules = folder.as_posix().endswith(_RULES)
    bank = folder.name == "memory-bank" or any((folder / name).is_file() for name in _BANK_FILES)
    continues = (folder.name, file.name) == (".continue", "rules.md")
    return file.suffix in (".md", ".mdc") and (rules or bank or continues or file.suffix == ".mdc")


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the pieces of a file, or of all such files in a folder."""
    places = list(_places(path)) or [(path, path.name)]
    inside = path if path.is_dir() else None
    for file in (folder_file(each, place, inside=inside) for each, place in places):
        if file.problem:
            yield ImportItem(file.place, None, file.problem)
        elif file.path.name in _ENTRY_FILES:
            yield from _entries(file, now)
        else:
            yield from note_items(NAME, file, now, _refused)


def _refused(text: str) -> str | None:
    if _IMPORT.fullmatch(text) is None:
        return None
    return _("This line takes in another file ({name}). Import that file itself.").format(name=text)


def _entries(file: FolderFile, now: datetime) -> Iterator[ImportItem]:
    """Yield the entries of a file that separates them by a line with a section sign."""
    category = Category.IDENTITY if file.path.name == "USER.md" else Category.FACT
    for number, entry in enumerate(_SEPARATOR.split(file.text), 1):
        if entry.strip():
            yield converted(
                f"{file.place}#{number}",
                {},
                partial(_entry, file=file, content=entry.strip(), category=category, now=now),
            )


def _entry(row: Row, file: FolderFile, content: str, category: Category, now: datetime) -> Record:
    return text_record(row, NAME, file, content, now, category)
