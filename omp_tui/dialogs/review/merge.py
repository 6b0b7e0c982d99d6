"""Bring something that waits into a memory that there is: which one, and the text of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Home, Query, Record
from omp_core.views import ReviewItem
from omp_tui.background import Lane
from omp_tui.dialogs.review.edit import TextDialog
from omp_tui.dialogs.review.words import kind_name
from omp_tui.keys import N_, Bindings, bind
from omp_tui.receipts import review_receipt
from omp_tui.service import Service
from omp_tui.text import MUTED, safe, shown
from omp_tui.widgets.fields import Field, TextField
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.row_lines import row_line
from omp_tui.widgets.virtual_list import VirtualList

_TARGETS, _TEXT = Lane("merge", "targets"), Lane("merge", "text")
_TYPING_PAUSE_S = 0.12
_SHOWN = 20
_QUERY_CHARS = 400


class MergeItemDialog(TextDialog):
    """The one that the item resembles stands first; what is typed finds others."""

    AUTO_FOCUS = "#targets"
    BINDINGS: ClassVar[Bindings] = [
        bind("down", "target(1)", N_("One down"), show=False, moving=True),
        bind("up", "target(-1)", N_("One up"), show=False, moving=True),
    ]

    class Found(Message):
        def __init__(self, records: Sequence[Record]) -> None:
            super().__init__()
            self.records = records

    class Merged(Message):
        """The item as a merge would have it."""

        def __init__(self, item: ReviewItem) -> None:
            super().__init__()
            self.item = item

    def __init__(self, service: Service, item: ReviewItem) -> None:
        title = _("{kind}: merge into").format(kind=kind_name(item.kind))
        super().__init__(title, service, item)
        self._typing: Timer | None = None
        self._proposed: str | None = None
        self._into: str | None = None
        self.settled = False
        """Whether the text of both is that of the memory in hand."""

    def body(self) -> Iterable[Widget]:
        yield Static(safe(self.item.text, width=84).stylize("bold"), classes="about")
        yield Field(id="find", placeholder=_("find another memory"), compact=True)
        self.list: VirtualList[Record] = VirtualList(
            lambda record: record.id, self._line, version=lambda one: one.version, id="targets"
        )
        self.list.add_class("table")
        yield self.list
        yield Static(
            Content.styled(_("Both become this; it can be changed:"), MUTED), classes="about"
        )
        yield TextField("", id="content", compact=True, highlight_cursor_line=False)

    def _line(self, record: Record, place: RowPlace, width: int) -> Content:
        return row_line(record, None, place, "updated", self.service.now(), width)

    def on_mount(self) -> None:
        self.list.start_over(keep_place=False)
        self._find()

    def on_resize(self) -> None:
        self.list.styles.height = max(4, min(10, self.app.size.height - 19))
        super().on_resize()

    # which one

    @on(Input.Changed, "#find")
    def _typed(self) -> None:
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(_TYPING_PAUSE_S, self._find)

    def _find(self) -> None:
        memory, item = self.service.memory, self.item
        typed = self.query_one("#find", Input).value.strip()

        def find() -> list[Record]:
            query = Query(home=Home.USER)
            answer = memory.search(
                typed or item.text[:_QUERY_CHARS], query=query, limit=_SHOWN, browse=True
            )
            found = [hit.record for hit in answer.hits if hit.record.id != item.record.id]
            if typed or item.other is None or item.other.home is not Home.USER:
                return found
            return [item.other, *(one for one in found if one.id != item.other.id)]

        self.service.background.ask(_TARGETS, find, self.Found, self)

    def on_merge_item_dialog_found(self, event: Found) -> None:
        self.list.start_over(keep_place=False)
        self.list.put_all(event.records)
        self.list.move_to(0)
        if not event.records:
            self._into, self.settled = None, True
            self.say_error(_("No memory was found to merge it into; type words of another."))

    def action_target(self, by: int) -> None:
        """Move the cursor of the list while the field has the keys."""
        self.list.action_move(by)

    @on(VirtualList.Opened, "#targets")
    def _opened(self) -> None:
        self.query_one("#content").focus()

    # the text of both

    @on(VirtualList.Moved, "#targets")
    def _chosen(self) -> None:
        record = self.list.item
        if record is None or record.id == self._into:
            return
        self._into, self.settled = record.id, False
        self.say_error("")
        memory, key = self.service.memory, self.item.key
        into = record.id
        self.service.background.ask(
            _TEXT, lambda: memory.review.merged(key, into), self.Merged, self
        )

    def on_merge_item_dialog_merged(self, event: Merged) -> None:
        other = event.item.other
        if other is None or other.id != self._into:
            return
        if self._proposed is None or not self.has_changes():
            self._proposed = shown(event.item.merged_text or "")
            self.query_one("#content", TextArea).load_text(self._proposed)
        self.settled = True

    def has_changes(self) -> bool:
        return self._proposed is not None and self.text != self._proposed

    def save(self) -> None:
        item, into, memory = self.item, self._into, self.service.memory
        if into is None or self._proposed is None or not self.settled:
            raise InvalidValueError(_("Choose first which memory it is merged into."))
        # the text shown may stand for controls: only what was changed here is sent as it reads
        text = self.text if self.has_changes() else None
        merge = partial(memory.review.merge, item.key, into, text, seen=item.mark)
        self.write(lambda: review_receipt(merge(), item))
