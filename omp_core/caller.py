"""Which directory a caller means: the place where the search for its project begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from omp_core.errors import UsageError
from omp_core.i18n import _

PlaceSource = Literal[
    "argument",
    "header",
    "--workspace",
    "OMP_WORKSPACE",
    "CLAUDE_PROJECT_DIR",
    "roots",
    "directory",
    "none",
]
VARIABLES: tuple[PlaceSource, ...] = ("OMP_WORKSPACE", "CLAUDE_PROJECT_DIR")
"""Environment variables that name the directory, the first that is set."""


@dataclass(frozen=True, slots=True)
class Place:
    """A caller's directory, and what named it. None is no project: personal memories only."""

    directory: Path | None
    source: PlaceSource


NOWHERE = Place(None, "none")


def caller_place(
    *,
    argument: str | Path | None = None,
    header: str | None = None,
    option: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
    roots: Iterable[str | Path] = (),
    current: Path | None = None,
    home: Path | None = None,
) -> Place:
    """Return where a caller works; the first that says something holds.

    `argument` is that of the call, `header` that of its HTTP request, `option` that of the
    command line, `roots` are the client's (paths or `file:` addresses), `current` is the working
    directory, None for a caller that has none. An empty text says nothing. The root of the file
    system and `home` are never a project: named by the call, its header or the command line they
    are an error, elsewhere passed over, as is a root that is not on this machine. Raises
    UsageError for a directory that is not there.
    """
    named: list[tuple[PlaceSource, str | Path | None]] = [
        ("argument", argument),
        ("header", header),
        ("--workspace", option),
    ]
    for source, given in named:
        if given is not None and str(given).strip():
            directory = _existing(given, source)
            if not may_be_project(directory, home):
                raise UsageError(
                    _("{source}: {directory} is never a project; name the directory of one").format(
                        source=source, directory=directory
                    )
                )
            return Place(directory, source)
    for source in VARIABLES:
        given = (environment or {}).get(source, "").strip()
        if given:
            directory = _existing(given, source)
            if may_be_project(directory, home):
                return Place(directory, source)
    for root in roots:
        local = path_of(root)
        if local is not None and local.is_dir() and may_be_project(local, home):
            return Place(local, "roots")
    if current is not None and may_be_project(current, home):
        return Place(current, "directory")
    return NOWHERE


def may_be_project(directory: Path, home: Path | None = None) -> bool:
    """Return whether a directory can be a project: not the root, not the home directory."""
    real = directory.resolve()
    return real != Path(real.anchor) and (home is None or real != home.resolve())


def path_of(root: str | Path) -> Path | None:
    """Return the directory that a client's root names; None for one that is no local path."""
    text = str(root).strip()
    if not text.lower().startswith("file:"):
        path = Path(text)
        return path if text and path.is_absolute() else None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    if parts.netloc not in ("", "localhost") or "\0" in unquote(parts.path):
        return None
    return Path(url2pathname(parts.path)) if parts.path else None


def _existing(given: str | Path, source: str) -> Path:
    directory = Path(given).expanduser()
    try:
        there = directory.is_dir()
    except ValueError:  # a NUL in the name
        there = False
    if not there:
        raise UsageError(
            _("{source}: there is no directory {directory}; make it, or name another one").format(
                source=source, directory=directory
            )
        )
    return directory.absolute()


def current_directory() -> Path:
    """Return the working directory. Raises UsageError when somebody removed it."""
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError(
            _("the current directory is gone; change into one that exists, or use --workspace")
        ) from error


def home_directory() -> Path | None:
    """Return the person's home directory, None when the system knows none."""
    try:
        return Path.home()
    except RuntimeError:
        return None
