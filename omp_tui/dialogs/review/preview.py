"""One thing that waits, in full; from here it can be answered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from omp_core.errors import OmpError
from omp_core.i18n import _
from omp_core.views import ReviewItem
from omp_tui.background import Lane
from omp_tui.dialogs.base import Dialog
from omp_tui.dialogs.review.detail import detail_lines
from omp_tui.dialogs.review.words import kind_name
from omp_tui.keys import N_, Bindings, bind
from omp_tui.service import Service
from omp_tui.text import safe, shown
from omp_tui.widgets.panel import Panel

Verb = Literal["accept", "reject", "edit", "merge"]
_LANE = Lane("review preview", "item")


class PreviewDialog(Dialog[tuple[Verb, ReviewItem]]):
    """Gives an answer to the item as it stood here, or nothing. Follows it while it is open."""

    CSS_PATH = "../../styles/dialogs.tcss"
    BINDINGS: ClassVar[Bindings] = [
        bind("escape,enter", "cancel", N_("Back")),
        bind("y", "leave('accept')", N_("Accept")),
        bind("x", "leave('reject')", N_("Reject")),
        bind("e", "leave('edit')", N_("Edit")),
        bind("m", "leave('merge')", N_("Merge")),
        bind("c", "copy", N_("Copy"), show=False),
    ]

    class Read(Message):
        """The item as it is now."""

        def __init__(self, item: ReviewItem) -> None:
            super().__init__()
            self.item = item

    class Gone(Message):
        """It cannot be read any more."""

        def __init__(self, error: OmpError) -> None:
            super().__init__()
            self.error = error

    def __init__(self, service: Service, item: ReviewItem) -> None:
        super().__init__(kind_name(item.kind))
        self.service = service
        self._item = item

    def body(self) -> Iterable[Widget]:
        self._said = Static(id="newer")
        self._panel: Panel[ReviewItem] = Panel(
            lambda item, width: detail_lines(item, self.service.now(), width), id="detail"
        )
        yield self._panel
        yield self._said

    def on_mount(self) -> None:
        self._panel.show(self._item)

    def invalidate(self) -> None:
        """The memory changed: see whether this item did."""
        memory, key = self.service.memory, self._item.key
        self.service.background.ask(
            _LANE, lambda: memory.review.get(key), self.Read, self, failed=self.Gone, refresh=True
        )

    def on_preview_dialog_read(self, event: Read) -> None:
        if event.item.mark != self._item.mark:
            self._item = event.item
            self._panel.show(event.item)
            self._say(_("It changed meanwhile: this is how it stands."))

    def on_preview_dialog_gone(self, event: Gone) -> None:
        self._say(str(event.error))

    def _say(self, text: str) -> None:
        self._said.update(Content.assemble("▲ ", safe(text[:800])).stylize("$text-warning"))
        self.fit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An answer that was typed before the item could be read is none."""
        if action == "leave":
            return True if self.heeds_keys(getattr(self.app, "key_typed_at", 0.0)) else None
        return super().check_action(action, parameters)

    def action_leave(self, verb: Verb) -> None:
        self.dismiss((verb, self._item))

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(shown(self._item.text))
