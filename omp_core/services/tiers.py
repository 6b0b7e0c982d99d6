"""Moving records between tiers by rule: after a write, after a read, and as maintenance."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat

from omp_core.availability import Availability
from omp_core.errors import StoreError, VersionConflictError
from omp_core.i18n import ngettext
from omp_core.model import Home, JournalEntry, Query, Record, Status, Tier
from omp_core.rules.merge import merge
from omp_core.rules.tiers import Member, Move, lift, moves
from omp_core.services.cleanup_log import cleanup_log, log_line, write_cleanup_log
from omp_core.session import Session, new_id
from omp_core.store.protocol import Batch, Put

_log = logging.getLogger(__name__)

_ALL = 1_000_000


class Tiering:
    """The part of `Memory` that applies the tier rules. It acts as `system`."""

    def __init__(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability

    def settle(self, tier: Tier) -> None:
        """Promote what a write to this tier made overflow.

        The write is done already: a store that fails meanwhile leaves it to the next one.
        """
        try:
            self._settle(tier)
        except StoreError as error:
            _log.warning("tiers not brought into order: %s", error)

    def _settle(self, tier: Tier) -> None:
        settings = self._session.settings.tiers
        capacity = {
            Tier.WORKING: settings.working_capacity,
            Tier.SHORT_TERM: settings.short_term_capacity,
        }.get(tier)
        if capacity is None:
            return
        store, now = self._availability.store(), self._session.now()
        if store.count(_in_tier(tier), now) <= capacity:
            return
        tiers = (Tier.WORKING, Tier.SHORT_TERM) if tier is Tier.WORKING else (Tier.SHORT_TERM,)
        held = [one for each in tiers for one in store.page(_in_tier(each), now, limit=_ALL)]
        planned = [
            move
            for move in moves([member(one) for one in held], settings, now)
            if move.reason == "full"
        ]
        self._clean_up(planned, {one.id: one for one in held})

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
        settings = self._session.settings.tiers
        short_term = {one.id: one for one in store.page(_in_tier(Tier.SHORT_TERM), now, limit=_ALL)}
        records = short_term | {one.id: one for one in read}
        waiting = {one.id: member(one) for one in short_term.values()}
        planned: dict[str, Move] = {}
        for one in read[: settings.short_term_capacity]:
            for move in lift(member(one), list(waiting.values()), settings):
                planned[move.id] = move
                if move.tier is Tier.SHORT_TERM:
                    waiting[move.id] = replace(member(one), tier=Tier.SHORT_TERM)
                else:
                    waiting.pop(move.id, None)
        self._clean_up(list(planned.values()), records)

    def _clean_up(self, planned: Sequence[Move], records: Mapping[str, Record]) -> None:
        """Write moves, and log those that make room; what a read lifts is no cleaning."""
        act_id = self.apply(planned, records)
        lines = [
            log_line(
                one.id, records[one.id].content, records[one.id].tier, f"-> {one.tier}", "full"
            )
            for one in planned
            if one.reason == "full"
        ]
        if act_id is not None and lines:
            path = cleanup_log(self._session.store_path)
            write_cleanup_log(path, act_id, self._session.now(), lines)

    def apply(
        self, planned: Sequence[Move], records: Mapping[str, Record], kind: str = "tier"
    ) -> str | None:
        """Write moves as one system act and return its id; None if nothing was moved.

        A record that another process changed meanwhile makes the whole act wait for the next
        occasion: tiers are brought into order again by every later write.
        """
        if not planned:
            return None
        summary = ngettext(
            "moved {count} record by the tier rules",
            "moved {count} records by the tier rules",
            len(planned),
        ).format(count=len(planned))
        act = self._session.act(kind, summary, len(planned), actor="system")
        puts, entries = [], []
        for move in planned:
            current = records[move.id]
            merged = merge(
                current,
                {"tier": move.tier, "status": move.status},
                based_on=current.version,
                actor="system",
                now=act.at,
                dispute_ids=repeat(new_id()),
            )
            if merged.changed:
                # moving a record by rule says nothing new about it, so its age stays
                moved = replace(merged.record, updated_at=current.updated_at)
                puts.append(Put(moved, current.version))
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
                Batch(replace(act, records=len(puts)), tuple(puts), (), tuple(entries))
            )
        except VersionConflictError:
            return None
        return act.id


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


def _in_tier(tier: Tier) -> Query:
    return Query(tiers=frozenset({tier}), home=Home.USER)
