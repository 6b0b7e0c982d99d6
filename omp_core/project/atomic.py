"""Writing a file so that at any moment it holds the old bytes or the new ones, whole."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from omp_core.errors import DocumentError
from omp_core.i18n import _
from omp_core.project.confinement import require_plain_place

WINDOWS = os.name == "nt"
_RENAME_ATTEMPTS = 10
_FIRST_PAUSE_S = 0.01
_POLL_S = 0.005
"""Short, so that a waiting process has its turn between two writes of a busy one."""


@contextmanager
def locked(file: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock of a file against other processes and threads.

    Raises DocumentError when it is not free in time or cannot be made.
    """
    from filelock import FileLock, Timeout

    place = file.with_name(f".{file.name}.lock")
    require_plain_place(place)  # a link would be opened, and cut to nothing, where it leads
    lock = FileLock(place, timeout=timeout_s, poll_interval=_POLL_S)
    try:
        lock.acquire()
    except Timeout as error:
        raise DocumentError(
            _(
                "{file}: not written: another process has been holding its lock for "
                "{timeout_s:g} s. Try again, or end that process"
            ).format(file=file, timeout_s=timeout_s)
        ) from error
    except OSError as error:
        raise write_error(file, error) from error
    try:
        yield
    finally:
        lock.release()


def replace_file(
    file: Path, raw: bytes, *, private: bool = False, expected: bytes | None = None
) -> bool:
    """Replace a file's bytes, through a temporary file in its folder that takes its name.

    Mode and owner stay; a link is followed; a new `private` file is the user's alone. With
    `expected`, empty for no file, the bytes are compared once the temporary file is on the
    disk, right before it takes the name: whoever saves the file without our lock is noticed,
    and False returned with the file as that one left it. Only whoever holds the file's lock
    may call this. Raises OSError, with the file as it was.
    """
    file = file.resolve()
    for left in file.parent.glob(f".{_globbed(file.name)}.*.tmp"):
        # Left by a process that was killed: nobody else writes while we hold the lock.
        left.unlink(missing_ok=True)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        _write(temporary, raw, 0o600 if private else 0o666)
        _take_over(file, temporary)
        if expected is not None and _present(file, len(expected)) != expected:
            temporary.unlink()
            return False
        _rename(temporary, file)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(file.parent)
    return True


def _present(file: Path, size: int) -> bytes:
    """What a file holds, no more than needed to tell it from `size` bytes; empty if none."""
    try:
        with file.open("rb") as stream:
            return stream.read(size + 1)
    except FileNotFoundError:
        return b""


def write_error(file: Path, error: OSError) -> DocumentError:
    """Return the error to show for what the system refused."""
    reason = (error.strerror or str(error)).lower()
    return DocumentError(
        _(
            "{file}: not written: {reason}. The file is as it was; check its "
            "permissions and the space on its disk, then try again"
        ).format(file=file, reason=reason)
    )


def _write(temporary: Path, raw: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, mode)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(raw)
        stream.flush()
        os.fsync(stream.fileno())


def _take_over(file: Path, temporary: Path) -> None:
    if not file.exists() or WINDOWS:
        return
    state = file.stat()
    temporary.chmod(stat.S_IMODE(state.st_mode))
    if os.geteuid() == 0:
        os.chown(temporary, state.st_uid, state.st_gid)


def _rename(temporary: Path, file: Path) -> None:
    """Windows refuses to rename over a file that somebody reads just now: try again."""
    pause = _FIRST_PAUSE_S
    for _round in range(_RENAME_ATTEMPTS - 1):
        try:
            temporary.replace(file)
        except PermissionError:
            if not WINDOWS:
                raise
            time.sleep(pause)
            pause *= 2
        else:
            return
    temporary.replace(file)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power failure; Windows has no such call."""
    if WINDOWS:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _globbed(name: str) -> str:
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)
