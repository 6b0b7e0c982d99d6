"""The line above the list: what is searched for, how, and how much was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.suggester import Suggester
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
        bind("enter", "screen.to_list", N_("To the list")),
        bind("down", "screen.to_list", N_("To the list"), show=False),
        bind("escape", "screen.back", N_("Clear")),
        bind("ctrl+t", "screen.next_mode", N_("Search mode")),
    ]

    class Emptied(Message):
        """Backspace was pressed where there is nothing to take away any more."""

    def action_delete_left(self) -> None:
        if self.value or not self.selection.is_empty:
            super().action_delete_left()
        else:
            self.post_message(self.Emptied())

    def _on_paste(self, event: events.Paste) -> None:
        """Take all lines of what is pasted, joined by spaces, and say so."""
        event.stop()
        event.prevent_default()
        lines = [line.strip() for line in event.text.splitlines() if line.strip()]
        if lines:
            self.replace(" ".join(lines), *self.selection)
        if len(lines) > 1:
            self.post_message(self.LinesJoined())


class ConditionSuggester(Suggester):
    """Completes the last word to a condition of the query."""

    def __init__(self, completion: Callable[[str], str | None]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._completion = completion

    async def get_suggestion(self, value: str) -> str | None:
        return self._completion(value)


class SearchLine(Horizontal):
    """Reports typing as the field's own `Input.Changed`. `completion` completes the last word."""

    def __init__(self, completion: Callable[[str], str | None], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._completion = completion

    def compose(self) -> Iterable[Widget]:
        yield Static(Content.styled("/", "bold"), id="slash")
        yield SearchField(
            placeholder=_("search the memories"),
            suggester=ConditionSuggester(self._completion),
            id="search",
            compact=True,
        )
        yield Static(id="mode")
        yield Static(id="count")

    @property
    def typed(self) -> str:
        """What stands in the field, its last blank too."""
        return self.query_one(SearchField).value

    def keep(self, text: str) -> None:
        """Leave only this in the field."""
        self.query_one(SearchField).value = text
        self.query_one(SearchField).cursor_position = len(text)

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
