"""A saved memory: one JSON document that holds every record whole.

`{"omp_tui_saved": 1, "saved_at": ..., "program": ..., "records": [...], "count": N, "sha256":
...}`: each record in the form of `record_json`, and a checksum over them, so that a file that
was cut off or damaged on its way is known as such and nothing of it is taken.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from omp_core.errors import FormatError, InvalidValueError, OmpError
from omp_core.formats.files import opened
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.i18n import _
from omp_core.model import Json, Record
from omp_core.record_json import exported, from_json
from omp_core.version import __version__

NAME = "omp-tui-saved"
_MARK = "omp_tui_saved"
_VERSION = 1


def save(path: Path, records: Iterable[Record], now: datetime) -> int:
    """Write a saved memory, readable by its owner only, and return how many records it holds.

    The file takes its name when it is whole and on disk. Raises OmpError when the system
    refuses; what the file held then stays.
    """
    target = path.expanduser().resolve()
    try:
        descriptor, name = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}.", suffix=".tmp"
        )
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                count = _write(file, records, now)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OmpError(
            _(
                "{path}: not saved: {reason}. Check the permissions and the space there, "
                "or choose another place"
            ).format(path=path, reason=reason)
        ) from error
    return count


def _write(file: BinaryIO, records: Iterable[Record], now: datetime) -> int:
    head = {_MARK: _VERSION, "saved_at": now.astimezone(UTC), "program": __version__}
    file.write(msgspec.json.encode(head).removesuffix(b"}") + b',"records":[')
    digest = hashlib.sha256()
    count = 0
    for record in records:
        raw = exported(record)
        digest.update(_canonical(raw))
        file.write((b",\n" if count else b"\n") + msgspec.json.encode(raw))
        count += 1
    end = {"count": count, "sha256": digest.hexdigest()}
    file.write(b"\n]," + msgspec.json.encode(end).removeprefix(b"{") + b"\n")
    return count


def detect(path: Path) -> bool:
    """Tell whether the document begins as a saved memory does."""
    head = peek(path).json
    return head is not None and head.has(_MARK)


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the records as they were saved.

    Raises FormatError before the first one when the file is not whole, damaged, of a newer
    version, or no saved memory at all.
    """
    del now  # every saved record has its times
    records = _records(path, _document(path))
    for number, record in enumerate(records, 1):
        yield ImportItem(f"{path.name}#{number}", record)


def _document(path: Path) -> dict[str, Any]:
    with opened(path) as stream:
        raw = stream.read()
    try:
        document = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            _(
                "{path}: is not whole or damaged ({error}), so nothing was loaded. Save "
                "it again, or load another copy."
            ).format(path=path, error=error)
        ) from error
    version = document.get(_MARK) if isinstance(document, dict) else None
    if not isinstance(version, int) or version < 1:
        raise FormatError(
            _(
                "{path}: is not a file that `omp-tui save` wrote. `omp-tui import` reads "
                "other kinds."
            ).format(path=path)
        )
    if version > _VERSION:
        raise FormatError(
            _(
                "{path}: was saved in version {version} of the format; this program "
                "reads up to {known}. Update omp-tui to load it."
            ).format(path=path, version=version, known=_VERSION)
        )
    return dict(document)


def _records(path: Path, document: dict[str, Any]) -> list[Record]:
    held = document.get("records")
    if not isinstance(held, list) or document.get("count") != len(held):
        raise FormatError(
            _(
                "{path}: says that it holds {count} records and does not, so nothing was "
                "loaded. Load another copy."
            ).format(path=path, count=document.get("count"))
        )
    digest = hashlib.sha256()
    for raw in held:
        digest.update(_canonical(raw))
    if digest.hexdigest() != document.get("sha256"):
        raise FormatError(
            _(
                "{path}: its checksum does not fit its records: it was damaged or "
                "changed since it was saved, so nothing was loaded. Load another copy."
            ).format(path=path)
        )
    try:
        return [from_json(raw) for raw in held]
    except (InvalidValueError, AttributeError) as error:
        raise FormatError(
            _("{path}: holds what is no record ({error}); update omp-tui.").format(
                path=path, error=error
            )
        ) from error


def _canonical(raw: Json) -> bytes:
    return msgspec.json.encode(raw, order="deterministic") + b"\n"
