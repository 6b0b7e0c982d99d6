"""Make one memory of two: which of them stays, and the text of both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static, TextArea

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Record
from omp_tui.background import Lane
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.service import Service
from omp_tui.text import MUTED, join_lines, safe, shown
from omp_tui.widgets.fields import TextField

_WIDTH = 68


class MergeDialog(WritingDialog):
    """Shows beforehand what comes of it; the text can be changed."""

    CSS_PATH = "../styles/dialogs.tcss"
    AUTO_FOCUS = "#content"
    BINDINGS: ClassVar[Bindings] = [
        bind("ctrl+o", "swap", N_("Let the other one stay"), priority=True)
    ]

    class Proposed(Message):
        """The text that says what both say, as the memory would choose it."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, service: Service, kept: Record, other: Record) -> None:
        super().__init__(_("Merge two memories"), service)
        self._kept, self._other = kept, other
        self._proposed: str | None = None

    @property
    def settled(self) -> bool:
        return self._proposed is not None

    def body(self) -> Iterable[Widget]:
        yield Static(self._what(), id="what")
        yield Static(
            Content.styled(_("Both become this; it can be changed:"), MUTED), classes="hint"
        )
        yield TextField("", id="content", compact=True, highlight_cursor_line=False)

    def more_buttons(self) -> Iterable[Button]:
        yield Button(Content(_("The other stays  ^o")), id="swap", compact=True)

    def on_mount(self) -> None:
        memory, texts = self.service.memory, (self._kept.content, self._other.content)
        self.service.background.ask(
            Lane("merge", "text"), lambda: memory.fuller(*texts), self.Proposed, self
        )

    def on_merge_dialog_proposed(self, event: Proposed) -> None:
        self._proposed = shown(event.text)
        self.query_one("#content", TextArea).load_text(self._proposed)

    def _what(self) -> Content:
        kept, other = self._kept, self._other
        return join_lines(
            [
                Content.assemble(
                    (_("stays") + "  ", MUTED), safe(kept.content, width=_WIDTH).stylize("bold")
                ),
                Content.assemble((_("goes") + "  ", MUTED), safe(other.content, width=_WIDTH)),
                Content.styled(
                    _("It gets the tags of both; their dispute is settled. u undoes."),
                    MUTED,
                ),
            ]
        )

    def action_swap(self) -> None:
        self._kept, self._other = self._other, self._kept
        self.query_one("#what", Static).update(self._what())

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "swap":
            event.stop()
            event.prevent_default()
            self.action_swap()

    def has_changes(self) -> bool:
        return self._proposed is not None and self._text != self._proposed

    @property
    def _text(self) -> str:
        return self.query_one("#content", TextArea).text

    def save(self) -> None:
        if self._proposed is None:
            raise InvalidValueError(_("The text of both is still being read."))
        memory, kept, other = self.service.memory, self._kept.id, self._other.id
        # the text shown may stand for controls: only what was changed here is sent as it reads
        text = self._text if self.has_changes() else None
        self.write(lambda: memory.merge(kept, other, text))
