"""What every mode has in common: its place on the tab line, reading when it must."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from omp_tui.keys import N_, Bindings, bind
from omp_tui.service import Service
from omp_tui.widgets.key_bar import KeyBar
from omp_tui.widgets.top_bar import Tab, TopBar
from omp_tui.widgets.work_line import WorkLine


class Pane(Screen[None]):
    """One mode of the dashboard.

    It reads again when the app says that the memory changed: at once while it is the mode
    in front, else when it comes to the front.
    """

    MODE: ClassVar[str]
    TITLE: ClassVar[str]
    """Marked for translation, looked up where it is shown."""

    BINDINGS: ClassVar[Bindings] = [bind("slash", "app.search", N_("Search"))]

    def __init__(self, service: Service, tabs: Iterable[Tab]) -> None:
        super().__init__()
        self.service = service
        self._tabs = tuple(tabs)
        self._outdated = True

    def compose(self) -> ComposeResult:
        yield TopBar(self.service, self._tabs, self.MODE)
        yield from self.body()
        yield WorkLine()
        yield KeyBar(self.service)

    def body(self) -> Iterable[Widget]:
        """Return the widgets between the bars."""
        raise NotImplementedError

    def reload(self) -> None:
        """Ask for what this pane shows; the answers come as messages."""
        raise NotImplementedError

    @property
    def settled(self) -> bool:
        """Whether everything that was asked for is on the screen."""
        raise NotImplementedError

    def invalidate(self) -> None:
        """The memory changed: read now if in front, else on the way back."""
        self._outdated = True
        if self.app.current_mode == self.MODE:
            self._read()

    def on_screen_resume(self) -> None:
        if self._outdated and self.service.begun():
            self._read()

    def _read(self) -> None:
        self._outdated = False
        self.reload()

    def action_press(self, key: str) -> None:
        """Do what a key of the key bar does."""
        self.app.simulate_key(key)
