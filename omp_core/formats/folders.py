"""Walking through a folder of small files, and saying which of them could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from omp_core.errors import FormatError
from omp_core.formats.files import read_text


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of a folder. `place` is its path from the folder's parent on, with slashes."""

    path: Path
    place: str
    changed_at: datetime
    text: str = ""
    problem: str | None = None


def folder_files(folder: Path, *patterns: str) -> Iterator[FolderFile]:
    """Yield the files that match, by name. Hidden files and folders are passed over."""
    try:
        found = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    except OSError as error:
        raise FormatError(
            f"{folder}: cannot be listed: {error.strerror or error}. Give yourself the right to."
        ) from error
    for path in sorted(found):
        inner = path.relative_to(folder)
        if not any(part.startswith(".") for part in inner.parts):
            yield folder_file(path, f"{folder.name}/{inner.as_posix()}")


def folder_file(path: Path, place: str) -> FolderFile:
    """Return one file with its text, or with the reason why it cannot be read."""
    try:
        changed_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return FolderFile(path, place, changed_at, text=read_text(path))
    except FormatError as error:
        return FolderFile(path, place, changed_at, problem=str(error))
