"""Mode 2: the list of memories, search and filters over it, one of them beside it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual import on
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from omp_core.model import Scope, SearchAnswer
from omp_core.views import Page
from omp_tui.background import Lane
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed, Said
from omp_tui.panes.memories.messages import AllRead, HistoryRead, PageFailed, PageRead, SearchRead
from omp_tui.panes.memories.query import QueryPane
from omp_tui.panes.memories.rows import read_all, rows_of
from omp_tui.panes.memories.view import (
    MemoriesView,
    count_text,
    marked_text,
    nothing,
    view_lines,
    weaker,
)
from omp_tui.text import safe
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.record_detail import RecordDetail
from omp_tui.widgets.record_list import ListRow, RecordList
from omp_tui.widgets.rows import PAGE
from omp_tui.widgets.search_line import SearchLine

_TYPING_PAUSE_S = 0.12
_MOVING_PAUSE_S = 0.08
_HITS = 200


class MemoriesPane(QueryPane):
    """Pages of the list, hits of a search and histories are read in threads."""

    MODE = "memories"
    PARTS = (RecordList,)
    CSS_PATH = "pane.tcss"
    AUTO_FOCUS = "RecordList"
    BINDINGS: ClassVar[Bindings] = [
        bind("asterisk", "mark_all", N_("Mark all that pass"), show=False),
    ]

    def body(self) -> Iterable[Widget]:
        self.view = MemoriesView()
        self._typing: Timer | None = None
        self.scope = Scope()
        self._moving: Timer | None = None
        self._loaded = False
        self._again = False
        self._answer: SearchAnswer | None = None
        self._waiting = 0
        self.list = RecordList(self.service.now, id="records")
        self.detail = RecordDetail(self.service.now, self.service.memory.forecast, id="detail")
        self.line = SearchLine(self.service.memory.completion, id="search-line")
        yield self.line
        yield Static(id="reason")
        yield Panel(view_lines, id="view-line")
        yield Horizontal(self.list, Static(id="nothing"), self.detail, id="columns")

    def on_mount(self) -> None:
        self.detail.show(None)
        self.say_view()
        self.watch(self.app, "scope", self._scope_known)
        self.watch(self.app, "vectors_missing", self._waiting_changed)

    def _scope_known(self, scope: Scope) -> None:
        self.scope = scope

    @property
    def settled(self) -> bool:
        return self._loaded and self.list.complete and self.detail.settled

    # reading

    def reload(self) -> None:
        """Read again what is shown, the cursor staying on its record."""
        if self._loaded and not self.list.complete:
            self._again = True  # a page is on its way; starting over now would drop it for ever
            return
        self._ask(keep_place=True)

    def show_view(self, view: MemoriesView) -> None:
        self.view = view
        self.say_view()
        self._ask(keep_place=False)

    def _ask(self, *, keep_place: bool) -> None:
        view = self.view
        self.list.order = view.order
        generation = self.list.start_over(keep_place=keep_place)
        if view.text:
            memory = self.service.memory
            self.ask(
                "search",
                lambda: memory.search(
                    view.text, mode=view.mode, query=view.query, limit=_HITS, browse=True
                ),
                partial(SearchRead, generation),
            )
        else:
            self.list.want_visible()

    @on(RecordList.PageWanted)
    def _read_page(self, event: RecordList.PageWanted) -> None:
        if self.view.text:
            return
        view, memory, rows = self.view, self.service.memory, self.list
        generation, at = event.generation, event.at

        def read() -> Page | None:
            if not rows.in_view(generation, at):
                return None
            return memory.list(view.query, view.order, view.descending, int(at), PAGE)

        self.ask(
            "page",
            read,
            partial(PageRead, generation, at),
            failed=partial(PageFailed, at),
            keep_all=True,
        )

    @on(PageRead)
    def _page_read(self, event: PageRead) -> None:
        if event.page is None:
            if event.generation == self.list.generation:
                self.list.give_up(event.at)
                self.list.want_visible()
            return
        self._answer = None
        rows = [ListRow(record) for record in event.page.records]
        self.list.put(event.generation, event.at, rows, event.page.total)
        self._arrived()

    @on(PageFailed)
    def _page_failed(self, event: PageFailed) -> None:
        self.list.give_up(event.at)
        self.post_message(CallFailed(Lane(self.MODE, "page"), event.error))

    @on(SearchRead)
    def _search_read(self, event: SearchRead) -> None:
        if event.generation != self.list.generation:
            return
        self._answer = event.answer
        self.list.put_all(rows_of(event.answer))
        self._arrived()

    def _arrived(self) -> None:
        self._loaded = True
        self._say_count()
        if self._again and self.list.complete:
            self._again = False
            self._ask(keep_place=True)

    # the record beside the list

    @on(RecordList.Moved)
    def _moved(self, event: RecordList.Moved) -> None:
        if self._moving is not None:
            self._moving.stop()
        if self.detail.row is None or event.item is None:
            self._show_detail()
        else:
            self._moving = self.set_timer(_MOVING_PAUSE_S, self._show_detail)

    def _show_detail(self) -> None:
        row = self.list.item
        self.detail.show(row)
        if row is None:
            return
        memory, record_id = self.service.memory, row.record.id
        self.ask("detail", lambda: memory.history(record_id), partial(HistoryRead, record_id))

    @on(HistoryRead)
    def _history_read(self, event: HistoryRead) -> None:
        self.detail.show_history(event.record_id, event.history)

    def action_mark_all(self) -> None:
        """Mark everything that passes, up to a bound that is said."""
        if self._answer is not None:
            self.post_message(AllRead(rows_of(self._answer)))
            return
        memory, view = self.service.memory, self.view
        self.ask("mark", lambda: read_all(memory, view), AllRead)

    @on(AllRead)
    def _all_read(self, event: AllRead) -> None:
        self.list.mark_all(event.rows)
        if self.list.total > len(event.rows):
            self.post_message(Said(marked_text(len(event.rows), self.list.total), "warning"))

    @on(RecordList.MarksChanged)
    def _say_count(self) -> None:
        answer = self._answer
        self.line.show_count(count_text(self.list.total, answer, len(self.list.marked)))
        reason = weaker(answer, self._waiting)
        self.query_one("#reason", Static).update(safe("◐ " + reason, width=200))
        self.set_class(bool(reason), "-weaker")
        empty = self._loaded and self.list.total == 0
        was_empty = self.has_class("-nothing")
        self.set_class(empty, "-nothing")
        if empty:
            self.query_one("#nothing", Static).update(nothing(self.view, reason))
        elif was_empty and not isinstance(self.focused, Input):
            self.call_after_refresh(self.list.focus)  # it lost it when it was hidden

    def _waiting_changed(self, count: int) -> None:
        before, self._waiting = self._waiting, count
        if before and not count and self.view.text:
            self.reload()
        elif self._answer is not None:
            self._say_count()

    def say_view(self) -> None:
        self.line.show_mode(self.view.mode)
        self.query_one("#view-line", Panel).show(self.view)
