"""The two lists of the mode: themes, and the members of the one in hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from textual.content import Content

from omp_core.model import Record
from omp_tui.panes.themes.rows import theme_line
from omp_tui.panes.themes.view import Advice
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.row_lines import row_line
from omp_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from omp_core.types import ThemeRow


class ThemeList(VirtualList["ThemeRow"]):
    """Themes with their figures; `!` where something could be done."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(lambda row: row.theme.id, self._line, version=_version, id=id)
        self.advice: Advice = {}
        self.held = 0
        """How many memories are in all themes together."""

    def _line(self, row: ThemeRow, place: RowPlace, width: int) -> Content:
        return theme_line(row, row.theme.id in self.advice, place, width)


def _version(row: ThemeRow) -> object:
    theme = row.theme
    return theme.members, theme.label, theme.pinned


class MemberList(VirtualList[Record]):
    """The members of a theme."""

    def __init__(self, now: Callable[[], datetime], *, id: str | None = None) -> None:
        super().__init__(
            lambda record: record.id, self._line, version=lambda record: record.version, id=id
        )
        self._now = now

    @property
    def records(self) -> tuple[Record, ...]:
        """The members that an action is about: the marked ones, else the one in hand."""
        return self.chosen

    def _line(self, record: Record, place: RowPlace, width: int) -> Content:
        return row_line(record, None, place, "updated", self._now(), width)
