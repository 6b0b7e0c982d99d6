"""What the dialogs that write have in common: they stay open until the memory has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Static, TextArea

from omp_core.errors import InvalidValueError, SecretFoundError
from omp_core.i18n import _
from omp_core.model import Receipt
from omp_tui.background import WRITE
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed, Written
from omp_tui.service import Service
from omp_tui.text import safe

_ERROR_CHARS = 2000


class WritingDialog(Dialog[Receipt]):
    """Gives the receipt of what was written, or None.

    What was typed is never lost to an error: that is shown in the dialog.
    """

    BINDINGS: ClassVar[Bindings] = [bind("ctrl+s", "save", N_("Save"), priority=True)]

    def __init__(self, title: str, service: Service) -> None:
        super().__init__(title)
        self.service = service
        self._warned = False
        self._saving = False

    def has_changes(self) -> bool:
        """Whether there is anything that leaving would lose."""
        raise NotImplementedError

    def save(self) -> None:
        """Ask for what was typed to be written. May raise InvalidValueError."""
        raise NotImplementedError

    def more_buttons(self) -> Iterable[Button]:
        """Return buttons beside cancel and save."""
        return ()

    def foot(self) -> Iterable[Widget]:
        yield VerticalScroll(Static(id="error"), id="trouble", can_focus=False)
        yield Horizontal(
            Button(Content(_("Cancel  esc")), id="cancel", compact=True),
            *self.more_buttons(),
            Button(Content(_("Save  ^s")), id="save", variant="primary", compact=True),
            classes="buttons",
        )

    def action_save(self) -> None:
        if self._saving:
            return
        try:
            self.save()
        except InvalidValueError as error:
            self.say_error(str(error))

    def write(self, change: Callable[[], Receipt]) -> None:
        """Carry out a change in the background; nothing else is written meanwhile."""
        self._saving = True
        self.service.background.ask(WRITE, change, Written, self, keep_all=True)

    def on_written(self, event: Written) -> None:
        # The message goes on to the app, which tells the person and reads again.
        self._saving = False
        self.dismiss(event.receipt)

    def on_call_failed(self, event: CallFailed) -> None:
        event.stop()
        self._saving = False
        self.say_error(str(event.error))

    def say_error(self, text: str) -> None:
        """Show what is wrong, or nothing for an empty text."""
        error = self.query_one("#error", Static)
        error.update(safe(text[:_ERROR_CHARS]).stylize("$text-error"))
        self.set_class(bool(text), "-error")
        self.fit()

    def action_cancel(self) -> None:
        """Leave; with changes, only when asked twice."""
        if self.may_leave():
            self.dismiss(None)

    def yields(self) -> bool:
        if not self.has_changes():
            return True
        self.say_error(_("This is not saved yet: ^s saves it, esc leaves it."))
        return False

    def may_leave(self) -> bool:
        """Whether nothing is lost by leaving; else say so, and be content the next time."""
        if self._warned or not self.has_changes():
            return True
        self._warned = True
        if self._saving:
            text = _("It is still being written. Esc again leaves that to go on by itself.")
        else:
            text = _("This is not saved yet: ^s saves it, esc again drops it.")
        self.say_error(text)
        return False

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "save":
            self.action_save()
        else:
            self.action_cancel()


class RedactingDialog(WritingDialog):
    """Writes the text of `#content`; of one that holds a secret, the rest is offered."""

    def __init__(self, title: str, service: Service) -> None:
        super().__init__(title, service)
        self._redacted: str | None = None

    @property
    def text(self) -> str:
        """What is typed."""
        return self.query_one("#content", TextArea).text

    def more_buttons(self) -> Iterable[Button]:
        yield Button(Content(_("Use the redacted text")), id="redact", compact=True)

    def on_call_failed(self, event: CallFailed) -> None:
        error = event.error
        self._redacted = error.redacted if isinstance(error, SecretFoundError) else None
        self.set_class(self._redacted is not None, "-secret")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "redact" and self._redacted is not None:
            event.stop()
            event.prevent_default()
            self.query_one("#content", TextArea).load_text(self._redacted)
            self.remove_class("-secret")
            self.say_error("")
