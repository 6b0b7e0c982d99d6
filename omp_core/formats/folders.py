"""Walking through a folder of small files, and saying which of them could not be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from omp_core.errors import FormatError
from omp_core.formats.files import read_text
from omp_core.i18n import _

_EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of a folder. `place` is its path from the folder's parent on, with slashes."""

    path: Path
    place: str
    changed_at: datetime
    text: str = ""
    problem: str | None = None


def walk(
    folder: Path, *suffixes: str, failed: Callable[[OSError], object] | None = None
) -> Iterator[Path]:
    """Yield the files below a folder that end so, by name, each folder before those in it.

    Hidden files and folders are passed over, links to folders not followed. `failed` is told
    of folders that cannot be listed.
    """
    for parent, folders, names in os.walk(folder, onerror=failed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            if name.endswith(suffixes) and not name.startswith(".") and path.is_file():
                yield path


def members(folder: Path, *patterns: str) -> list[Path]:
    """Return the files of a folder that match, by name. Pipes and devices are none: reading
    them would never end."""
    found = {path for pattern in patterns for path in folder.glob(pattern)}
    return sorted(path for path in found if path.is_file())


def leads_out(path: Path, folder: Path) -> str | None:
    """Return what to say of a link that leads out of a folder; None for what lies in it."""
    target = path.resolve()
    if target.is_relative_to(folder.resolve()):
        return None
    problem = _("It is a link that leads out of the folder, to {target}. Import that itself.")
    return problem.format(target=target.as_posix())


def folder_files(folder: Path, *suffixes: str) -> Iterator[FolderFile]:
    """Yield the files below a folder that end so, then the folders that cannot be listed."""
    errors: list[OSError] = []
    for path in walk(folder, *suffixes, failed=errors.append):
        place = f"{folder.name}/{path.relative_to(folder).as_posix()}"
        yield folder_file(path, place, inside=folder)
    for error in errors:
        inner = Path(error.filename)
        problem = f"{inner}: cannot be listed: {error.strerror}. Give yourself the right to."
        yield FolderFile(inner, inner.as_posix(), _EPOCH, problem=problem)


def folder_file(path: Path, place: str, *, inside: Path | None = None) -> FolderFile:
    """Return one file with its text, or with the reason why it cannot be read.

    A link that leads out of the folder `inside` is a reason.
    """
    if inside is not None and (problem := leads_out(path, inside)):
        return FolderFile(path, place, _EPOCH, problem=problem)
    try:
        changed_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return FolderFile(path, place, changed_at, text=read_text(path))
    except (FormatError, OSError) as error:
        return FolderFile(path, place, _EPOCH, problem=str(error))
