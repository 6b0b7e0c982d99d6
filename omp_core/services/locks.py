"""Locked records: what a person keeps from agents and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from omp_core.errors import LockedError
from omp_core.i18n import _, ngettext
from omp_core.model import Receipt, Record

PERSON = "user"
"""The actor that is the person; what an agent brings in their name is not (`user via ...`)."""


def require_person(actor: str, record_id: str) -> None:
    """Raise LockedError unless the person acts, who alone changes locked records."""
    if actor != PERSON:
        raise LockedError(
            _(
                "record {id} is locked: only the person changes it, or lifts the lock with "
                "`omp-tui unlock {id}`"
            ).format(id=record_id)
        )


def is_kept(record: Record, actor: str) -> bool:
    """Return whether the lock keeps a record from this actor."""
    return record.locked and actor != PERSON


def kept_note(records: Sequence[Record]) -> str | None:
    """Return a sentence that names the locked records which something passed by, None for none."""
    if not records:
        return None
    return ngettext(
        "{count} locked record stays as it is: {ids}",
        "{count} locked records stay as they are: {ids}",
        len(records),
    ).format(count=len(records), ids=", ".join(one.id for one in records))


def with_kept(receipt: Receipt, held: Mapping[str, Record]) -> Receipt:
    """Return a receipt that names the locked records which it passed by."""
    note = kept_note([one for one in held.values() if one.locked])
    if note is None:
        return receipt
    return replace(receipt, note=f"{receipt.note}; {note}" if receipt.note else note)
