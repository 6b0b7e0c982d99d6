"""What every dialog has in common: a framed box over the pane, `esc` to leave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget

from omp_tui.keys import N_, Bindings, bind

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal box. `title` holds only this program's own words."""

    CSS_PATH = "../styles/dialogs.tcss"
    BINDINGS: ClassVar[Bindings] = [bind("escape", "cancel", N_("Cancel"))]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        box = Vertical(*self.body(), id="box")
        box.border_title = self._title
        yield box

    def body(self) -> Iterable[Widget]:
        """Return what stands in the box."""
        raise NotImplementedError

    def action_cancel(self) -> None:
        self.dismiss(None)
