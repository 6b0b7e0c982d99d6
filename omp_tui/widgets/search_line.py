"""The line above the list: what is searched for, how, and how much was found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_core.model import SearchMode
from omp_tui.keys import N_, Bindings, bind
from omp_tui.text import MUTED
from omp_tui.widgets.fields import Field
from omp_tui.widgets.links import link
from omp_tui.words import mode_name


class SearchField(Field):
    """What it finds is in the list below it."""

    class LinesJoined(Message):
        """Several lines were pasted; they became one."""

    BINDINGS: ClassVar[Bindings] = [
        bind("enter,down", "screen.to_list", N_("To the list")),
        bind("escape", "screen.back", N_("Clear")),
        bind("ctrl+t", "screen.next_mode", N_("Search mode")),
    ]

    def _on_paste(self, event: events.Paste) -> None:
        """Take all lines of what is pasted, joined by spaces, and say so."""
        event.stop()
        event.prevent_default()
        lines = [line.strip() for line in event.text.splitlines() if line.strip()]
        if lines:
            self.replace(" ".join(lines), *self.selection)
        if len(lines) > 1:
            self.post_message(self.LinesJoined())


class SearchLine(Horizontal):
    """Reports typing as the field's own `Input.Changed`."""

    def compose(self) -> Iterable[Widget]:
        yield Static(Content.styled("/", "bold"), id="slash")
        yield SearchField(placeholder=_("search the memories"), id="search", compact=True)
        yield Static(id="mode")
        yield Static(id="count")

    @property
    def text(self) -> str:
        return self.query_one(SearchField).value.strip()

    def clear(self) -> None:
        self.query_one(SearchField).value = ""

    @property
    def field(self) -> SearchField:
        return self.query_one(SearchField)

    def show_mode(self, mode: SearchMode) -> None:
        name = Content.assemble((mode_name(mode), "bold"), (" ▾ ^t", MUTED))
        self.query_one("#mode", Static).update(link(name, "screen.next_mode"))

    def show_count(self, text: str) -> None:
        """Say how much there is, and how much of it is marked."""
        self.query_one("#count", Static).update(Content(text))
