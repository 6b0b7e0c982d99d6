"""The rows of a long list that are known so far: pages that come one by one, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omp_core.model import Record, ScorePart

PAGE = 200
"""Rows asked for at a time."""
KEPT = 20
"""Pages held at once; those farthest from the newest are read again when they are needed."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a record, and why it ranks where it does when it was searched for."""

    record: Record
    score: float | None = None
    parts: tuple[ScorePart, ...] | None = None


class Rows:
    """Pages of rows, each of one generation; the pages before it stand in until they come."""

    def __init__(self) -> None:
        self.generation = 0
        """Rises with every start over; answers to older questions are of no use."""
        self.total = 0
        self._pages: dict[int, tuple[Row, ...]] = {}
        self._old: dict[int, tuple[Row, ...]] = {}
        self._wanted: set[int] = set()

    @property
    def complete(self) -> bool:
        """Whether everything that was asked for is here."""
        return not self._wanted

    def start_over(self, *, keep_old: bool) -> int:
        """Forget all rows and return the new generation; `keep_old` lets them stand in."""
        self.generation += 1
        self._old = {**self._old, **self._pages} if keep_old else {}
        self._pages = {}
        self._wanted = set()
        return self.generation

    def put(self, generation: int, offset: int, rows: Sequence[Row], total: int) -> bool:
        """Take a page; False, and nothing done, for one of an older generation."""
        if generation != self.generation:
            return False
        page = offset // PAGE
        self._pages[page] = tuple(rows)
        self._wanted.discard(page)
        self.total = total
        last = max(0, (total - 1) // PAGE)
        self._old = {k: v for k, v in self._old.items() if k <= last and k != page}
        for pages in (self._pages, self._old):
            while len(pages) > KEPT:
                del pages[max(pages, key=lambda held: abs(held - page))]
        return True

    def at(self, index: int) -> Row | None:
        """Return a row if it is here, an old one where the new one is not."""
        page, place = divmod(index, PAGE)
        rows = self._pages.get(page)
        if rows is None:
            rows = self._old.get(page, ())
        return rows[place] if place < len(rows) else None

    def want(self, first: int, last: int) -> list[int]:
        """Return the offsets of the pages between two rows that nobody has asked for yet.

        They count as asked for from now on. With no row known the first page is wanted; before
        the first start nothing is.
        """
        if not self.generation:
            return []
        end = max(self.total, 1)
        offsets = []
        for page in range(first // PAGE, last // PAGE + 1):
            if page * PAGE < end and page not in self._pages and page not in self._wanted:
                self._wanted.add(page)
                offsets.append(page * PAGE)
        return offsets

    def give_up(self, offset: int) -> None:
        """A page could not be read: it may be asked for again."""
        self._wanted.discard(offset // PAGE)
