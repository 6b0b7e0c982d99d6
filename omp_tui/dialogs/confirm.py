"""Ask before something goes away: how many, which, and another key than the one that asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Static

from omp_core.i18n import _, ngettext
from omp_core.model import Record
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.text import MUTED, join_lines, safe
from omp_tui.words import memories, tier_short

_NAMED = 5
_WIDTH = 62


class DeleteDialog(Dialog[bool]):
    """Names the memories. `y` deletes; enter, on its first place, does not."""

    AUTO_FOCUS = "#keep"
    BINDINGS: ClassVar[Bindings] = [
        bind("y", "delete", N_("Delete")),
        bind("n", "cancel", N_("Keep"), show=False),
        bind("left,right", "app.focus_next", N_("Other button"), show=False),
    ]

    def __init__(self, records: Sequence[Record]) -> None:
        super().__init__(_("Delete {memories}?").format(memories=memories(len(records))))
        self._records = tuple(records)

    def body(self) -> Iterable[Widget]:
        lines = [
            Content.assemble(
                ("· ", MUTED),
                safe(record.content, width=_WIDTH - 10),
                (f"  {tier_short(record)}", MUTED),
            )
            for record in self._records[:_NAMED]
        ]
        rest = len(self._records) - _NAMED
        if rest > 0:
            more = ngettext("… and {count} more", "… and {count} more", rest).format(count=rest)
            lines.append(Content.styled(more, MUTED))
        yield Static(join_lines(lines), id="what")
        yield Static(Content.styled(_("It stays in the journal; u undoes."), MUTED))
        count = memories(len(self._records))
        yield Horizontal(
            Button(Content(_("Keep  esc")), id="keep", compact=True),
            Button(
                Content(_("Delete {memories}  y").format(memories=count)),
                id="delete",
                variant="error",
                compact=True,
            ),
            classes="buttons",
        )

    def action_delete(self) -> None:
        self.dismiss(True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(event.button.id == "delete")
