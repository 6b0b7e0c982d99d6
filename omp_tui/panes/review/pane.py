"""Mode 5: one inbox of what needs a yes or no, by kind, with what a yes would do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import ClassVar

from textual import on
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from omp_core.errors import OmpError
from omp_core.i18n import _
from omp_core.model import Receipt
from omp_core.views import ReviewItem, ReviewKind, ReviewPage
from omp_tui.dialogs.review.detail import detail_lines
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import Said
from omp_tui.panes.review.answers import InboxPane
from omp_tui.panes.review.lines import (
    Outage,
    Tabs,
    banner_lines,
    failure,
    item_line,
    nothing,
    tab_lines,
)
from omp_tui.panes.review.messages import AllRead, CountsRead, PageRead, ReadFailed
from omp_tui.text import safe
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.rows import PAGE, At
from omp_tui.widgets.virtual_list import VirtualList
from omp_tui.words import number

MOST = 10_000
"""Items that can be marked at a time."""


class ItemList(VirtualList[ReviewItem]):
    """What waits of a kind. Another mark of an item means that it changed."""


class ReviewPane(InboxPane):
    """Counts and pages are read in threads; the item in hand is held while others arrive."""

    MODE = "review"
    PARTS = (ItemList,)
    CSS_PATH = "pane.tcss"
    AUTO_FOCUS = "ItemList"
    BINDINGS: ClassVar[Bindings] = [
        bind("asterisk", "mark_all", N_("Mark all of the kind"), show=False),
        bind("tab,right,l", "turn(1)", N_("Next kind"), show=False, moving=True),
        bind("shift+tab,left,h", "turn(-1)", N_("Kind before"), show=False, moving=True),
        bind("escape", "back", N_("Clear marks"), show=False),
    ]

    def body(self) -> Iterable[Widget]:
        self.kind = ReviewKind.PENDING
        self.answering = set()
        self.counts: Mapping[ReviewKind, int] = {}
        self.receipt: Receipt | None = None
        """What was done here last, while it is what undo would take back."""
        self._since: datetime | None = None
        self._known = self._chosen = self._again = self._counting = False
        self.list = ItemList(
            lambda item: item.key, self._line, version=lambda item: item.mark, id="items"
        )
        self.detail: Panel[ReviewItem] = Panel(
            lambda item, width: detail_lines(item, self.service.now(), width), id="detail"
        )
        yield Panel(tab_lines, id="kinds")
        yield Panel(banner_lines, id="banner")
        yield Static(id="receipt")
        beside = VerticalScroll(self.detail, id="preview", can_focus=False)
        yield Vertical(self.list, Static(id="nothing"), beside, id="columns")

    def _line(self, item: ReviewItem, place: RowPlace, width: int) -> Content:
        return item_line(item, place, self.service.now(), width)

    def on_mount(self) -> None:
        self.query_one("#nothing", Static).update(_("Reading what waits …"))
        self.add_class("-nothing")
        self.watch(self.app, "store_outage", self._say_banner, init=False)
        self.watch(self.app, "warmed", self.invalidate, init=False)

    @property
    def settled(self) -> bool:
        if self.has_class("-failed"):
            return not self._counting
        return self._known and not self._counting and self.list.complete

    # reading

    def reload(self) -> None:
        """Read the counts, and with them what the list shows, the cursor staying on its item."""
        if self._counting:
            self._again = True
            return
        self._counting = True
        memory = self.service.memory

        def read() -> CountsRead:
            counts, act = memory.review.counts(), memory.undoable()
            first = memory.review.page(ReviewKind.PENDING, limit=1).items
            since = first[0].at if first else None
            return CountsRead(counts, since, None if act is None else act.id)

        self.ask("counts", read, lambda read: read, failed=self._failed(None), keep_all=True)

    def read_again(self) -> None:
        self.reload()

    def _failed(self, at: At | None) -> Callable[[OmpError], ReadFailed]:
        pending = self.service.memory.pending
        return lambda error: ReadFailed(error, pending.count(), at)

    @on(CountsRead)
    def _counts_read(self, event: CountsRead) -> None:
        self._counting = False
        self.counts, self._since = event.counts, event.since
        if self.receipt is not None and self.receipt.act_id != event.last_act:
            self.say_receipt(None)  # it was undone, or something else was done since
        self.remove_class("-failed")
        if not self._chosen:
            self._chosen = True
            self.kind = next((kind for kind in ReviewKind if self.counts.get(kind)), self.kind)
        self._say_counts()
        self.list.start_over(keep_place=True)
        self.list.want_visible()

    @on(ItemList.PageWanted, "#items")
    def _read_page(self, event: ItemList.PageWanted) -> None:
        review, kind, rows = self.service.memory.review, self.kind, self.list
        generation, at = event.generation, event.at

        def read() -> ReviewPage | None:
            if not rows.in_view(generation, at):
                return None
            return review.page(kind, offset=int(at), limit=PAGE)

        self.ask(
            "page",
            read,
            partial(PageRead, generation, at),
            failed=self._failed(at),
            keep_all=True,
        )

    @on(PageRead)
    def _page_read(self, event: PageRead) -> None:
        if event.generation != self.list.generation:
            return
        if event.page is None:
            self.list.give_up(event.at)
            self.list.want_visible()
            return
        self._known = True
        self.counts = {**self.counts, self.kind: event.page.total}
        self.list.put(event.generation, event.at, event.page.items, event.page.total)
        here = {item.key for item in event.page.items}
        in_hand = self.list.item
        if in_hand is not None and in_hand.key in self.answering - here:
            self.list.let_go()  # that it is gone is no news: it was answered here
        self.answering &= here
        if self.list.total and not self.list.holding:
            self.list.move_to(self.list.cursor)
        self._say_counts()
        if self._again:
            self._again = False
            self.reload()

    @on(ReadFailed)
    def _not_read(self, event: ReadFailed) -> None:
        self._counting = self._again = False
        if event.at is not None:
            self.list.give_up(event.at)
        self.counts = {ReviewKind.PENDING: event.pending}
        self.set_class(True, "-failed", "-nothing")
        self.remove_class("-banner")
        self._say_counts()
        self.query_one("#nothing", Static).update(failure(str(event.error), event.pending))

    # what it says

    def _say_counts(self) -> None:
        warmed = bool(getattr(self.app, "warmed", True))
        tabs = Tabs(self.counts, self.kind, len(self.list.marked), not warmed)
        self.query_one("#kinds", Panel).show(tabs)
        if self.has_class("-failed") or not self.counts:
            return
        self._say_banner()
        empty = not self.counts.get(self.kind, 0)
        was_empty = self.has_class("-nothing")
        self.set_class(empty, "-nothing")
        if empty:
            self.query_one("#nothing", Static).update(nothing(tabs))
        elif was_empty:
            self.call_after_refresh(self.list.focus)  # it lost it when it was hidden

    def _say_banner(self) -> None:
        pending = self.counts.get(ReviewKind.PENDING, 0)
        self.set_class(bool(pending), "-banner")
        outage = getattr(self.app, "store_outage", None)
        away_from, back_at = (None, None) if outage is None else outage
        in_front = self.kind is ReviewKind.PENDING
        self.query_one("#banner", Panel).show(
            Outage(pending, self._since, away_from, back_at, in_front)
        )

    def say_receipt(self, receipt: Receipt | None) -> None:
        self.receipt = receipt if receipt is not None and receipt.act_id else None
        self.set_class(self.receipt is not None, "-receipt")
        if self.receipt is not None:
            text = safe("✓ " + (self.receipt.note or ""), width=400)
            self.query_one("#receipt", Static).update(text)

    @on(ItemList.Moved, "#items")
    def _moved(self) -> None:
        item = self.list.item
        self.set_class(item is None, "-no-item")
        if item is not None:
            self.detail.show(item)

    @on(ItemList.MarksChanged, "#items")
    def _marks_changed(self) -> None:
        self._say_counts()

    # from one kind to another

    def action_turn(self, by: int) -> None:
        kinds = list(ReviewKind)
        self.action_show_kind(kinds[(kinds.index(self.kind) + by) % len(kinds)])

    def action_show_kind(self, kind: str) -> None:
        """Show what waits of a kind, from the top."""
        if kind == self.kind:
            return
        self.kind, self._chosen, self._known = ReviewKind(kind), True, False
        self.list.clear_marks()
        self.list.start_over(keep_place=False)
        self._say_counts()
        self.list.want_visible()

    def action_back(self) -> None:
        self.list.clear_marks()
        self.list.focus()

    def action_mark_all(self) -> None:
        """Mark everything of this kind, up to a bound that is said."""
        review, kind = self.service.memory.review, self.kind
        self.ask("mark", lambda: review.page(kind, limit=MOST), partial(AllRead, kind))

    @on(AllRead)
    def _all_read(self, event: AllRead) -> None:
        if event.kind is not self.kind:
            return
        self.list.mark_all(event.page.items)
        if event.page.total > len(event.page.items):
            text = _("The first {count} of {total} are marked.").format(
                count=number(len(event.page.items)), total=number(event.page.total)
            )
            self.post_message(Said(text, "warning"))
