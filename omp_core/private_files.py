"""Files and folders that only their owner may enter, whatever the umask says."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

OTHERS = 0o077
"""The permission bits that belong to anybody but the owner."""


def private_folder(path: Path) -> None:
    """Make a folder with its missing parents, each 0700; those that exist stay as they are.

    Raises OSError.
    """
    missing: list[Path] = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)


def private_file(path: Path) -> None:
    """Make an empty file, 0600, unless there is one; one that others may read is tightened.

    Raises OSError.
    """
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    tighten(path)


def private_opener(path: str, flags: int) -> int:
    """Open a file for the built-in `open` so that a new one is 0600."""
    return os.open(path, flags, 0o600)


def tighten(*paths: Path) -> None:
    """Take from others what they may do with our own files; missing ones are passed over.

    A system that refuses is no obstacle here: `omp-tui doctor` names what others can read.
    """
    if os.name != "posix":  # elsewhere the bits say nothing
        return
    for path in paths:
        with contextlib.suppress(OSError):
            found = path.stat()
            if found.st_mode & OTHERS and found.st_uid == os.geteuid():
                path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
