"""A list of things to tick. A tick is a sign, not a colour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from omp_tui.keys import N_, Bindings, bind

T = TypeVar("T")


class Ticks(OptionList, Generic[T]):
    """Space or a click ticks and unticks; the box is `[✓]` or `[ ]`."""

    BINDINGS: ClassVar[Bindings] = [bind("space", "select", N_("Tick"))]

    def __init__(
        self, title: str, choices: Iterable[tuple[str, T]], ticked: Iterable[T], *, id: str
    ) -> None:
        self._choices = tuple(choices)
        self._ticked = set(ticked)
        options = [Option(self._line(index)) for index in range(len(self._choices))]
        super().__init__(*options, id=id, markup=False, compact=True)
        self.border_title = title

    @property
    def ticked(self) -> frozenset[T]:
        return frozenset(self._ticked)

    def _line(self, index: int) -> Content:
        name, value = self._choices[index]
        box = ("[✓]", "bold") if value in self._ticked else ("[ ]", "")
        return Content.assemble(box, " ", name)

    @on(OptionList.OptionSelected)
    def _toggle(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._ticked ^= {self._choices[event.option_index][1]}
        line = self._line(event.option_index)
        self.replace_option_prompt_at_index(event.option_index, line)
