"""The palette: every action of the screen with its key, found by typing part of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from textual.app import App
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from omp_core.i18n import _
from omp_tui.keys import Key, keys_of


class ActionProvider(Provider):
    """Offers what the keyboard offers on the screen below, and the colour themes."""

    async def discover(self) -> Hits:
        for name, hint, run in self._entries():
            yield DiscoveryHit(Content(name), run, text=name, help=hint)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, hint, run in self._entries():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, text=name, help=hint)

    def _entries(self) -> Iterable[tuple[str, str, Callable[[], Any]]]:
        for key in keys_of(self.screen):
            if key.enabled and key.action != "command_palette":
                yield key.description, _("key {key}").format(key=key.label), partial(self._run, key)
        for theme in sorted(self.app.available_themes):
            name = _("Theme: {name}").format(name=theme)
            yield name, _("colours"), partial(_set_theme, self.app, theme)

    async def _run(self, key: Key) -> None:
        self.app.simulate_key(key.keys[0])


def _set_theme(app: App[Any], theme: str) -> None:
    app.theme = theme
