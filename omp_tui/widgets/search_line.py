"""The line above the list: what is searched for, how, and how much was found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_core.model import SearchMode
from omp_tui.keys import N_, Bindings, bind
from omp_tui.text import MUTED, safe
from omp_tui.widgets.fields import Field
from omp_tui.widgets.links import link
from omp_tui.words import mode_name


class SearchField(Field):
    """What it finds is in the list below it."""

    BINDINGS: ClassVar[Bindings] = [bind("down", "screen.to_list", N_("To the list"))]


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

    def take_focus(self) -> None:
        self.query_one(SearchField).focus()

    def show_mode(self, mode: SearchMode) -> None:
        name = Content.assemble((mode_name(mode), "bold"), (" ▾ ^t", MUTED))
        self.query_one("#mode", Static).update(link(name, "screen.next_mode"))

    def show_count(self, text: str, degraded: str | None) -> None:
        """Say how much there is; a search that could do less than asked explains itself."""
        count = self.query_one("#count", Static)
        count.update(Content(f"◐ {text}" if degraded else text))
        count.tooltip = safe(degraded) if degraded else None
