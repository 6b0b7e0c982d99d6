"""Asked to quit while something is being changed: say what, wait for it, or leave at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Static

from omp_core.i18n import _
from omp_tui.background import Background
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.text import MUTED, join_lines, safe
from omp_tui.widgets.work_line import work_text

Ending = Literal["done", "at once", "failed"]

_LOOK_EVERY_S = 0.2
_WIDTH = 60


class QuitDialog(Dialog[Ending]):
    """Gives `done` by itself once nothing is being changed any more, `failed` if that ended in
    an error, `at once` when the person does not want to wait, None to stay."""

    AUTO_FOCUS = "#stay"
    BINDINGS: ClassVar[Bindings] = [
        bind("y", "leave", N_("Leave at once")),
        bind("left,right", "app.focus_next", N_("Other button"), show=False),
    ]

    def __init__(self, background: Background) -> None:
        super().__init__(_("Leaving as soon as this is done"))
        self._background = background
        self._failures = background.failures

    def body(self) -> Iterable[Widget]:
        yield Static(self._works(), id="works")
        yield Static(
            Content.styled(
                _("What is written stays. Leaving at once drops what is not written yet."), MUTED
            ),
            classes="hint",
        )

    def foot(self) -> Iterable[Widget]:
        yield Horizontal(
            Button(Content(_("Stay  esc")), id="stay", compact=True),
            Button(Content(_("Leave at once  y")), id="leave", variant="error", compact=True),
            classes="buttons",
        )

    def on_mount(self) -> None:
        self.set_interval(_LOOK_EVERY_S, self._look)

    def _look(self) -> None:
        if self._background.failures != self._failures:
            self.dismiss("failed")
        elif not self._background.changes():
            self.dismiss("done")
        else:
            self.query_one("#works", Static).update(self._works())

    def _works(self) -> Content:
        works = self._background.changes()
        return join_lines([safe(work_text(one), width=_WIDTH) for one in works])

    def action_leave(self) -> None:
        self.dismiss("at once")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "leave":
            self.action_leave()
        else:
            self.dismiss(None)
