"""Files of a repository, which is somebody else's text: what of them is opened at all.

A path counts when its real place is inside the folder it belongs to, and what lies there is a
regular file within a bound of size. Links out, devices, pipes and oversize are damage: named,
never followed, waited for or written through (design, section 3).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from omp_core.errors import DocumentDamagedError, DocumentError
from omp_core.i18n import _

MOST_BYTES = 8 * 1024 * 1024
"""The largest document, unless the settings say otherwise: a thousand times a usual one."""
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for its other end
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def real_path(file: Path, folder: Path | None) -> Path:
    """Return where a file or folder really lies, its last links followed.

    `folder` bounds it, and must not be a link itself; None is no bound. Raises
    DocumentDamagedError when the place is outside.
    """
    try:
        real = Path(os.path.realpath(file))
        if folder is None:
            return real
        bound = Path(os.path.realpath(folder.parent)) / folder.name
    except (OSError, ValueError) as error:
        raise DocumentDamagedError(file, None, str(error)) from error
    if real != bound and bound not in real.parents:
        raise DocumentDamagedError(
            file, None, _("it is a link that leads out of {folder}").format(folder=folder.name)
        )
    return real


def is_inside(file: Path, folder: Path) -> bool:
    """Return whether a file's real place is inside a folder."""
    try:
        real_path(file, folder)
    except DocumentDamagedError:
        return False
    return True


def read_regular(file: Path, folder: Path | None = None, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a regular file inside a folder, no more than `most` of them.

    Raises DocumentDamagedError for what is no such file, DocumentError when it cannot be read.
    """
    real = real_path(file, folder)
    try:
        before = os.lstat(real)
        _require_regular(file, before, most)
        with os.fdopen(os.open(real, _FLAGS), "rb") as stream:
            _require_regular(file, os.fstat(stream.fileno()), most)
            raw = stream.read(most + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise DocumentError(
            _("{file}: cannot be read: {reason}").format(file=file, reason=reason)
        ) from error
    if len(raw) > most:
        raise _oversize(file, most)
    return raw


def require_plain_place(file: Path) -> None:
    """Refuse to open for writing what is a link or no regular file, like a lock left as a trap.

    Raises DocumentDamagedError.
    """
    try:
        mode = os.lstat(file).st_mode
    except OSError:
        return
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # opening a folder fails by itself
        raise DocumentDamagedError(file, None, _("it is {kind}").format(kind=_kind(mode)))


def _require_regular(file: Path, state: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise DocumentDamagedError(
            file, None, _("it is {kind}, no regular file").format(kind=_kind(state.st_mode))
        )
    if state.st_size > most:
        raise _oversize(file, most)


def _oversize(file: Path, most: int) -> DocumentDamagedError:
    reason = _("it is larger than {most} bytes, the bound for a document (documents.max_bytes)")
    return DocumentDamagedError(file, None, reason.format(most=f"{most:,}"))


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: _("a folder"),
        stat.S_IFLNK: _("a link"),
        stat.S_IFIFO: _("a pipe"),
        stat.S_IFSOCK: _("a socket"),
        stat.S_IFCHR: _("a device"),
        stat.S_IFBLK: _("a device"),
    }
    return kinds.get(stat.S_IFMT(mode), _("something unknown"))
