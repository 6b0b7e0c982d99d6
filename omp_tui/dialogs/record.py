"""One memory on the whole screen: its full text, all of its fields, its history."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.screen import Screen

from omp_core.errors import OmpError
from omp_core.model import JournalEntry, Record
from omp_tui.background import Lane
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed
from omp_tui.service import Service
from omp_tui.text import shown
from omp_tui.widgets.fields import TextField
from omp_tui.widgets.key_bar import KeyBar
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.record_lines import DetailContent, detail_lines, title
from omp_tui.widgets.record_list import ListRow

RecordAction = Literal["edit", "tier", "delete"]


class RecordScreen(Screen[tuple[RecordAction, Record]]):
    """Gives an action to run on the record, or nothing. Follows the record while it is open."""

    CSS_PATH = "../styles/record.tcss"
    BINDINGS: ClassVar[Bindings] = [
        bind("escape,enter,q", "back", N_("Back")),
        bind("e", "leave('edit')", N_("Edit")),
        bind("t", "leave('tier')", N_("Tier")),
        bind("d", "leave('delete')", N_("Delete")),
        bind("c", "copy", N_("Copy")),
        bind("tab", "app.focus_next", N_("Text or fields"), show=False),
    ]

    class Read(Message):
        def __init__(self, record: Record, history: tuple[JournalEntry, ...]) -> None:
            super().__init__()
            self.record = record
            self.history = history

    class Gone(Message):
        """The record cannot be read any more."""

        def __init__(self, error: OmpError) -> None:
            super().__init__()
            self.error = error

    def __init__(self, service: Service, row: ListRow) -> None:
        super().__init__()
        self.service = service
        self._row = row
        self._history: tuple[JournalEntry, ...] | None = None
        self._text = TextField(read_only=True, compact=True, id="text", highlight_cursor_line=False)
        self._fields = Panel(detail_lines)

    @property
    def settled(self) -> bool:
        return self._history is not None

    def compose(self) -> ComposeResult:
        yield Horizontal(self._text, VerticalScroll(self._fields, id="fields"), id="columns")
        yield KeyBar(self.service)

    def on_mount(self) -> None:
        self._text.load_text(self._row.record.content)
        self._show()
        self.invalidate()

    def invalidate(self) -> None:
        """The memory changed: read the record again."""
        memory, record_id = self.service.memory, self._row.record.id
        self.service.background.ask(
            Lane("record", "whole"),
            lambda: (memory.get(record_id), memory.history(record_id)),
            lambda answer: self.Read(*answer),
            self,
            failed=self.Gone,
            refresh=True,
        )

    def on_record_screen_read(self, event: Read) -> None:
        if event.record.content != self._row.record.content:
            self._text.load_text(event.record.content)
        self._row = replace(self._row, record=event.record)
        self._history = event.history
        self._show()

    def on_record_screen_gone(self, event: Gone) -> None:
        self.app.post_message(CallFailed(Lane("record", "whole"), event.error))
        self.dismiss(None)

    def _show(self) -> None:
        self._text.border_title = title(self._row.record)
        self._fields.show(
            DetailContent(
                self._row,
                self._history,
                self.service.now(),
                self.service.memory.forecast(self._row.record),
                whole_text=False,
            )
        )

    def action_back(self) -> None:
        self.dismiss(None)

    def action_leave(self, action: RecordAction) -> None:
        self.dismiss((action, self._row.record))

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(shown(self._row.record.content))

    def action_press(self, key: str) -> None:
        """Do what a key of the key bar does."""
        self.app.simulate_key(key)
