"""What waits for the user store: `user-context.yaml`, while the store cannot be reached.

The file has the extraction seed's form, `_degraded`, `_reason` and `pending_memories` of `text`
and `created_at`; our entries carry the record's other fields too, so that nothing is lost on the
way. Every entry has an id, which becomes that of its record: storing it twice stores it once.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from omp_core.errors import DocumentDamagedError, InvalidValueError, NotFoundError
from omp_core.i18n import _
from omp_core.model import Json, Record
from omp_core.moments import day_of, is_day
from omp_core.project.atomic import locked
from omp_core.project.facts import time_of
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.file import YamlFile
from omp_core.project.yaml.render import Timestamp
from omp_core.record_json import from_json, to_json
from omp_core.settings import DocumentSettings

_KEY = "pending_memories"
_NAMESPACE = uuid.UUID("5f1c7f5e-7a3b-5d0e-9c58-0d4f3f6f8a11")
_OURS = {"content": "text"}
_NOT_KEPT = frozenset({"home", "stamps", "disputes", "version", "arrived_at"})
_BLANK = Record("", "", datetime.fromtimestamp(0, UTC), datetime.fromtimestamp(0, UTC))


@dataclass(frozen=True, slots=True)
class PendingMemory:
    """An entry as the record it would become. `problem` says what of it could not be read;
    that stays in the record's metadata."""

    record: Record
    problem: str | None = None

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def text(self) -> str:
        return self.record.content


@dataclass(frozen=True, slots=True)
class PendingFile:
    """The pending memories of a workspace. Writing raises what `YamlFile.write` raises."""

    workspace: Workspace
    settings: DocumentSettings = DocumentSettings()  # noqa: RUF009 - a frozen value
    zone: tzinfo = UTC
    """The person's own, for dates without a time."""

    @property
    def _file(self) -> YamlFile:
        return YamlFile(
            self.workspace, self.workspace.pending_file, self.settings, stamp=False, private=True
        )

    def memories(self) -> list[PendingMemory]:
        """Return what waits, oldest first; nothing when there is no file.

        Raises DocumentDamagedError, DocumentError.
        """
        try:  # before it is read: another process may take it away at any moment
            modified = datetime.fromtimestamp(self.workspace.pending_file.lstat().st_mtime, UTC)
        except OSError:
            return []
        entries = _with_ids(self._entries(self._file.read().data))
        return [_pending(entry, modified, self.zone) for entry in entries]

    def append(self, records: Collection[Record], reason: str, *, now: datetime) -> None:
        """Keep records until the store is back; one that waits already is not doubled."""

        def change(content: Json) -> Json:
            entries = self._entries(content)
            waiting = {entry["id"] for entry in _with_ids(entries)}
            added = [_entry(record) for record in records if record.id not in waiting]
            if not added:
                return content
            head = {"_degraded": True, "_reason": reason}
            kept = content if isinstance(content, dict) else {}
            return {**head, **kept, **head, _KEY: [*entries, *added]}

        self._file.write(change, by="", now=now)

    def edit(self, memory_id: str, changes: Mapping[str, Json], *, now: datetime) -> PendingMemory:
        """Change fields of a waiting memory, named as in a record. Raises NotFoundError."""
        changed: list[PendingMemory] = []

        def alter(entry: dict[str, Json]) -> dict[str, Json]:
            memory = _pending(entry, now, self.zone)
            fields = {**to_json(memory.record), **changes}
            after = _entry(from_json(fields))
            changed[:] = [_pending(after, now, self.zone)]
            return {**{key: value for key, value in entry.items() if key in after}, **after}

        self._change_entry(memory_id, alter, now)
        return changed[0]

    def remove(self, ids: Collection[str], *, now: datetime) -> int:
        """Take memories off the file, once the store has them or they are not wanted.

        Returns how many were there. The file goes with the last one; `.backup/` keeps it.
        """
        if not os.path.lexists(self.workspace.pending_file):
            return 0
        removed = 0

        def change(content: Json) -> Json:
            nonlocal removed
            entries = self._entries(content)
            kept = [
                entry
                for entry, known in zip(entries, _with_ids(entries), strict=True)
                if known["id"] not in ids
            ]
            removed = len(entries) - len(kept)
            return {**content, _KEY: kept} if removed else content

        self._file.write(change, by="", now=now)
        self._remove_when_empty(now)
        return removed

    def _remove_when_empty(self, now: datetime) -> None:
        file = self.workspace.pending_file
        with locked(file, self.settings.lock_timeout_s):
            if os.path.lexists(file) and not self._entries(self._file.read().data):
                self._file.remove(now=now)

    def _change_entry(
        self, memory_id: str, alter: Callable[[dict[str, Json]], Json], now: datetime
    ) -> None:
        def change(content: Json) -> Json:
            entries = self._entries(content)
            for index, entry in enumerate(_with_ids(entries)):
                if entry["id"] == memory_id:
                    return {
                        **content,
                        _KEY: [*entries[:index], alter(entry), *entries[index + 1 :]],
                    }
            raise NotFoundError(
                _("no pending memory has the id {memory_id!r}").format(memory_id=memory_id)
            )

        self._file.write(change, by="", now=now)

    def _entries(self, content: Json) -> list[Json]:
        entries = content.get(_KEY) if isinstance(content, dict) else content
        if entries is None:
            return []
        if not isinstance(entries, list):
            reason = _("{key} is no list").format(key=_KEY)
            raise DocumentDamagedError(self.workspace.pending_file, None, reason)
        return entries


def _with_ids(entries: Sequence[Json]) -> list[dict[str, Json]]:
    """The entries as maps with an id; one that has none gets the same one every time."""
    seen: dict[str, int] = {}
    named = []
    for entry in entries:
        fields = dict(entry) if isinstance(entry, dict) else {"text": str(entry)}
        if not isinstance(fields.get("id"), str) or not fields["id"]:
            basis = f"{fields.get('created_at')}\n{fields.get('text')}"
            seen[basis] = seen.get(basis, 0) + 1
            fields["id"] = str(uuid.uuid5(_NAMESPACE, f"{basis}\n{seen[basis]}"))
        named.append(fields)
    return named


def _entry(record: Record) -> dict[str, Json]:
    """The record in the file's form: the seed's two keys first, then what is not usual."""
    usual = to_json(_BLANK)
    fields = {
        _OURS.get(name, name): value
        for name, value in to_json(record).items()
        if name not in _NOT_KEPT and value != usual[name] and value is not None
    }
    for name in ("created_at", "updated_at", "expires_at", "last_accessed"):
        if name in fields:
            fields[name] = Timestamp(fields[name])
    if record.updated_at == record.created_at:
        del fields["updated_at"]
    first = {"text": record.content, "created_at": fields["created_at"]}
    return {**first, **fields}


def _moment(value: Json, zone: tzinfo, *, last: bool = False) -> datetime | None:
    """Return a time of the file; a date is the whole of that day in the person's zone."""
    if isinstance(value, str) and is_day(value):
        try:
            return day_of(value, zone, last=last)
        except ValueError:
            return None
    return time_of(value)


def _pending(entry: Mapping[str, Json], modified: datetime, zone: tzinfo) -> PendingMemory:
    fields = {("content" if name == "text" else name): value for name, value in entry.items()}
    created = _moment(fields.get("created_at"), zone) or modified
    updated = _moment(fields.get("updated_at"), zone) or created
    for name in ("expires_at", "last_accessed"):
        if (given := fields.get(name)) is not None:
            fields[name] = _moment(given, zone, last=name == "expires_at") or given
    fields |= {"created_at": created, "updated_at": updated}
    fields["content"] = str(fields.get("content", ""))
    try:
        return PendingMemory(from_json(fields))
    except InvalidValueError as error:
        plain = Record(str(fields["id"]), fields["content"], created, updated)
        rest = {
            name: value
            for name, value in entry.items()
            if name not in ("id", "text", "created_at", "updated_at")
        }
        return PendingMemory(replace(plain, metadata=rest), str(error))
