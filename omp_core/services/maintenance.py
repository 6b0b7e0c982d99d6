"""Maintenance: the tier rules, forgetting, purging, and the log of it.

Everything it does is journalled and can be undone; important records are never touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Literal

from omp_core.availability import Availability
from omp_core.i18n import _, ngettext
from omp_core.model import Home, Query, Receipt, Record, Status, Tier
from omp_core.rules.decay import Advice, forget_advice, unread_days, unread_since
from omp_core.rules.tiers import TierMove, held_back, moves
from omp_core.services.cleanup_log import cleanup_log, log_line, write_cleanup_log
from omp_core.services.locks import kept_note
from omp_core.services.tiers import TierService, member
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session

_TRIES = 20
"""Maintenance that loses this many races in a row is left to the next occasion."""
MoveReason = Literal["full", "unread", "expired", "read-again"]


@dataclass(frozen=True, slots=True)
class MaintenanceMove:
    """One record that maintenance moves, from where to where, and why."""

    id: str
    content: str
    from_tier: Tier
    to_tier: Tier
    archived: bool
    reason: MoveReason


@dataclass(frozen=True, slots=True)
class Proposal:
    """A long-term record that a person is asked about: archive or forget it."""

    record: Record
    unread_days: float
    advice: Advice


@dataclass(frozen=True, slots=True)
class MaintenanceReport:
    """What maintenance did, or with `dry_run` would do."""

    dry_run: bool
    moved: tuple[MaintenanceMove, ...]
    proposals: int
    searches_dropped: int
    act_ids: tuple[str, ...]
    locked: tuple[str, ...] = ()
    """Ids of the locked records that were due and were passed by."""


class MaintenanceService:
    """The part of `Memory` that keeps the rules over time."""

    def __init__(
        self, session: Session, availability: Availability, tiering: TierService, units: UnitsOfWork
    ) -> None:
        self._session = session
        self._availability = availability
        self._tiering = tiering
        self._units = units

    def maintain(self, *, dry_run: bool = False) -> MaintenanceReport:
        """Apply the tier rules, archive what expired, and write down each move.

        Locked records are passed by and named. What faded is proposed to a person and stays
        until a yes (`proposals`).
        A second run right after finds nothing to do.
        """
        dropped = 0 if dry_run else self._drop_old_searches()
        moved, act_id = self._moves(dry_run=dry_run)
        if act_id is not None:
            self._write_log(
                act_id,
                [
                    log_line(one.id, one.content, one.from_tier, _became(one), one.reason)
                    for one in moved
                ],
            )
        return MaintenanceReport(
            dry_run,
            moved,
            sum(1 for _p in self.proposals()),
            dropped,
            () if act_id is None else (act_id,),
            self._locked(),
        )

    def _moves(self, *, dry_run: bool) -> tuple[tuple[MaintenanceMove, ...], str | None]:
        """Make the moves, planned anew when others change a record meanwhile."""
        for _number in range(_TRIES):
            records = {record.id: record for record in self._concerned()}
            planned = self._planned(records)
            moved = tuple(_moved(move, records[move.id], reason) for move, reason in planned)
            if dry_run or not planned:
                return moved, None
            act_id = self._tiering.apply([move for move, _r in planned], records, "maintain")
            if act_id is not None:
                return moved, act_id
        return (), None

    def _locked(self) -> tuple[str, ...]:
        members = [member(record) for record in self._concerned()]
        due = held_back(members, self._session.settings.tiers, self._session.now())
        return tuple(one.id for one in due)

    def _concerned(self) -> Iterator[Record]:
        """Yield every record that some rule may move."""
        store, now = self._availability.store(), self._session.now()
        short_lived = frozenset({Tier.WORKING, Tier.SHORT_TERM})
        long_term = frozenset({Tier.LONG_TERM})
        for query in (
            Query(tiers=short_lived, home=Home.USER, include_expired=True),
            Query(tiers=long_term, home=Home.USER, only_expired=True),
        ):
            yield from store.iterate(query, now)

    def _planned(self, records: dict[str, Record]) -> list[tuple[TierMove, MoveReason]]:
        now = self._session.now()
        by_rule = moves(
            [member(record) for record in records.values()], self._session.settings.tiers, now
        )
        return [(move, move.reason) for move in by_rule]

    def proposals(self) -> Iterator[Proposal]:
        """Yield the long-term records that a person is asked about: to archive or forget."""
        now, settings = self._session.now(), self._session.settings
        soonest = min(settings.decay.ask_unread_days, settings.tiers.long_term_unread_days)
        query = Query(
            tiers=frozenset({Tier.LONG_TERM}),
            home=Home.USER,
            unread_since=now - timedelta(days=soonest),
        )
        for record in self._availability.store().iterate(query, now):
            if (proposal := self.proposal(record)) is not None:
                yield proposal

    def proposal(self, record: Record) -> Proposal | None:
        """Return what a person is asked about a record now, if anything."""
        now = self._session.now()
        advice = forget_advice(record, now, self._session.settings)
        if advice is None or record.tier is not Tier.LONG_TERM or record.locked:
            return None
        return Proposal(record, unread_days(unread_since(record), now), advice)

    def purge(self) -> Receipt:
        """Remove the rows of expired records as one act, except important and locked ones."""
        return self._units.retrying(self._purge)

    def _purge(self) -> Receipt:
        store, now = self._availability.store(), self._session.now()
        query = Query(statuses=frozenset(), home=Home.USER, only_expired=True)
        expired = list(store.iterate(query, now))
        mortal = [record for record in expired if record.tier is not Tier.IMPORTANT]
        gone = [record for record in mortal if not record.locked]
        stay = len(expired) - len(mortal)
        important = (
            ngettext(
                "{count} important record has expired and stays: important ones go by hand only",
                "{count} important records have expired and stay: important ones go by hand only",
                stay,
            ).format(count=stay)
            if stay
            else None
        )
        locked = kept_note([record for record in mortal if record.locked])
        kept = "; ".join(note for note in (important, locked) if note) or None
        if not gone:
            return Receipt("unchanged", "", None, note=kept or _("nothing has expired"))
        with self._units.begin("purge", {"count": len(gone)}) as work:
            for record in gone:
                work.remove(record)
        act = work.act
        self._write_log(
            act.id,
            [log_line(one.id, one.content, one.tier, "removed", "expired") for one in gone],
        )
        note = work.words if kept is None else f"{work.words}; {kept}"
        return Receipt("deleted", gone[0].id, act.id, None, note=note)

    def _drop_old_searches(self) -> int:
        oldest = self._session.now() - timedelta(days=self._session.settings.store.search_log_days)
        return self._availability.store().drop_searches(before=oldest)

    def _write_log(self, act_id: str, lines: Sequence[str]) -> None:
        write_cleanup_log(self.log_file, act_id, self._session.now(), lines)

    @property
    def log_file(self) -> Path:
        """The text log of all maintenance, beside the store."""
        return cleanup_log(self._session.store_path)


def _moved(move: TierMove, record: Record, reason: MoveReason) -> MaintenanceMove:
    return MaintenanceMove(
        record.id,
        record.content,
        record.tier,
        move.tier,
        move.status is Status.ARCHIVED,
        reason,
    )


def _became(moved: MaintenanceMove) -> str:
    return "archived" if moved.archived else f"-> {moved.to_tier}"
