"""Mode 4: the themes, their figures and suggestions, the members of one beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_core.model import Query
from omp_tui.dialogs.choose import ChooseDialog
from omp_tui.dialogs.record import RecordAction, RecordScreen
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import RecordsWanted, Written
from omp_tui.panes.themes.book import BookPane
from omp_tui.panes.themes.lists import MemberList, ThemeList
from omp_tui.panes.themes.map import MEMBERS_NEEDED, MemberMap, Plotted
from omp_tui.panes.themes.messages import (
    MembersFailed,
    MembersRead,
)
from omp_tui.panes.themes.rows import Facts, facts_lines
from omp_tui.panes.themes.view import (
    Order,
    ThemesView,
    Whose,
    order_choices,
    standing_lines,
    whose_choices,
)
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.record_list import ListRow

if TYPE_CHECKING:
    from omp_core.model import Record
    from omp_core.types import ThemeMembers

_MOVING_PAUSE_S = 0.08
_REST = 3.0
"""Nobody asking, the list is read again after this many times the time it took."""
_MAP_COLUMNS, _MAP_ROWS = 100, 30
"""The screen that the map needs (issue 11)."""


class ThemesPane(BookPane):
    """The list is shown as it is; what is not placed yet is placed in the background."""

    MODE = "themes"
    PARTS = (ThemeList, MemberList)
    CSS_PATH = "pane.tcss"
    AUTO_FOCUS = "ThemeList"
    BINDINGS: ClassVar[Bindings] = [
        bind("f", "filter", N_("Filter"), show=False),
        bind("s", "sort", N_("Sort"), show=False),
        bind("tab", "other_list", N_("Themes or members"), show=False),
        bind("escape", "back", N_("Clear marks, then back to the themes"), show=False),
    ]

    def body(self) -> Iterable[Widget]:
        self.held: ThemeMembers | None = None
        self._moving: Timer | None = None
        self.begin()
        self.list = ThemeList(id="themes")
        self.members = MemberList(self.service.now, id="members")
        self.map = MemberMap(id="map")
        self.facts = Panel(facts_lines, id="facts")
        yield Panel(standing_lines, id="standing")
        yield Static(id="receipt")
        yield Static(id="reason")
        detail = Vertical(self.facts, self.map, self.members, id="detail")
        yield Horizontal(self.list, Static(id="nothing"), detail, id="columns")

    def on_mount(self) -> None:
        self.query_one("#reason", Static).update(_("Reading the themes …"))
        self.add_class("-reason")
        self.watch(self.app, "vectors_missing", self.vectors_changed, init=False)

    @property
    def settled(self) -> bool:
        if self.themes is None or not self.list.complete:
            return self.has_class("-failed")
        row = self.list.item
        return row is None or (self.held is not None and self.held.theme.id == row.theme.id)

    # the theme in hand

    @on(ThemeList.Moved, "#themes")
    def _theme_moved(self, event: ThemeList.Moved) -> None:
        if self._moving is not None:
            self._moving.stop()
        if self.held is None or event.item is None:
            self._read_members()
        else:
            self._moving = self.set_timer(_MOVING_PAUSE_S, self._read_members)

    def _read_members(self) -> None:
        theme = self.theme
        if theme is None:
            self._show_members(None)
            return
        themes, theme_id = self.service.memory.themes, theme.id
        self.show_facts()
        self.ask(
            "members",
            lambda: themes.members(theme_id),
            MembersRead,
            failed=lambda error: MembersFailed(theme_id, error),
        )

    @on(MembersRead)
    def _members_read(self, event: MembersRead) -> None:
        if self.theme is not None and self.theme.id == event.held.theme.id:
            self._show_members(event.held)

    @on(MembersFailed)
    def _members_failed(self, event: MembersFailed) -> None:
        if self.theme is not None and self.theme.id == event.theme_id:
            self._show_members(None)
            self.invalidate()

    def show_members_of_none(self) -> None:
        self._show_members(None)

    def _show_members(self, held: ThemeMembers | None) -> None:
        other = held is None or self.held is None or held.theme.id != self.held.theme.id
        self.held = held
        if other:
            self.members.clear_marks()
        self.members.start_over(keep_place=not other)
        self.members.put_all(() if held is None else held.records)
        self.show_facts()
        self._fit_map()

    def show_facts(self) -> None:
        row = self.list.item
        self.set_class(row is None, "-no-theme")
        if row is None:
            return
        held = self.held
        if held is not None and held.theme.id != row.theme.id:
            held = None
        self.facts.show(Facts(row, held, self.suggestions()))

    def _fit_map(self) -> None:
        held = self.held
        room = self.size.width >= _MAP_COLUMNS and self.size.height >= _MAP_ROWS
        enough = held is not None and len(held.plane) >= MEMBERS_NEEDED
        self.set_class(room and enough, "-map")
        self._show_map()

    @on(MemberList.Moved, "#members")
    @on(MemberList.MarksChanged, "#members")
    def _show_map(self) -> None:
        held = self.held
        if held is None:
            return
        marked = {record.id for record in self.members.marked}
        item = self.members.item
        places = {record.id: at for at, record in enumerate(held.records)}
        self.map.show(
            Plotted(
                held.plane,
                None if item is None else places.get(item.id),
                frozenset(places[one] for one in marked if one in places),
            )
        )

    @on(MemberMap.Pointed)
    def _pointed(self, event: MemberMap.Pointed) -> None:
        self.members.move_to(event.index)

    def on_resize(self) -> None:
        self._fit_map()

    # going about

    @on(ThemeList.Opened, "#themes")
    def _theme_opened(self) -> None:
        self.add_class("-members")
        self.members.focus()

    @on(MemberList.Opened, "#members")
    def _member_opened(self, event: MemberList.Opened) -> None:
        record: Record = event.item

        def closed(answer: tuple[RecordAction, Record] | None) -> None:
            # what changes a memory is at home among the memories
            if answer is not None:
                query = Query(ids=frozenset({answer[1].id}))
                self.app.post_message(RecordsWanted(query, "updated", True))

        self.open(RecordScreen(self.service, ListRow(record)), closed)

    def action_other_list(self) -> None:
        if self.members.has_focus:
            self._to_themes()
        else:
            self._theme_opened()

    def action_back(self) -> None:
        """Clear marks; then back to the list; then show all themes."""
        here = self.members if self.members.has_focus else self.list
        if here.marked:
            here.clear_marks()
        elif here is self.members:
            self._to_themes()
        elif self.view.whose != "all":
            self._show_view(replace(self.view, whose="all"))

    def _to_themes(self) -> None:
        self.remove_class("-members")
        self.list.focus()

    def action_filter(self) -> None:
        def chosen(whose: Whose | None) -> None:
            if whose is not None:
                self._show_view(replace(self.view, whose=whose))

        self.open(ChooseDialog(_("Show"), whose_choices(), self.view.whose), chosen)

    def action_sort(self) -> None:
        def chosen(order: Order | None) -> None:
            if order is not None:
                self._show_view(replace(self.view, order=order))

        self.open(ChooseDialog(_("Sort by"), order_choices(), self.view.order), chosen)

    def _show_view(self, view: ThemesView) -> None:
        self.view = view
        self.list.let_go()
        self.put()

    # what was done

    def on_written(self, event: Written) -> None:
        """The message goes on to the app, which tells it and looks at the memory."""
        self.done(event.receipt)
