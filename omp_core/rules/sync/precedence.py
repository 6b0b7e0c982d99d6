"""What was made of a disagreement before: read from the journal of the user record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from omp_core.model import DisputeKind, JournalEntry, Json, Record

Earlier = Literal["settled", "taken-back"]
"""`settled`: a person closed the dispute. `taken-back`: what the rules decided was undone."""


def earlier(history: Iterable[JournalEntry], record: Record, fact: Record) -> Earlier | None:
    """Return what a person made of these two sides, None if either changed since.

    `history` is the record's, newest first. The newest entry that concerns the fact counts.
    """
    for entry in history:
        before, after = entry.before or {}, entry.after or {}
        gone = _closed(before, after, fact)
        if gone is not None:
            by_hand = entry.kind in ("resolve", "redo")
            return "settled" if by_hand and _unchanged(entry, record, gone.get("current")) else None
        if before.get("superseded_by") == fact.id and after.get("superseded_by") is None:
            undone = entry.kind == "undo" and "disputes" not in after
            return "taken-back" if undone and _unchanged(entry, record, None) else None
    return None


def _closed(before: Mapping[str, Json], after: Mapping[str, Json], fact: Record) -> Json:
    """Return the dispute about this fact, as it is now, that an entry closed."""
    left = {one["id"] for one in after.get("disputes") or ()}
    for dispute in before.get("disputes") or ():
        concerns = dispute["kind"] == DisputeKind.CROSS_HOME and dispute["other_id"] == fact.id
        if concerns and dispute["id"] not in left and dispute["incoming"] == fact.content:
            return dispute
    return None


def _unchanged(entry: JournalEntry, record: Record, text: Json) -> bool:
    stamp = record.stamps.get("content")
    return record.content == text or stamp is None or stamp.version <= entry.version
