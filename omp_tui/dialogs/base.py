"""What every dialog has in common: a framed box over the pane, `esc` to leave, its own keys below.

The box is never higher than the screen: what it says scrolls, its buttons stay in sight.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget

from omp_tui.keys import N_, Bindings, bind
from omp_tui.widgets.key_line import KeyLine

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal box. `title` holds only this program's own words."""

    CSS_PATH = "../styles/dialogs.tcss"
    BINDINGS: ClassVar[Bindings] = [
        bind("escape", "cancel", N_("Cancel")),
        bind("question_mark", "app.help", N_("Help")),
        bind("down,j", "scroll(1)", N_("Further down"), show=False, moving=True),
        bind("up,k", "scroll(-1)", N_("Further up"), show=False, moving=True),
        bind("pagedown", "scroll(10)", N_("A page down"), show=False, moving=True),
        bind("pageup", "scroll(-10)", N_("A page up"), show=False, moving=True),
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._drawn_at: float | None = None

    def compose(self) -> ComposeResult:
        inside = VerticalScroll(*self.body(), id="body", can_focus=False)
        box = Vertical(inside, *self.foot(), id="box")
        box.border_title = self._title
        yield box
        yield KeyLine()

    def body(self) -> Iterable[Widget]:
        """Return what stands in the box; it scrolls where there is no room."""
        raise NotImplementedError

    def foot(self) -> Iterable[Widget]:
        """Return what stays in sight below: errors, buttons."""
        return ()

    @property
    def name_of_help(self) -> str:
        """What its help calls it."""
        return self._title

    def yields(self) -> bool:
        """Whether it may be closed because the person went elsewhere.

        One that would lose something says so and stays.
        """
        return True

    def heeds_keys(self, typed_at: float) -> bool:
        """Whether a key typed at that time (`time.monotonic`) can be meant for this dialog.

        One that was typed before the dialog was drawn was meant for something else.
        """
        return self._drawn_at is not None and typed_at >= self._drawn_at

    def on_screen_resume(self) -> None:
        if self._drawn_at is None:
            self.call_after_refresh(self._note_drawn)

    def _note_drawn(self) -> None:
        self._drawn_at = time.monotonic()

    def on_resize(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Let the body take the room that the foot leaves, once the foot has its size."""
        self.call_after_refresh(self._fit)

    def _stack_buttons(self) -> None:
        """Put buttons below each other where they have no room side by side."""
        for row in self.query(".buttons"):
            buttons = [child for child in row.children if child.display]
            wide = sum(one.outer_size.width + one.styles.margin.width for one in buttons)
            if row.has_class("-stacked") is not (wide > row.size.width):
                row.toggle_class("-stacked")
                self.fit()

    def _fit(self) -> None:
        self._stack_buttons()
        box, body = self.query_one("#box"), self.query_one("#body")
        others = sum(
            child.outer_size.height + child.styles.margin.height
            for child in box.children
            if child is not body and child.display
        )
        room = self.size.height - 1 - box.gutter.height - others
        body.styles.max_height = max(1, room)

    def action_scroll(self, by: int) -> None:
        """Scroll what the dialog says by so many lines."""
        self.query_one("#body").scroll_relative(y=by, animate=False)

    def action_cancel(self) -> None:
        self.dismiss(None)

    def action_press(self, key: str) -> None:
        """Do what a key of the key line does."""
        self.app.simulate_key(key)
