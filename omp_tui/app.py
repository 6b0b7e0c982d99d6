"""The application: modes, what all of them share, live refresh, undo.

Nothing here touches the memory on the event loop. The first frame is drawn before the store
is opened; from then on a cheap stamp is read twice in three seconds, and when it differs
every screen reads again what it shows.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Hashable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textual.app import App
from textual.command import CommandPalette, Provider
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from omp_core.errors import OmpError, SecretFoundError
from omp_core.i18n import _
from omp_core.model import Capability, Query, Scope
from omp_core.views import Overview
from omp_tui.background import Background, Work
from omp_tui.dialogs.choose import Choice, ChooseDialog
from omp_tui.dialogs.documents import NOTES, Note
from omp_tui.dialogs.help import HelpDialog
from omp_tui.dialogs.path import PathDialog
from omp_tui.dialogs.quit import Ending, QuitDialog
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.imports import Counted
from omp_tui.keys import N_, Bindings, bind, keys_of
from omp_tui.messages import (
    CallFailed,
    Imported,
    NoteWanted,
    OverviewRead,
    RecordsWanted,
    Said,
    StampRead,
    StandingRead,
    Warmed,
    Written,
)
from omp_tui.modes import PANES, tabs, title_of
from omp_tui.palette import ActionProvider
from omp_tui.panes.memories.pane import MemoriesPane
from omp_tui.receipts import import_text, init_text, receipt_text
from omp_tui.service import DashboardMemory, Service
from omp_tui.text import shown

if TYPE_CHECKING:
    from omp_core.services.imports import ImportReport

log = logging.getLogger("omp_tui")

Leave = Literal["demo"]
"""What the dashboard can ask of its launcher when it ends."""

_LOOK_EVERY_S = 0.7
_STANDING_EVERY_LOOKS = 3
_OVERVIEW_REST = 3.0
"""An overview is read again after this many times the time it took, at the earliest."""
_TOAST_CHARS = 500
_PERIODIC = ("stamp", "standing", "overview")
"""Calls made over and over: an error that stays the same is told once."""


class DashboardApp(App[Leave]):
    """Opens on `start`, one of the modes. `now` gives the time, aware and in UTC."""

    TITLE = "omp-tui"
    CSS_PATH = "styles/app.tcss"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {ActionProvider}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - not a ClassVar there
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[Bindings] = [
        *(
            bind(str(number), f"show_mode('{pane.MODE}')", pane.TITLE, show=False)
            for number, pane in enumerate(PANES, 1)
        ),
        bind("u", "undo", N_("Undo")),
        bind("ctrl+r", "redo", N_("Redo"), show=False),
        bind("n", "note", N_("Note")),
        bind("q", "quit", N_("Quit"), show=False),
        bind("question_mark", "help", N_("Help")),
        bind("ctrl+p", "command_palette", N_("Palette"), priority=True),
    ]

    overview: reactive[Overview | None] = reactive(None, always_update=True)
    scope: reactive[Scope] = reactive(Scope())
    capabilities: reactive[tuple[Capability, ...]] = reactive(())
    seen_at: reactive[datetime | None] = reactive(None)
    trouble: reactive[str | None] = reactive(None)
    """Why the memory cannot be looked at just now; None while it can."""
    works: reactive[tuple[Work, ...]] = reactive(())
    """The changes that are being made."""

    def __init__(
        self,
        memory: DashboardMemory,
        *,
        start: str = "overview",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        look_every_s: float = _LOOK_EVERY_S,
    ) -> None:
        # Without colours everything is in the terminal's own two, whatever the theme: greys made
        # of a theme that uses the terminal's colours would be black on black.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._look_every_s = look_every_s
        self._start = start
        self._stamp: Hashable = None
        self._begun = False
        self._told: dict[str, str] = {}
        self.warmed = False
        """Whether the model is loaded, or known not to be."""
        self._overview_due = 0.0
        self._overview_wanted = True
        self.service = Service(memory, Background(self), now, lambda: self._begun)
        for pane in PANES:
            self.add_mode(pane.MODE, partial(pane, self.service, tabs()))

        self.theme = terminal_theme(os.environ.get("COLORFGBG", ""))

    async def on_mount(self) -> None:
        await self.switch_mode(self._start)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Look at the memory for the first time, the first frame being drawn."""
        self._read_standing()
        self._look()
        memory = self.service.memory
        self.service.background.ask("warm", memory.warm, Warmed, self)
        self.set_interval(self._look_every_s, self._look)
        self.set_interval(self._look_every_s * _STANDING_EVERY_LOOKS, self._read_standing)

    # live refresh

    def _look(self) -> None:
        self.works = tuple(self.service.background.changes())
        memory, now = self.service.memory, self.service.now
        self.service.background.ask(
            "stamp", memory.change_stamp, lambda stamp: StampRead(stamp, now()), self
        )
        if self._begun and self._overview_wanted and time.monotonic() >= self._overview_due:
            self._read_overview()

    def _read_standing(self) -> None:
        memory = self.service.memory
        self.service.background.ask(
            "standing",
            lambda: (memory.scope, memory.capabilities()),
            lambda answer: StandingRead(*answer),
            self,
        )

    def _read_overview(self) -> None:
        self._overview_wanted = False
        memory = self.service.memory

        def read() -> tuple[Overview, float]:
            begin = time.monotonic()
            return memory.overview(), time.monotonic() - begin

        self.service.background.ask("overview", read, lambda answer: OverviewRead(*answer), self)

    def on_stamp_read(self, event: StampRead) -> None:
        self._told.pop("stamp", None)
        self.trouble = None
        self.seen_at = event.at
        if event.stamp == self._stamp:
            return
        self._stamp = event.stamp
        if self.warmed:
            self.service.background.ask("warm", self.service.memory.warm, Warmed, self)
        self.refresh_all()

    def on_standing_read(self, event: StandingRead) -> None:
        self._told.pop("standing", None)
        self.scope = event.scope
        self.capabilities = event.capabilities

    def on_warmed(self, event: Warmed) -> None:
        self.warmed = True
        self._read_standing()

    def on_overview_read(self, event: OverviewRead) -> None:
        self._overview_due = time.monotonic() + _OVERVIEW_REST * event.took
        self._told.pop("overview", None)
        self.overview = event.overview

    def refresh_all(self) -> None:
        """Let every open screen read again; those in the back do so when they come forward."""
        self._begun = True
        self._overview_wanted = True
        if time.monotonic() >= self._overview_due:
            self._read_overview()
        for stack in self._screen_stacks.values():
            for screen in stack:
                invalidate = getattr(screen, "invalidate", None)
                if invalidate is not None:
                    invalidate()

    # what comes up from panes and threads

    def on_written(self, event: Written) -> None:
        text, severity = receipt_text(event.receipt)
        self.tell(text, severity)
        self._look()

    def on_imported(self, event: Imported) -> None:
        self.tell(event.note)
        self._read_standing()
        self.refresh_all()

    def on_said(self, event: Said) -> None:
        self.tell(event.text, event.severity)

    def on_call_failed(self, event: CallFailed) -> None:
        text = str(event.error)
        if event.lane not in _PERIODIC or self._told.get(event.lane) != text:
            self.report(event.error)
        self._told[event.lane] = text
        if event.lane == "stamp":
            self.trouble = text
            if not self._begun:
                self.refresh_all()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A call ended in an error that the core did not mean: a fault of this program."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            log.error("fault in %s", event.worker.name, exc_info=event.worker.error)
            self.tell(
                _("A fault in this program ({kind}). The log has the details.").format(
                    kind=type(event.worker.error).__name__
                ),
                "error",
            )

    def tell(
        self, text: str, severity: Literal["information", "warning", "error"] = "information"
    ) -> None:
        """Show a toast. Its text may hold memory text."""
        cut = text if len(text) <= _TOAST_CHARS else text[: _TOAST_CHARS - 1] + "…"
        self.notify(shown(cut), severity=severity, markup=False)

    def report(self, error: OmpError) -> None:
        """Say what went wrong in a toast, and keep the trace in the log."""
        log.warning("%s", type(error).__name__, exc_info=error)
        self.tell(str(error), "warning" if isinstance(error, SecretFoundError) else "error")

    # actions

    async def action_show_mode(self, mode: str) -> None:
        await self.switch_mode(mode)

    async def _memories(self) -> MemoriesPane:
        await self.switch_mode(MemoriesPane.MODE)
        pane = self.screen_stack[0]
        assert isinstance(pane, MemoriesPane)
        return pane

    async def action_search(self) -> None:
        (await self._memories()).search()

    async def action_show_disputed(self) -> None:
        (await self._memories()).show_records(Query(disputed=True))

    async def on_records_wanted(self, event: RecordsWanted) -> None:
        (await self._memories()).show_records(event.query, event.order, event.descending)

    def action_undo(self) -> None:
        self._write_again(self.service.memory.undo)

    def action_redo(self) -> None:
        self._write_again(self.service.memory.redo)

    def _write_again(self, call: Callable[[], Any]) -> None:
        self.service.background.ask("write", call, Written, self, keep_all=True)

    def action_note(self) -> None:
        """Offer what can be written into the project's documents."""

        def chosen(note: Note | None) -> None:
            if note is not None:
                self.push_screen(note.dialog(self.service))

        if self._has_project():
            choices = [Choice(note, _(note.name), note.key) for note in NOTES]
            title = _("Write into the project's documents")
            self.push_screen(ChooseDialog(title, choices, None), chosen)

    def on_note_wanted(self, event: NoteWanted) -> None:
        if self._has_project():
            self.push_screen(event.note.dialog(self.service))

    def _has_project(self) -> bool:
        if self.service.memory.workspace is None:
            self.tell(_("There is no project here; i in the Overview sets one up."), "warning")
            return False
        return True

    def action_help(self) -> None:
        mode = self.current_mode
        keys = keys_of(self.screen)
        own = type(self).__name__
        here = [key for key in keys if key.scope != own]
        everywhere = [key for key in keys if key.scope == own]
        self.push_screen(HelpDialog(title_of(mode), here, everywhere))

    def action_init_project(self) -> None:
        memory = self.service.memory

        def made(files: Sequence[Path]) -> Imported:
            return Imported(init_text(files))

        self.service.background.ask("write", memory.init_workspace, made, self, keep_all=True)

    def action_open_export(self) -> None:
        memory = self.service.memory

        def read_in(report: ImportReport) -> Imported:
            return Imported(import_text(report))

        def chosen(path: Path | None) -> None:
            if path is not None:
                counted = Counted(path)
                self.service.background.ask(
                    "import",
                    lambda: memory.import_file(path, progress=counted.done),
                    read_in,
                    self,
                    keep_all=True,
                    what=counted.text,
                )
                self._look()

        self.push_screen(PathDialog(), chosen)

    async def action_quit(self) -> None:
        """Leave, after what is being changed; unless that is asked for, nothing is dropped."""
        screen = self.screen
        if isinstance(screen, QuitDialog) or (
            isinstance(screen, WritingDialog) and not screen.may_leave()
        ):
            return
        if not self.service.background.changes():
            self.exit()
            return

        def answered(ending: Ending | None) -> None:
            if ending == "failed":
                self.tell(_("Not left: something could not be written."), "warning")
            elif ending is not None:
                self.exit()

        self.push_screen(QuitDialog(self.service.background), answered)

    def action_demo(self) -> None:
        self.exit("demo")

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder=_("what do you want to do?")))

    def get_system_commands(self, screen: Screen[Any]) -> Any:
        return ()


def terminal_theme(colorfgbg: str) -> str:
    """Return the theme that uses the terminal's own colours.

    `colorfgbg` is what many terminals set in COLORFGBG, such as `0;15`; its last part is the
    background, where 7 and 9 to 15 are light.
    """
    background = colorfgbg.rpartition(";")[2]
    return "ansi-light" if background in {"7", *map(str, range(9, 16))} else "ansi-dark"
