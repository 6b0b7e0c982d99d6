"""The inbox: what waits for a yes or no, and what a yes would do, as things stand."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.errors import NotFoundError, OmpError
from omp_core.i18n import _, ngettext
from omp_core.model import Home, Json, Query, Record, Stamp, Status
from omp_core.rules.decay import unread_since
from omp_core.services.documents import DocumentService
from omp_core.services.maintenance import MaintenanceService
from omp_core.services.pending import PendingService
from omp_core.services.records.additions import RecordAdditions, SimilarRecord
from omp_core.services.records.refused import RefusedText, RefusedTexts
from omp_core.services.records.union import PROPOSAL
from omp_core.session import Session
from omp_core.views import DocumentChange, ReviewEffect, ReviewItem, ReviewKind, Waiting

if TYPE_CHECKING:
    from omp_core.services.pending import PendingPreview

_CANDIDATES = frozenset({Status.CANDIDATE})
_PENDING_EFFECTS: Mapping[str, ReviewEffect] = {
    "new": "new",
    "stored": "stored",
    "same": "same",
    "duplicate": "proposed",
    "contradiction": "disputed",
}
PLANNED = "extraction"
"""Metadata: the write to a document that a fact of the project was read for."""
_FILES = {"decisions": "decisions.yaml", "changelog": "changelog.yaml"}


class ReviewInbox:
    """Reads what waits; nothing is written here."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        adding: RecordAdditions,
        pending: PendingService,
        refused: RefusedTexts,
        maintaining: MaintenanceService,
        documents: DocumentService,
    ) -> None:
        self._session = session
        self._availability = availability
        self._adding = adding
        self._pending = pending
        self._refused = refused
        self._maintaining = maintaining
        self._documents = documents

    def counts(self) -> dict[ReviewKind, int]:
        """Return how many wait of each kind. Raises StoreUnavailableError."""
        advised = [one.advice for one in self._maintaining.proposals()]
        faded = {ReviewKind.ARCHIVE: advised.count("archive")}
        faded[ReviewKind.FORGET] = len(advised) - faded[ReviewKind.ARCHIVE]
        return {kind: faded[kind] if kind in faded else self.count(kind) for kind in ReviewKind}

    def count(self, kind: ReviewKind) -> int:
        """Return how many wait of one kind."""
        match kind:
            case ReviewKind.PENDING:
                return self._pending.count()
            case ReviewKind.CANDIDATE | ReviewKind.DUPLICATE:
                query = _candidates(proposed=kind is ReviewKind.DUPLICATE)
                return self._availability.store().count(query, self._session.now())
            case ReviewKind.ARCHIVE | ReviewKind.FORGET:
                return sum(one.advice == str(kind) for one in self._maintaining.proposals())
            case ReviewKind.REFUSED:
                return len(self._refused.list())

    def waiting(self, *, store_too: bool = True) -> Waiting:
        """Return how much waits, without what it is; without the store only what is pending."""
        pending, disputes, candidates = self._pending.count(), 0, 0
        if store_too:
            now = self._session.now()
            disputes, candidates = self._availability.read(
                lambda store: (
                    store.count(Query(statuses=frozenset(), disputed=True), now),
                    store.count(Query(statuses=_CANDIDATES, home=Home.USER), now),
                )
            )
        parts = (
            (
                pending,
                ngettext(
                    "{n} memory waits for the store (`omp-tui pending sync` brings it in)",
                    "{n} memories wait for the store (`omp-tui pending sync` brings them in)",
                    pending,
                ),
            ),
            (disputes, ngettext("{n} dispute open", "{n} disputes open", disputes)),
            (candidates, ngettext("{n} candidate", "{n} candidates", candidates)),
        )
        said = ", ".join(text.format(n=number) for number, text in parts if number)
        return Waiting(pending, disputes, candidates, said)

    def window(self, kind: ReviewKind, offset: int, limit: int | None) -> tuple[ReviewItem, ...]:
        """Return a part of what waits of a kind, the oldest first (refused: the newest)."""
        end = None if limit is None else offset + limit
        match kind:
            case ReviewKind.PENDING:
                return tuple(map(self._pending_item, self._pending.previews(offset, limit)))
            case ReviewKind.CANDIDATE | ReviewKind.DUPLICATE:
                records = self._candidates(kind, offset, limit)
                return tuple(self._candidate_item(record, kind) for record in records)
            case ReviewKind.ARCHIVE | ReviewKind.FORGET:
                return tuple(self._fading(kind))[offset:end]
            case ReviewKind.REFUSED:
                return tuple(map(self._refused_item, self._refused.list()[offset:end]))

    def _candidates(self, kind: ReviewKind, offset: int, limit: int | None) -> Sequence[Record]:
        store, now = self._availability.store(), self._session.now()
        query = _candidates(proposed=kind is ReviewKind.DUPLICATE)
        if limit is None:
            limit = max(1, store.count(query, now))
        return store.page(query, now, order="created", descending=False, offset=offset, limit=limit)

    def find(self, key: str) -> ReviewItem:
        """Return what waits under a key, as it is now.

        Raises NotFoundError when it does not wait (any more).
        """
        kind, record_id = parse_key(key)
        item = self._find(kind, record_id)
        if item is None:
            raise NotFoundError(
                _(
                    "{key} does not wait for an answer any more: it was settled or changed "
                    "meanwhile. Look at the list again"
                ).format(key=key)
            )
        return item

    def _find(self, kind: ReviewKind, record_id: str) -> ReviewItem | None:
        if kind is ReviewKind.PENDING:
            previews = self._pending.previews(ids=[record_id])
            return next(map(self._pending_item, previews), None)
        if kind is ReviewKind.REFUSED:
            found = (one for one in self._refused.list() if one.record.id == record_id)
            return next(map(self._refused_item, found), None)
        record = self._availability.store().get(record_id)
        if record is None or record.home is not Home.USER:
            return None
        if kind in (ReviewKind.CANDIDATE, ReviewKind.DUPLICATE):
            proposed = PROPOSAL in record.metadata
            if record.status is Status.CANDIDATE and proposed is (kind is ReviewKind.DUPLICATE):
                return self._candidate_item(record, kind)
            return None
        proposal = self._maintaining.proposal(record)
        if proposal is None or proposal.advice != str(kind):
            return None
        return _faded_item(record, kind)

    # each kind

    def _pending_item(self, one: PendingPreview) -> ReviewItem:
        record = one.record
        effect = "blocked" if one.problem else _PENDING_EFFECTS[one.effect]
        return _item(
            ReviewKind.PENDING,
            record,
            effect=effect,
            at=record.created_at,
            actor=_said_by(record),
            other=one.other,
            similarity=one.similarity,
            problem=one.problem,
        )

    def _candidate_item(self, record: Record, kind: ReviewKind) -> ReviewItem:
        told = _item(kind, record, effect="new", at=record.created_at, actor=_said_by(record))
        if (planned := self.planned(record)) is not None:
            return self._document_item(told, planned)
        likeness = self._likeness(record)
        if likeness is None:
            return told
        effect: ReviewEffect = "disputed" if likeness.verdict == "contradiction" else "merged"
        return _like(told, effect, likeness.record, likeness.similarity)

    def _likeness(self, record: Record) -> SimilarRecord | None:
        """Return what an accepted candidate would meet: what it is proposed to repeat, if that
        still stands as it was said, else what it resembles today."""
        likeness = self._adding.likeness(replace(record, status=Status.ACTIVE))
        proposal = record.metadata.get(PROPOSAL)
        if likeness is not None or not isinstance(proposal, Mapping):
            return likeness
        held = self._availability.store().get(str(proposal.get("duplicate_of")))
        if held is None or held.status is not Status.ACTIVE or held.home is not Home.USER:
            return None
        alike = proposal.get("similarity")
        return SimilarRecord(held, float(alike) if isinstance(alike, int | float) else 0.0, "merge")

    def planned(self, record: Record) -> Mapping[str, Json] | None:
        """Return the write to this project's documents that a candidate was read for."""
        planned = record.metadata.get(PLANNED)
        identity = self._session.identity
        here = record.scope.app_id is not None and record.scope.app_id == identity.app_id
        if self._session.workspace is None or not here or not isinstance(planned, Mapping):
            return None
        return planned

    def _document_item(self, told: ReviewItem, planned: Mapping[str, Json]) -> ReviewItem:
        route = str(planned.get("route"))
        if route in _FILES:
            decision = planned.get("decision") or {}
            text = decision.get("choice") or told.text
            return _marked(
                replace(
                    told,
                    effect="document",
                    places=(DocumentChange(_FILES[route], route, None, text),),
                )
            )
        places, problem = [], None
        for path, value in dict(planned.get("values") or {}).items():
            before: Json = None
            try:
                with contextlib.suppress(NotFoundError):
                    before = self._documents.value(path)
            except OmpError as error:
                problem = str(error)
            places.append(DocumentChange("project.yaml", path, before, value))
        if not places:
            return told
        effect: ReviewEffect = "document" if problem is None else "blocked"
        return _marked(replace(told, effect=effect, places=tuple(places), problem=problem))

    def _fading(self, kind: ReviewKind) -> Iterator[ReviewItem]:
        found = [one for one in self._maintaining.proposals() if one.advice == str(kind)]
        for one in sorted(found, key=lambda each: -each.unread_days):
            yield _faded_item(one.record, kind)

    def _refused_item(self, one: RefusedText) -> ReviewItem:
        told = _item(ReviewKind.REFUSED, one.record, effect="new", at=one.at, actor=one.actor)
        other = self._availability.store().get(one.duplicate_id)
        if other is None:
            return told
        return _marked(replace(_like(told, "new", other, one.similarity), other=other))


def parse_key(key: str) -> tuple[ReviewKind, str]:
    """Return kind and id of a key. Raises NotFoundError for what is no key."""
    kind, _colon, record_id = key.partition(":")
    try:
        return ReviewKind(kind), record_id
    except ValueError as error:
        raise NotFoundError(
            _("{key} is no key of the review; `omp-tui review list` shows them").format(key=key)
        ) from error


def _candidates(*, proposed: bool) -> Query:
    return Query(statuses=_CANDIDATES, home=Home.USER, proposed=proposed)


def _faded_item(record: Record, kind: ReviewKind) -> ReviewItem:
    effect: ReviewEffect = "archived" if kind is ReviewKind.ARCHIVE else "deleted"
    return _item(kind, record, effect=effect, at=unread_since(record), actor=_said_by(record))


def _said_by(record: Record) -> str:
    stamp: Stamp | None = record.stamps.get("content")
    return stamp.actor if stamp is not None else str(record.source)


def _like(told: ReviewItem, effect: ReviewEffect, other: Record, similarity: float) -> ReviewItem:
    from omp_core.language.verdict import fuller

    text = fuller(other.content, told.text) if effect != "disputed" else None
    return _marked(
        replace(told, effect=effect, other=other, similarity=similarity, merged_text=text)
    )


def _item(
    kind: ReviewKind,
    record: Record,
    *,
    effect: ReviewEffect,
    at: datetime,
    actor: str,
    other: Record | None = None,
    similarity: float | None = None,
    problem: str | None = None,
) -> ReviewItem:
    key = f"{kind}:{record.id}"
    return _marked(
        ReviewItem(
            key, "", kind, record, record.content, at, actor, effect, other, similarity,
            problem=problem,
        )
    )  # fmt: skip


def _marked(item: ReviewItem) -> ReviewItem:
    """Return the item with the mark of what it says and what a yes would do."""
    other = None if item.other is None else (item.other.id, item.other.content)
    said = (item.text, item.record.version, item.effect, other, item.places)
    return replace(item, mark=hashlib.sha256(repr(said).encode()).hexdigest()[:16])
