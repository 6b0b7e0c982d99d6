"""The alerts with a cursor. What their lines say is drawn by a pure function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from omp_core.i18n import _
from omp_core.views import Alert
from omp_tui.text import join_lines

Blocks = Callable[[Sequence[Alert], int, int], list[list[Content]]]
"""Takes the alerts, the place of the cursor and a width; returns the lines of each alert."""


class AlertList(Widget):
    """The cursor follows its alert when others come and go."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"list--cursor"}
    DEFAULT_CSS = """
    AlertList { height: auto; width: 1fr; }
    """

    class Opened(Message):
        """An alert was clicked twice."""

    def __init__(self, blocks: Blocks, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._blocks = blocks
        self._alerts: tuple[Alert, ...] = ()
        self._cursor = 0

    @property
    def alert(self) -> Alert | None:
        """The alert under the cursor."""
        return self._alerts[self._cursor] if self._alerts else None

    def show(self, alerts: Sequence[Alert]) -> None:
        """Show other alerts; the same ones cost nothing."""
        if tuple(alerts) == self._alerts:
            return
        here = self.alert
        self._alerts = tuple(alerts)
        names = [_name(alert) for alert in self._alerts]
        if here is not None and _name(here) in names:
            self._cursor = names.index(_name(here))
        self._cursor = min(self._cursor, max(0, len(names) - 1))
        self.refresh(layout=True)

    def move(self, by: int) -> bool:
        """Move the cursor; False where there is no further alert."""
        place = self._cursor + by
        if not 0 <= place < len(self._alerts):
            return False
        self._cursor = place
        self.refresh()
        self.scroll_visible(animate=False)
        return True

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        line = offset.y
        for index, block in enumerate(self._drawn(self.content_size.width)):
            if line < len(block):
                self.move(index - self._cursor)
                if event.chain == 2:
                    self.post_message(self.Opened())
                return
            line -= len(block)

    def render(self) -> Content:
        blocks = self._drawn(self.content_size.width)
        if not blocks:
            return Content.styled(_("✓ Nothing needs your attention."), "$text-success")
        cursor = self.get_visual_style("list--cursor")
        return join_lines(
            [
                line.stylize(cursor) if index == self._cursor else line
                for index, block in enumerate(blocks)
                for line in block
            ]
        )

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return max(1, sum(map(len, self._drawn(width))))

    def _drawn(self, width: int) -> list[list[Content]]:
        return self._blocks(self._alerts, self._cursor, width)


def _name(alert: Alert) -> str:
    """What stays the same about an alert while its figures change."""
    return alert.action or alert.message
