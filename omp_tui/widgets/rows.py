"""The rows of a long list that are known so far, read in pages when they come into view.

`Rows` is for lists that can be read from any place, by offset. `Feed` is for those that grow at
the top, such as a journal: it is read downwards, each page from a key on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
At = int | str
"""Where a page begins: the place of its first row, or the key of the row above it."""

PAGE = 200
"""Rows asked for at a time."""
KEPT = 20
"""Pages held at once; those farthest from the newest are read again when they are needed."""
_AHEAD = 40
"""A feed is read on when the view comes this close to the end of what is known."""


class Rows(Generic[T]):
    """Pages of rows, each of one generation; the pages before it stand in until they come."""

    def __init__(self) -> None:
        self.generation = 0
        """Rises with every start over; answers to older questions are of no use."""
        self.total = 0
        self._pages: dict[int, tuple[T, ...]] = {}
        self._old: dict[int, tuple[T, ...]] = {}
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

    def put(self, generation: int, at: At, rows: Sequence[T], total: int = 0) -> bool:
        """Take a page; False, and nothing done, for one of an older generation."""
        if generation != self.generation:
            return False
        page = int(at) // PAGE
        self._pages[page] = tuple(rows)
        self._wanted.discard(page)
        self.total = total
        last = max(0, (total - 1) // PAGE)
        self._old = {k: v for k, v in self._old.items() if k <= last and k != page}
        for pages in (self._pages, self._old):
            while len(pages) > KEPT:
                del pages[max(pages, key=lambda held: abs(held - page))]
        return True

    def at(self, index: int) -> T | None:
        """Return a row if it is here, an old one where the new one is not."""
        page, place = divmod(index, PAGE)
        rows = self._pages.get(page)
        if rows is None:
            rows = self._old.get(page, ())
        return rows[place] if place < len(rows) else None

    def known(self) -> Iterator[tuple[int, T]]:
        """Yield the rows of this generation that are here, with their places."""
        for page, rows in self._pages.items():
            yield from enumerate(rows, page * PAGE)

    def want(self, first: int, last: int) -> Sequence[At]:
        """Return the offsets of the pages between two rows that nobody has asked for yet.

        They count as asked for from now on. With no row known the first page is wanted; before
        the first start nothing is.
        """
        if not self.generation:
            return []
        end = max(self.total, 1)
        offsets: list[At] = []
        for page in range(first // PAGE, last // PAGE + 1):
            if page * PAGE < end and page not in self._pages and page not in self._wanted:
                self._wanted.add(page)
                offsets.append(page * PAGE)
        return offsets

    def give_up(self, at: At) -> None:
        """A page could not be read: it may be asked for again."""
        self._wanted.discard(int(at) // PAGE)


class Feed(Generic[T]):
    """Rows from the newest downwards without a gap; `key` tells one from another."""

    def __init__(self, key: Callable[[T], str]) -> None:
        self.generation = 0
        self._key = key
        self._rows: list[T] = []
        self._newest_due = False
        self._asked: str | None = None
        self.ended = False
        """Whether the oldest row of all is here."""

    @property
    def total(self) -> int:
        """How many rows are known; there may be more below."""
        return len(self._rows)

    @property
    def complete(self) -> bool:
        return self._asked is None and not self._newest_due

    def start_over(self, *, keep_old: bool) -> int:
        """Return the new generation; its newest page is wanted next.

        With `keep_old` the known rows stay below it, if the two meet.
        """
        self.generation += 1
        self._newest_due, self._asked = True, None
        if not keep_old:
            self._rows, self.ended = [], False
        return self.generation

    def put(self, generation: int, at: At, rows: Sequence[T], total: int = 0) -> bool:
        """Take the page that `want` gave `at` for; False for one of an older generation."""
        if generation != self.generation or self._asked != at:
            return False
        self._asked = None
        if at:
            self._rows += rows
            self.ended = len(rows) < PAGE
            return True
        fresh = {self._key(row) for row in rows}
        meet = any(self._key(row) in fresh for row in self._rows)
        below = [row for row in self._rows if self._key(row) not in fresh] if meet else []
        if not below:
            self.ended = len(rows) < PAGE
        self._rows = [*rows, *below]
        return True

    def at(self, index: int) -> T | None:
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def known(self) -> Iterator[tuple[int, T]]:
        """Yield all rows with their places."""
        yield from enumerate(self._rows)

    def want(self, first: int, last: int) -> Sequence[At]:
        """Return `[""]` for the newest page, the key below which to read on, or nothing.

        It counts as asked for from now on.
        """
        if not self.generation or self._asked is not None:
            return []
        if self._newest_due:
            self._newest_due, self._asked = False, ""
        elif self.ended or not self._rows or last + _AHEAD < len(self._rows):
            return []
        else:
            self._asked = self._key(self._rows[-1])
        return [self._asked]

    def give_up(self, at: At) -> None:
        """A page could not be read: it may be asked for again."""
        self._asked = None
        self._newest_due = self._newest_due or at == ""
