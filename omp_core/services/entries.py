"""Journal entries: what an act leaves of each record, and whose ids are no record's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from omp_core.model import JournalEntry, Record, Stamp
from omp_core.record_json import to_json
from omp_core.rules.fields import json_value
from omp_core.rules.merge import Merged

Inverter = Callable[[JournalEntry], JournalEntry | None]
"""Puts one journal entry's `before` back, if nobody changed it since, and says what it did."""

RESERVED_PREFIXES = frozenset(
    {"access", "document", "extracted", "pending", "project", "refused", "review", "theme"}
)
"""Before the colon of ids in the mirror and in the journal that are no user record's."""


def is_reserved_id(record_id: str) -> bool:
    """Return whether the journal or the mirror uses ids of this form for something else."""
    prefix, colon, _rest = record_id.partition(":")
    return bool(colon) and prefix in RESERVED_PREFIXES


def stamp_new(record: Record, actor: str, at: datetime, version: int = 1) -> Record:
    """Return a new record at its first version: it arrives, its content and tier are stamped."""
    stamps = {name: Stamp(version, actor, at) for name in ("content", "tier")}
    return replace(record, version=version, stamps=stamps, arrived_at=at)


def created_entry(act_id: str, kind: str, actor: str, at: datetime, record: Record) -> JournalEntry:
    """Return the journal entry of a record that came to be."""
    return JournalEntry(act_id, kind, actor, at, record.id, record.version, None, to_json(record))


def deleted_entry(act_id: str, kind: str, actor: str, at: datetime, record: Record) -> JournalEntry:
    """Return the journal entry of a record that was removed."""
    return JournalEntry(act_id, kind, actor, at, record.id, record.version, to_json(record), None)


def merged_entry(act_id: str, kind: str, actor: str, at: datetime, merged: Merged) -> JournalEntry:
    """Return the journal entry of a write under the write rule."""
    before, after = dict(merged.before), dict(merged.after)
    if merged.disputes:
        opened = {dispute.id for dispute in merged.disputes}
        held = [dispute for dispute in merged.record.disputes if dispute.id not in opened]
        before["disputes"] = json_value(tuple(held))
        after["disputes"] = json_value(merged.record.disputes)
    return JournalEntry(
        act_id, kind, actor, at, merged.record.id, merged.record.version, before, after
    )
