"""openmemory-plus: what of an `_omp/` folder belongs to a person rather than a project.

These are the memories that wait in `user-context.yaml`, the Markdown context files, and
YAML files of entries made from its entry template. Project facts, decisions, changes,
sessions and themes stay in the repository, where they are read in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from omp_core.errors import FormatError
from omp_core.formats.folders import FolderFile, folder_files, walk
from omp_core.formats.item import ImportItem
from omp_core.formats.pieces import note_items
from omp_core.formats.row import Row, converted
from omp_core.formats.yaml_text import YamlError, load_yaml
from omp_core.i18n import _
from omp_core.model import Json, Record

NAME = "openmemory-plus"
_PENDING = "user-context.yaml"
_PROJECT_FILES = frozenset({"project.yaml", "decisions.yaml", "changelog.yaml"})
_PROJECT_FOLDERS = frozenset({"sessions", "themes", "handoffs", "schema"})
_SIGNS = (_PENDING, "themes/index.yaml")


def detect(path: Path) -> bool:
    """Tell whether a path is such a folder, its `memory/`, or the workspace around it."""
    return _folder(path) is not None


def _folder(path: Path) -> Path | None:
    for folder in (path / "_omp" / "memory", path / "memory", path):
        if folder.is_dir() and _is_memory(folder):
            return folder
    return None


def _is_memory(folder: Path) -> bool:
    if any((folder / sign).is_file() for sign in _SIGNS):
        return True
    placed = folder.name == "memory" and folder.resolve().parent.name == "_omp"
    return placed and next(walk(folder, ".yaml", ".yml", ".md"), None) is not None


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the memories of a folder, and the files that could not be read."""
    folder = _folder(path) or path
    if not folder.is_dir():
        raise FormatError(
            _("{path}: is no openmemory-plus folder. Name the folder itself.").format(path=path)
        )
    for file in folder_files(folder, ".yaml", ".yml", ".md"):
        inner = file.path.relative_to(folder)
        if inner.parts[0] in _PROJECT_FOLDERS or inner.as_posix() in _PROJECT_FILES:
            continue
        if file.problem:
            yield ImportItem(file.place, None, file.problem)
        elif file.path.suffix == ".md":
            yield from note_items(NAME, file, now)
        else:
            yield from _yaml(file, now)


def _yaml(file: FolderFile, now: datetime) -> Iterator[ImportItem]:
    try:
        content = load_yaml(file.text)
    except YamlError as error:
        place = f"{file.place}:{error.line}" if error.line else file.place
        problem = _("The file is not YAML ({reason}). Mend it, and import again.")
        yield ImportItem(place, None, problem.format(reason=error.reason))
        return
    if file.path.name == _PENDING:
        yield from _pending(file, content, now)
        return
    entries = _entries(content)
    if entries is None:
        problem = _("The file holds no entries with key and value; it was not read.")
        yield ImportItem(file.place, None, problem)
        return
    for number, entry in enumerate(entries, 1):
        convert = partial(_entry_record, file=file, now=now)
        yield converted(f"{file.place}#{number}", entry, convert)


def _pending(file: FolderFile, content: Json, now: datetime) -> Iterator[ImportItem]:
    waiting = content.get("pending_memories") if isinstance(content, dict) else None
    if waiting is None:
        return
    if not isinstance(waiting, list):
        problem = _("pending_memories is no list. Mend the file, and import again.")
        yield ImportItem(file.place, None, problem)
        return
    for number, entry in enumerate(waiting, 1):
        raw = {"text": entry} if isinstance(entry, str) else entry
        yield converted(f"{file.place}#{number}", raw, partial(_pending_record, now=now))


def _pending_record(row: Row, now: datetime) -> Record:
    content = row.take_text("text", "content")
    return row.record(NAME, content, now)


def _entries(content: Json) -> list[Any] | None:
    """Return the entries of a file: a list, a list under some key, or one entry alone."""
    if isinstance(content, dict):
        if "key" in content and "value" in content:
            return [content]
        lists = [value for value in content.values() if isinstance(value, list)]
        content = lists[0] if len(lists) == 1 else None
    if isinstance(content, list) and any(isinstance(row, dict) and "key" in row for row in content):
        return content
    return None


def _entry_record(row: Row, file: FolderFile, now: datetime) -> Record:
    key = row.take_word("key")
    value = row.take("value")
    shown = value if isinstance(value, str) else None if value is None else _shown(value)
    for name in ("timestamps", "tracking"):
        inner = row.fields.pop(name, None)
        if isinstance(inner, dict):
            for inner_name, inner_value in inner.items():
                row.fields.setdefault(inner_name, inner_value)
        elif inner is not None:
            row.keep(name, inner)
    conflict = row.take("conflict")
    if conflict is not None and conflict != {"status": "none"}:
        row.keep("conflict", conflict)
    if key:
        row.keep("key", key)
    row.keep("path", file.path.resolve().as_posix())
    content = f"{key}: {shown}" if key and shown else shown
    return row.record(NAME, content, now)


def _shown(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join(_shown(each) for each in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_shown(each)}" for key, each in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)
