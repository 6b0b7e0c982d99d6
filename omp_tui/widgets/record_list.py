"""The list of memories: each a row with its score, if it was searched for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from omp_core.model import Order, Record, ScorePart
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.row_lines import row_line
from omp_tui.widgets.virtual_list import VirtualList


@dataclass(frozen=True, slots=True)
class ListRow:
    """One line: a record, and why it ranks where it does when it was searched for."""

    record: Record
    score: float | None = None
    parts: tuple[ScorePart, ...] | None = None
    words: tuple[str, ...] = ()


class RecordList(VirtualList[ListRow]):
    """Says of each record what the list is sorted by."""

    def __init__(self, now: Callable[[], datetime], *, id: str | None = None) -> None:
        super().__init__(
            lambda row: row.record.id, self._line, version=lambda row: row.record.version, id=id
        )
        self._now = now
        self.order: Order = "updated"

    @property
    def records(self) -> tuple[Record, ...]:
        """The records that an action is about: the marked ones, else the one in hand."""
        return tuple(row.record for row in self.chosen)

    def _line(self, row: ListRow, place: RowPlace, width: int) -> Content:
        return row_line(
            row.record, row.score, place, self.order, self._now(), width, words=row.words
        )
