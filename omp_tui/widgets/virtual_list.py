"""A list of anything with a key that holds 100,000 rows as easily as ten.

Only the visible lines are ever rendered. Rows come in pages that the list asks its pane for
when they come into view; what is not here yet is drawn as a quiet dot. Cursor and marks follow
keys, not places: the item in hand stays in hand while others come and go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from omp_tui.keys import N_, Bindings, bind
from omp_tui.text import MUTED, fit
from omp_tui.widgets.list_messages import Fate, ListMessages, RowPlace
from omp_tui.widgets.rows import PAGE, At, Feed, Rows

T = TypeVar("T")


class VirtualList(ListMessages, ScrollView, Generic[T], can_focus=True):
    """Rows with a cursor and marks.

    `key` tells one item from another, `version` an item from itself after a change; `draw`
    gives its line of exactly the given width.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"list--cursor", "list--cursor-blurred"}
    DEFAULT_CSS = """
    VirtualList { scrollbar-size-vertical: 1; overflow-x: hidden; }
    """
    BINDINGS: ClassVar[Bindings] = [
        bind("enter", "open", N_("Open")),
        bind("space", "mark", N_("Mark")),
        bind("up,k", "move(-1)", N_("One up"), show=False, moving=True),
        bind("down,j", "move(1)", N_("One down"), show=False, moving=True),
        bind("pageup", "move_page(-1)", N_("A page up"), show=False, moving=True),
        bind("pagedown", "move_page(1)", N_("A page down"), show=False, moving=True),
        bind("home,g", "to(0)", N_("To the first"), show=False, moving=True),
        bind("end,G", "to(-1)", N_("To the last"), show=False, moving=True),
    ]

    def __init__(
        self,
        key: Callable[[T], str],
        draw: Callable[[T, RowPlace, int], Content],
        *,
        rows: Rows[T] | Feed[T] | None = None,
        version: Callable[[T], object] = lambda item: item,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._key = key
        self._draw = draw
        self._version = version
        self._rows: Rows[T] | Feed[T] = Rows() if rows is None else rows
        self._cursor = 0
        self._hand: T | None = None
        """The item under the cursor, as it was read last."""
        self._taken: object = None
        """The version in which the person took it."""
        self._fate: Fate = "same"
        self._touched = False
        self._marks: dict[str, T] = {}

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
    def item(self) -> T | None:
        """The item in hand: what the cursor was put on, whatever happened since."""
        return self._rows.at(self._cursor) if self._hand is None else self._hand

    @property
    def fate(self) -> Fate:
        """What became of the item in hand since the cursor was put on it."""
        return self._fate

    @property
    def holding(self) -> bool:
        """Whether the cursor was put on its item, which is then held while others come and go."""
        return self._touched

    @property
    def marked(self) -> tuple[T, ...]:
        """The marked items as they were when they were marked."""
        return tuple(self._marks.values())

    @property
    def chosen(self) -> tuple[T, ...]:
        """What an action is about: the marked items, else the one in hand."""
        item = self.item
        return self.marked or ((item,) if item is not None else ())

    @property
    def complete(self) -> bool:
        """Whether every visible row is here."""
        return self._rows.complete

    def start_over(self, *, keep_place: bool) -> int:
        """Forget all rows; the old ones stay visible until new ones come.

        With `keep_place` the cursor stays on its item, wherever that moves to; without, it
        goes to the top. Returns the generation that new pages have to carry.
        """
        generation = self._rows.start_over(keep_old=keep_place)
        if not keep_place:
            self._cursor = 0
            self._touched = False
            self._take(None)
            self.scroll_to(y=0, animate=False)
        return generation

    def let_go(self) -> None:
        """Hold nothing any more: what was in hand is about to be changed or to go away."""
        self._touched = False
        self._take(None)

    def want_visible(self) -> None:
        """Ask for the pages that are in view; at the start, for the first."""
        top = int(self.scroll_offset.y)
        height = max(self.scrollable_content_region.height, 1)
        for at in self._rows.want(top, top + height - 1):
            self.post_message(self.PageWanted(self, self._rows.generation, at))

    def put(self, generation: int, at: At, rows: Sequence[T], total: int = 0) -> None:
        """Take a page of rows. One of an older generation is dropped."""
        if not self._rows.put(generation, at, rows, total):
            return
        self._cursor = min(self._cursor, max(0, self._rows.total - 1))
        self.virtual_size = Size(0, self._rows.total)
        self._follow()
        self.refresh()
        self.post_message(self.Moved(self, self.item))
        self.want_visible()

    def put_all(self, items: Sequence[T]) -> None:
        """Take a whole short list at once, such as the hits of a search."""
        generation = self._rows.generation
        pages = [items[start : start + PAGE] for start in range(0, len(items), PAGE)] or [()]
        for index, page in enumerate(pages):
            self.put(generation, index * PAGE, page, len(items))

    def _follow(self) -> None:
        """Keep the item in hand. A cursor that nobody has moved yet stays at its place."""
        if not self._touched or self._hand is None:
            self._take(self._rows.at(self._cursor))
            return
        key = self._key(self._hand)
        for index, item in self._rows.known():
            if self._key(item) == key:
                self._shift_cursor(index)
                self._hand = item
                self._fate = "same" if self._version(item) == self._taken else "changed"
                return
        if self._rows.complete:
            self._fate = "away"

    def _take(self, item: T | None) -> None:
        self._hand, self._fate = item, "same"
        self._taken = None if item is None else self._version(item)

    def _shift_cursor(self, place: int) -> None:
        by, self._cursor = place - self._cursor, place
        in_view_at_top = self.scroll_offset.y == 0 and place < self.size.height
        if by and not in_view_at_top:
            self.scroll_relative(y=by, animate=False)

    def in_view(self, generation: int, at: At) -> bool:
        """Whether the page is still worth reading."""
        if generation != self._rows.generation:
            return False
        top = int(self.scroll_offset.y)
        return isinstance(at, str) or (at < top + max(self.size.height, 1) and top < at + PAGE)

    def give_up(self, at: At) -> None:
        """A page could not be read: ask again when it next comes into view."""
        self._rows.give_up(at)

    # marks

    def mark_all(self, items: Iterable[T]) -> None:
        """Mark these as well."""
        self._marks |= {self._key(item): item for item in items}
        self._marks_changed()

    def clear_marks(self) -> None:
        """Take all marks off."""
        self._marks.clear()
        self._marks_changed()

    def _marks_changed(self) -> None:
        self.refresh()
        self.post_message(self.MarksChanged(self, len(self._marks)))

    # the cursor

    def move_to(self, index: int) -> None:
        """Put the cursor on a row and scroll it into view."""
        if not self._rows.total:
            return
        index = min(max(index, 0), self._rows.total - 1)
        self._touched = True
        before, was = self._cursor, self._hand
        self._cursor = index
        self._take(self._rows.at(index))
        self._refresh_row(before)
        self._refresh_row(index)
        self.scroll_to_region(
            Region(0, index, 1, 1), animate=False, force=True, x_axis=False, immediate=True
        )
        self.want_visible()
        if before != index or was is not self._hand:
            self.post_message(self.Moved(self, self.item))

    def _refresh_row(self, index: int) -> None:
        y = index - int(self.scroll_offset.y)
        self.refresh(Region(0, y, self.size.width, 1))

    def action_move(self, by: int) -> None:
        """Move the cursor; from an item that went away, to the one that took its place."""
        self.move_to(self._cursor + (0 if self._fate == "away" and by == 1 else by))

    def action_move_page(self, by: int) -> None:
        self.move_to(self._cursor + by * max(1, self.scrollable_content_region.height - 1))

    def action_to(self, index: int) -> None:
        self.move_to(index if index >= 0 else self._rows.total - 1)

    def action_open(self) -> None:
        if (item := self.item) is not None:
            self.post_message(self.Opened(self, item))

    def action_mark(self) -> None:
        """Mark or unmark the item in hand and go on to the next."""
        if (item := self.item) is None:
            return
        if self._marks.pop(self._key(item), None) is None:
            self._marks[self._key(item)] = item
        self._marks_changed()
        self.action_move(1)

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

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + int(self.scroll_offset.y)
        if index >= self._rows.total:
            return Strip.blank(width, self.visual_style.rich_style)
        here = index == self._cursor
        item = self.item if here else self._rows.at(index)
        if item is None:
            content = fit(Content.styled("   ·", MUTED), width)
        else:
            marked = self._key(item) in self._marks
            content = self._draw(
                item, RowPlace(here, marked, self._fate if here else "same"), width
            )
        name = "list--cursor" if self.has_focus else "list--cursor-blurred"
        style = self.get_visual_style(name) if here else self.visual_style
        return Visual.to_strips(self, content, width, 1, style, pad=True)[0]
