"""Settling disputes: keep current, keep incoming, keep both, a third value, or set aside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError, NotFoundError, OmpError, UsageError
from omp_core.i18n import _
from omp_core.language.headline import headline
from omp_core.model import DisputeKind, Home, Json, Receipt, Record
from omp_core.rules import content as content_rules
from omp_core.rules.fields import json_value
from omp_core.services.disputes.queue import DisputeQueue, OpenDispute
from omp_core.services.disputes.sides import (
    Resolution,
    beside,
    beside_document,
    changed,
    set_aside,
    settled,
    superseded,
    words_of,
)
from omp_core.services.document_writer import DocumentWriter, ValueChange
from omp_core.services.records.changes import RecordChanges
from omp_core.services.secret_guard import ensure_no_secret_value
from omp_core.services.sync.corrections import FactCorrection, FactCorrections
from omp_core.services.unit_of_work import UnitOfWork, UnitsOfWork
from omp_core.session import Session


@dataclass(frozen=True, slots=True)
class Settlement:
    """What one answer to many disputes does, or would do.

    `disputes` are those that it settles, `refused` those that it cannot, each with the reason.
    The receipt is None where nothing was written.
    """

    disputes: tuple[OpenDispute, ...]
    refused: tuple[tuple[OpenDispute, str], ...] = ()
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class _Answer:
    """A dispute with its answer, and what the documents were made to say because of it."""

    open: OpenDispute
    resolution: Resolution
    value: Json = None
    correction: FactCorrection | None = None
    field: ValueChange | None = None


class _Held:
    """The records as the unit of work leaves them so far."""

    def __init__(self, read: Callable[[str], Record], work: UnitOfWork) -> None:
        self._read = read
        self._records: dict[str, Record] = {}
        self.work = work

    def get(self, record_id: str) -> Record:
        return self._records.get(record_id) or self._read(record_id)

    def keep(self, record: Record) -> None:
        self._records[record.id] = record


class DisputeSettlement:
    """The part of `Memory` that settles disputes."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        writing: RecordChanges,
        documents: DocumentWriter,
        queue: DisputeQueue,
        units: UnitsOfWork,
    ) -> None:
        self._session = session
        self._availability = availability
        self._writing = writing
        self._documents = documents
        self._queue = queue
        self._units = units
        self._corrections = FactCorrections(session, availability, documents)

    def resolve(
        self, record_id: str, dispute_id: str, resolution: Resolution, value: Json = None
    ) -> Receipt:
        """Settle one dispute as one undoable act; see `Memory.resolve`."""
        self._writable(record_id)
        found = self._find(record_id, dispute_id)
        answer = self._prepared(found, resolution, self._accepted(found, resolution, value))
        return self._written([answer], lambda work, held: self._settle(answer, held))

    def resolve_many(
        self, dispute_id: str, resolution: Resolution, *, dry_run: bool = False
    ) -> Settlement:
        """Give a dispute and all like it one answer, as one act; see `Memory.resolve_many`."""
        if resolution == "value":
            raise UsageError(_("a third value answers one dispute; settle the others one by one"))
        alike = self.alike(dispute_id)
        refused: list[tuple[OpenDispute, str]] = []
        answers: list[_Answer] = []
        for one in alike:
            try:
                answers.append(
                    _Answer(one, self._possible(one, resolution))
                    if dry_run
                    else self._prepared(one, resolution, None)
                )
            except OmpError as error:
                refused.append((one, str(error)))
        done = tuple(answer.open for answer in answers)
        if dry_run or not answers:
            return Settlement(done, tuple(refused))

        def settle_all(work: UnitOfWork, held: _Held) -> str:
            settled_ids = [self._settled_still(answer, held) for answer in answers]
            count = sum(settled_ids)
            work.say(form=f"many-{resolution}", count=count)
            return done[0].record.id

        receipt = self._written(answers, settle_all)
        return Settlement(done, tuple(refused), receipt)

    def alike(self, dispute_id: str) -> tuple[OpenDispute, ...]:
        """Return a dispute and those that one answer can fit as well, in the queue's order."""
        first = self._queue.find(dispute_id)
        queue = self._queue.disputes(set_aside=first.dispute.set_aside)
        return tuple(one for one in queue if one.is_like(first))

    # before anything is written to the store

    def _writable(self, record_id: str) -> None:
        if not record_id.startswith("document:"):
            self._writing.writable(record_id)

    def _find(self, record_id: str, dispute_id: str) -> OpenDispute:
        try:
            found = self._queue.find(dispute_id)
            if found.record.id == record_id:
                return found
        except NotFoundError:
            pass
        raise NotFoundError(
            _("{id} has no open dispute {dispute}; it may be settled already").format(
                id=record_id, dispute=dispute_id
            )
        )

    def _accepted(self, found: OpenDispute, resolution: Resolution, value: Json) -> Json:
        """Return the third value as it can be written."""
        if resolution != "value":
            return None
        if value is None:
            raise InvalidValueError(_("value: say which value to write instead of both"))
        field = found.dispute.field
        if field == "content":
            value = content_rules.accept(str(value), self._session.settings.store.max_content_chars)
        ensure_no_secret_value({field: value})
        return value

    def _possible(self, one: OpenDispute, resolution: Resolution) -> Resolution:
        if one.branch is not None and resolution == "later":
            raise UsageError(
                _(
                    "{file} is not read before {path} is settled, so that cannot be set aside; "
                    "leave it in the queue"
                ).format(file=one.branch.file, path=one.branch.path)
            )
        return resolution

    def _prepared(self, one: OpenDispute, resolution: Resolution, value: Json) -> _Answer:
        """Let the documents say what the answer needs; the store follows."""
        self._possible(one, resolution)
        if one.branch is not None:
            if resolution == "both":
                ensure_no_secret_value({one.dispute.field: one.dispute.incoming})
            sides = {"incoming": one.branch.theirs, "value": value}
            chosen = sides.get(resolution, one.branch.ours)
            field = self._documents.settle_branches(one.branch, chosen)
            return _Answer(one, resolution, value, field=field)
        correction = None
        if one.dispute.kind is DisputeKind.CROSS_HOME and resolution in ("current", "value"):
            text = one.record.content if resolution == "current" else str(value)
            correction = self._corrections.correct(one.record, one.dispute, text)
        return _Answer(one, resolution, value, correction)

    # the store

    def _written(
        self, answers: Sequence[_Answer], settle: Callable[[UnitOfWork, _Held], str]
    ) -> Receipt:
        """Settle in one unit of work; where that fails, the documents are as they were."""
        try:
            return self._units.retrying(lambda: self._attempt(settle))
        except OmpError:
            for answer in reversed(answers):
                if answer.correction is not None:
                    self._corrections.take_back(answer.correction)
                if answer.field is not None:
                    self._documents.take_back(answer.field)
            raise

    def _attempt(self, settle: Callable[[UnitOfWork, _Held], str]) -> Receipt:
        with self._units.begin("resolve") as work:
            held = _Held(self._writing.writable, work)
            record_id = settle(work, held)
        if work.empty:
            return Receipt("unchanged", record_id, None, note=_("They are settled already."))
        record = self._availability.store().get(record_id)
        return Receipt("updated", record_id, work.act.id, record, note=work.words)

    def _settled_still(self, answer: _Answer, held: _Held) -> bool:
        """Settle one of many, unless another answer, or somebody else, has settled it."""
        try:
            self._settle(answer, held)
        except NotFoundError:
            return False
        return True

    def _settle(self, answer: _Answer, held: _Held) -> str:
        """Put the answer into the unit of work, and return the id of the record it is about.

        Raises NotFoundError when the dispute is open no more.
        """
        if answer.field is not None:
            return self._settle_branch(answer, answer.field, held)
        work, resolution = held.work, answer.resolution
        current = held.get(answer.open.record.id)
        dispute = next((one for one in current.disputes if one.id == answer.open.dispute.id), None)
        if dispute is None:
            raise NotFoundError(
                _("{id} has no open dispute {dispute}; it may be settled already").format(
                    id=current.id, dispute=answer.open.dispute.id
                )
            )
        if resolution == "later":
            record = set_aside(current, dispute)
            work.put(
                current,
                record,
                {"disputes": json_value(current.disputes)},
                {"disputes": json_value(record.disputes)},
            )
            work.say(form="later", field=dispute.field)
            held.keep(record)
            return record.id
        act = work.act
        changes = changed(current, dispute, resolution, answer.value)
        merged = settled(current, dispute, changes, act.actor, act.at)
        before, after = dict(merged.before), dict(merged.after)
        before["disputes"] = json_value(current.disputes)
        after["disputes"] = json_value(merged.record.disputes)
        vector = (
            None
            if merged.record.content == current.content
            else self._writing.vector(merged.record.content)
        )
        work.put(current, merged.record, before, after, vector)
        held.keep(merged.record)
        if resolution == "both" and dispute.kind is DisputeKind.SAME_FIELD:
            second = beside(current, dispute, act.actor, act.at)
            work.create(second, self._writing.vector(second.content))
        elif dispute.other_id is not None and resolution != "both":
            self._supersede_other(dispute.other_id, current.id, held)
        if answer.correction is not None and answer.correction.change is not None:
            answer.correction.change.note(work)
        work.say(**words_of(resolution, dispute, merged.record, answer.correction))
        return current.id

    def _supersede_other(self, other_id: str, by: str, held: _Held) -> None:
        try:
            other = held.get(other_id)
        except OmpError:  # a fact of the project, or gone
            return
        if other.home is not Home.USER:
            return
        gone = superseded(other, by, held.work.act.actor, held.work.act.at)
        if gone.changed:
            held.work.change(other, gone)
            held.keep(gone.record)

    def _settle_branch(self, answer: _Answer, field: ValueChange, held: _Held) -> str:
        work, dispute = held.work, answer.open.dispute
        field.note(work)
        chosen = (field.after or {}).get("value")
        form = "branch" if chosen is not None else "branch-removed"
        if answer.resolution == "both" and dispute.incoming is not None:
            form = "branch-both"
            second = beside_document(answer.open.record, dispute, work.act.actor, work.act.at)
            work.create(second, self._writing.vector(second.content))
        work.say(
            form=form,
            path=field.place.path,
            file=field.place.file,
            text=headline(str(chosen)),
            other=headline(str(dispute.incoming)),
        )
        return field.place.id
