"""The pane beside the list: one record, scrollable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from textual.containers import VerticalScroll
from textual.widget import Widget

from omp_core.i18n import _
from omp_core.model import JournalEntry, Record
from omp_core.views import Forecast
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.record_lines import DetailContent, detail_lines, title
from omp_tui.widgets.record_list import ListRow


class RecordDetail(VerticalScroll):
    """Shows a row at once, and its history when that has been read."""

    def __init__(
        self,
        now: Callable[[], datetime],
        forecast: Callable[[Record], Forecast],
        *,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._forecast = forecast
        self._now = now
        self._row: ListRow | None = None
        self._history: tuple[JournalEntry, ...] | None = None
        self._lines = Panel(detail_lines)

    @property
    def row(self) -> ListRow | None:
        return self._row

    @property
    def settled(self) -> bool:
        return self._row is None or self._history is not None

    def compose(self) -> Iterable[Widget]:
        yield self._lines

    def show(self, row: ListRow | None) -> None:
        """Show a row, or nothing. Another record's history is forgotten."""
        other = row is None or self._row is None or row.record.id != self._row.record.id
        self._row = row
        self.set_class(row is None, "-empty")
        if row is None:
            self.border_title = _("no memory chosen")
            return
        if other:
            self._history = None
            self.scroll_home(animate=False)
        self.border_title = title(row.record)
        self._draw()

    def show_history(self, record_id: str, history: tuple[JournalEntry, ...]) -> None:
        """Add the history, unless another record is shown by now."""
        if self._row is not None and self._row.record.id == record_id:
            self._history = history
            self._draw()

    def _draw(self) -> None:
        if self._row is not None:
            self._lines.show(
                DetailContent(
                    self._row, self._history, self._now(), self._forecast(self._row.record)
                )
            )
