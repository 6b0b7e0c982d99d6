"""What comes up from worker threads and panes: the vocabulary that the app listens to."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from omp_core.errors import OmpError
from omp_core.model import Capability, Order, Query, Receipt, Scope
from omp_core.views import Overview

if TYPE_CHECKING:
    from omp_tui.dialogs.documents import Note


class CallFailed(Message):
    """A call ended in an error of the core."""

    def __init__(self, lane: str, error: OmpError) -> None:
        super().__init__()
        self.lane = lane
        self.error = error


class Said(Message):
    """Something to tell the person in a toast."""

    def __init__(
        self, text: str, severity: Literal["information", "warning"] = "information"
    ) -> None:
        super().__init__()
        self.text = text
        self.severity = severity


class StampRead(Message):
    """The store was looked at; another stamp than before means that something changed."""

    def __init__(self, stamp: Hashable, at: datetime) -> None:
        super().__init__()
        self.stamp = stamp
        self.at = at


class StandingRead(Message):
    """Whose memory this is, and which parts of it can be reached."""

    def __init__(self, scope: Scope, capabilities: tuple[Capability, ...]) -> None:
        super().__init__()
        self.scope = scope
        self.capabilities = capabilities


class Warmed(Message):
    """The model is loaded, if there is one."""

    def __init__(self, _nothing: None) -> None:
        super().__init__()


class OverviewRead(Message):
    """`took` is how many seconds the overview cost."""

    def __init__(self, overview: Overview, took: float) -> None:
        super().__init__()
        self.overview = overview
        self.took = took


class Written(Message):
    """A change was made; the receipt says what it did."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt


class Imported(Message):
    """A file was read in, or a project set up; the note says what came of it."""

    def __init__(self, note: str) -> None:
        super().__init__()
        self.note = note


class RecordsWanted(Message):
    """Show these records in the list of memories."""

    def __init__(self, query: Query, order: Order, descending: bool) -> None:
        super().__init__()
        self.query = query
        self.order = order
        self.descending = descending


class NoteWanted(Message):
    """Ask for an entry of the project's documents."""

    def __init__(self, note: Note) -> None:
        super().__init__()
        self.note = note
