"""Something to read: why, or what to do. Esc closes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from textual.widget import Widget

from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.widgets.panel import Draw, Panel

T = TypeVar("T")


class NoticeDialog(Dialog[None], Generic[T]):
    """Shows what `draw` makes of `data`. `title` holds only this program's own words."""

    BINDINGS: ClassVar[Bindings] = [bind("escape,enter,q", "cancel", N_("Close"))]

    def __init__(self, title: str, draw: Draw[T], data: T) -> None:
        super().__init__(title)
        self._text = Panel(draw)
        self._data = data

    def body(self) -> Iterable[Widget]:
        yield self._text

    def on_mount(self) -> None:
        self._text.show(self._data)
