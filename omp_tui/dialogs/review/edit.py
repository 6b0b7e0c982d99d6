"""Take something that waits with another text than its own."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget
from textual.widgets import Static

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.views import ReviewItem, ReviewKind
from omp_tui.dialogs.review.words import kind_name
from omp_tui.dialogs.writing import RedactingDialog
from omp_tui.receipts import review_receipt
from omp_tui.service import Service
from omp_tui.text import MUTED, safe, shown
from omp_tui.widgets.fields import TextField


class TextDialog(RedactingDialog):
    """A text to be changed before it is taken."""

    CSS_PATH = "../../styles/dialogs.tcss"

    def __init__(self, title: str, service: Service, item: ReviewItem) -> None:
        super().__init__(title, service)
        self.item = item


class EditItemDialog(TextDialog):
    """Saving is the yes."""

    AUTO_FOCUS = "#content"

    def __init__(self, service: Service, item: ReviewItem) -> None:
        title = _("{kind}: edit, then accept").format(kind=kind_name(item.kind))
        super().__init__(title, service, item)
        self._first = shown(self._own_text(item))

    @staticmethod
    def _own_text(item: ReviewItem) -> str:
        """Return what the person changes: of a fact of the project, its value."""
        if len(item.places) == 1:
            return str(item.places[0].after)
        return item.text

    def body(self) -> Iterable[Widget]:
        yield Static(safe(self._what()).stylize(MUTED), classes="about")
        yield TextField(self._first, id="content", compact=True, highlight_cursor_line=False)

    def _what(self) -> str:
        item = self.item
        if item.places:
            first = item.places[0]
            return _("It is written to {path} in {file}.").format(path=first.path, file=first.file)
        return {
            ReviewKind.PENDING: _("It is stored with this text, and waits no longer."),
            ReviewKind.CANDIDATE: _("It becomes a memory with this text."),
            ReviewKind.DUPLICATE: _("It becomes a memory of its own with this text."),
            ReviewKind.ARCHIVE: _("It is kept with this text, and not archived."),
            ReviewKind.FORGET: _("It is kept with this text, and not forgotten."),
            ReviewKind.REFUSED: _("It is stored with this text after all."),
        }[item.kind]

    def has_changes(self) -> bool:
        return self.text != self._first

    def save(self) -> None:
        text, item, memory = self.text, self.item, self.service.memory
        if not self.has_changes():
            raise InvalidValueError(_("The text is as it was. esc leaves, y accepts it as it is."))
        self.write(lambda: review_receipt(memory.review.edit(item.key, text, seen=item.mark), item))
