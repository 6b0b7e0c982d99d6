"""What every mode has in common: the bars, reading when it must, writing with a receipt.

A mode is a folder `panes/<mode>/` with a module `pane`, which holds the class `<Mode>Pane`, and a
`pane.tcss` beside it. Its tab, key and palette entries come by themselves. A pane draws what it
knows and asks the memory in threads:

    class ThemesPane(Pane):
        MODE = "themes"
        CSS_PATH = "pane.tcss"
        PARTS = (VirtualList,)                      # their keys are offered in the palette too
        BINDINGS = [bind("p", "pin", N_("Pin"))]

        class Read(Message):                        # the answer, a message of its own
            def __init__(self, rows): ...

        def body(self):                             # widgets between the bars
            self.list = VirtualList(lambda row: row.id, theme_line)  # theme_line(row, place, width)
            yield self.list

        @property
        def settled(self):                          # whether all that was asked for is shown
            return self.list.complete

        def reload(self):                           # the memory changed
            self.ask("themes", self.service.memory.themes.list, self.Read, refresh=True)

        @on(Read)
        def show(self, event):
            self.list.put_all(event.rows)

        def action_pin(self):                       # the receipt is told with its undo
            theme = self.list.item
            self.change(lambda: self.service.memory.themes.pin(theme.id))

`open` puts a dialog over the pane. A dialog is a `Dialog`; one that writes a `WritingDialog`, one
that asks for a yes a `ConfirmDialog`. Memory text goes through `omp_tui.text.safe`, always.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from omp_core.errors import OmpError
from omp_core.model import Receipt
from omp_tui.background import WRITE, Lane
from omp_tui.messages import Written
from omp_tui.modes import Mode
from omp_tui.service import Service
from omp_tui.widgets.key_bar import KeyBar
from omp_tui.widgets.top_bar import TopBar
from omp_tui.widgets.work_line import WorkLine

T = TypeVar("T")
R = TypeVar("R")


class Pane(Screen[None]):
    """One mode of the dashboard.

    It reads again when the app says that the memory changed: at once while it is the mode
    in front, else when it comes to the front.
    """

    MODE: ClassVar[str]
    """The name of its folder."""
    PARTS: ClassVar[tuple[type[Widget], ...]] = ()
    """Widgets of the pane whose actions the palette offers as the mode's own."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self.service = service
        self._outdated = True

    def compose(self) -> ComposeResult:
        yield TopBar(self.service, self.MODE)
        yield from self.body()
        yield WorkLine()
        yield KeyBar(self.service)

    def body(self) -> Iterable[Widget]:
        """Return the widgets between the bars."""
        raise NotImplementedError

    # reading

    def reload(self) -> None:
        """Ask for what this pane shows; the answers come as messages."""
        raise NotImplementedError

    @property
    def settled(self) -> bool:
        """Whether everything that was asked for is on the screen."""
        raise NotImplementedError

    def ask(
        self,
        purpose: str,
        call: Callable[[], T],
        answer: Callable[[T], Message],
        *,
        failed: Callable[[OmpError], Message] | None = None,
        refresh: bool = False,
        keep_all: bool = False,
    ) -> None:
        """Run `call` in a thread; `answer` of its result comes back as a message to this pane.

        Calls for one purpose run one after the other, and of those that wait only the newest
        is kept. `refresh`: nobody asked for it, so it never replaces what a person asked for.
        An OmpError comes back as `failed` makes it, else the app tells it.
        """
        self.service.background.ask(
            Lane(self.MODE, purpose),
            call,
            answer,
            self,
            failed=failed,
            refresh=refresh,
            keep_all=keep_all,
        )

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

    # writing

    def change(self, call: Callable[[], Receipt]) -> None:
        """Carry out a change that the person asked for, after those asked for before.

        The receipt comes as `Written`, first to this pane and then to the app, which tells it
        with its undo and reads again.
        """
        self.service.background.ask(WRITE, call, Written, self, keep_all=True)

    # keys

    def open(self, screen: Screen[R], answered: Callable[[R | None], None] | None = None) -> None:
        """Put a screen or dialog over this pane, unless the person went elsewhere meanwhile.

        Whoever types into a field by now would type into the dialog instead.
        """
        if self.app.screen is self and not isinstance(self.focused, Input):
            self.app.push_screen(screen, answered)

    async def run_here(self, action: str) -> None:
        """Run one of this pane's actions, or one of its parts'."""
        for node in (self, *(self.query(part).first() for part in self.PARTS if self.query(part))):
            if await self.app.run_action(action, node):
                return

    def action_press(self, key: str) -> None:
        """Do what a key of the key bar does."""
        self.app.simulate_key(key)


def pane_of(mode: Mode) -> type[Pane]:
    """Return the class that shows a mode; its module is imported when it is first asked for."""
    module = importlib.import_module(f"omp_tui.panes.{mode.name}.pane")
    kind: type[Pane] = getattr(module, f"{mode.name.capitalize()}Pane")
    return kind
