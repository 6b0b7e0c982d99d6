"""Inverse of an act's entries: what puts their `before` back through the write rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from omp_core.availability import Availability
from omp_core.model import Dispute, JournalEntry, Json, Record
from omp_core.record_json import from_json
from omp_core.rules.fields import field_value, json_value, typed_value
from omp_core.rules.merge import merge
from omp_core.services.records.changes import RecordChanges
from omp_core.services.unit_of_work import UnitOfWork
from omp_core.session import new_id


class Inverse:
    """Collects what puts an act's `before` back."""

    def __init__(
        self, availability: Availability, writing: RecordChanges, work: UnitOfWork
    ) -> None:
        self._availability = availability
        self._writing = writing
        self._work = work
        self._act = work.act
        self.disputes: list[Dispute] = []
        self.kept: list[str] = []
        self._so_far: dict[str, Record | None] = {}

    def add(self, entry: JournalEntry) -> None:
        """Take one entry back; what it stands on is what the inverse has made so far."""
        current = self._current(entry.record_id)
        if entry.before is None:
            self._remove(entry, current)
        elif entry.after is None:
            self._bring_back(entry.before, entry, current)
        elif current is None:
            self.kept.append(entry.record_id)
        else:
            self._set_back(entry, current, entry.before, entry.after)

    def _current(self, record_id: str) -> Record | None:
        if record_id not in self._so_far:
            self._so_far[record_id] = self._availability.store().get(record_id)
        return self._so_far[record_id]

    def _remove(self, entry: JournalEntry, current: Record | None) -> None:
        if current is None:
            return
        if self._changed_by_others(entry, current):
            self.kept.append(current.id)
            return
        self._work.remove(current)
        self._so_far[current.id] = None

    def _bring_back(self, before: Any, entry: JournalEntry, current: Record | None) -> None:
        if current is not None:
            self.kept.append(current.id)
            return
        record = replace(from_json(before), version=entry.version + 1)
        self._work.create(record, self._writing.vector(record.content))
        self._so_far[record.id] = record

    def _set_back(self, entry: JournalEntry, current: Record, before: Any, after: Any) -> None:
        changes: dict[str, Any] = {}
        based_on: dict[str, int] = {}
        for name, value in before.items():
            if name == "disputes":
                continue
            if name == "tags":
                # a set is put back element by element, so others' tags stay
                added, removed = set(after["tags"]) - set(value), set(value) - set(after["tags"])
                changes[name] = (current.tags - added) | removed
                based_on[name] = current.version
                continue
            changes[name] = typed_value(name, value)
            unmoved = json_value(field_value(current, name)) == after.get(name)
            based_on[name] = current.version if unmoved else entry.version
        merged = merge(
            current,
            changes,
            based_on=based_on,
            actor=self._act.actor,
            now=self._act.at,
            dispute_ids=iter(new_id, None),
        )
        restored = _disputes_back(merged.record, before.get("disputes"), after.get("disputes"))
        if not merged.changed and restored == current.disputes:
            return
        version = current.version + 1
        record = replace(merged.record, disputes=restored, version=version, updated_at=self._act.at)
        vector = self._writing.vector(record.content) if record.content != current.content else None
        was, now = dict(merged.before), dict(merged.after)
        if restored != current.disputes:
            was["disputes"] = json_value(current.disputes)
            now["disputes"] = json_value(restored)
        self._work.put(current, record, was, now, vector)
        self._so_far[record.id] = record
        self.disputes.extend(merged.disputes)

    def _changed_by_others(self, entry: JournalEntry, current: Record) -> bool:
        own = {self._act.actor, entry.actor, "system"}
        return any(
            stamp.version > entry.version and stamp.actor not in own
            for stamp in current.stamps.values()
        )


def _disputes_back(record: Record, before: Json, after: Json) -> tuple[Dispute, ...]:
    """Return the record's disputes with those that an act opened or closed put back."""
    if before is None and after is None:
        return record.disputes
    import msgspec

    was = msgspec.convert(before or [], tuple[Dispute, ...])
    then = msgspec.convert(after or [], tuple[Dispute, ...])
    before_by_id = {one.id: one for one in was}
    opened = {one.id for one in then} - before_by_id.keys()
    held = {one.id for one in record.disputes}
    closed = [one for one in was if one.id not in {two.id for two in then} | held]
    kept = (
        before_by_id.get(one.id, one) if one in then else one
        for one in record.disputes
        if one.id not in opened
    )
    return (*kept, *closed)
