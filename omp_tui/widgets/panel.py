"""A framed part of a pane whose text is drawn by a pure function of data and width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from omp_tui.text import join_lines

T = TypeVar("T")

Draw = Callable[[T, int], list[Content]]
"""Takes what to show and a width in cells, returns lines of at most that width."""


class Panel(Widget, Generic[T]):
    """Shows what `draw` makes of the data given last, drawn anew for every width."""

    DEFAULT_CSS = """
    Panel { height: auto; width: 1fr; }
    """

    def __init__(self, draw: Draw[T], *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._draw = draw
        self._data: T | None = None
        self._drawn: tuple[int, Content, int] | None = None

    def show(self, data: T) -> None:
        """Show other data; the same data costs nothing."""
        if data != self._data:
            self._data = data
            self._drawn = None
            self.refresh(layout=True)

    def render(self) -> Content:
        return self._lines(self.content_size.width)[0]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._lines(width)[1]

    def _lines(self, width: int) -> tuple[Content, int]:
        if self._data is None:
            return Content(""), 1
        if self._drawn is None or self._drawn[0] != width:
            lines = self._draw(self._data, width)
            self._drawn = (width, join_lines(lines), len(lines))
        return self._drawn[1], self._drawn[2]
