"""Give a theme a name, or let the machine name it again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from omp_core.i18n import _
from omp_tui.dialogs.themes.base import ThemeDialog
from omp_tui.dialogs.themes.lines import Outlook, outlook_lines
from omp_tui.keys import N_, Bindings, bind
from omp_tui.receipts import theme_receipt
from omp_tui.service import Service
from omp_tui.text import MUTED, shown
from omp_tui.widgets.fields import Field
from omp_tui.widgets.panel import Panel

if TYPE_CHECKING:
    from omp_core.types import Theme


class RenameDialog(ThemeDialog):
    """An empty name hands the naming back to the machine."""

    AUTO_FOCUS = "#name"
    BINDINGS: ClassVar[Bindings] = [bind("enter", "accept", N_("Rename"), priority=True)]

    def __init__(self, service: Service, theme: Theme) -> None:
        super().__init__(_("Rename a theme"), service)
        self._theme = theme
        self._label = shown(theme.label)

    def body(self) -> Iterable[Widget]:
        yield Field(self._label, id="name", placeholder=_("named by itself"), compact=True)
        yield Static(
            Content.styled(
                _("A theme that you name is pinned. An empty name lets it be named by itself."),
                MUTED,
            ),
            classes="hint",
        )
        yield Panel(outlook_lines, id="preview")

    def on_mount(self) -> None:
        self.query_one("#name", Input).action_select_all()

    @on(Input.Changed, "#name")
    def _typed(self) -> None:
        typed = self.query_one("#name", Input).value.strip()
        if typed == self._label.strip():
            self.forget_preview()
            return
        themes, theme_id, label = self.service.memory.themes, self._theme.id, typed or None
        self.preview(typed, lambda: themes.rename(theme_id, label, dry_run=True))

    def yes(self) -> str:
        return _("Rename  enter")

    def show_preview(self) -> None:
        change, panel = self.change, self.query_one("#preview", Panel)
        panel.display = self._wanted is not None
        panel.show(Outlook(None if change is None else change.preview))
        self.fit()

    def nothing_chosen(self) -> str:
        if self._wanted is None:
            return _("That is its name already.")
        return super().nothing_chosen()

    def carry_out(self) -> None:
        themes, theme_id = self.service.memory.themes, self._theme.id
        label = self.query_one("#name", Input).value.strip() or None
        self.write(lambda: theme_receipt(themes.rename(theme_id, label)))
