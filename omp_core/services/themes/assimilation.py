"""The theme book follows the records: those that come, change, and go.

No write waits for it. A process that stays lets it follow in the background, many records at
once, and whoever looks at themes catches up with the rest. Where the book is when a process
ends does not matter: what is not placed is placed at the next look.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from omp_core.errors import DocumentDamagedError, DocumentError, OmpError, StoreError
from omp_core.model import Query, Record, Scope, Status
from omp_core.project.theme_book import OpenBook
from omp_core.rules import themes as rules
from omp_core.rules.themes import ThemeItem, ThemeState
from omp_core.services.themes.act_values import follow_values
from omp_core.services.themes.repository import ThemeRepository
from omp_core.services.themes.vectors import ThemeInputs
from omp_core.services.themes.views import AssimilationResult

if TYPE_CHECKING:
    from datetime import datetime

    from omp_core.store.protocol import Store

_log = logging.getLogger(__name__)

_SMALL = 12
_GROWTH = 1.25
"""A scope is grouped anew when it has grown by a quarter since, from twelve records on."""
_PROJECT = "project:"
_LOOKED_THROUGH = 10_000
"""In a larger store, looking for what is new takes longer than a quick step may (0.5 s)."""


class ThemeAssimilation:
    """Keeps a theme book in step with a store.

    A book in a repository also holds themes of other people, whose records are in stores of
    their own: ids that this store has never seen are left where they are.
    """

    def __init__(
        self, repository: ThemeRepository, rebuild: Callable[[Collection[Scope]], object]
    ) -> None:
        self._repository = repository
        self._rebuild = rebuild
        self._seen: tuple[object, ...] | None = None
        self._expiry: datetime | None = None
        self._foreign: set[str] = set()
        self._own: set[str] = set()
        self._lock = threading.RLock()
        self.told: tuple[str, ...] = ()
        """What was done to the book that a person should hear of once."""
        self.problem: str | None = None
        """Why the book could not be brought up to date, None when it was."""

    @property
    def foreign(self) -> frozenset[str]:
        """Members that are records of somebody else's store."""
        return frozenset(self._foreign)

    def follow(self, *, at_once: int | None = None) -> AssimilationResult:
        """Bring the book in step with the records, whoever changed them.

        With `at_once` only if that is quick: not in a large store, and not when more records
        than that have to be placed. A book that cannot be written is left as it is. Raises
        DocumentDamagedError.
        """
        with self._lock:
            self.told += self._repository.catch_up()
            model = self._repository.model()
            if self._repository.availability.store_down is not None:
                # The records are not gone, they are out of sight.
                return AssimilationResult()
            now = self._repository.session.now()
            if self._stamp(model) == self._seen and (self._expiry is None or now < self._expiry):
                return AssimilationResult()
            if at_once is not None:
                count = model.store.count(Query(), now)
                if count > _LOOKED_THROUGH:
                    if not model.automatic:
                        return AssimilationResult()
                    owners = self._repository.read(model).state.owners.keys()
                    return AssimilationResult(waiting=max(count - len(owners - self._foreign), 0))
            try:
                done = self._follow_all(model, now, at_once)
            except DocumentDamagedError:
                raise
            except (DocumentError, StoreError) as error:
                _log.warning("themes were not brought up to date: %s", error)
                self.problem = str(error)
                return AssimilationResult()
            self.problem = None
            if not done.waiting:
                self._seen = self._stamp(model)
            return done

    def keep_up(self) -> None:
        """Follow, in the background of a process that stays.

        Never fails: what cannot be done now is done when themes are next looked at.
        """
        try:
            self.follow()
        except OmpError as error:
            _log.warning("themes were not brought up to date: %s", error)

    def assimilate(self, record_ids: Iterable[str]) -> AssimilationResult:
        """Place records that were stored or whose text changed, and journal splits and merges.

        Those that are not active, or not there, leave their themes. Raises DocumentError, and
        StoreUnavailableError while nobody can say which records there are.
        """
        wanted = list(dict.fromkeys(record_ids))
        self._repository.availability.store()
        model = self._repository.model()
        held = model.store.get_many(wanted)
        now = self._repository.session.now()
        there = [held[i] for i in wanted if i in held and belongs(held[i], now)]
        present = {record.id for record in there}
        return self._place(model, there, [i for i in wanted if i not in present])

    def forget(self, record_ids: Iterable[str]) -> AssimilationResult:
        """Take records out of their themes. Raises DocumentError."""
        return self._place(self._repository.model(), [], list(record_ids))

    def look_for_foreign(self, state: ThemeState, active: set[str], store: Store) -> list[str]:
        """Return the members that this store once had and has no more; remember the others
        as somebody else's."""
        gone = []
        for member in state.owners:
            if member in active or member in self._foreign:
                continue
            if member.startswith(_PROJECT) or member in self._own or store.history(member):
                gone.append(member)
            else:
                self._foreign.add(member)
        self._foreign -= active
        self._own |= active
        return gone

    def _follow_all(
        self, model: ThemeInputs, now: datetime, at_once: int | None
    ) -> AssimilationResult:
        state = self._repository.read(model).state
        records = list(active_records(model.store, now))
        active = {record.id for record in records}
        self._expiry = min((r.expires_at for r in records if r.expires_at), default=None)
        gone = self.look_for_foreign(state, active, model.store)
        new = [record for record in records if record.id not in state.owners]
        if model.automatic and at_once is not None and len(new) > at_once:
            return AssimilationResult(waiting=len(new))
        grown = _grown(state, records) if model.automatic else []
        left = 0
        if grown:
            # Records of the other scopes are placed one by one, as always.
            self._rebuild(grown)
            before, state = len(gone), self._repository.read(model).state
            gone = self.look_for_foreign(state, active, model.store)
            left = before - len(gone)
            new = [record for record in records if record.id not in state.owners]
        changed = [r for r in records if r.id in state.owners and _reworded(r, state)]
        if not gone and not changed and (not new or not model.automatic):
            return AssimilationResult(forgotten=left, rebuilt=bool(grown))
        placed = self._place(model, [*changed, *new], gone)
        return replace(placed, forgotten=placed.forgotten + left, rebuilt=bool(grown))

    def _place(
        self, model: ThemeInputs, records: Sequence[Record], gone: Sequence[str]
    ) -> AssimilationResult:
        def change(opened: OpenBook) -> tuple[ThemeState, rules.Assimilation]:
            inputs = self._repository.inputs(model, opened)
            left, _themes = rules.forget(opened.state, gone, inputs)
            items = {record.id: item_of(record) for record in records}
            while True:
                state, report = rules.assimilate(left, list(items.values()), inputs)
                missed = {
                    record.id: item_of(record)
                    for record in _missed(opened.state, state, model.store)
                    if record.id not in items
                }
                if not missed:
                    return state, report
                self._repository.embed()
                inputs = self._repository.inputs(model, opened)
                items = missed | items

        before, after, report = self._repository.update(model, change)
        if report.split:
            self._repository.journal(before, after, follow_values(report), actor="system")
        left = sum(1 for record_id in gone if record_id in before.owners)
        return AssimilationResult(report, left)

    def _stamp(self, model: ThemeInputs) -> tuple[object, ...]:
        return model.store.change_stamp()[0], id(model.store), model.mark


def active_records(store: Store, now: datetime) -> Iterable[Record]:
    """Yield every record that belongs in a theme."""
    return store.iterate(Query(), now)


def belongs(record: Record, now: datetime) -> bool:
    """Return whether a record belongs in a theme."""
    return record.status is Status.ACTIVE and (record.expires_at is None or record.expires_at > now)


def item_of(record: Record) -> ThemeItem:
    return ThemeItem(record.id, record.scope)


def _grown(state: ThemeState, records: Sequence[Record]) -> list[Scope]:
    """Return the scopes that have grown enough to be grouped anew."""
    sizes = Counter(rules.theme_scope(record.scope) for record in records)
    before = {frame.scope: frame.size for frame in state.book.frames}
    return [
        scope
        for scope, size in sizes.items()
        if size >= _SMALL and size >= _GROWTH * before.get(scope, 0)
    ]


def _missed(before: ThemeState, after: ThemeState, store: Store) -> list[Record]:
    """Return the members of changed themes whose texts others changed before.

    With its new time such a theme would look as if it had been placed by the new texts.
    """
    times = {theme.id: theme.updated_at for theme in after.book.themes}
    changed = [theme for theme in before.book.themes if times.get(theme.id) != theme.updated_at]
    held = store.get_many([member for theme in changed for member in theme.members])
    return [
        record
        for record in held.values()
        if record.id in after.owners and _reworded(record, before)
    ]


def _reworded(record: Record, state: ThemeState) -> bool:
    """Return whether a record's text changed after its theme did."""
    theme = state.theme_of(record.id)
    stamp = record.stamps.get("content")
    return theme is not None and stamp is not None and stamp.at > theme.updated_at
