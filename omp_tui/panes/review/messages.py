"""What comes back to the review from its threads."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from textual.message import Message

from omp_core.errors import OmpError
from omp_core.views import ReviewKind, ReviewPage, ReviewReport
from omp_tui.widgets.rows import At


class CountsRead(Message):
    """How many wait of each kind, since when the oldest pending one does, and what undo would
    take back."""

    def __init__(
        self, counts: Mapping[ReviewKind, int], since: datetime | None, last_act: str | None
    ) -> None:
        super().__init__()
        self.counts = counts
        self.since = since
        self.last_act = last_act


class PageRead(Message):
    """None: nobody needs the page any more."""

    def __init__(self, generation: int, at: At, page: ReviewPage | None) -> None:
        super().__init__()
        self.generation = generation
        self.at = at
        self.page = page


class ReadFailed(Message):
    """What waits cannot be read; `pending` memories wait for the store, as far as is known."""

    def __init__(self, error: OmpError, pending: int, at: At | None = None) -> None:
        super().__init__()
        self.error = error
        self.pending = pending
        self.at = at


class AllRead(Message):
    """All that waits of a kind, up to a bound, to be marked."""

    def __init__(self, kind: ReviewKind, page: ReviewPage) -> None:
        super().__init__()
        self.kind = kind
        self.page = page


class AllSeen(Message):
    """What an answer to several would do; nothing has been done."""

    def __init__(self, verb: Literal["accept", "reject"], report: ReviewReport) -> None:
        super().__init__()
        self.verb = verb
        self.report = report


class AnswerFailed(Message):
    """An answer could not be given: what waits there is to be answered again."""

    def __init__(self, keys: frozenset[str], error: OmpError) -> None:
        super().__init__()
        self.keys = keys
        self.error = error
