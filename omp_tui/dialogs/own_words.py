"""Settle a dispute in words of one's own, seeing both sides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static, TextArea

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import DisputeSide, Json
from omp_core.names import field_name
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.panes.conflicts.words import value_text
from omp_tui.service import Service
from omp_tui.text import MUTED, join_lines, safe, shown
from omp_tui.widgets.fields import TextField

if TYPE_CHECKING:
    from omp_core.types import OpenDispute

_WIDTH = 72


class OwnWordsDialog(WritingDialog):
    """Begins with the side that was in focus."""

    def __init__(self, service: Service, one: OpenDispute, side: DisputeSide) -> None:
        super().__init__(_("Settle it in your own words"), service)
        self._one = one
        dispute = one.dispute
        value = dispute.current if side == "current" else dispute.incoming
        self._first = "" if value is None else shown(value_text(value))
        self._is_text = isinstance(dispute.current, str) and isinstance(dispute.incoming, str)

    def body(self) -> Iterable[Widget]:
        dispute = self._one.dispute
        name = dispute.field if self._one.branch is not None else field_name(dispute.field)
        lines = [safe(name, width=_WIDTH).stylize("bold")]
        for letter, value in (("A", dispute.current), ("B", dispute.incoming)):
            lines.append(
                Content.assemble((f"{letter} ", MUTED), safe(value_text(value), width=_WIDTH - 2))
            )
        yield Static(join_lines(lines))
        yield TextField(self._first, id="content", compact=True, highlight_cursor_line=False)

    def on_mount(self) -> None:
        field = self.query_one("#content", TextArea)
        field.focus()
        field.select_all()

    @property
    def _typed(self) -> str:
        return self.query_one("#content", TextArea).text

    def has_changes(self) -> bool:
        return self._typed != self._first

    def save(self) -> None:
        from omp_core.language.typed_values import meant

        typed = self._typed.strip()
        if not typed:
            raise InvalidValueError(_("Not written yet: say what holds instead of both."))
        value: Json = typed if self._is_text else meant(typed)
        memory, one = self.service.memory, self._one
        record_id, dispute_id = one.record.id, one.dispute.id
        self.write(lambda: memory.resolve(record_id, dispute_id, "value", value))
