"""The list of themes as it is read: what waits is placed, suggestions are looked for beside it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from omp_core.errors import OmpError
from omp_core.i18n import _
from omp_core.model import Receipt
from omp_tui.panes.themes.changes import ThemeActionsPane
from omp_tui.panes.themes.messages import AdviceRead, ListFailed, ListRead, Placed, PlacingFailed
from omp_tui.panes.themes.view import Advice, ThemesStatus, ThemesView, arranged, by_theme, nothing
from omp_tui.text import safe
from omp_tui.widgets.panel import Panel

if TYPE_CHECKING:
    from omp_core.types import ThemeListing

_REST = 3.0
"""Nobody asking, the list is read again after this many times the time it took."""


class BookPane(ThemeActionsPane):
    """Reads the themes as they are, then places in the background what is in none."""

    def begin(self) -> None:
        """Know nothing yet."""
        self.view = ThemesView()
        self.themes: ThemeListing | None = None
        self.receipt: Receipt | None = None
        """What was done here last, while it is what undo would take back."""
        self._last_act: str | None = None
        self._placing = False
        self._tried: int | None = None
        self._advised_for: object = None
        self._resting: Timer | None = None
        self._next_at = 0.0

    def show_members_of_none(self) -> None:
        """There is no theme in hand."""
        raise NotImplementedError

    def show_facts(self) -> None:
        """Show what is known of the theme in hand."""
        raise NotImplementedError

    # reading

    def reload(self) -> None:
        """Read the list again, at most for a quarter of the time while others write."""
        wait = self._next_at - time.monotonic()
        if wait <= 0:
            self._read_list()
        elif self._resting is None:
            self._resting = self.set_timer(wait, self._read_list)

    def _read_list(self) -> None:
        self._resting = None
        memory = self.service.memory

        def read() -> ListRead:
            begin = time.monotonic()
            themes, act = memory.themes.list(following=False), memory.undoable()
            return ListRead(themes, None if act is None else act.id, time.monotonic() - begin)

        self.ask("themes", read, lambda answer: answer, failed=ListFailed, refresh=True)

    @on(ListRead)
    def _list_read(self, event: ListRead) -> None:
        self._next_at = time.monotonic() + _REST * event.took
        own_act = self.themes is None or event.last_act != self._last_act
        self.themes, self._last_act = event.themes, event.last_act
        if self.receipt is not None and self.receipt.act_id != event.last_act:
            self.say_receipt(None)  # it was undone, or something else was done since
        self.remove_class("-failed")
        self.put()
        if own_act:
            # what this person just did or undid is no news about the theme in hand
            self.list.move_to(self.list.cursor)
        self._ask_advice(event.themes)
        self._place(event.themes)

    @on(ListFailed)
    def _list_failed(self, event: ListFailed) -> None:
        self._say_failure(event.error)

    def _say_failure(self, error: OmpError) -> None:
        self.set_class(True, "-failed", "-nothing")
        lines = [
            Content(_("The themes cannot be shown.")).stylize("bold"),
            safe(str(error)[:800]).stylize("$text-error"),
        ]
        self.query_one("#nothing", Static).update(Content("\n\n").join(lines))

    def put(self) -> None:
        """Show the themes as they were read last."""
        if self.themes is None:
            return
        rows = arranged(self.themes.rows, self.list.advice, self.view)
        self.list.held = self.themes.health.records
        self.list.start_over(keep_place=True)
        self.list.put_all(rows)
        self.say_standing(len(rows))

    def say_standing(self, shown: int) -> None:
        themes = self.themes
        if themes is None:
            return
        standing = ThemesStatus(
            self.view, themes, shown, _count(self.list.advice), self._placing or self.rebuilding
        )
        self.query_one("#standing", Panel).show(standing)
        reason = " ".join([*([themes.degraded] if themes.degraded else []), *themes.notes])
        if self.rebuilding:
            reason = _("Looking what grouping all memories anew would change …")
        self.query_one("#reason", Static).update(safe("◐ " + reason, width=400))
        self.set_class(bool(reason), "-reason")
        was_empty = self.has_class("-nothing")
        self.set_class(not shown, "-nothing")
        if not shown:
            self.query_one("#nothing", Static).update(nothing(standing))
            self.show_members_of_none()
        elif was_empty:
            self.call_after_refresh(self.list.focus)  # it lost it when it was hidden

    # what waits

    def _place(self, themes: ThemeListing) -> None:
        """Place in the background what is in no theme yet, unless that was tried in vain."""
        if themes.degraded or self._placing:
            return
        if not themes.unsorted or themes.unsorted == self._tried:
            return
        self._placing, self._tried = True, themes.unsorted
        memory = self.service.memory
        self.ask("place", memory.themes.follow, Placed, failed=PlacingFailed, refresh=True)
        self.say_standing(self.list.total)

    @on(Placed)
    def _placed(self) -> None:
        self._placing = False
        self._read_list()

    @on(PlacingFailed)
    def _placing_failed(self, event: PlacingFailed) -> None:
        self._placing = False
        self._say_failure(event.error)

    def vectors_changed(self) -> None:
        self._tried = None
        self.invalidate()

    # suggestions

    def _ask_advice(self, themes: ThemeListing) -> None:
        now = tuple((row.theme.id, row.theme.members, row.theme.pinned) for row in themes.rows)
        if now == self._advised_for:
            return
        self._advised_for = now
        memory = self.service.memory
        self.ask("advice", lambda: memory.themes.suggest(following=False), AdviceRead, refresh=True)

    @on(AdviceRead)
    def _advice_read(self, event: AdviceRead) -> None:
        self.list.advice = by_theme(event.suggestions)
        self.put()
        self.show_facts()

    # what was done

    def done(self, receipt: Receipt | None) -> None:
        if receipt is None:
            return
        self.members.clear_marks()
        self.list.clear_marks()
        self.say_receipt(receipt)
        self._next_at = 0.0

    def say_receipt(self, receipt: Receipt | None) -> None:
        self.receipt = receipt if receipt is not None and receipt.act_id else None
        self.set_class(self.receipt is not None, "-receipt")
        if self.receipt is not None:
            text = safe("✓ " + (self.receipt.note or ""), width=400)
            self.query_one("#receipt", Static).update(text)

    def say_rebuilding(self, going_on: bool) -> None:
        self.rebuilding = going_on
        self.say_standing(self.list.total)


def _count(advice: Advice) -> int:
    """Return how many suggestions there are; a merge is one though it is about two themes."""
    return len({id(one) for several in advice.values() for one in several})
