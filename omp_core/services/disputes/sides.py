"""What each answer to a dispute makes of the records: pure functions of both sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from omp_core.language.headline import headline
from omp_core.model import Dispute, DisputeKind, Home, Json, Record, Status, Tier
from omp_core.rules.fields import field_value, json_value, set_fields, typed_value
from omp_core.rules.merge import Merged, merge
from omp_core.services.entries import stamp_new
from omp_core.services.sync.corrections import FactCorrection, told_of
from omp_core.services.sync.pairs import is_of_project
from omp_core.session import new_id

Resolution = Literal["current", "incoming", "both", "value", "later"]
"""Keep A, keep B, keep both (B as a record of its own), write a third value, set aside."""


def changed(
    current: Record, dispute: Dispute, resolution: Resolution, value: Json
) -> dict[str, Any]:
    """Return what the resolution changes of the record, in the record's own types."""
    if resolution == "incoming" and _is_replaced(current, dispute):
        return {"status": Status.SUPERSEDED, "superseded_by": dispute.other_id}
    if resolution not in ("incoming", "value"):
        return {}
    wanted = dispute.incoming if resolution == "incoming" else value
    return {dispute.field: typed_value(dispute.field, wanted)}


def settled(
    current: Record, dispute: Dispute, changes: Mapping[str, Any], actor: str, at: datetime
) -> Merged:
    """Return the record without the dispute, and with these changes."""
    merged = merge(
        current,
        changes,
        based_on=current.version,
        actor=actor,
        now=at,
        dispute_ids=iter(new_id, None),
    )
    replaced = "superseded_by" in changes
    left = tuple(
        one
        for one in current.disputes
        if one.id != dispute.id and not (replaced and _is_replaced(current, one))
    )
    record = replace(merged.record, disputes=left, version=current.version + 1, updated_at=at)
    return replace(merged, record=record)


def set_aside(current: Record, dispute: Dispute) -> Record:
    """Return the record with the dispute set aside until a person asks for it."""
    held = tuple(
        replace(one, set_aside=True) if one.id == dispute.id else one for one in current.disputes
    )
    return replace(current, disputes=held, version=current.version + 1)


def beside(current: Record, dispute: Dispute, actor: str, at: datetime) -> Record:
    """Return the record that the incoming side becomes, linked to the current one."""
    incoming = {dispute.field: typed_value(dispute.field, dispute.incoming)}
    second = set_fields(current, incoming)
    if dispute.field != "content":
        # no two records of one scope have one text
        text = f"{current.content} ({dispute.field}: {dispute.incoming})"
        second = replace(second, content=text)
    return _beside(second, current, dispute, actor, at)


def beside_document(current: Record, dispute: Dispute, actor: str, at: datetime) -> Record:
    """Return the memory that keeps what the other branch said of a document's field."""
    text = f"{dispute.field}: {dispute.incoming}"
    second = replace(current, content=text, home=Home.USER, tier=Tier.LONG_TERM)
    return _beside(second, current, dispute, actor, at)


def _beside(second: Record, current: Record, dispute: Dispute, actor: str, at: datetime) -> Record:
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


def superseded(other: Record, by: str, actor: str, at: datetime) -> Merged:
    """Return the other record of a dispute as the one that lost to `by`."""
    return merge(
        other,
        {"status": Status.SUPERSEDED, "superseded_by": by},
        based_on=other.version,
        actor=actor,
        now=at,
        dispute_ids=iter(new_id, None),
    )


def words_of(
    resolution: Resolution, dispute: Dispute, record: Record, correction: FactCorrection | None
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


def _is_replaced(current: Record, dispute: Dispute) -> bool:
    """Return whether the project's side takes the record's place.

    A record that other projects read too takes over the text instead.
    """
    app_id = current.scope.app_id
    return app_id is not None and is_of_project(dispute, current, app_id)
