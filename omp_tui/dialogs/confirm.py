"""Ask before something is done: how many, which, and another key than the one that asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

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


class ConfirmDialog(Dialog[bool]):
    """`y` says yes; enter, on its first place, says no."""

    VARIANT: ClassVar[Literal["primary", "error"]] = "primary"
    AUTO_FOCUS = "#no"
    BINDINGS: ClassVar[Bindings] = [
        bind("y", "yes", N_("Yes"), priority=True),
        bind("n", "cancel", N_("No"), show=False),
        bind("left,right", "app.focus_next", N_("Other button"), show=False),
    ]

    def __init__(self, title: str, *, yes: str, no: str) -> None:
        super().__init__(title)
        self._yes, self._no = yes, no

    def what(self) -> list[Content]:
        """Return the lines that say what a yes does."""
        raise NotImplementedError

    def body(self) -> Iterable[Widget]:
        yield Static(join_lines(self.what()), id="what")

    def foot(self) -> Iterable[Widget]:
        yield Horizontal(
            Button(Content(self._no), id="no", compact=True),
            Button(Content(self._yes), id="yes", variant=self.VARIANT, compact=True),
            classes="buttons",
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A yes that was typed before the question could be read is none."""
        if action == "yes":
            typed_at = getattr(self.app, "key_typed_at", 0.0)
            return True if self.heeds_keys(typed_at) else None
        return super().check_action(action, parameters)

    def action_yes(self) -> None:
        self.dismiss(True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(event.button.id == "yes")


class DeleteDialog(ConfirmDialog):
    """Names the memories that go."""

    VARIANT = "error"

    def __init__(self, records: Sequence[Record]) -> None:
        count = memories(len(records))
        super().__init__(
            _("Delete {memories}?").format(memories=count),
            yes=_("Delete {memories}  y").format(memories=count),
            no=_("Keep  esc"),
        )
        self._records = tuple(records)

    def what(self) -> list[Content]:
        return [
            *named(self._records, len(self._records)),
            Content.styled(_("It stays in the journal; u undoes."), MUTED),
        ]


def named(records: Sequence[Record], count: int) -> list[Content]:
    """Return a line for each of the first records, and how many of `count` are left out."""
    lines = [
        Content.assemble(
            ("· ", MUTED),
            safe(record.content, width=_WIDTH - 10),
            (f"  {tier_short(record)}", MUTED),
        )
        for record in records[:_NAMED]
    ]
    rest = count - len(lines)
    if rest > 0:
        more = ngettext("… and {count} more", "… and {count} more", rest).format(count=rest)
        lines.append(Content.styled(more, MUTED))
    return lines
