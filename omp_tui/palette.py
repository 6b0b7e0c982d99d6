"""The palette: every action of every mode, found by typing part of its name.

An action is run, not its key pressed: what the focused field would take as text works too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.message import Message

from omp_core.i18n import _
from omp_tui.dialogs.choose import Choice, ChooseDialog
from omp_tui.dialogs.documents import NOTES, NoteWanted
from omp_tui.keys import Key, keys_of, keys_of_class
from omp_tui.messages import ModeWanted
from omp_tui.modes import MODES
from omp_tui.panes.base import pane_of
from omp_tui.text import MUTED, fit

_NAME = 44
_HIDDEN = ("command_palette", "cancel")


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """Something that can be chosen: its name, its key, the mode it belongs to if not this one."""

    name: str
    key: str
    run: Callable[[], Awaitable[None]]
    mode: str = ""


class ActionProvider(Provider):
    """This screen's actions first, then those of everywhere, of other modes; moving about last."""

    async def discover(self) -> Hits:
        for entry in self.entries():
            yield DiscoveryHit(_line(Content(entry.name), entry), entry.run, text=entry.name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for entry in self.entries():
            score = matcher.match(entry.name)
            if score > 0:
                line = _line(matcher.highlight(entry.name), entry)
                yield Hit(score, line, entry.run, text=entry.name)

    def entries(self) -> list[PaletteEntry]:
        """Return all that is offered, in order."""
        here = [key for key in keys_of(self.screen, consumed=True) if key.enabled]
        here = [key for key in here if key.action not in _HIDDEN]
        return [
            *(entry for key in here if not key.moving for entry in self._here(key)),
            PaletteEntry(_("Colours …"), "", self._choose_theme),
            *self._of_other_modes(),
            *(entry for key in here if key.moving for entry in self._here(key)),
        ]

    def _here(self, key: Key) -> Iterable[PaletteEntry]:
        yield PaletteEntry(key.description, key.label, partial(self._run, key))
        if key.action == "note":
            for note in NOTES:
                wanted = NoteWanted(note)
                yield PaletteEntry(
                    _(note.name), f"{key.label} {note.key}", partial(self._post, wanted)
                )

    def _of_other_modes(self) -> Iterable[PaletteEntry]:
        for mode in MODES:
            if mode.name == self.app.current_mode:
                continue
            pane = pane_of(mode)
            for kind in (pane, *pane.PARTS):
                for key in keys_of_class(kind):
                    if not key.moving:
                        wanted = ModeWanted(mode.name, key.action)
                        run = partial(self._post, wanted)
                        yield PaletteEntry(
                            key.description, f"{mode.key} {key.label}", run, mode.title
                        )

    async def _run(self, key: Key) -> None:
        await self.app.run_action(key.action, key.node)

    async def _post(self, message: Message) -> None:
        self.app.post_message(message)

    async def _choose_theme(self) -> None:
        themes = sorted(self.app.available_themes)
        choices = [Choice(name, name, "") for name in themes]

        def chosen(theme: str | None) -> None:
            if theme is not None:
                self.app.theme = theme

        self.app.push_screen(ChooseDialog(_("Colours"), choices, self.app.theme), chosen)


def _line(name: Content, entry: PaletteEntry) -> Content:
    """Return the name of an action with its key and mode beside it."""
    return Content.assemble(fit(name, _NAME), (entry.key, "bold"), "  ", (entry.mode, MUTED))
