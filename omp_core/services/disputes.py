"""Settling disputes: keep current, keep incoming, keep both, a third value, or set aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError, NotFoundError, OmpError
from omp_core.language.headline import headline
from omp_core.model import (
    Dispute,
    DisputeKind,
    Home,
    Json,
    Query,
    Receipt,
    Record,
    Status,
)
from omp_core.rules import content as content_rules
from omp_core.rules.fields import field_value, json_value, set_fields, typed_value
from omp_core.rules.merge import Merged, merge
from omp_core.services.document_writer import DocumentWriter
from omp_core.services.entries import stamp_new
from omp_core.services.records.changes import Writing
from omp_core.services.secret_guard import ensure_no_secret_value
from omp_core.services.sync.corrections import Correction, Corrections, told_of
from omp_core.services.sync.pairs import is_of_project
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session, new_id
from omp_core.store.protocol import Vector

Resolution = Literal["current", "incoming", "both", "value", "later"]
"""Keep A, keep B, keep both (B as a record of its own), write a third value, set aside."""


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """A dispute with the record it rides on, and the other record it concerns, if any."""

    record: Record
    dispute: Dispute
    other: Record | None
    repeats: int
    """How many open disputes there are on the same field of the same record, this one too."""


class Resolving:
    """The part of `Memory` that lists and settles disputes."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        writing: Writing,
        units: UnitsOfWork,
        writer: DocumentWriter,
    ) -> None:
        self._session = session
        self._availability = availability
        self._writing = writing
        self._units = units
        self._corrections = Corrections(session, availability, writer)

    def disputes(self, *, set_aside: bool = False) -> tuple[OpenDispute, ...]:
        """Return the queue: disputes by confidence and recency, those on one field together.

        Those set aside come only when asked for.
        """
        store, now = self._availability.store(), self._session.now()
        records = list(store.iterate(Query(statuses=frozenset(), disputed=True), now))
        wanted = [
            (record, dispute)
            for record in records
            for dispute in record.disputes
            if dispute.set_aside == set_aside
        ]
        others = store.get_many([d.other_id for _r, d in wanted if d.other_id is not None])
        groups: dict[tuple[str, str], list[tuple[Record, Dispute]]] = {}
        for record, dispute in wanted:
            groups.setdefault((record.id, dispute.field), []).append((record, dispute))
        queue = sorted(groups.values(), key=lambda group: -max(weight(d, now) for _r, d in group))
        return tuple(
            OpenDispute(record, dispute, others.get(dispute.other_id or ""), len(group))
            for group in queue
            for record, dispute in sorted(group, key=lambda pair: pair[1].incoming_at)
        )

    def resolve(
        self, record_id: str, dispute_id: str, resolution: Resolution, value: Json = None
    ) -> Receipt:
        """Settle one dispute as one undoable act. `value` is the third value of `value`.

        A dispute with a project document that is settled against the document changes the
        value there; where that cannot be done, the receipt says which file to change by hand.

        Raises NotFoundError for a dispute that is not open (any more), InvalidValueError for
        a value that the field cannot take, SecretFoundError, and what a write of the document
        raises.
        """
        current, dispute = self._open(record_id, dispute_id)
        if resolution == "value":
            if value is None:
                raise InvalidValueError("value: say which value to write instead of both")
            if dispute.field == "content":
                most = self._session.settings.store.max_content_chars
                value = content_rules.accept(str(value), most)
            ensure_no_secret_value({dispute.field: value})
        correction = None
        if dispute.kind is DisputeKind.CROSS_HOME and resolution in ("current", "value"):
            text = current.content if resolution == "current" else str(value)
            correction = self._corrections.correct(current, dispute, text)
        try:
            return self._units.retrying(
                lambda: self._resolve(record_id, dispute_id, resolution, value, correction)
            )
        except OmpError:
            if correction is not None:
                self._corrections.take_back(correction)
            raise

    def _open(self, record_id: str, dispute_id: str) -> tuple[Record, Dispute]:
        current = self._writing.writable(record_id)
        dispute = next((one for one in current.disputes if one.id == dispute_id), None)
        if dispute is None:
            raise NotFoundError(
                f"record {record_id} has no open dispute {dispute_id}; it may be settled already"
            )
        return current, dispute

    def _resolve(
        self,
        record_id: str,
        dispute_id: str,
        resolution: Resolution,
        value: Json,
        correction: Correction | None,
    ) -> Receipt:
        current, dispute = self._open(record_id, dispute_id)
        if resolution == "later":
            return self._set_aside(current, dispute)
        other = (
            None if dispute.other_id is None else self._availability.store().get(dispute.other_id)
        )
        merged = self._settled(current, dispute, self._changes(current, dispute, resolution, value))
        words = _words(resolution, dispute, merged.record, correction)
        with self._units.begin("resolve", words) as work:
            act = work.act
            before, after = dict(merged.before), dict(merged.after)
            before["disputes"] = json_value(current.disputes)
            after["disputes"] = json_value(merged.record.disputes)
            work.put(current, merged.record, before, after, self._vector(current, merged))
            if resolution == "both" and dispute.kind is DisputeKind.SAME_FIELD:
                second = self._second(current, dispute, act.actor, act.at)
                work.create(second, self._writing.vector(second.content))
            elif other is not None and other.home is Home.USER and resolution != "both":
                gone = self._superseded(other, by=current.id)
                if gone.changed:
                    work.change(other, gone)
            if correction is not None and correction.change is not None:
                correction.change.note(work)
        return Receipt("updated", record_id, act.id, merged.record, note=work.words)

    def _changes(
        self, current: Record, dispute: Dispute, resolution: Resolution, value: Json
    ) -> dict[str, Any]:
        """Return what the resolution changes of the record, in the record's own types."""
        if resolution == "incoming" and self._is_replaced(current, dispute):
            return {"status": Status.SUPERSEDED, "superseded_by": dispute.other_id}
        if resolution not in ("incoming", "value"):
            return {}
        wanted = dispute.incoming if resolution == "incoming" else value
        return {dispute.field: typed_value(dispute.field, wanted)}

    def _is_replaced(self, current: Record, dispute: Dispute) -> bool:
        """Return whether the project's side takes the record's place.

        A record that other projects read too takes over the text instead.
        """
        app_id = current.scope.app_id
        return app_id is not None and is_of_project(dispute, current, app_id)

    def _settled(self, current: Record, dispute: Dispute, changes: Mapping[str, Any]) -> Merged:
        """Return the record without the dispute, and with these changes."""
        merged = merge(
            current,
            changes,
            based_on=current.version,
            actor=self._session.actor,
            now=self._session.now(),
            dispute_ids=iter(new_id, None),
        )
        replaced = "superseded_by" in changes
        left = tuple(
            one
            for one in current.disputes
            if one.id != dispute.id and not (replaced and self._is_replaced(current, one))
        )
        record = replace(
            merged.record,
            disputes=left,
            version=current.version + 1,
            updated_at=self._session.now(),
        )
        return replace(merged, record=record)

    def _second(self, current: Record, dispute: Dispute, actor: str, at: datetime) -> Record:
        """Return the record that the incoming side becomes, linked to the current one."""
        incoming = {dispute.field: typed_value(dispute.field, dispute.incoming)}
        second = set_fields(current, incoming)
        if dispute.field != "content":
            # no two records of one scope have one text
            text = f"{current.content} ({dispute.field}: {dispute.incoming})"
            second = replace(second, content=text)
        return stamp_new(
            replace(
                second,
                id=new_id(),
                created_at=dispute.incoming_at,
                updated_at=at,
                metadata={**second.metadata, "beside": current.id},
                disputes=(),
                access_count=0,
                last_accessed=None,
            ),
            actor,
            at,
        )

    def _superseded(self, other: Record, *, by: str) -> Merged:
        return merge(
            other,
            {"status": Status.SUPERSEDED, "superseded_by": by},
            based_on=other.version,
            actor=self._session.actor,
            now=self._session.now(),
            dispute_ids=iter(new_id, None),
        )

    def _set_aside(self, current: Record, dispute: Dispute) -> Receipt:
        held = tuple(
            replace(one, set_aside=True) if one.id == dispute.id else one
            for one in current.disputes
        )
        record = replace(current, disputes=held, version=current.version + 1)
        with self._units.begin("resolve", {"form": "later", "field": dispute.field}) as work:
            work.put(
                current,
                record,
                {"disputes": json_value(current.disputes)},
                {"disputes": json_value(held)},
            )
        return Receipt("updated", current.id, work.act.id, record, note=work.words)

    def _vector(self, current: Record, merged: Merged) -> Vector | None:
        if merged.record.content == current.content:
            return None
        return self._writing.vector(merged.record.content)


def weight(dispute: Dispute, now: datetime) -> float:
    """Return how urgent a dispute is: its confidence, fading by half each week it waits."""
    days = max(0.0, (now - dispute.incoming_at).total_seconds() / 86_400)
    return float(dispute.confidence * 0.5 ** (days / 7))


def _words(
    resolution: Resolution, dispute: Dispute, record: Record, correction: Correction | None
) -> dict[str, Json]:
    """Return what the words of a settlement are made of."""
    if dispute.kind is DisputeKind.CROSS_HOME:
        told = told_of(resolution, dispute, record, correction)
        if told is not None:
            return told
    value = json_value(field_value(record, dispute.field))
    return {
        "form": resolution,
        "text": headline(str(value)),
        "field": dispute.field,
        "version": record.version,
    }
