"""Answers: what a yes, a no, an edit or a merge does to each kind of thing that waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from omp_core.errors import InvalidValueError, OmpError, StoreError, UsageError
from omp_core.i18n import _
from omp_core.model import Json, Receipt, Record, Status
from omp_core.rules.decay import KEPT_AT
from omp_core.rules.fields import METADATA_PREFIX
from omp_core.services.documents import DocumentService
from omp_core.services.pending import PendingService
from omp_core.services.records.additions import RecordAdditions
from omp_core.services.records.changes import RecordChanges
from omp_core.services.records.union import PROPOSAL, RecordUnion
from omp_core.services.review.inbox import ReviewInbox
from omp_core.services.unit_of_work import UnitOfWork
from omp_core.session import Session
from omp_core.views import ReviewItem, ReviewKind

Answered = tuple[ReviewItem, Receipt | OmpError]
"""An item with what was done, or why nothing was."""
_PROPOSAL = f"{METADATA_PREFIX}{PROPOSAL}"


class ReviewAnswers:
    """Carries answers out, as parts of the act that the caller has begun."""

    def __init__(
        self,
        session: Session,
        inbox: ReviewInbox,
        adding: RecordAdditions,
        writing: RecordChanges,
        union: RecordUnion,
        pending: PendingService,
        documents: DocumentService,
    ) -> None:
        self._session = session
        self._inbox = inbox
        self._adding = adding
        self._writing = writing
        self._union = union
        self._pending = pending
        self._documents = documents

    def accept(
        self, kind: ReviewKind, items: Sequence[ReviewItem], work: UnitOfWork
    ) -> Iterator[Answered]:
        """Do what the effect of each item says, as it is when its turn comes."""
        match kind:
            case ReviewKind.PENDING:
                by_id = {item.record.id: item for item in items}
                try:
                    for waiting, done in self._pending.store(list(by_id), work):
                        item = by_id.pop(waiting.id)
                        stays = done.outcome == "pending"
                        yield item, _Stays(done.note or "") if stays else done
                except StoreError as error:
                    yield from ((item, error) for item in by_id.values())
            case ReviewKind.ARCHIVE:
                done = self._writing.set_status(_ids(items), Status.ARCHIVED)
                yield from ((item, done) for item in items)
            case ReviewKind.FORGET:
                done = self._writing.delete(_ids(items))
                yield from ((item, done) for item in items)
            case ReviewKind.REFUSED:
                yield from self._each(items, self._store_refused)
            case ReviewKind.CANDIDATE | ReviewKind.DUPLICATE:
                yield from self._each(items, self._accept_candidate)

    def reject(
        self, kind: ReviewKind, items: Sequence[ReviewItem], work: UnitOfWork
    ) -> Iterator[Answered]:
        """Say no to each item."""
        match kind:
            case ReviewKind.PENDING:
                self._pending.drop(_ids(items), work)
                for item in items:
                    yield item, Receipt("deleted", item.record.id, None)
            case ReviewKind.CANDIDATE:
                done = self._writing.set_status(_ids(items), Status.ARCHIVED)
                yield from ((item, done) for item in items)
            case ReviewKind.DUPLICATE:
                yield from self._each(items, self._beside)
            case ReviewKind.ARCHIVE | ReviewKind.FORGET:
                kept = {f"{METADATA_PREFIX}{KEPT_AT}": self._session.now().isoformat()}
                done = self._writing.change_many(
                    _ids(items), kept, "update", {"form": "kept"}, aging=False
                )
                yield from ((item, done) for item in items)
            case ReviewKind.REFUSED:
                for item in items:  # the note of the answer keeps it from the list
                    yield item, Receipt("unchanged", item.record.id, None)

    def _each(
        self, items: Iterable[ReviewItem], answer: Callable[[ReviewItem], Receipt]
    ) -> Iterator[Answered]:
        for item in items:
            try:
                now = self._inbox.find(item.key)
                if now.problem is not None:
                    raise UsageError(now.problem)
                yield now, answer(now)
            except OmpError as error:
                yield item, error

    def _accept_candidate(self, item: ReviewItem) -> Receipt:
        if item.effect == "document":
            return self._write_document(item)
        if item.effect == "merged" and item.other is not None:
            return self._union.merge(item.other.id, item.record.id)
        return self._adding.activate(item.record)

    def _beside(self, item: ReviewItem) -> Receipt:
        """Let a proposed duplicate stay beside the record that it resembles."""
        return self._adding.activate(item.record, alike=True)

    def _store_refused(self, item: ReviewItem) -> Receipt:
        return self._adding.store_record(item.record, force=True)

    def edit(self, item: ReviewItem, content: str, work: UnitOfWork) -> Receipt:
        """Take an item with another text."""
        match item.kind:
            case ReviewKind.PENDING:
                return self._pending.store_as(item.record.id, content, work)
            case ReviewKind.REFUSED:
                changed = replace(item.record, content=content)
                return self._adding.store_record(changed, force=True)
            case ReviewKind.ARCHIVE | ReviewKind.FORGET:
                kept = {f"{METADATA_PREFIX}{KEPT_AT}": self._session.now().isoformat()}
                return self._writing.update(
                    item.record.id, {"content": content, **kept}, based_on=item.record.version
                )
            case ReviewKind.CANDIDATE | ReviewKind.DUPLICATE:
                if item.places:
                    return self._write_document(item, content)
                return self._adding.activate(item.record, content=content, alike=True)

    def merged(self, item: ReviewItem, into: str) -> ReviewItem:
        """Return the item with the record that it is to be merged into, and the text of both."""
        from omp_core.language.verdict import fuller

        held = self._writing.writable(into)
        return replace(item, other=held, merged_text=fuller(held.content, item.text))

    def merge(
        self, item: ReviewItem, into: str | None, content: str | None, work: UnitOfWork
    ) -> Receipt:
        """Bring an item into a record, by default the one that it resembles."""
        if into is None:
            if item.other is None:
                raise UsageError(
                    _("{key} resembles no record; name the one to merge it into").format(
                        key=item.key
                    )
                )
            into = item.other.id
        match item.kind:
            case ReviewKind.PENDING:
                return self._pending.join(item.record.id, into, content, work)
            case ReviewKind.REFUSED:
                both = self.merged(item, into)
                held = self._writing.writable(into)
                changes = {
                    "content": content or both.merged_text,
                    "tags": sorted(held.tags | item.record.tags),
                }
                return self._writing.update(into, changes, based_on=held.version)
            case _:
                return self._union.merge(into, item.record.id, content)

    # documents

    def _write_document(self, item: ReviewItem, said: str | None = None) -> Receipt:
        """Write a fact of the project into its document; its candidate gives way to it."""
        planned = self._inbox.planned(item.record)
        if planned is None:
            raise UsageError(
                _("the fact belongs to the documents of {project}; answer it there").format(
                    project=item.record.scope.app_id
                )
            )
        written = self._written(item.record, planned, said)
        place = written.id.replace("document:", "project:", 1)
        gone: dict[str, Json] = {"status": Status.SUPERSEDED, "superseded_by": place}
        self._writing.change_many([item.record.id], gone, "update", {"form": "written"})
        return replace(written, record=None)

    def _written(self, record: Record, planned: Mapping[str, Json], said: str | None) -> Receipt:
        from omp_core.project.writers import ChangelogEntry, DecisionEntry

        day: date = record.created_at.date()
        if planned.get("route") == "decisions":
            fields = dict(planned.get("decision") or {})
            choice = said or fields.get("choice") or record.content
            return self._documents.add_decision(
                DecisionEntry(
                    fields.get("title") or record.content,
                    choice,
                    fields.get("context") or "",
                    tuple(fields.get("alternatives") or ()),
                    fields.get("rationale") or "",
                    day=day,
                )
            )
        if planned.get("route") == "changelog":
            return self._documents.add_change(
                ChangelogEntry(said or record.content, "milestone", day=day)
            )
        values = dict(planned.get("values") or {})
        if said is not None:
            if len(values) != 1:
                raise InvalidValueError(
                    _("it writes {count} values; accept it, then change them one by one").format(
                        count=len(values)
                    )
                )
            values = dict.fromkeys(values, said)
        receipts = [self._documents.set_value(path, value) for path, value in values.items()]
        return receipts[0]


class _Stays(OmpError):
    """Why a pending memory goes on waiting."""


def _ids(items: Iterable[ReviewItem]) -> list[str]:
    return [item.record.id for item in items]
