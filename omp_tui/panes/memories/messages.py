"""What comes back to the list of memories from its threads."""

from __future__ import annotations

from collections.abc import Sequence

from textual.message import Message

from omp_core.errors import OmpError
from omp_core.model import JournalEntry, Json, SearchAnswer
from omp_core.views import Page
from omp_tui.widgets.record_list import ListRow
from omp_tui.widgets.rows import At


class PageRead(Message):
    """`page` is None where it was no longer worth reading."""

    def __init__(self, generation: int, at: At, page: Page | None) -> None:
        super().__init__()
        self.generation = generation
        self.at = at
        self.page = page


class PageFailed(Message):
    def __init__(self, at: At, error: OmpError) -> None:
        super().__init__()
        self.at = at
        self.error = error


class SearchRead(Message):
    def __init__(self, generation: int, answer: SearchAnswer) -> None:
        super().__init__()
        self.generation = generation
        self.answer = answer


class HistoryRead(Message):
    def __init__(self, record_id: str, history: tuple[JournalEntry, ...]) -> None:
        super().__init__()
        self.record_id = record_id
        self.history = history


class AllRead(Message):
    """All that the filter lets through, to be marked."""

    def __init__(self, rows: Sequence[ListRow]) -> None:
        super().__init__()
        self.rows = rows


class FactRead(Message):
    def __init__(self, path: str, value: Json) -> None:
        super().__init__()
        self.path = path
        self.value = value
