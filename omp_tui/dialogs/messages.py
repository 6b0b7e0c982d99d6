"""Everything that was told since the dashboard was opened, in full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget

from omp_core.i18n import _
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.notices import Notice
from omp_tui.text import MUTED, safe
from omp_tui.widgets.panel import Panel
from omp_tui.words import ago

_MOST = 4000
"""Characters shown of one message."""


class MessagesDialog(Dialog[None]):
    """The newest first; errors have a sign."""

    BINDINGS: ClassVar[Bindings] = [bind("escape,exclamation_mark,q,enter", "cancel", N_("Close"))]

    def __init__(self, notices: Sequence[Notice], now: datetime) -> None:
        super().__init__(_("Messages"))
        self._notices = tuple(notices)
        self._now = now

    def body(self) -> Iterable[Widget]:
        panel: Panel[Sequence[Notice]] = Panel(self._lines)
        panel.show(self._notices)
        yield panel

    def _lines(self, notices: Sequence[Notice], width: int) -> list[Content]:
        if not notices:
            return [Content.styled(_("Nothing has been said yet."), MUTED)]
        return [line for one in notices for line in notice_lines(one, self._now, width)]


def notice_lines(notice: Notice, now: datetime, width: int) -> list[Content]:
    """Return one message: its sign, how long ago it was said, the whole of it."""
    sign, style = {
        "information": ("· ", ""),
        "warning": ("▲ ", "$text-warning"),
        "error": ("✗ ", "$text-error"),
    }[notice.severity]
    head = Content.assemble((sign, style), (ago(notice.at, now), MUTED))
    text = safe(notice.text[:_MOST]).wrap(max(width - 2, 8))
    return [head, *(Content.assemble("  ", line) for line in text)]
