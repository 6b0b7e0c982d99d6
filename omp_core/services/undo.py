"""Undo and redo: the inverse of an act, written as a new version through the write rule.

An inverse never overwrites what somebody else did since: a field that moved on becomes a
dispute, a record that somebody else changed is not deleted again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from omp_core.availability import Availability
from omp_core.errors import DocumentError, NotFoundError, UsageError
from omp_core.i18n import _
from omp_core.model import Act, Outcome, Receipt
from omp_core.services.acts import all_worded, told_of
from omp_core.services.entries import Inverter
from omp_core.services.inverse import Inverse
from omp_core.services.records.changes import RecordChanges
from omp_core.services.undo_plan import plan_down_to, root_of, switches
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session
from omp_core.views import UndoPlan

_ACTS_AT_ONCE = 500


class UndoService:
    """The part of `Memory` that takes acts back and brings them again.

    `inverters` undo what is no record, by the prefix of the journal's record id.
    """

    def __init__(
        self,
        session: Session,
        availability: Availability,
        writing: RecordChanges,
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

    def undo_to(self, act_id: str, *, newest: str | None = None, dry_run: bool = False) -> UndoPlan:
        """Take back everything down to an act, itself included, as one act of which each undo
        is a part. What is newer than the act `newest` stays.

        It goes from the newest on, and ends where one cannot be taken back; the receipt says so.
        Raises NotFoundError for an act that the journal has not.
        """
        acts = self._down_to(act_id, newest)
        plan = plan_down_to(self._availability.store(), acts)
        if dry_run or not plan.acts:
            return plan
        with self._units.operation("restore", told_of(acts[-1])) as work:
            done = self._switch(plan.acts)
            work.say(count=len(done.receipts))
            work.count_parts(done.records)
        stopped = (done.stopped,) if done.stopped else ()
        note = " ".join([f"{work.words}.", *stopped])
        disputes = tuple(one for receipt in done.receipts for one in receipt.disputes)
        outcome: Outcome = "disputed" if disputes else "updated"
        receipt = Receipt(
            outcome if done.receipts else "unchanged",
            "",
            work.act.id if done.receipts else None,
            disputes=disputes,
            note=note,
        )
        return replace(plan, receipt=receipt)

    def _down_to(self, act_id: str, newest: str | None) -> list[Act]:
        """Return the acts down to this one, newest first. Raises NotFoundError."""
        store = self._availability.store()
        if store.act(act_id) is None:
            raise NotFoundError(
                _("no act has the id {id}; `omp-tui log` shows them").format(id=repr(act_id))
            )
        found = [one for one in (store.act(newest),) if one is not None] if newest else []
        while not found or found[-1].id != act_id:
            page = store.acts(limit=_ACTS_AT_ONCE, before=found[-1].id if found else None)
            if not page:  # it is a part of another act, or newer than `newest`
                raise NotFoundError(
                    _("act {id} is not among those that can be taken back").format(id=repr(act_id))
                )
            for act in page:
                found.append(act)
                if act.id == act_id:
                    break
        return list(all_worded(found))

    def _switch(self, acts: Sequence[Act]) -> _Switched:
        """Take back acts that are in force, bring the others again, until one cannot be.

        Each is an act of its own, a part of the one that is going on.
        """
        done = _Switched()
        for act in acts:
            try:
                receipt = self._units.retrying(partial(self._undo, act.undone_by or act.id))
            except (UsageError, NotFoundError, DocumentError) as error:
                done.stopped = _("It ended before “{summary}”: {reason}").format(
                    summary=act.summary, reason=error
                )
                break
            done.receipts.append(receipt)
            done.records += act.records
        return done

    def undoable(self) -> Act | None:
        """Return the act that `undo` without an id takes back, None when there is none."""
        return self._availability.store().last_undoable(self._session.actor)

    def _undo(self, act_id: str | None) -> Receipt:
        store = self._availability.store()
        act = store.act(act_id) if act_id else store.last_undoable(self._session.actor)
        if act is None:
            raise NotFoundError(
                _("no act has the id {act_id!r}; `omp-tui log` shows them").format(act_id=act_id)
                if act_id
                else _("there is nothing to undo")
            )
        if act.undone_by is not None:
            raise UsageError(
                _("act {act} was undone already, by act {undone_by}").format(
                    act=act.id, undone_by=act.undone_by
                )
            )
        if act.kind == "undo":
            return self._redo(act)
        if act.kind == "redo":
            return self._undo(self._brought_back(act))
        return self._invert_once(act, "undo", act)

    def _brought_back(self, redo: Act) -> str:
        """Return the id of the act that a redo put in force again."""
        undo = self._availability.store().act(redo.undoes or "")
        if undo is None or undo.undoes is None:
            raise NotFoundError(
                _("the act that {act} brought back is not in the journal").format(act=redo.id)
            )
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
        if parts := switches(store, told):
            return self._switch_back(act, kind, told, parts)
        with self._units.begin(kind, told_of(told), undoes=act.id) as work:
            inverse = Inverse(self._availability, self._writing, work)
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

    def _switch_back(
        self, act: Act, kind: Literal["undo", "redo"], told: Act, parts: Sequence[Act]
    ) -> Receipt:
        """Undo or redo an act that switched others: what it took back is brought again.

        `parts` are its switches, newest first. What somebody switched since stays so.
        """
        store = self._availability.store()
        took_back = "undo" if kind == "undo" else "redo"
        wrong = [
            root
            for part in (parts if kind == "undo" else reversed(parts))
            if (root := root_of(store, part)) is not None
            and (root.undone_by is not None) == (part.kind == took_back)
        ]
        with self._units.operation(kind, told_of(told), undoes=act.id) as work:
            done = self._switch(tuple(all_worded(wrong)))
            work.count_parts(done.records)
        disputes = tuple(one for receipt in done.receipts for one in receipt.disputes)
        note = " ".join([work.words, *((done.stopped,) if done.stopped else ())])
        outcome: Outcome = "disputed" if disputes else "updated"
        return Receipt(outcome, "", work.act.id, disputes=disputes, note=note)


@dataclass(slots=True)
class _Switched:
    """What came of switching several acts; `stopped` says why it did not go on."""

    receipts: list[Receipt] = field(default_factory=list)
    records: int = 0
    stopped: str | None = None
