"""What the dialogs on themes have in common: a preview that follows what is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from omp_core.errors import InvalidValueError, OmpError
from omp_core.i18n import _
from omp_tui.background import Lane
from omp_tui.dialogs.base import Dialog
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.service import Service

if TYPE_CHECKING:
    from omp_core.types import ThemeChange

_PREVIEW = Lane("theme dialog", "preview")


class ThemeDialog(WritingDialog, inherit_bindings=False):
    """`enter` does what the preview shows, once that is there."""

    CSS_PATH = "../../styles/dialogs.tcss"
    BINDINGS: ClassVar[Bindings] = [
        *Dialog.BINDINGS,
        bind("enter", "accept", N_("Do it"), priority=True),
    ]

    class Previewed(Message):
        """`wanted` is what the preview was asked for."""

        def __init__(self, wanted: object, change: ThemeChange) -> None:
            super().__init__()
            self.wanted = wanted
            self.change = change

    class PreviewFailed(Message):
        def __init__(self, wanted: object, error: OmpError) -> None:
            super().__init__()
            self.wanted = wanted
            self.error = error

    def __init__(self, title: str, service: Service) -> None:
        super().__init__(title, service)
        self._wanted: object = None
        self.change: ThemeChange | None = None
        """What would be done; None while that is not known."""

    def foot(self) -> Iterable[Widget]:
        yield VerticalScroll(Static(id="error"), id="trouble", can_focus=False)
        yield Horizontal(
            Button(Content(_("Leave it as it was  esc")), id="cancel", compact=True),
            Button(Content(self.yes()), id="save", variant="primary", compact=True),
            classes="buttons",
        )

    def yes(self) -> str:
        """What the button says that does it."""
        raise NotImplementedError

    # the preview

    @property
    def settled(self) -> bool:
        """Whether the preview is of what is chosen."""
        return self.change is not None or self.has_class("-error")

    def preview(self, wanted: object, call: Callable[[], ThemeChange]) -> None:
        """Ask what a change would do; of several that wait only the newest is made."""
        self._wanted, self.change = wanted, None
        self.say_error("")
        self.show_preview()
        self.service.background.ask(
            _PREVIEW,
            call,
            partial(self.Previewed, wanted),
            self,
            failed=partial(self.PreviewFailed, wanted),
        )

    def forget_preview(self) -> None:
        """Nothing is chosen: there is nothing to preview."""
        self._wanted = self.change = None
        self.show_preview()

    def on_theme_dialog_previewed(self, event: Previewed) -> None:
        if event.wanted == self._wanted:
            self.change = event.change
            self.say_error("")
            self.previewed(event.change)
            self.show_preview()

    def on_theme_dialog_preview_failed(self, event: PreviewFailed) -> None:
        if event.wanted == self._wanted:
            self.say_error(str(event.error))

    def previewed(self, change: ThemeChange) -> None:
        """Take what the preview says beyond showing it."""

    def show_preview(self) -> None:
        """Show `self.change`, or that it is being looked at."""
        raise NotImplementedError

    def say_yes(self) -> None:
        """Say anew on the button what it would do."""
        button = self.query_one("#save", Button)
        button.label = Content(self.yes())
        button.refresh(layout=True)

    # doing it

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A yes that was typed before the dialog could be read is none; on the other button
        enter presses that."""
        if action == "accept":
            if isinstance(self.focused, Button) and self.focused.id == "cancel":
                return False
            typed_at = getattr(self.app, "key_typed_at", 0.0)
            return True if self.heeds_keys(typed_at) else None
        return super().check_action(action, parameters)

    def action_accept(self) -> None:
        if self.change is not None:
            self.action_save()
        elif not self.has_class("-error"):
            self.say_error(self.nothing_chosen())

    def nothing_chosen(self) -> str:
        """Return why there is nothing to do yet."""
        return _("What it would do is not known yet.")

    def has_changes(self) -> bool:
        """Nothing is lost by leaving: what is left as it was can be chosen again."""
        return False

    def save(self) -> None:
        if self.change is None:
            raise InvalidValueError(self.nothing_chosen())
        self.carry_out()

    def carry_out(self) -> None:
        """Ask for what was previewed to be done."""
        raise NotImplementedError
