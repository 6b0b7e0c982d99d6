"""Undo and redo: the inverse of an act, written as a new version through the write rule.

An inverse never overwrites what somebody else did since: a field that moved on becomes a
dispute, a record that somebody else changed is not deleted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from omp_core.availability import Availability
from omp_core.errors import NotFoundError, UsageError
from omp_core.i18n import _
from omp_core.model import Act, Dispute, JournalEntry, Json, Outcome, Receipt, Record
from omp_core.record_json import from_json
from omp_core.rules.fields import field_value, json_value, typed_value
from omp_core.rules.merge import merge
from omp_core.services.acts import told_of
from omp_core.services.entries import Inverter
from omp_core.services.records.changes import Writing
from omp_core.services.unit_of_work import UnitOfWork, UnitsOfWork
from omp_core.session import Session, new_id


class Undoing:
    """The part of `Memory` that takes acts back and brings them again.

    `inverters` undo what is no record, by the prefix of the journal's record id.
    """

    def __init__(
        self,
        session: Session,
        availability: Availability,
        writing: Writing,
        units: UnitsOfWork,
        inverters: Mapping[str, Inverter],
    ) -> None:
        self._session = session
        self._availability = availability
        self._writing = writing
        self._units = units
        self._inverters = inverters

    def undo(self, act_id: str | None = None) -> Receipt:
        """Take back an act; without an id the actor's newest one that is in force.

        Raises NotFoundError when there is nothing to take back, UsageError for an act that
        was taken back already.
        """
        return self._units.retrying(lambda: self._undo(act_id))

    def undoable(self) -> Act | None:
        """Return the act that `undo` without an id takes back, None when there is none."""
        return self._availability.store().last_undoable(self._session.actor)

    def _undo(self, act_id: str | None) -> Receipt:
        store = self._availability.store()
        act = store.act(act_id) if act_id else store.last_undoable(self._session.actor)
        if act is None:
            raise NotFoundError(
                f"no act has the id {act_id!r}; `omp-tui log` shows them"
                if act_id
                else _("there is nothing to undo")
            )
        if act.undone_by is not None:
            raise UsageError(f"act {act.id} was undone already, by act {act.undone_by}")
        if act.kind == "undo":
            return self._redo(act)
        if act.kind == "redo":
            return self._undo(self._brought_back(act))
        return self._invert_once(act, "undo", act)

    def _brought_back(self, redo: Act) -> str:
        """Return the id of the act that a redo put in force again."""
        undo = self._availability.store().act(redo.undoes or "")
        if undo is None or undo.undoes is None:
            raise NotFoundError(f"the act that {redo.id} brought back is not in the journal")
        return undo.undoes

    def redo(self) -> Receipt:
        """Bring back the actor's newest act that was undone.

        Raises NotFoundError when there is none, or a newer act has overtaken it.
        """
        return self._units.retrying(self._redo_newest)

    def _redo_newest(self) -> Receipt:
        undo = self._availability.store().last_redoable(self._session.actor)
        if undo is None:
            raise NotFoundError(_("there is nothing to redo"))
        return self._redo(undo)

    def _redo(self, undo: Act) -> Receipt:
        act = self._availability.store().act(undo.undoes or "")
        return self._invert_once(undo, "redo", act or undo)

    def _invert_once(self, act: Act, kind: Literal["undo", "redo"], told: Act) -> Receipt:
        """Write the inverse of an act, and of what rules did because of it, as one act."""
        store = self._availability.store()
        with self._units.begin(kind, told_of(told), undoes=act.id) as work:
            inverse = _Inverse(self._availability, self._writing, work)
            caused = [one for each in store.caused_by(act.id) for one in store.entries(each.id)]
            for entry in (*caused, *store.entries(act.id)):
                inverter = self._inverters.get(entry.record_id.partition(":")[0])
                if inverter is not None and entry.record_id.partition(":")[1]:
                    done = inverter(entry)
                    if done is None:
                        inverse.kept.append(entry.record_id)
                    else:
                        work.note(entry.record_id, done.before, done.after, version=done.version)
                else:
                    inverse.add(entry)
        note = work.words
        if inverse.disputes:
            note = _("{summary}; what others changed since is now a dispute").format(summary=note)
        elif inverse.kept:
            note = _("{summary}; what others changed since was left as it is").format(summary=note)
        first = work.record_ids[0] if work.record_ids else ""
        outcome: Outcome = "unchanged" if work.empty else "updated"
        return Receipt(
            "disputed" if inverse.disputes else outcome,
            first,
            work.act.id,
            store.get(first) if first else None,
            tuple(inverse.disputes),
            note=note,
        )


class _Inverse:
    """Collects what puts an act's `before` back."""

    def __init__(self, availability: Availability, writing: Writing, work: UnitOfWork) -> None:
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
