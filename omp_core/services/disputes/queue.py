"""The queue of open disputes: those that ride on records, and those of two branches of git."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.errors import NotFoundError
from omp_core.i18n import _
from omp_core.model import Category, Dispute, DisputeKind, Home, Query, Record, Scope, Source, Tier
from omp_core.services.document_writer import DocumentPlace
from omp_core.services.documents import DocumentService
from omp_core.services.mirror import FactMirror
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.project.branches import BranchDispute, Commit


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """A dispute with the record it rides on, and the other record it concerns, if any.

    One of two branches rides on no record: there `record` stands for the field of the document,
    with an id that no record has, and `branch` holds what git tells of both sides.
    """

    record: Record
    dispute: Dispute
    other: Record | None
    repeats: int
    """How many open disputes there are on the same field of the same record, this one too."""
    branch: BranchDispute | None = None

    def is_like(self, other: OpenDispute) -> bool:
        """Whether one answer can fit both: the same kind of disagreement about the same field
        between the same two, or between the same two branches."""
        mine, theirs = self.dispute, other.dispute
        if mine.kind is not theirs.kind or mine.set_aside != theirs.set_aside:
            return False
        if self.branch is not None and other.branch is not None:
            return _labels(self.branch) == _labels(other.branch)
        return (mine.field, mine.current_actor, mine.incoming_actor) == (
            theirs.field,
            theirs.current_actor,
            theirs.incoming_actor,
        )


class DisputeQueue:
    """Reads what is in dispute from the store and from the project's documents."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        documents: DocumentService,
        mirror: FactMirror,
    ) -> None:
        self._session = session
        self._availability = availability
        self._documents = documents
        self._mirror = mirror

    def disputes(self, *, set_aside: bool = False) -> tuple[OpenDispute, ...]:
        """Return the queue, or what was set aside; disputes on one field stand together.

        Those of branches come first: nothing of their documents is read while they are open.
        The others follow by confidence and recency. Raises StoreUnavailableError: what waits
        there cannot be told without it.
        """
        self._availability.store()
        now = self._session.now()
        wanted = [pair for pair in self._on_records() if pair[1].set_aside == set_aside]
        named = [dispute.other_id for _record, dispute in wanted if dispute.other_id is not None]
        others = self._availability.read(lambda store: store.get_many(named))
        groups: dict[tuple[str, str], list[tuple[Record, Dispute]]] = {}
        for record, dispute in wanted:
            groups.setdefault((record.id, dispute.field), []).append((record, dispute))
        queue = sorted(groups.values(), key=lambda group: -max(weight(d, now) for _r, d in group))
        return (
            *(() if set_aside else self.branches()),
            *(
                OpenDispute(record, dispute, others.get(dispute.other_id or ""), len(group))
                for group in queue
                for record, dispute in sorted(group, key=lambda pair: pair[1].incoming_at)
            ),
        )

    def count(self) -> int:
        """Return how many disputes wait; those set aside do not count."""
        waiting = sum(not dispute.set_aside for _record, dispute in self._on_records())
        return waiting + len(self.branches())

    def find(self, dispute_id: str) -> OpenDispute:
        """Return an open dispute, also one that was set aside. Raises NotFoundError."""
        for one in (*self.disputes(), *self.disputes(set_aside=True)):
            if one.dispute.id == dispute_id:
                return one
        raise NotFoundError(
            _("there is no open dispute {id}; it may be settled already").format(id=dispute_id)
        )

    def branches(self) -> tuple[OpenDispute, ...]:
        """Return what two branches of git changed differently, document by document."""
        self._mirror.follow()
        workspace = self._session.workspace
        if workspace is None or not self._mirror.damages:
            return ()  # a document with conflict markers does not parse
        app_id = self._session.identity.app_id
        found = []
        for one in self._documents.branch_disputes():
            changed = (workspace.memory / one.file).stat().st_mtime
            found.append(_of_branches(one, datetime.fromtimestamp(changed, UTC), app_id))
        return tuple(found)

    def _on_records(self) -> Sequence[tuple[Record, Dispute]]:
        query, now = Query(statuses=frozenset(), disputed=True), self._session.now()
        records = self._availability.read(lambda store: list(store.iterate(query, now)))
        return [(record, dispute) for record in records for dispute in record.disputes]


def weight(dispute: Dispute, now: datetime) -> float:
    """Return how urgent a dispute is: its confidence, fading by half each week it waits."""
    days = max(0.0, (now - dispute.incoming_at).total_seconds() / 86_400)
    return float(dispute.confidence * 0.5 ** (days / 7))


def branch_dispute_id(one: BranchDispute) -> str:
    """Return the id of a dispute of branches: another one as soon as a side says otherwise."""
    named = json.dumps(
        [one.file, one.path, one.ours, one.theirs], ensure_ascii=False, default=str, sort_keys=True
    )
    return f"branch-{hashlib.sha256(named.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _of_branches(one: BranchDispute, seen: datetime, app_id: str | None) -> OpenDispute:
    from omp_core.project.restoration import plain_text

    ours_at = _moment(one.our_commit) or seen
    theirs_at = _moment(one.their_commit) or seen
    dispute = Dispute(
        id=branch_dispute_id(one),
        field=one.path,
        kind=DisputeKind.BRANCH,
        current=plain_text(one.ours),
        incoming=plain_text(one.theirs),
        current_actor=_author(one.our_commit, one.our_label),
        incoming_actor=_author(one.their_commit, one.their_label),
        current_at=ours_at,
        incoming_at=theirs_at,
        base_version=0,
    )
    record = Record(
        id=DocumentPlace(one.file, one.path).id,
        content=f"{one.path}: {plain_text(one.ours)}",
        created_at=ours_at,
        updated_at=ours_at,
        tier=Tier.IMPORTANT,
        scope=Scope(app_id=app_id),
        category=Category.FACT,
        source=Source.SYSTEM,
        metadata={"file": one.file, "path": one.path},
        home=Home.PROJECT,
        disputes=(dispute,),
    )
    return OpenDispute(record, dispute, None, 1, one)


def _labels(one: BranchDispute) -> tuple[str, str]:
    return one.our_label.partition(":")[0], one.their_label.partition(":")[0]


def _author(commit: Commit | None, label: str) -> str:
    """Return who speaks for a side: its author with commit and branch, as far as git tells."""
    if commit is None:
        return label
    return f"{commit.author} ({commit.id}, {label})" if label else f"{commit.author} ({commit.id})"


def _moment(commit: Commit | None) -> datetime | None:
    return None if commit is None else datetime.fromisoformat(commit.date).astimezone(UTC)
