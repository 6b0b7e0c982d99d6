"""Moving records between tiers by rule: after a write, after a read, and as maintenance."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat

from omp_core.availability import Availability
from omp_core.errors import StoreError, VersionConflictError
from omp_core.i18n import ngettext
from omp_core.model import Home, JournalEntry, Record, Status, Tier
from omp_core.rules.merge import merge
from omp_core.rules.tiers import Member, Move, limits
from omp_core.services.cleanup_log import cleanup_log, log_line, write_cleanup_log
from omp_core.session import Session, new_id
from omp_core.store.protocol import Batch, Put, Room, Shift, Shifted

_log = logging.getLogger(__name__)


class Tiering:
    """The part of `Memory` that applies the tier rules. It acts as `system`."""

    def __init__(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability

    def room(self, *tiers: Tier) -> tuple[Room, ...]:
        """Return the room that a write to these tiers has to make, for its own transaction."""
        return tuple(
            Room(one.tier, one.capacity, one.into)
            for one in limits(tiers, self._session.settings.tiers)
        )

    def noted(self, act_id: str, shifted: Sequence[Shifted]) -> None:
        """Write the moves that made room into the cleanup log; the act is done already."""
        lines = [
            log_line(one.shift.id, one.content, one.shift.tier, f"-> {one.shift.into}", "full")
            for one in shifted
            if one.shift.reason == "full"
        ]
        if not lines:
            return
        path = cleanup_log(self._session.store_path)
        try:
            write_cleanup_log(path, act_id, self._session.now(), lines)
        except StoreError as error:
            _log.warning("%s", error)

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
            if one.tier is Tier.LONG_TERM and one.home is Home.USER and one.status is Status.ACTIVE
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
        act = self._session.act("tier", _moved(len(lifted)), len(lifted), actor="system")
        room = Room(Tier.SHORT_TERM, capacity, Tier.LONG_TERM, "used")
        try:
            self.noted(act.id, store.commit(Batch(act, shifts=lifted, room=(room,))))
        except VersionConflictError:
            return  # another reader was faster

    def apply(
        self, planned: Sequence[Move], records: Mapping[str, Record], kind: str = "tier"
    ) -> str | None:
        """Write moves as one system act and return its id; None if nothing was moved.

        A record that another process changed meanwhile makes the whole act wait for the next
        occasion: tiers are brought into order again by every later write.
        """
        if not planned:
            return None
        act = self._session.act(kind, _moved(len(planned)), len(planned), actor="system")
        shifts, puts, entries = [], [], []
        for move in planned:
            current = records[move.id]
            if move.status is current.status:
                shifts.append(Shift(move.id, current.tier, move.tier, move.reason))
                continue
            merged = merge(
                current,
                {"tier": move.tier, "status": move.status},
                based_on=current.version,
                actor="system",
                now=act.at,
                dispute_ids=repeat(new_id()),
            )
            if merged.changed:
                # archiving a record by rule says nothing new about it, so its age stays
                kept = replace(merged.record, updated_at=current.updated_at)
                puts.append(Put(kept, current.version))
                entries.append(
                    JournalEntry(
                        act.id,
                        move.reason,
                        act.actor,
                        act.at,
                        current.id,
                        merged.record.version,
                        dict(merged.before),
                        dict(merged.after),
                    )
                )
        try:
            self._availability.store().commit(
                Batch(act, tuple(puts), (), tuple(entries), shifts=tuple(shifts))
            )
        except VersionConflictError:
            return None
        return act.id


def _moved(count: int) -> str:
    return ngettext(
        "moved {count} record by the tier rules",
        "moved {count} records by the tier rules",
        count,
    ).format(count=count)


def member(record: Record) -> Member:
    """Return what the tier rules need of a record."""
    stamp = record.stamps.get("tier")
    return Member(
        record.id,
        record.tier,
        stamp.at if stamp is not None else record.created_at,
        record.last_accessed or record.created_at,
        record.expires_at,
    )
