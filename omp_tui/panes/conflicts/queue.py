"""The list of disputes, whose keys answer the one in hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from omp_tui.keys import N_, Bindings, bind
from omp_tui.panes.conflicts.lines import queue_line
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from omp_core.types import OpenDispute


class DisputeList(VirtualList["OpenDispute"]):
    """Up and down go through the queue, left and right choose a side of the dispute in hand."""

    BINDINGS: ClassVar[Bindings] = [
        bind("left,h", "screen.side('current')", N_("Side A"), show=False),
        bind("right,l", "screen.side('incoming')", N_("Side B"), show=False),
        bind("enter", "open", N_("Keep this side")),
    ]

    def __init__(self, now: Callable[[], datetime], *, id: str | None = None) -> None:
        super().__init__(
            lambda one: one.dispute.id,
            self._line,
            version=lambda one: (one.dispute, one.record.version),
            id=id,
        )
        self._now = now

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing is marked here: `Y` answers all that are alike."""
        return False if action == "mark" else super().check_action(action, parameters)

    def _line(self, one: OpenDispute, place: RowPlace, width: int) -> Content:
        return queue_line(one, place, self._now(), width)
