"""Tier service: moves records by the rules, after a write, after a read, as maintenance."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Literal

from omp_core.availability import Availability
from omp_core.errors import StoreError, VersionConflictError
from omp_core.model import Home, Json, Record, Status, Tier
from omp_core.rules.decay import unread_since
from omp_core.rules.merge import merge
from omp_core.rules.tiers import Member, TierMove
from omp_core.services.unit_of_work import UnitOfWork, UnitsOfWork
from omp_core.session import Session, new_id
from omp_core.store.protocol import Room, Shift

_log = logging.getLogger(__name__)


class TierService:
    """The part of `Memory` that applies the tier rules. It acts as `system`."""

    def __init__(self, session: Session, availability: Availability, units: UnitsOfWork) -> None:
        self._session = session
        self._availability = availability
        self._units = units

    def accessed(self, record_ids: Sequence[str]) -> None:
        """Count reads, and lift what was long-term back to short-term memory.

        The reading is done already: a store that cannot count it is no obstacle.
        """
        try:
            self._accessed(record_ids)
        except StoreError as error:
            _log.warning("reads not counted: %s", error)

    def _accessed(self, record_ids: Sequence[str]) -> None:
        store, now = self._availability.store(), self._session.now()
        store.touch(record_ids, now)
        read = [
            one
            for one in store.get_many(record_ids).values()
            if one.tier is Tier.LONG_TERM and one.home is Home.USER
            if one.status is Status.ACTIVE and not one.locked
        ]
        if not read:
            return
        capacity = self._session.settings.tiers.short_term_capacity
        lifted = tuple(
            Shift(one.id, Tier.LONG_TERM, Tier.SHORT_TERM, "read-again")
            for one in read[: max(capacity, 0)]
        )
        if not lifted:
            return
        room = Room(Tier.SHORT_TERM, capacity, Tier.LONG_TERM, "used")
        values = {"form": "rules", "count": len(lifted)}
        try:
            with self._units.begin("tier", values, actor="system", rooms=(room,)) as work:
                work.shift(*lifted)
        except VersionConflictError:
            return  # another reader was faster

    def apply(
        self,
        planned: Sequence[TierMove],
        records: Mapping[str, Record],
        kind: Literal["tier", "maintain"] = "tier",
    ) -> str | None:
        """Write moves as one system act and return its id; None if nothing was moved.

        A record that another process changed meanwhile makes the whole act wait for the next
        occasion: tiers are brought into order again by every later write.
        """
        if not planned:
            return None
        values: dict[str, Json] = {"form": "rules", "count": len(planned)}
        if kind == "maintain":
            del values["form"]
        try:
            with self._units.begin(kind, values, actor="system") as work:
                for move in planned:
                    self._apply(move, records[move.id], work)
        except VersionConflictError:
            return None
        return work.act.id

    def _apply(self, move: TierMove, current: Record, work: UnitOfWork) -> None:
        if move.status is current.status:
            work.shift(Shift(move.id, current.tier, move.tier, move.reason))
            return
        merged = merge(
            current,
            {"tier": move.tier, "status": move.status},
            based_on=current.version,
            actor="system",
            now=work.act.at,
            dispute_ids=repeat(new_id()),
        )
        if merged.changed:
            # archiving a record by rule says nothing new about it, so its age stays
            kept = replace(merged.record, updated_at=current.updated_at)
            work.change(current, replace(merged, record=kept), kind=move.reason)


def member(record: Record) -> Member:
    """Return what the tier rules need of a record."""
    stamp = record.stamps.get("tier")
    return Member(
        record.id,
        record.tier,
        stamp.at if stamp is not None else record.created_at,
        unread_since(record),
        record.expires_at,
        record.locked,
    )
