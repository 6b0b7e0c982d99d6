"""Extraction: reading memories out of a conversation, and storing what stands at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from omp_core.availability import Availability
from omp_core.errors import OmpError, StoreError, VersionConflictError
from omp_core.language.normal import content_hash
from omp_core.model import JournalEntry, Json, Receipt, Record, Scope, Status
from omp_core.services.document_writer import DocumentWriter, ValueChange, change_of
from omp_core.services.entries import stamp_new
from omp_core.services.records.additions import RecordAdditions
from omp_core.services.records.changes import RecordChanges
from omp_core.services.secret_guard import ensure_no_secret
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session
from omp_core.store.protocol import NoTwin, Vector

if TYPE_CHECKING:
    from omp_core.extraction.report import ExtractionReport, Fact
    from omp_core.model import Turn
    from omp_core.services.extracted_documents import DocumentResult
    from omp_core.transcripts.lines import TranscriptProblem

FactOutcome = Literal[
    "added", "candidate", "updated", "unchanged", "kept", "refused", "pending", "known"
]
"""What became of a fact. `known`: an earlier run took it, whatever was done to it since."""

_PREFIX = "extracted"


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of one fact or episode: `source` is its hash or id, `place` where it is."""

    source: str
    outcome: FactOutcome
    place: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """A report, and what was done about it: nothing in a dry run."""

    report: ExtractionReport
    applied: tuple[Applied, ...] = ()
    act_ids: tuple[str, ...] = ()

    def count(self, outcome: FactOutcome) -> int:
        """Return how many facts and episodes had that outcome."""
        return sum(one.outcome == outcome for one in self.applied)


class Extraction:
    """The part of `Memory` that learns from conversations."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        adding: RecordAdditions,
        writing: RecordChanges,
        units: UnitsOfWork,
        writer: DocumentWriter,
    ) -> None:
        self._session = session
        self._availability = availability
        self._adding = adding
        self._writing = writing
        self._units = units
        self._writer = writer

    def read(
        self,
        source: Path | BinaryIO,
        format: str | None = None,
        *,
        report: Callable[[TranscriptProblem], None] | None = None,
    ) -> Iterator[Turn]:
        """Yield the turns of a recorded conversation; its shape is found by looking.

        `report` is told what was passed over. Raises FormatError for what is no conversation.
        """
        from omp_core.transcripts.registry import read

        yield from read(source, format, report=report)

    def extract(
        self,
        turns: Iterable[Turn],
        *,
        dry_run: bool = False,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Extracted:
        """Read a conversation, and unless this is a dry run store what it holds.

        `session` is its id where its turns have none; so are `start` and `end` its times.

        The documents are written first, then the records and the journal as one undoable act;
        a fact that resembles or contradicts a memory is an act of its own, as with `add`. The
        same conversation again adds nothing, nor does it bring back what was deleted since.
        `progress` is told how many turns were read.
        """
        from omp_core.extraction.pipeline import extract

        report = extract(
            _framed(turns, session, start, end),
            self._session.settings,
            self._session.now(),
            self._similar,
            progress,
        )
        return Extracted(report) if dry_run else self.apply(report)

    def apply(self, report: ExtractionReport) -> Extracted:
        """Store what a report found, and retire what it withdraws.

        A fact that cannot be stored is refused with the reason; the others go on.
        """
        known = self._known(report.facts)
        found = _Found()
        put_right, settled = self._put_right(report, known, found)
        fresh = [
            fact
            for fact in report.facts
            if fact.source_hash not in known and fact.source_hash not in settled
        ]
        in_documents = [fact for fact in fresh if self._in_document(fact)]
        applied = [Applied(fact, "known", place) for fact, place in known.items()]
        applied += put_right
        if self._session.workspace is not None:
            self._take_back_withdrawn(report, found)
            applied += self._write_documents(in_documents, report, found)
        asked = {one.source: one for one in found.asked}
        numbered = {one.id for one in report.episodes if one.conversation}
        places = {
            one.source: one.place
            for one in applied
            if one.source in numbered and one.outcome != "refused"
        }
        as_records = [
            self._record(fact, places.get(fact.episode, fact.episode))
            for fact in (_asked(fact, asked) for fact in fresh)
            if not self._in_document(fact)
        ]
        stored, acts = self._records(as_records, found)
        retired = self._retire(report)
        told = [
            replace(one, note=asked[one.source].note) if one.source in asked else one
            for one in stored
        ]
        return Extracted(report, (*applied, *told), (*acts, *retired, *found.acts))

    def _put_right(
        self, report: ExtractionReport, known: Mapping[str, str], found: _Found
    ) -> tuple[list[Applied], frozenset[str]]:
        """Put right the memories that corrections name; return what became of them, and the facts
        that say no more than those memories do then.
        """
        from omp_core.services.said_corrections import SaidCorrections

        corrections = SaidCorrections(
            self._session, self._availability, self._writing, self._writer
        )
        applied: list[Applied] = []
        settled: set[str] = set()
        for said in report.corrections:
            if any(source in known for source in said.sources):
                continue
            try:
                done = corrections.correct(said)
            except StoreError as error:
                self._availability.store_failed(error)
                continue
            except OmpError as error:
                applied.append(Applied(said.place, "refused", "", str(error)))
                continue
            for one in done:
                found.changes += [one.change] if one.change is not None else []
                found.acts += [one.act_id] if one.act_id is not None else []
                source = said.sources[0] if said.sources else said.place
                applied.append(Applied(source, "updated", one.place))
            if done:
                settled.update(said.sources)
                places: list[Json] = [one.place for one in done if one.change is not None]
                found.marks += [_Mark(one, None, {"places": places}) for one in said.sources]
        return applied, frozenset(settled)

    # where facts go

    def _in_document(self, fact: Fact) -> bool:
        from omp_core.extraction.classify.kinds import Route

        in_project = self._session.workspace is not None and fact.route is not Route.USER
        return in_project and fact.status == "stored"

    def _write_documents(
        self, facts: Sequence[Fact], report: ExtractionReport, found: _Found
    ) -> list[Applied]:
        from omp_core.services.extracted_documents import ExtractedDocuments

        summaries = {one.id: one.summary for one in report.episodes}
        written, changes = ExtractedDocuments(self._writer).write(
            facts, report.episodes, self._summaries(report)
        )
        found.changes += changes
        found.asked += [one for one in written if one.outcome == "asked"]
        for one in written:
            if one.places:
                told: dict[str, Json] = {"places": list(one.places)}
                if one.source in summaries:
                    told["summary"] = summaries[one.source]
                found.marks.append(_Mark(one.source, None, told))
        return [
            Applied(one.source, one.outcome, one.place, one.note)
            for one in written
            if one.outcome != "asked"
        ]

    def _known(self, facts: Sequence[Fact]) -> dict[str, str]:
        """Return the facts that an earlier run took, with where they went."""
        from omp_core.extraction.records import record_id

        known: dict[str, str] = {}
        for fact in facts:
            names = (record_id(fact.source_hash, fact.at), f"{_PREFIX}:{fact.source_hash}")
            for name in names:
                history = self._history(name)
                if history and not _undone(history[0]):
                    known[fact.source_hash] = name
        return known

    def _record(self, fact: Fact, episode: str | None = None) -> Record:
        from omp_core.extraction.records import record_of

        identity = self._session.identity
        scope = Scope(identity.user_id, None, identity.app_id)
        return record_of(fact, scope, self._session.now(), episode)

    def _summaries(self, report: ExtractionReport) -> dict[str, str]:
        """Return the summaries that earlier runs gave the episodes of a report."""
        told: dict[str, str] = {}
        for one in report.episodes:
            history = self._history(f"{_PREFIX}:{one.id}")
            summary = (history[0].after or {}).get("summary") if history else None
            if isinstance(summary, str):
                told[one.id] = summary
        return told

    def _similar(self, fact: Fact) -> tuple[str, float] | None:
        """Return the memory that says much the same as a fact bound for the user store."""
        if self._in_document(fact) or fact.status == "candidate":
            return None
        try:
            likeness = self._adding.likeness(self._record(fact))
        except StoreError as error:
            self._availability.store_failed(error)
            return None
        if likeness is None or likeness.verdict not in ("same", "merge"):
            return None
        return likeness.record.id, likeness.similarity

    # records

    def _records(
        self, records: Sequence[Record], found: _Found
    ) -> tuple[list[Applied], tuple[str, ...]]:
        applied: list[Applied] = []
        acts: list[str] = []
        alone: list[_Ready] = []
        taken: set[tuple[str, Scope]] = set()
        for record in records:
            key = (content_hash(record.content), record.scope)
            try:
                ensure_no_secret(record)
                if key not in taken and self._stands_alone(record):
                    taken.add(key)
                    alone.append(_Ready(record, self._writing.vector(record.content)))
                    continue
                receipt = self._adding.add_record(record, propose=True)
            except OmpError as error:
                applied.append(Applied(_source(record), "refused", "", str(error)))
                continue
            applied.append(_applied(record, receipt))
            acts += [receipt.act_id] if receipt.act_id else []
        done, more = self._commit(alone, found)
        return [*applied, *done], (*acts, *more)

    def _stands_alone(self, record: Record) -> bool:
        """Tell whether a record neither repeats nor contradicts another."""
        try:
            return self._adding.likeness(record) is None
        except StoreError as error:
            self._availability.store_failed(error)
            return False

    def _commit(
        self, ready: Sequence[_Ready], found: _Found
    ) -> tuple[list[Applied], tuple[str, ...]]:
        """Write records and the journal of the documents as one act.

        When somebody stores one of the texts meanwhile, or the store fails, each record goes
        its own way through the write rule, which keeps it as pending if need be.
        """
        if not ready and not found.changes and not found.marks:
            return [], ()
        try:
            act_id = self._commit_once(ready, found)
        except StoreError as error:
            if not isinstance(error, VersionConflictError):
                self._availability.store_failed(error)
            receipts = [self._adding.add_record(one.record, propose=True) for one in ready]
            applied = [
                _applied(one.record, receipt) for one, receipt in zip(ready, receipts, strict=True)
            ]
            acts = tuple(one.act_id for one in receipts if one.act_id)
            if found.changes and isinstance(error, VersionConflictError):
                acts = (*acts, self._commit_once((), found))
            return applied, acts
        return [_added(one.record) for one in ready], (act_id,)

    def _commit_once(self, ready: Sequence[_Ready], found: _Found) -> str:
        with self._units.begin("extract", {"count": len(ready) + len(found.marks)}) as work:
            for one in ready:
                record = stamp_new(one.record, work.act.actor, work.act.at)
                work.create(record, one.vector)
                work.fill(record.tier)
                if record.status is Status.ACTIVE:
                    work.require(NoTwin(content_hash(record.content), record.scope))
            for change in found.changes:
                change.note(work)
            for mark in found.marks:
                work.note(f"{_PREFIX}:{mark.source}", mark.before, mark.after)
        return work.act.id

    # what is no longer so

    def _take_back_withdrawn(self, report: ExtractionReport, found: _Found) -> None:
        """Take back what an earlier run wrote into documents and is corrected now."""
        for source, _at in report.withdrawn:
            history = self._history(f"{_PREFIX}:{source}")
            told = history[0].after if history else None
            if told is None:
                continue
            places = told.get("places") or ()
            entries = self._availability.store().entries(history[0].act_id)
            mine = [change_of(entry) for entry in entries if entry.record_id in places]
            taken = [done for done in map(self._writer.take_back, mine) if done is not None]
            if taken:
                found.changes += taken
                found.marks.append(_Mark(source, dict(told), None))

    def _retire(self, report: ExtractionReport) -> list[str]:
        """Mark records of an earlier run, on a shorter transcript, that are corrected now."""
        from omp_core.extraction.records import record_id

        successors = {
            old: record_id(fact.source_hash, fact.at)
            for fact in report.facts
            for old in fact.supersedes
        }
        acts: list[str] = []
        for source, at in report.withdrawn:
            name = record_id(source, at)
            if not self._history(name):
                continue
            held = self._availability.store().get(name)
            if held is None or held.status not in (Status.ACTIVE, Status.CANDIDATE):
                continue
            changes: dict[str, Json] = {"status": str(Status.SUPERSEDED)}
            if source in successors:
                changes["superseded_by"] = successors[source]
            receipt = self._writing.update(held.id, changes, based_on=held.version)
            acts += [receipt.act_id] if receipt.act_id else []
        return acts

    def _history(self, name: str) -> tuple[JournalEntry, ...]:
        """Return a record's journal, newest first; none of it while the store is away."""
        try:
            return self._availability.store().history(name)
        except StoreError as error:
            self._availability.store_failed(error)
            return ()

    # undo

    def invert(self, entry: JournalEntry) -> JournalEntry | None:
        """Forget, or remember, that a run took a fact; its values are entries of their own."""
        return replace(
            entry,
            actor=self._session.actor,
            at=self._session.now(),
            before=entry.after,
            after=entry.before,
        )


def _framed(
    turns: Iterable[Turn], session: str | None, start: datetime | None, end: datetime | None
) -> Iterator[Turn]:
    """Yield the turns; what they do not say of their session and times is as given.

    All take the start but the last one, which takes the end.
    """
    before: Turn | None = None
    for turn in turns:
        if before is not None:
            yield _filled(before, session, start or end)
        before = turn
    if before is not None:
        yield _filled(before, session, end or start)


def _filled(turn: Turn, session: str | None, at: datetime | None) -> Turn:
    return replace(turn, session=turn.session or session, at=turn.at or at)


@dataclass(frozen=True, slots=True)
class _Ready:
    """A record that can be stored as it is."""

    record: Record
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class _Mark:
    """That a fact was taken into documents: the ids of the values, in the form of the journal."""

    source: str
    before: dict[str, Json] | None
    after: dict[str, Json] | None


@dataclass(slots=True)
class _Found:
    """What a run changed in documents, and the marks of the facts that did it."""

    changes: list[ValueChange] = field(default_factory=list)
    marks: list[_Mark] = field(default_factory=list)
    asked: list[DocumentResult] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)


def _asked(fact: Fact, asked: Mapping[str, DocumentResult]) -> Fact:
    """Return a fact of which a person has to say whether it is written as a candidate."""
    one = asked.get(fact.source_hash)
    return fact if one is None else replace(fact, status="candidate", values=one.planned)


def _undone(newest: JournalEntry) -> bool:
    """Tell whether the newest entry is the undoing of what brought it."""
    return newest.kind == "undo" and newest.after is None


def _source(record: Record) -> str:
    return str(record.metadata["source_hash"])


def _applied(record: Record, receipt: Receipt) -> Applied:
    if receipt.outcome in ("merged", "unchanged", "duplicate"):
        return Applied(_source(record), "unchanged", receipt.id, receipt.note)
    if receipt.outcome == "pending":
        return Applied(_source(record), "pending", receipt.id, receipt.note)
    return replace(_added(receipt.record or record), note=receipt.note)


def _added(record: Record) -> Applied:
    outcome: FactOutcome = "candidate" if record.status is Status.CANDIDATE else "added"
    return Applied(_source(record), outcome, record.id)
