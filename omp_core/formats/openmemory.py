"""OpenMemory (mem0) backup: a zip of `memories.json` and `memories.jsonl.gz`.

The first holds everything; the second repeats the memories with the names of their apps
and categories, and stands in when the first is missing or damaged. States: `paused`,
`archived` and `deleted` memories come in archived, with their state in the metadata.
"""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from omp_core.errors import FormatError
from omp_core.formats.files import MAX_DOCUMENT_BYTES, decode, lines, opened, read_limited
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import load_json, load_value
from omp_core.formats.plain import NotPlainError, plain
from omp_core.formats.row import Row, converted
from omp_core.i18n import _
from omp_core.model import Json, Record, Scope

NAME = "openmemory"
_WHOLE = "memories.json"
_LOGICAL = "memories.jsonl.gz"
_MAX_UNPACKED = 4 * MAX_DOCUMENT_BYTES
_LINE_COST = 64  # so that a bomb of empty lines ends as well
_READ_KEYS = frozenset(
    {"user", "apps", "categories", "memories", "memory_categories", "status_history"}
    | {"access_controls", "export_meta"}
)


def detect(path: Path) -> bool:
    """Tell whether a file is a zip with one of the two members."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(_member(archive, name) for name in (_WHOLE, _LOGICAL))
    except (OSError, zipfile.BadZipFile):
        return False


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the memories of a backup, dead ones as archived. Raises FormatError."""
    with opened(path) as stream, _archive(stream, path) as archive:
        whole, logical = _member(archive, _WHOLE), _member(archive, _LOGICAL)
        if whole is None and logical is None:
            raise FormatError(
                _(
                    "{path}: holds neither {whole} nor {logical}, so it is no OpenMemory "
                    "backup. Download the backup again."
                ).format(path=path, whole=_WHOLE, logical=_LOGICAL)
            )
        seen: set[str] = set()
        user: str | None = None
        if whole is not None:
            try:
                backup = _Backup(_load(archive, whole, path), now)
            except FormatError as error:
                if logical is None:
                    raise
                yield ImportItem(_WHOLE, None, _("{reason} Its copy is read.").format(reason=error))
            else:
                user = backup.user
                yield from backup.items(seen)
        if logical is not None:
            convert = partial(_logical_record, user=user, now=now)
            yield from _logical_items(archive, logical, path, convert, seen)


@contextmanager
def _archive(stream: BinaryIO, path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(stream) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise FormatError(
            _("{path}: the zip is damaged or cut off ({error}). Download the backup again.").format(
                path=path, error=error
            )
        ) from error


def _member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo | None:
    found = (info for info in archive.infolist() if info.filename.rsplit("/", 1)[-1] == name)
    return next(found, None)


@contextmanager
def _opened(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> Iterator[IO[bytes]]:
    name = f"{path}: {info.filename}"
    if info.flag_bits & 1:
        raise FormatError(
            _("{name} is encrypted. Unpack the zip, and pack it without a password.").format(
                name=name
            )
        )
    try:
        with archive.open(info) as stream:
            yield stream
    except NotImplementedError as error:
        raise FormatError(
            _("{name} cannot be unpacked: {error}. Pack the zip anew.").format(
                name=name, error=error
            )
        ) from error


def _load(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> dict[str, Any]:
    name = f"{path}: {info.filename}"
    if info.file_size > MAX_DOCUMENT_BYTES:
        raise FormatError(
            _(
                "{name} unpacks to {size} MiB, more than the {most} MiB that are read. "
                "Back up a shorter range of dates."
            ).format(name=name, size=info.file_size >> 20, most=MAX_DOCUMENT_BYTES >> 20)
        )
    try:
        with _opened(archive, info, path) as stream:
            data = read_limited(stream, name)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise FormatError(
            _("{name} is damaged ({error}). Download the backup again.").format(
                name=name, error=error
            )
        ) from error
    content = load_json(decode(data, name), name)
    if not isinstance(content, dict) or not isinstance(content.get("memories"), list):
        raise FormatError(
            _("{name} has no list of memories. Download the backup again.").format(name=name)
        )
    return content


class _Backup:
    """The tables of `memories.json`, joined."""

    def __init__(self, content: Mapping[str, Any], now: datetime) -> None:
        self._now = now
        self._content = content
        user = _plain(content.get("user"), "user")
        user = user if isinstance(user, dict) else {}
        self._user_key = user.get("id")
        self.user = user["user_id"] if isinstance(user.get("user_id"), str) else None
        self._apps = {row["id"]: row["name"] for row in self._rows("apps", "id", "name")}
        names = {row["id"]: row["name"] for row in self._rows("categories", "id", "name")}
        self._category_names = names
        self._links = defaultdict[str, list[str]](list)
        for row in self._rows("memory_categories", "memory_id", "category_id"):
            self._links[row["memory_id"]].append(row["category_id"])
        self._history = defaultdict[str, list[Json]](list)
        for row in self._rows("status_history", "memory_id"):
            self._history[row["memory_id"]].append(
                {key: row.get(key) for key in ("old_state", "new_state", "changed_at")}
            )
        self._controls = defaultdict[str, list[Json]](list)
        for row in self._rows("access_controls", "object_id"):
            if row.get("object_type") == "memory":
                self._controls[row["object_id"]].append(row)

    def _rows(self, table: str, *needed: str) -> Iterator[dict[str, Any]]:
        rows = self._content.get(table)
        for row in rows if isinstance(rows, list) else []:
            if isinstance(row, dict) and all(isinstance(row.get(key), str) for key in needed):
                yield _plain(row, table)

    def items(self, seen: set[str]) -> Iterator[ImportItem]:
        for number, raw in enumerate(self._content["memories"], 1):
            item = converted(f"{_WHOLE}#{number}", raw, self._record)
            if isinstance(raw, dict) and isinstance(raw.get("id"), str):
                seen.add(raw["id"])
            yield item
        for key in self._content.keys() - _READ_KEYS:
            yield ImportItem(
                f"{_WHOLE}#{key}",
                None,
                _("{key} is not known in an OpenMemory backup and was not read.").format(key=key),
            )

    def _record(self, row: Row) -> Record:
        given = row.fields.get("id")
        user_key, app_key = row.take_word("user_id"), row.take_word("app_id")
        user = self.user if self.user and user_key in (None, self._user_key) else user_key
        scope = Scope(user_id=user, app_id=self._apps.get(app_key or "") or app_key)
        listed = row.take("category_ids")
        keys = [str(key) for key in listed] if isinstance(listed, list) else []
        if isinstance(given, str):
            keys += self._links[given]
            if given in self._history:
                row.keep("state_history", self._history[given])
            if given in self._controls:
                row.keep("access_controls", self._controls[given])
        if keys:
            names = [self._category_names.get(key, key) for key in dict.fromkeys(keys)]
            row.fields["categories"] = names
        content = row.take_text("content")
        return row.record(NAME, content, self._now, scope=scope)


def _plain(value: Json, table: str) -> Json:
    try:
        return plain(value)[0]
    except NotPlainError as error:
        raise FormatError(
            _("{whole}: {table} was not read: {error}.").format(
                whole=_WHOLE, table=table, error=error
            )
        ) from error


def _logical_items(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    path: Path,
    convert: Callable[[Row], Record],
    seen: set[str],
) -> Iterator[ImportItem]:
    """Yield the memories of the second member that the first does not have."""
    number = size = 0
    try:
        with _opened(archive, info, path) as packed, gzip.GzipFile(fileobj=packed) as stream:
            for line in lines(cast(BinaryIO, stream), _LOGICAL):
                number = line.number
                place = f"{_LOGICAL}:{number}"
                size += len(line.text) + _LINE_COST
                if size > _MAX_UNPACKED:
                    limit = _MAX_UNPACKED >> 20
                    problem = _("It unpacks to more than {limit} MiB; the rest was not read.")
                    yield ImportItem(place, None, problem.format(limit=limit))
                    return
                if line.problem:
                    yield ImportItem(place, None, line.problem)
                elif line.text.strip():
                    yield from _logical_item(place, line.text, convert, seen)
    except (gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, EOFError) as error:
        yield ImportItem(
            f"{_LOGICAL}:{number + 1}",
            None,
            _("The rest is damaged ({reason}). Download the backup again.").format(reason=error),
        )


def _logical_item(
    place: str, text: str, convert: Callable[[Row], Record], seen: set[str]
) -> Iterator[ImportItem]:
    raw = load_value(text)
    if raw is None:
        yield ImportItem(place, None, _("The line is not JSON. Download the backup again."))
    elif not (isinstance(raw, dict) and isinstance(raw.get("id"), str) and raw["id"] in seen):
        yield converted(place, raw, convert)


def _logical_record(row: Row, user: str | None, now: datetime) -> Record:
    scope = Scope(user_id=row.take_word("user_id") or user, app_id=row.take_word("app"))
    content = row.take_text("content")
    return row.record(NAME, content, now, scope=scope)
