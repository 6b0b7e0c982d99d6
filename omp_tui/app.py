"""The application: its modes, how one goes from one to another, what all of them share."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.command import CommandPalette, Provider
from textual.screen import Screen

from omp_core.i18n import _
from omp_core.model import Act, Receipt
from omp_tui.background import IMPORT, WRITE
from omp_tui.contrast import with_contrast
from omp_tui.dialogs.base import Dialog
from omp_tui.dialogs.choose import Choice, ChooseDialog
from omp_tui.dialogs.documents import NOTES, NoteKind, NoteWanted
from omp_tui.dialogs.help import HelpDialog, help_of
from omp_tui.dialogs.messages import MessagesDialog
from omp_tui.dialogs.path import PathDialog
from omp_tui.dialogs.quit import Ending, QuitDialog
from omp_tui.dialogs.undo import UndoDialog
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.imports import Counted
from omp_tui.keys import N_, Bindings, bind
from omp_tui.live import LOOK_EVERY_S, LiveApp
from omp_tui.messages import (
    Imported,
    ModeWanted,
    RecordsWanted,
    UndoAsked,
    Written,
)
from omp_tui.modes import MODES, Mode
from omp_tui.palette import ActionProvider
from omp_tui.panes.base import Pane, pane_of
from omp_tui.receipts import imported, init_text, receipt_text

if TYPE_CHECKING:
    from omp_core.memory import Memory
    from omp_tui.panes.memories.pane import MemoriesPane

Then = Callable[[Any], Awaitable[object] | object]
"""What is done with a pane as soon as it is in front."""


class DashboardApp(LiveApp):
    """Opens on `start`, one of the modes. `now` gives the time, aware and in UTC."""

    TITLE = "omp-tui"
    CSS_PATH = "styles/app.tcss"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {ActionProvider}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - not a ClassVar there
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[Bindings] = [
        bind("slash", "search", N_("Search"), priority=True),
        bind("u", "undo", N_("Undo")),
        bind("ctrl+r", "redo", N_("Redo"), show=False),
        bind("n", "note", N_("Note")),
        bind("P", "pause", N_("Pause or go on"), show=False),
        bind("exclamation_mark", "messages", N_("Messages"), show=False),
        bind("question_mark", "help", N_("Help")),
        bind("ctrl+p", "command_palette", N_("Palette"), priority=True),
        *(
            bind(mode.key, f"show_mode('{mode.name}')", mode.marked_title, show=False, moving=True)
            for mode in MODES
        ),
        bind("q", "quit", N_("Quit"), show=False),
    ]

    def __init__(
        self,
        memory: Memory,
        *,
        start: str = "overview",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        look_every_s: float = LOOK_EVERY_S,
    ) -> None:
        super().__init__(memory, now, look_every_s, colours="NO_COLOR" not in os.environ)
        self._start = start
        self._own_acts: set[str] = set()
        """What was done in this dashboard, and may be taken back without asking."""
        self.key_typed_at = 0.0
        """When the key that is handled now was typed, on the clock of `time.monotonic`."""
        self._search_begun_at = 0.0
        for mode in MODES:
            self.add_mode(mode.name, self._opener(mode))
        self.theme = terminal_theme(os.environ.get("COLORFGBG", ""))

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's variables, with colours that can be read on its ground."""
        found = with_contrast(super().get_css_variables())
        self.theme_variables = found
        return found

    def _opener(self, mode: Mode) -> Callable[[], Screen[Any]]:
        return lambda: pane_of(mode)(self.service)

    async def on_mount(self) -> None:
        await self.switch_mode(self._start)
        self.call_after_refresh(self.begin)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            if not event.is_forwarded:
                self.key_typed_at = event.time
            elif event.time < self._search_begun_at:
                return  # it was on its way when the search began, and was meant for what was before
        await super().on_event(event)

    # from one mode to another

    async def go(self, mode: str, then: Then | None = None) -> bool:
        """Show a mode with nothing over its pane, and do `then` with the pane in the same step.

        What lies over the pane in front and over that one is closed. A dialog with unsaved text
        says so and stays; then nothing else happens, and False is returned.
        """
        if not await self._uncover():
            return False
        await self.switch_mode(mode)
        if not await self._uncover():
            return False
        if then is not None:
            done = then(self.screen)
            if isinstance(done, Awaitable):
                await done
        return True

    async def _uncover(self) -> bool:
        while not isinstance(top := self.screen, Pane):
            if isinstance(top, Dialog) and not top.yields():
                return False
            await top.dismiss(None)
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A slash typed into a field is a slash."""
        if action == "search":
            return self.focused is None or not self.focused.check_consume_key("slash", "/")
        return super().check_action(action, parameters)

    async def action_show_mode(self, mode: str) -> None:
        await self.go(mode)

    async def action_search(self) -> None:
        """Put the cursor into the search line before the next key is looked at."""
        if await self.go("memories", _search):
            self._search_begun_at = self.key_typed_at

    async def on_records_wanted(self, event: RecordsWanted) -> None:
        def show(pane: MemoriesPane) -> None:
            pane.show_records(event.query, event.order, event.descending)

        await self.go("memories", show)

    async def on_mode_wanted(self, event: ModeWanted) -> None:
        action = event.action
        await self.go(event.mode, None if action is None else lambda pane: pane.run_here(action))

    # what was done

    def on_written(self, event: Written) -> None:
        receipt = event.receipt
        if receipt.act_id is not None:
            self._own_acts.add(receipt.act_id)
        text, severity = receipt_text(receipt)
        self.tell(text, severity, toast=not event.shown)
        self._look_though_paused()

    def on_imported(self, event: Imported) -> None:
        self._own_acts.update(event.act_ids)
        self.tell(event.note)
        self.read_standing()
        self.refresh_all()
        self._look_though_paused()
        self.embed()

    def _look_though_paused(self) -> None:
        paused, self.paused = self.paused, False
        self.look()
        self.paused = paused

    def action_undo(self) -> None:
        """Take back the last act; one that was not done here only after asking."""
        memory, own = self.service.memory, self._own_acts

        def undo() -> Written | UndoAsked:
            act = memory.undoable()
            if act is not None and act.id not in own:
                return UndoAsked(act)
            return Written(memory.undo())

        self.service.background.ask(WRITE, undo, lambda answer: answer, self, keep_all=True)

    def on_undo_asked(self, event: UndoAsked) -> None:
        act = event.act

        def answered(yes: bool | None) -> None:
            if yes:
                self.undo_act(act)

        if act.id in self._own_acts:
            self.undo_act(act)
        elif not isinstance(self.screen, UndoDialog):
            self.push_screen(UndoDialog(act, self.service.now()), answered)

    def undo_act(self, act: Act) -> None:
        """Take back this act, which the person has seen and named."""
        self._write(lambda: self.service.memory.undo(act.id))

    def action_redo(self) -> None:
        self._write(self.service.memory.redo)

    def _write(self, change: Callable[[], Receipt]) -> None:
        self.service.background.ask(WRITE, change, Written, self, keep_all=True)

    # the project's documents

    def action_note(self) -> None:
        """Offer what can be written into the project's documents."""

        def chosen(note: NoteKind | None) -> None:
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

    def action_init_project(self) -> None:
        memory = self.service.memory

        def made(files: Sequence[Path]) -> Imported:
            return Imported(init_text(files))

        self.service.background.ask(WRITE, memory.init_workspace, made, self, keep_all=True)

    def action_open_export(self) -> None:
        memory = self.service.memory

        def chosen(path: Path | None) -> None:
            if path is not None:
                counted = Counted(path)
                self.service.background.ask(
                    IMPORT,
                    lambda: imported(memory.import_file(path, progress=counted.done)),
                    lambda answer: answer,
                    self,
                    keep_all=True,
                    what=counted.text,
                )
                self.look()

        self.push_screen(PathDialog(), chosen)

    # help, messages, pause

    def action_help(self) -> None:
        if not isinstance(self.screen, HelpDialog):
            self.push_screen(HelpDialog(*help_of(self.screen)))

    def action_messages(self) -> None:
        self.push_screen(MessagesDialog(self.notices.newest_first(), self.service.now()))
        self.notices.see()
        self.errors_unseen = ()

    def action_pause(self) -> None:
        """Stop following what others write, or go on and catch up."""
        self.paused = not self.paused
        self.look()

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


def _search(pane: MemoriesPane) -> None:
    pane.search()


def terminal_theme(colorfgbg: str) -> str:
    """Return the theme that uses the terminal's own colours.

    `colorfgbg` is what many terminals set in COLORFGBG, such as `0;15`; its last part is the
    background, where 7 and 9 to 15 are light.
    """
    background = colorfgbg.rpartition(";")[2]
    return "ansi-light" if background in {"7", *map(str, range(9, 16))} else "ansi-dark"
