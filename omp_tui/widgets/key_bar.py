"""The bottom line: what the keys do here, as many as fit, and who wrote last."""

from __future__ import annotations

from datetime import datetime, timedelta

from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from omp_core.i18n import _
from omp_core.views import Overview
from omp_tui.keys import Key, keys_of
from omp_tui.service import Service
from omp_tui.text import MUTED, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.links import link
from omp_tui.words import ago

_NEWS_FOR = timedelta(seconds=60)
_ALWAYS = ("help", "command_palette")


class KeyBar(Widget):
    """Every entry can be clicked. Help and palette always stay; a cut ends in `…`."""

    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; width: 100%; padding: 0 1; }
    """
    auto_links = False

    def __init__(self, service: Service) -> None:
        super().__init__()
        self._service = service
        self._overview: Overview | None = None
        self._seen_at: datetime | None = None

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)
        self.watch(self.app, "overview", self._overview_changed)
        self.watch(self.app, "seen_at", self._time_passed)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        self.refresh()

    def _overview_changed(self, overview: Overview | None) -> None:
        self._overview = overview
        self.refresh()

    def _time_passed(self, seen_at: datetime | None) -> None:
        had_news = self._news() is not None
        self._seen_at = seen_at
        if had_news:
            self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        keys = [key for key in keys_of(self.screen) if key.shown]
        fixed = [self._entry(key) for key in keys if key.action in _ALWAYS]
        rest = [key for key in keys if key.action not in _ALWAYS]
        ending = Content("  ").join(fixed)
        news = self._news() or Content("")
        room = width - ending.cell_length - 2
        entries: list[Content] = []
        for index, key in enumerate(rest):
            entry = self._entry(key)
            last = index == len(rest) - 1
            if entry.cell_length + (0 if last else 3) > room:
                entries.append(Content("…"))
                break
            entries.append(entry)
            room -= entry.cell_length + 2
        left = Content("  ").join([*entries, ending])
        free = width - left.cell_length - 2
        return spread(left, news.truncate(free, ellipsis=True), width) if free > 12 else left

    def _entry(self, key: Key) -> Content:
        style = "" if key.enabled else "dim"
        name = Content.styled(key.label, "bold $text-accent")
        words = Content.assemble(name, " ", (key.description, MUTED))
        return link(words, f"screen.press('{key.keys[0]}')", style)

    def _news(self) -> Content | None:
        if self._overview is None or not self._overview.recent:
            return None
        act = self._overview.recent[0]
        now = self._service.now()
        if act.actor == "user" or now - act.at > _NEWS_FOR:
            return None
        text = _("{actor}: {summary}, {ago}").format(
            actor=act.actor, summary=act.summary, ago=ago(act.at, now)
        )
        return safe(text, width=60).stylize("$text-accent")
