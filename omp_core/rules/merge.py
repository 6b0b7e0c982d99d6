"""The write rule: how a write meets a record that changed since it was based on.

A write based on version b conflicts on field f exactly when `stamps[f].version > b` and the
values differ (design, section 5). Disjoint fields merge; an equal value is no conflict; a
different one keeps the current value and opens a dispute that holds the incoming one. Tags
merge as sets. Metadata merges key by key, under the field names `metadata.<key>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from omp_core.model import Dispute, DisputeKind, Json, Record, Stamp
from omp_core.rules.fields import METADATA_PREFIX, field_value, json_value, set_fields


@dataclass(frozen=True, slots=True)
class Merged:
    """What a write comes to: the new record, what changed, and the disputes it opened.

    `before` and `after` hold the changed fields in JSON form. The record is the current one
    itself when nothing changed.
    """

    record: Record
    before: Mapping[str, Json]
    after: Mapping[str, Json]
    disputes: tuple[Dispute, ...]

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.after) or bool(self.disputes)


def merge(
    current: Record,
    changes: Mapping[str, Any],
    *,
    based_on: int | Mapping[str, int],
    actor: str,
    now: datetime,
    dispute_ids: Iterable[str],
    confidence: float = 1.0,
) -> Merged:
    """Apply a write to the current record under the write rule.

    `changes` maps field names to values of the record's own types, `metadata.<key>` to JSON
    values; a value of None for such a key removes it. `based_on` is the version that the
    writer saw, or one for each changed field. `dispute_ids` gives fresh ids.
    """
    ids = iter(dispute_ids)
    version = current.version + 1
    values: dict[str, Any] = {}
    disputes: list[Dispute] = []
    for name, incoming in changes.items():
        held = field_value(current, name)
        stamp = current.stamps.get(name)
        base = based_on if isinstance(based_on, int) else based_on[name]
        moved_on = stamp is not None and stamp.version > base
        if name == "tags":
            wanted = frozenset(incoming) | held if moved_on else frozenset(incoming)
            if wanted != held:
                values[name] = wanted
        elif incoming == held:
            continue
        elif moved_on and stamp is not None:
            dispute = Dispute(
                id=next(ids),
                field=name,
                kind=DisputeKind.SAME_FIELD,
                current=json_value(held),
                incoming=json_value(incoming),
                current_actor=stamp.actor,
                incoming_actor=actor,
                current_at=stamp.at,
                incoming_at=now,
                base_version=base,
                confidence=confidence,
            )
            if not _is_open(current, dispute):
                disputes.append(dispute)
        else:
            values[name] = incoming
    if not values and not disputes:
        return Merged(current, {}, {}, ())
    after = set_fields(current, values)
    stamps = dict(current.stamps) | {name: Stamp(version, actor, now) for name in values}
    record = replace(
        after,
        version=version,
        updated_at=now,
        stamps=stamps,
        disputes=current.disputes + tuple(disputes),
    )
    return Merged(
        record,
        {name: json_value(field_value(current, name)) for name in values},
        {name: json_value(field_value(record, name)) for name in values},
        tuple(disputes),
    )


def _is_open(record: Record, dispute: Dispute) -> bool:
    return any(
        (held.field, held.incoming) == (dispute.field, dispute.incoming) for held in record.disputes
    )


def metadata_changes(held: Mapping[str, Json], wanted: Mapping[str, Json]) -> dict[str, Json]:
    """Return the changes that turn one metadata mapping into another, key by key."""
    changes = {
        f"{METADATA_PREFIX}{key}": value
        for key, value in wanted.items()
        if held.get(key) != value or key not in held
    }
    gone = {f"{METADATA_PREFIX}{key}": None for key in held if key not in wanted}
    return changes | gone
