"""Themes behind the door: showing them, changing them by hand, grouping them anew."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from omp_core.availability import Availability
from omp_core.errors import InvalidValueError, NotFoundError
from omp_core.i18n import _
from omp_core.model import Query, Scope
from omp_core.project.theme_book import OpenBook
from omp_core.rules import themes as rules
from omp_core.rules.themes import (
    BookInputs,
    SuggestedSplit,
    Suggestion,
    Theme,
    ThemeItem,
    ThemeState,
)
from omp_core.rules.themes.surgery import Mark
from omp_core.services.embedding import EmbeddingService
from omp_core.services.themes import act_values, comparison
from omp_core.services.themes.act_values import ActValues, named
from omp_core.services.themes.assimilation import (
    ThemeAssimilation,
    active_records,
    belongs,
    item_of,
)
from omp_core.services.themes.repository import ThemeRepository
from omp_core.services.themes.vectors import ThemeInputs, ThemeVectors
from omp_core.services.themes.views import (
    Neighbour,
    RebuildChange,
    ThemeChange,
    ThemeDetail,
    ThemeListing,
    ThemeMembers,
    ThemeRow,
)
from omp_core.services.unit_of_work import UnitsOfWork
from omp_core.session import Session

Operation = Callable[[ThemeState, BookInputs], ThemeState]


class Themes:
    """The part of `Memory` that keeps the theme layer.

    Reading follows the records first, so that what is shown is in step with the store. Every
    change by hand is one act that undo takes back; with `dry_run` it only says what it would do.
    """

    def __init__(
        self,
        session: Session,
        availability: Availability,
        embedding: EmbeddingService,
        mirror: Callable[[], None],
        units: UnitsOfWork,
    ) -> None:
        self._session = session
        self._availability = availability
        self._repository = ThemeRepository(session, availability, embedding, mirror, units)
        following = ThemeAssimilation(
            self._repository,
            lambda scopes: self._rebuild(dry_run=False, actor="system", scopes=scopes),
        )
        self._following = following
        self.follow = following.follow
        self.keep_up = following.keep_up
        self.assimilate = following.assimilate
        self.forget = following.forget
        self.invert = self._repository.invert

    # showing

    def list(self, scope: Scope = Scope(), *, following: bool = True) -> ThemeListing:  # noqa: B008
        """Return the themes that a search with this scope would look into, biggest first.

        Without `following` they are shown as they are, and `unsorted` says how many records
        are not placed yet. Raises DocumentDamagedError when the book does not parse.
        """
        if following:
            self.follow()
        model, opened = self._opened()
        inputs = self._repository.inputs(model, opened)
        state = self._visible(opened.state, scope)
        health = rules.book_health(state, inputs)
        figures = {figure.id: figure for figure in health.themes}
        rows = [ThemeRow(theme, figures[theme.id]) for theme in state.book.themes]
        rows.sort(key=lambda row: (-row.theme.size, row.theme.label, row.theme.id))
        count = model.store.count(Query(scope=scope), inputs.now)
        sorted_in = sum(record not in self._following.foreign for record in state.owners)
        problem, told = self._following.problem, self._following.told
        self._following.told = ()
        return ThemeListing(
            tuple(rows),
            health,
            max(count - sorted_in, 0),
            self._degraded(model),
            (*opened.notes, *told, *([problem] if problem else [])),
        )

    def show(self, theme: str) -> ThemeDetail:
        """Return one theme in full, by its id, the start of it, or its label.

        Raises NotFoundError, InvalidValueError when several fit, DocumentDamagedError.
        """
        self.follow()
        model, opened = self._opened()
        inputs = self._repository.inputs(model, opened)
        held = comparison.members(opened.state, named(opened.state, theme), inputs, model.store)
        around = self._visible(opened.state, held.theme.scope)
        figures = {figure.id: figure for figure in rules.book_health(around, inputs).themes}
        return ThemeDetail(
            held.theme,
            held.records,
            held.plane,
            held.neighbours,
            held.split,
            row=ThemeRow(held.theme, figures[held.theme.id]),
            suggestions=tuple(
                one for one in rules.suggestions(around, inputs) if held.theme.id in one.themes
            ),
        )

    def members(self, theme: str) -> ThemeMembers:
        """Return what is in a theme of that id, without the figures of the whole book: quick
        enough for a list that is walked through. Raises as `show` does."""
        model, opened = self._opened()
        inputs = self._repository.inputs(model, opened)
        return comparison.members(opened.state, named(opened.state, theme), inputs, model.store)

    def alike(self, theme: str) -> tuple[Neighbour, ...]:
        """Return all other themes of the scope of a theme, the most alike first.

        Raises as `show` does.
        """
        model, opened = self._opened()
        inputs = self._repository.inputs(model, opened)
        return comparison.alike(opened.state, named(opened.state, theme), inputs)

    def homes(self, record_ids: Sequence[str]) -> tuple[Neighbour, ...]:
        """Return the themes that these records may be moved into, the nearest first.

        A theme that holds them all already is none. Raises NotFoundError for a record that is
        not active, InvalidValueError when no theme may hold them together.
        """
        items = self._items(record_ids)
        model, opened = self._opened()
        inputs = self._repository.inputs(model, opened)
        return comparison.homes(opened.state, items, inputs)

    def suggest(
        self,
        scope: Scope = Scope(),  # noqa: B008 - a frozen value
        *,
        following: bool = True,
    ) -> tuple[Suggestion, ...]:
        """Return what a person may want to do with the themes, the biggest gain first."""
        if following:
            self.follow()
        model, opened = self._opened()
        return rules.suggestions(
            self._visible(opened.state, scope), self._repository.inputs(model, opened)
        )

    def suggest_split(self, theme: str) -> SuggestedSplit:
        """Return how many parts a theme should have and why. Raises as `show` does."""
        model, opened = self._opened()
        chosen = named(opened.state, theme)
        return rules.suggest_split(opened.state, chosen.id, self._repository.inputs(model, opened))

    def nearest(
        self,
        query: NDArray[np.float32],
        text: str,
        *,
        scope: Scope = Scope(),  # noqa: B008 - a frozen value
        limit: int = 5,
    ) -> tuple[Neighbour, ...]:
        """Return the themes nearest to a query, given as its vector of the model, shape (dim,),
        and its text; the nearest first."""
        model, opened = self._opened()
        inputs = self._repository.inputs(model, opened)
        state = self._visible(opened.state, scope)
        found: builtins.list[tuple[Theme, float]] = []
        for one in dict.fromkeys(theme.scope for theme in state.book.themes):
            row = query
            if isinstance(inputs.vectors, ThemeVectors):
                row = inputs.vectors.of_query(query, text, one)
            part = self._part(state, functools.partial(_of_scope, one))
            found += rules.nearest_themes(part, row, inputs.calibrate, limit)
        found.sort(key=lambda pair: -pair[1])
        return tuple(Neighbour(theme, similarity) for theme, similarity in found[:limit])

    def labelled(
        self,
        text: str,
        *,
        scope: Scope = Scope(),  # noqa: B008 - a frozen value
        limit: int = 5,
    ) -> tuple[tuple[Theme, float], ...]:
        """Return the themes whose labels hold words of a text, each with the share, 0..1."""
        state = self._visible(self._opened()[1].state, scope)
        return rules.labelled_themes(state, text, limit)

    def theme_of(self, record_id: str) -> Theme | None:
        """Return the theme that a record is in, as the book has it now."""
        return self._opened()[1].state.theme_of(record_id)

    # surgery

    def split(
        self,
        theme: str,
        *,
        count: int | None = None,
        groups: Sequence[Sequence[str]] | None = None,
        dry_run: bool = False,
    ) -> ThemeChange:
        """Split a theme into `groups` of record ids, or into `count` parts by likeness.

        With neither, into as many as `suggest_split` says. The biggest part keeps the id; all
        are pinned. Raises NotFoundError and InvalidValueError.
        """

        def operate(state: ThemeState, inputs: BookInputs) -> ThemeState:
            chosen = named(state, theme)
            parts = groups
            if parts is None:
                number = count or rules.suggest_split(state, chosen.id, inputs).count
                if number < 2:
                    raise InvalidValueError(
                        _("No split of “{label}” is clear; say how many parts you want.").format(
                            label=chosen.label
                        )
                    )
                parts = rules.propose_parts(state, chosen.id, number, inputs).groups
            return rules.split(state, chosen.id, parts, inputs)

        return self._operate(operate, functools.partial(act_values.split_values, theme), dry_run)

    def merge(self, themes: Sequence[str], *, dry_run: bool = False) -> ThemeChange:
        """Merge themes into the biggest of them, pinned. Raises as `split` does."""

        def operate(state: ThemeState, inputs: BookInputs) -> ThemeState:
            return rules.merge(state, [named(state, name).id for name in themes], inputs)

        return self._operate(
            operate, functools.partial(act_values.merge_values, len(set(themes))), dry_run
        )

    def move(
        self,
        record_ids: Sequence[str],
        theme: str | None,
        *,
        label: str | None = None,
        dry_run: bool = False,
    ) -> ThemeChange:
        """Move records into a theme, which is pinned; None founds a new one.

        Raises NotFoundError, also for a record that is not active, and InvalidValueError.
        """
        _ensure_clean(label)
        items = self._items(record_ids)

        def operate(state: ThemeState, inputs: BookInputs) -> ThemeState:
            target = None if theme is None else named(state, theme).id
            return rules.move(state, items, target, inputs, label=label)

        return self._operate(
            operate, functools.partial(act_values.move_values, len(items)), dry_run
        )

    def rename(self, theme: str, label: str | None, *, dry_run: bool = False) -> ThemeChange:
        """Give a theme a label and pin it; None lets the machine name it again.

        Raises NotFoundError, InvalidValueError, SecretFoundError.
        """
        _ensure_clean(label)

        def operate(state: ThemeState, inputs: BookInputs) -> ThemeState:
            return rules.rename(state, named(state, theme).id, label, inputs)

        return self._operate(operate, functools.partial(act_values.rename_values, theme), dry_run)

    def pin(self, theme: str, *, pinned: bool = True, dry_run: bool = False) -> ThemeChange:
        """Pin a theme, or hand it back to the automatic passes with its members' marks."""

        def operate(state: ThemeState, inputs: BookInputs) -> ThemeState:
            change = rules.pin if pinned else rules.unpin
            return change(state, named(state, theme).id, inputs)

        return self._operate(
            operate, functools.partial(act_values.pin_values, theme, pinned), dry_run
        )

    def dissolve(self, theme: str, *, dry_run: bool = False) -> ThemeChange:
        """Break a theme up; its members find other homes or are alone."""

        def operate(state: ThemeState, inputs: BookInputs) -> ThemeState:
            return rules.dissolve(state, named(state, theme).id, inputs)

        return self._operate(operate, functools.partial(act_values.dissolve_values, theme), dry_run)

    def mark(
        self, first: str, second: str, kind: Mark | None, *, dry_run: bool = False
    ) -> ThemeChange:
        """Say that two records belong together, apart, or (None) take that back."""
        one, two = self._items([first]), self._items([second])

        def operate(state: ThemeState, inputs: BookInputs) -> ThemeState:
            return rules.mark(state, one[0], two[0], kind, inputs)

        return self._operate(operate, functools.partial(act_values.mark_values, kind), dry_run)

    def rebuild(self, *, dry_run: bool = False) -> RebuildChange:
        """Group all records from scratch, under what people pinned.

        Raises UsageError when the model's vectors do not carry enough meaning.
        """
        return self._rebuild(dry_run=dry_run, actor=None)

    def _rebuild(
        self, *, dry_run: bool, actor: str | None, scopes: Collection[Scope] | None = None
    ) -> RebuildChange:
        self._repository.catch_up()
        # Without the store its records are out of sight, not gone.
        self._availability.store()
        model = self._repository.model()
        records = builtins.list(active_records(model.store, self._session.now()))
        active = {record.id for record in records}
        items = [item_of(record) for record in records]
        reports: list[rules.Rebuild] = []

        def operate(state: ThemeState, inputs: BookInputs) -> ThemeState:
            self._following.look_for_foreign(state, active, model.store)
            after, report = rules.rebuild(
                state, items, inputs, keep=self._following.foreign, scopes=scopes
            )
            reports.append(report)
            return after

        # All records are placed anew: there is nothing to follow first.
        before, after, inputs = self._changed(operate, dry_run)
        report = reports[-1]
        values = act_values.rebuild_values(report)
        receipt = self._repository.journalled(
            before, after, inputs, values, dry_run=dry_run, actor=actor
        )
        return RebuildChange(receipt, report, len(after.book.themes))

    # what all of it stands on

    def _opened(self) -> tuple[ThemeInputs, OpenBook]:
        model = self._repository.model()
        return model, self._repository.read(model)

    def _visible(self, state: ThemeState, scope: Scope) -> ThemeState:
        """Return the part of a book that a scope lets through and that is not all foreign."""
        foreign = self._following.foreign
        return self._part(
            state,
            lambda theme: rules.in_scope(theme, scope) and not foreign.issuperset(theme.members),
        )

    @staticmethod
    def _part(state: ThemeState, shown: Callable[[Theme], bool]) -> ThemeState:
        rows = [row for row, theme in enumerate(state.book.themes) if shown(theme)]
        if len(rows) == len(state.book.themes):
            return state
        themes = tuple(state.book.themes[row] for row in rows)
        return ThemeState(replace(state.book, themes=themes), state.centroids[rows])

    def _items(self, record_ids: Sequence[str]) -> tuple[ThemeItem, ...]:
        wanted = list(dict.fromkeys(record_ids))
        held = self._availability.reading_store().get_many(wanted)
        now = self._session.now()
        for record_id in wanted:
            if record_id not in held or not belongs(held[record_id], now):
                raise NotFoundError(
                    _("no active record has the id {record_id!r}; `omp-tui list` shows ids").format(
                        record_id=record_id
                    )
                )
        return tuple(item_of(held[record_id]) for record_id in wanted)

    def _degraded(self, model: ThemeInputs) -> str | None:
        if model.automatic:
            return None
        if model.embedder is None:
            return _("No theme forms by itself: there is no embedding model.")
        return _(
            "No theme forms by itself: this embedding model finds near-duplicates only. "
            "Themes made by hand work."
        )

    def _operate(
        self,
        operate: Operation,
        values: Callable[[ThemeState, ThemeState], ActValues],
        dry_run: bool,
    ) -> ThemeChange:
        self.follow()
        before, after, inputs = self._changed(operate, dry_run)
        shown = rules.preview(before, after, inputs)
        receipt = self._repository.journalled(
            before, after, inputs, values(before, after), dry_run=dry_run
        )
        return ThemeChange(receipt, shown)

    def _changed(
        self, operate: Operation, dry_run: bool
    ) -> tuple[ThemeState, ThemeState, BookInputs]:
        model = self._repository.model()
        if dry_run:
            opened = self._repository.read(model)
            inputs = self._repository.inputs(model, opened)
            return opened.state, operate(opened.state, inputs), inputs
        # Whether the act can be journalled shows before the book is touched.
        self._availability.store()
        grounds: list[BookInputs] = []

        def change(opened: OpenBook) -> tuple[ThemeState, None]:
            grounds.append(self._repository.inputs(model, opened))
            return operate(opened.state, grounds[-1]), None

        before, after, _nothing = self._repository.update(model, change)
        return before, after, grounds[-1]


def _of_scope(scope: Scope, theme: Theme) -> bool:
    return theme.scope == scope


def _ensure_clean(label: str | None) -> None:
    if label:
        from omp_core.secrets import ensure_clean

        ensure_clean(label)
