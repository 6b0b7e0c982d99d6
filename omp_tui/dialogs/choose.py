"""Choose one of a few things by letter, arrows or mouse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual import events, on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from omp_tui.dialogs.base import Dialog

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    value: T
    name: str
    key: str


class ChooseDialog(Dialog[T]):
    """Gives the chosen value, or None. The present one is marked with a dot."""

    def __init__(self, title: str, choices: Sequence[Choice[T]], current: T | None) -> None:
        super().__init__(title)
        self._choices = tuple(choices)
        self._current = current

    def body(self) -> Iterable[Widget]:
        options = [Option(self._line(choice)) for choice in self._choices]
        yield OptionList(*options, markup=False, compact=True)

    def on_mount(self) -> None:
        values = [choice.value for choice in self._choices]
        if self._current in values:
            self.query_one(OptionList).highlighted = values.index(self._current)

    def _line(self, choice: Choice[T]) -> Content:
        dot = "●" if choice.value == self._current else " "
        return Content.assemble((f" {choice.key} ", "bold"), f"{dot} {choice.name} ")

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._choices[event.option_index].value)

    def on_key(self, event: events.Key) -> None:
        if not self.heeds_keys(event.time):
            event.stop()
            event.prevent_default()
            return
        for choice in self._choices:
            if event.character == choice.key:
                event.stop()
                self.dismiss(choice.value)
                return
