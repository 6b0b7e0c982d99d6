"""A list of records that holds 100,000 rows as easily as ten.

Only the visible lines are ever rendered. Rows come in pages that the list asks its pane for
when they come into view; what is not here yet is drawn as a quiet dot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual

from omp_core.model import Order, Record
from omp_tui.keys import N_, Bindings, bind
from omp_tui.widgets.row_lines import Place, row_line, waiting_line
from omp_tui.widgets.rows import PAGE, Row, Rows


class RecordList(ScrollView, can_focus=True):
    """Rows with a cursor and marks. Marks and cursor follow ids, not places."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"list--cursor", "list--cursor-blurred"}
    BINDINGS: ClassVar[Bindings] = [
        bind("up,k", "move(-1)", N_("One up"), show=False),
        bind("down,j", "move(1)", N_("One down"), show=False),
        bind("pageup", "move_page(-1)", N_("A page up"), show=False),
        bind("pagedown", "move_page(1)", N_("A page down"), show=False),
        bind("home,g", "to(0)", N_("To the first"), show=False),
        bind("end,G", "to(-1)", N_("To the last"), show=False),
        bind("enter", "open", N_("Open")),
        bind("space", "mark", N_("Mark")),
    ]

    class PageWanted(Message):
        """Rows from `offset` on came into view and are not here."""

        def __init__(self, generation: int, offset: int) -> None:
            super().__init__()
            self.generation = generation
            self.offset = offset

    class Moved(Message):
        """The cursor stands on another row, or its row has changed."""

        def __init__(self, row: Row | None) -> None:
            super().__init__()
            self.row = row

    class Opened(Message):
        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    class MarksChanged(Message):
        def __init__(self, count: int) -> None:
            super().__init__()
            self.count = count

    def __init__(self, now: Callable[[], datetime], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._now = now
        self._rows = Rows()
        self._cursor = 0
        self._cursor_id: str | None = None
        self._marks: dict[str, Record] = {}
        self._order: Order = "updated"
        self._touched = False

    # what is shown

    @property
    def generation(self) -> int:
        """Rises with every start over; answers to older questions are of no use."""
        return self._rows.generation

    @property
    def total(self) -> int:
        return self._rows.total

    @property
    def cursor(self) -> int:
        return self._cursor

    @property
    def row(self) -> Row | None:
        """The row under the cursor, if it is here already."""
        return self._rows.at(self._cursor)

    @property
    def marked(self) -> tuple[Record, ...]:
        """The marked records as they were when they were marked."""
        return tuple(self._marks.values())

    @property
    def chosen(self) -> tuple[Record, ...]:
        """What an action is about: the marked records, else the one under the cursor."""
        row = self.row
        return self.marked or ((row.record,) if row is not None else ())

    @property
    def complete(self) -> bool:
        """Whether every visible row is here."""
        return self._rows.complete

    def start_over(self, order: Order, *, keep_place: bool) -> int:
        """Forget all rows; the old ones stay visible until new ones come.

        With `keep_place` the cursor stays on its record, wherever that moves to; without, it
        goes to the top. Returns the generation that new pages have to carry.
        """
        self._order = order
        generation = self._rows.start_over(keep_old=keep_place)
        if not keep_place:
            self._cursor = 0
            self._cursor_id = None
            self._touched = False
            self.scroll_to(y=0, animate=False)
        return generation

    def want_visible(self) -> None:
        """Ask for the pages that are in view; at the start, for the first."""
        top = int(self.scroll_offset.y)
        height = max(self.scrollable_content_region.height, 1)
        for offset in self._rows.want(top, top + height - 1):
            self.post_message(self.PageWanted(self._rows.generation, offset))

    def put(self, generation: int, offset: int, rows: Sequence[Row], total: int) -> None:
        """Take a page of rows. One of an older generation is dropped."""
        if not self._rows.put(generation, offset, rows, total):
            return
        self._cursor = min(self._cursor, max(0, total - 1))
        self.virtual_size = Size(0, total)
        self._follow_cursor(offset, rows)
        self.refresh()
        self.post_message(self.Moved(self.row))

    def put_all(self, rows: Sequence[Row]) -> None:
        """Take a whole short list at once, such as the hits of a search."""
        generation = self._rows.generation
        pages = [rows[start : start + PAGE] for start in range(0, len(rows), PAGE)] or [()]
        for index, page in enumerate(pages):
            self.put(generation, index * PAGE, page, len(rows))

    def _follow_cursor(self, offset: int, rows: Sequence[Row]) -> None:
        """Keep the cursor on its record. One that nobody has moved yet stays at the top."""
        if self._touched:
            for index, row in enumerate(rows, offset):
                if row.record.id == self._cursor_id:
                    self._shift_cursor(index)
                    return
        here = self._rows.at(self._cursor)
        self._cursor_id = here.record.id if here is not None else self._cursor_id

    def _shift_cursor(self, place: int) -> None:
        by, self._cursor = place - self._cursor, place
        in_view_at_top = self.scroll_offset.y == 0 and place < self.size.height
        if by and not in_view_at_top:
            self.scroll_relative(y=by, animate=False)

    def in_view(self, generation: int, offset: int) -> bool:
        """Whether the rows from `offset` on are still worth reading."""
        top = int(self.scroll_offset.y)
        return (
            generation == self._rows.generation
            and offset < top + max(self.size.height, 1)
            and top < offset + PAGE
        )

    def give_up(self, offset: int) -> None:
        """A page could not be read: ask again when it next comes into view."""
        self._rows.give_up(offset)

    # marks

    def clear_marks(self) -> None:
        """Take all marks off."""
        self._marks.clear()
        self._marks_changed()

    def _marks_changed(self) -> None:
        self.refresh()
        self.post_message(self.MarksChanged(len(self._marks)))

    # the cursor

    def move_to(self, index: int) -> None:
        """Put the cursor on a row and scroll it into view."""
        if not self._rows.total:
            return
        index = min(max(index, 0), self._rows.total - 1)
        self._touched = True
        before, self._cursor = self._cursor, index
        row = self._rows.at(index)
        self._cursor_id = row.record.id if row is not None else None
        self._refresh_row(before)
        self._refresh_row(index)
        self.scroll_to_region(
            Region(0, index, 1, 1), animate=False, force=True, x_axis=False, immediate=True
        )
        self.want_visible()
        if before != index:
            self.post_message(self.Moved(row))

    def _refresh_row(self, index: int) -> None:
        y = index - int(self.scroll_offset.y)
        self.refresh(Region(0, y, self.size.width, 1))

    def action_move(self, by: int) -> None:
        self.move_to(self._cursor + by)

    def action_move_page(self, by: int) -> None:
        self.move_to(self._cursor + by * max(1, self.scrollable_content_region.height - 1))

    def action_to(self, index: int) -> None:
        self.move_to(index if index >= 0 else self._rows.total - 1)

    def action_open(self) -> None:
        if (row := self.row) is not None:
            self.post_message(self.Opened(row))

    def action_mark(self) -> None:
        """Mark or unmark the row under the cursor and go on to the next."""
        if (row := self.row) is None:
            return
        if self._marks.pop(row.record.id, None) is None:
            self._marks[row.record.id] = row.record
        self._marks_changed()
        self.move_to(self._cursor + 1)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.want_visible()

    def on_resize(self) -> None:
        self.want_visible()
        if self._rows.total:
            self.scroll_to_region(
                Region(0, self._cursor, 1, 1), animate=False, force=True, x_axis=False
            )

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        index = -1 if offset is None else offset.y + int(self.scroll_offset.y)
        if not 0 <= index < self._rows.total:
            return
        self.move_to(index)
        if event.ctrl:
            self.action_mark()
        elif event.chain == 2:
            self.action_open()

    # lines

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + int(self.scroll_offset.y)
        if index >= self._rows.total:
            return Strip.blank(width, self.visual_style.rich_style)
        style = self._line_style(index)
        row = self._rows.at(index)
        if row is None:
            content = waiting_line(width)
        else:
            place = Place(
                cursor=index == self._cursor,
                marked=row.record.id in self._marks,
                order=self._order,
                now=self._now(),
            )
            content = row_line(row, place, width)
        strips = Visual.to_strips(self, content, width, 1, style, pad=True)
        return strips[0]

    def _line_style(self, index: int) -> Style:
        if index != self._cursor:
            return self.visual_style
        name = "list--cursor" if self.has_focus else "list--cursor-blurred"
        return self.get_visual_style(name)
