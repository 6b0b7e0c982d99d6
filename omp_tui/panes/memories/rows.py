"""Rows of the list from what the memory answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omp_core.model import SearchAnswer
from omp_tui.panes.memories.view import MemoriesView
from omp_tui.widgets.record_list import ListRow

if TYPE_CHECKING:
    from omp_core.memory import Memory

MOST = 10_000
"""Rows that can be marked at a time."""
_AT_ONCE = 1_000


def rows_of(answer: SearchAnswer) -> list[ListRow]:
    """Return the hits of a search, best first."""
    return [ListRow(hit.record, hit.score, hit.parts, hit.words) for hit in answer.hits]


def read_all(memory: Memory, view: MemoriesView) -> list[ListRow]:
    """Return all that a filter lets through, `MOST` rows or a few more at the most. May be slow."""
    rows: list[ListRow] = []
    while len(rows) < MOST:
        page = memory.list(view.query, view.order, view.descending, len(rows), _AT_ONCE)
        rows += [ListRow(record) for record in page.records]
        if not page.records or len(rows) >= page.total:
            break
    return rows
