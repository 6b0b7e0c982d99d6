"""What comes up from worker threads and panes: the vocabulary that the app listens to."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import datetime
from typing import Literal

from textual.message import Message

from omp_core.errors import OmpError
from omp_core.model import Act, Capability, Order, Query, Receipt, Scope
from omp_core.views import Overview


class CallFailed(Message):
    """A call ended in an error of the core. `lane`: whose call it was, and what for."""

    def __init__(self, lane: tuple[str, str], error: OmpError) -> None:
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


class OverviewRead(Message):
    """`took` is how many seconds the overview cost, `stamp` the state that was known before."""

    def __init__(self, overview: Overview, took: float, stamp: Hashable) -> None:
        super().__init__()
        self.overview = overview
        self.took = took
        self.stamp = stamp


class WaitingRead(Message):
    """How many records wait for a vector."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count


class EmbeddingDone(Message):
    """No record waits for a vector any more, but for those that came meanwhile."""

    def __init__(self, missing: int) -> None:
        super().__init__()
        self.missing = missing


class Written(Message):
    """A change was made; the receipt says what it did.

    A pane on which that stands already sets `shown`: then it is no toast besides.
    """

    def __init__(self, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt
        self.shown = False


class Imported(Message):
    """A file was read in, or a project set up; the note says what came of it."""

    def __init__(self, note: str, act_ids: Sequence[str] = ()) -> None:
        super().__init__()
        self.note = note
        self.act_ids = act_ids


class UndoAsked(Message):
    """This act is to be taken back; one that was not done in this dashboard after asking."""

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act


class RecordsWanted(Message):
    """Show these records in the list of memories."""

    def __init__(self, query: Query, order: Order, descending: bool) -> None:
        super().__init__()
        self.query = query
        self.order = order
        self.descending = descending


class ModeWanted(Message):
    """Go to a mode, and run an action there, if one is named."""

    def __init__(self, mode: str, action: str | None = None) -> None:
        super().__init__()
        self.mode = mode
        self.action = action
