"""What a long list tells its pane, and how a row stands in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from textual.message import Message

from omp_tui.widgets.rows import At

Fate = Literal["same", "changed", "away"]
"""What became of the item in hand since it was taken: somebody changed it, or it is no longer
among the rows."""


@dataclass(frozen=True, slots=True)
class RowPlace:
    """How a row stands in its list."""

    cursor: bool = False
    marked: bool = False
    fate: Fate = "same"


class FromList(Message):
    """A message of a list, which is also the control that handlers choose by."""

    def __init__(self, rows: Any) -> None:
        super().__init__()
        self.list = rows

    @property
    def control(self) -> Any:
        return self.list


class ListMessages:
    """The messages of a `VirtualList`; `list` is the list that sent them."""

    class PageWanted(FromList):
        """Rows came into view and are not here; `at` is what `put` wants back."""

        def __init__(self, rows: Any, generation: int, at: At) -> None:
            super().__init__(rows)
            self.generation = generation
            self.at = at

    class Moved(FromList):
        """The cursor stands on another item, None where there is none, or its item has changed."""

        def __init__(self, rows: Any, item: Any) -> None:
            super().__init__(rows)
            self.item = item

    class Opened(FromList):
        def __init__(self, rows: Any, item: Any) -> None:
            super().__init__(rows)
            self.item = item

    class MarksChanged(FromList):
        def __init__(self, rows: Any, count: int) -> None:
            super().__init__(rows)
            self.count = count
