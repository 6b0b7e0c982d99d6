"""The palette: every action of the screen with its key, found by typing part of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from textual.app import App
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.message import Message

from omp_core.i18n import _
from omp_tui.dialogs.documents import NOTES
from omp_tui.keys import Key, keys_of
from omp_tui.messages import NoteWanted
from omp_tui.text import fit


class ActionProvider(Provider):
    """Offers what the keyboard offers on the screen below, notes for the project, themes."""

    async def discover(self) -> Hits:
        for name, key, run in self._entries():
            yield DiscoveryHit(_line(Content(name), key), run, text=name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, key, run in self._entries():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, _line(matcher.highlight(name), key), run, text=name)

    def _entries(self) -> Iterable[tuple[str, str, Callable[[], Any]]]:
        for key in keys_of(self.screen):
            if key.enabled and key.action != "command_palette":
                yield key.description, key.label, partial(self._run, key)
            if key.enabled and key.action == "note":
                for note in NOTES:
                    wanted = NoteWanted(note)
                    yield _(note.name), f"{key.label} {note.key}", partial(self._post, wanted)
        for theme in sorted(self.app.available_themes):
            name = _("Theme: {name}").format(name=theme)
            yield name, "", partial(_set_theme, self.app, theme)

    async def _run(self, key: Key) -> None:
        self.app.simulate_key(key.keys[0])

    async def _post(self, message: Message) -> None:
        self.app.post_message(message)


def _line(name: Content, key: str) -> Content:
    """Return the name of an action with its key beside it."""
    return Content.assemble(fit(name, 40), (key, "bold"))


def _set_theme(app: App[Any], theme: str) -> None:
    app.theme = theme
