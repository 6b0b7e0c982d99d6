"""Our own export: JSON lines that hold every record whole.

The first line is a header, `{"omp_tui_export": 1, ...}`, the last one
`{"omp_tui_export_end": N}` with the number of records between them, so that an export that
was cut off is known as such. Each line between is a record in the form of `record_json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, TextIO

import msgspec

from omp_core.errors import FormatError, InvalidValueError
from omp_core.formats.files import lines, opened
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import load_value, pieces
from omp_core.formats.plain import NotPlainError, plain
from omp_core.formats.times import read_time
from omp_core.i18n import _
from omp_core.language.terminal import json_escaped
from omp_core.model import Json, Record
from omp_core.record_json import exported, from_json
from omp_core.version import __version__

NAME = "omp-tui"
_HEADER = "omp_tui_export"
_END = "omp_tui_export_end"
_VERSION = 1
_START = re.compile(r"\{\s*\"")


def write(records: Iterable[Record], file: TextIO, now: datetime) -> int:
    """Write an export, record by record, and return how many records it holds."""
    header = {_HEADER: _VERSION, "exported_at": now.astimezone(UTC), "program": __version__}
    _write_line(file, header)
    count = 0
    for record in records:
        _write_line(file, exported(record))
        count += 1
    _write_line(file, {_END: count})
    return count


def _write_line(file: TextIO, value: Json) -> None:
    file.write(json_escaped(msgspec.json.encode(value).decode()) + "\n")


def detect(path: Path) -> bool:
    """Tell whether the first line is our header."""
    return _HEADER in peek(path).first_object()


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the records as they were exported, and a problem for each line that is none.

    Raises FormatError when a newer version of this program wrote the export.
    """
    count = 0
    end: int | None = None
    with opened(path) as stream:
        for line in lines(stream, path.name):
            place = f"{path.name}:{line.number}"
            if line.problem:
                yield ImportItem(place, None, line.problem)
                count += 1
                continue
            if not line.text.strip():
                continue
            raw = load_value(line.text)
            if line.number == 1:
                _check_header(path, raw)
            elif isinstance(raw, dict) and _END in raw:
                end = raw[_END]
            else:
                found = [raw] if raw is not None else _glued(line.text)
                for number, value in enumerate(found, 1):
                    named = place if len(found) == 1 else f"{place}({number})"
                    yield _item(named, value, now.tzinfo or UTC)
                    count += 1
    if end != count:
        yield ImportItem(f"{path.name}:end", None, _incomplete(end, count))


def _glued(text: str) -> list[Json]:
    """Return the records of a line that lost the break between them; [None] if damaged."""
    found = [piece.value for piece in pieces(text, _START) if piece.problem is None]
    whole = len(found) > 1 and not any(piece.problem for piece in pieces(text, _START))
    return found if whole else [None]


def _check_header(path: Path, raw: Json) -> None:
    version = raw.get(_HEADER) if isinstance(raw, dict) else None
    if not isinstance(version, int) or version < 1:
        raise FormatError(
            _("{path}: the first line is not the header of an omp-tui export.").format(path=path)
        )
    if version > _VERSION:
        raise FormatError(
            _(
                "{path}: is an export of version {version}; this program reads up to "
                "{known}. Update omp-tui to import it."
            ).format(path=path, version=version, known=_VERSION)
        )


def _incomplete(end: int | None, count: int) -> str:
    if end is None:
        text = _("The export ends after {count} records without its last line: it was cut off.")
        return text.format(count=count)
    text = _("The export was written with {end} records and holds {count}. Export it again.")
    return text.format(end=end, count=count)


def _item(place: str, raw: Json, zone: tzinfo) -> ImportItem:
    if not isinstance(raw, dict):
        return ImportItem(place, None, _("The line is damaged. Mend it, or export it again."))
    try:
        cleaned, notes = plain(raw)
        if _zoned(cleaned, zone):
            notes.append(_("a time has no time zone; read as UTC"))
        record = from_json(cleaned)
    except (InvalidValueError, NotPlainError) as error:
        problem = _("The record was not read: {reason}. Mend the line, or export it again.")
        return ImportItem(place, None, problem.format(reason=error))
    if not record.content.strip() or not record.id.strip():
        return ImportItem(place, None, _("The record has no text or no id. Leave it out."))
    return ImportItem(place, record, None, tuple(notes))


def _zoned(raw: dict[str, Any], zone: tzinfo) -> bool:
    """Bring all times of a record in its JSON form to UTC; tell whether one had no zone.

    A date is the whole of that day in `zone`.
    """
    holders: list[tuple[Json, tuple[str, ...]]] = [
        (raw, ("created_at", "updated_at", "expires_at", "last_accessed"))
    ]
    stamps, disputes = raw.get("stamps"), raw.get("disputes")
    holders += [(stamp, ("at",)) for stamp in stamps.values()] if isinstance(stamps, dict) else []
    if isinstance(disputes, list):
        holders += [(dispute, ("current_at", "incoming_at")) for dispute in disputes]
    assumed = False
    for holder, names in holders:
        for name in names:
            value = holder.get(name) if isinstance(holder, dict) else None
            found = read_time(value, zone) if isinstance(value, str) else None
            if found is not None:
                whole_day = name == "expires_at" and found.said == "date"
                holder[name] = (found.end_of_day() if whole_day else found.at).isoformat()
                assumed |= found.said == "no zone"
    return assumed
