"""Where the members of a theme lie to each other, drawn as points on a plane."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from omp_core.i18n import _
from omp_tui.text import join_lines

MEMBERS_NEEDED = 5
_CELL_RATIO = 2.0
"""A cell of a terminal is about twice as high as it is wide."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Plotted:
    """Places of members, which of them the cursor is on, and which are marked."""

    points: tuple[Point, ...]
    cursor: int | None = None
    marked: frozenset[int] = frozenset()


def places(points: Sequence[Point], width: int, height: int) -> list[tuple[int, int]]:
    """Return the cell (column, row) of each point, all within `width` times `height`.

    Both axes have one scale, so that near on the screen is near in the plane.
    """
    if not points or width < 1 or height < 1:
        return []
    xs, ys = [x for x, _y in points], [y for _x, y in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scales = [
        (cells - 1) * ratio / length
        for cells, ratio, length in ((width, 1.0, wide), (height, _CELL_RATIO, high))
        if length > 0
    ]
    scale = min(scales, default=0.0)
    middle_x, middle_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return [
        (
            min(max(round((width - 1) / 2 + (x - middle_x) * scale), 0), width - 1),
            min(max(round((height - 1) / 2 - (y - middle_y) * scale / _CELL_RATIO), 0), height - 1),
        )
        for x, y in points
    ]


def map_lines(plotted: Plotted, width: int, height: int) -> list[Content]:
    """Return `height` lines: `◆` is the cursor's member, `✓` a marked one, `•` one, a figure
    several in one place."""
    cells: dict[tuple[int, int], list[int]] = {}
    for index, place in enumerate(places(plotted.points, width, height)):
        cells.setdefault(place, []).append(index)
    lines = []
    for row in range(height):
        parts: list[tuple[str, str] | str] = []
        for column in range(width):
            members = cells.get((column, row), [])
            parts.append(_sign(members, plotted) if members else " ")
        lines.append(Content.assemble(*parts))
    return lines


def _sign(members: Collection[int], plotted: Plotted) -> tuple[str, str]:
    if plotted.cursor in members:
        return "◆", "bold $text-accent"
    if not plotted.marked.isdisjoint(members):
        return "✓", "bold"
    if len(members) == 1:
        return "•", ""
    return (str(len(members)) if len(members) < 10 else "+"), ""


class MemberMap(Widget):
    """Shows a `Plotted`; a click on a point says which member it is."""

    class Pointed(Message):
        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._plotted = Plotted(())

    def on_mount(self) -> None:
        self.border_title = _("near is alike")
        self.border_subtitle = _("◆ the one in hand")

    def show(self, plotted: Plotted) -> None:
        """Show other points, or the same with another one in hand."""
        if plotted != self._plotted:
            self._plotted = plotted
            self.refresh()

    @property
    def plotted(self) -> Plotted:
        """What is shown."""
        return self._plotted

    def render(self) -> Content:
        size = self.content_size
        return join_lines(map_lines(self._plotted, size.width, size.height))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        size = self.content_size
        for index, place in enumerate(places(self._plotted.points, size.width, size.height)):
            if place == (offset.x, offset.y):
                self.post_message(self.Pointed(index))
                return
