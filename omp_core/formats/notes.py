"""Any Markdown: one file, or a folder of them, of whatever tool; `.serena/memories` among them.

Each top-level bullet or other block is one memory; the file and line are its provenance.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from omp_core.formats.folders import folder_file, folder_files
from omp_core.formats.item import ImportItem
from omp_core.formats.pieces import note_items

NAME = "markdown"
_SERENA = (".serena", "memories")


def detect(path: Path) -> bool:
    """Tell whether a path is a folder of Serena's memories, a file of it, or a project with it.

    Other Markdown is read only when the format is named: a folder of notes is no memory by
    itself.
    """
    folder = path if path.is_dir() else path.parent
    # by its name, since what is held in memory has no place on the disk
    named = Path(str(folder)).absolute().parts[-2:]
    return named == _SERENA or path.joinpath(*_SERENA).is_dir()


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the pieces of a file, or of all Markdown files below a folder."""
    held = path.joinpath(*_SERENA)
    if not path.is_dir():
        files = iter([folder_file(path, path.name)])
    else:
        files = folder_files(held if held.is_dir() else path, ".md", ".markdown", ".mdx")
    for file in files:
        if file.problem:
            yield ImportItem(file.place, None, file.problem)
        else:
            yield from note_items(NAME, file, now)
