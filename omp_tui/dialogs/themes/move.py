"""Move memories to another theme, or into a new one that is named here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from omp_core.i18n import _
from omp_core.model import Record
from omp_tui.dialogs.themes.base import ThemeDialog
from omp_tui.dialogs.themes.lines import Outlook, neighbour_line, outlook_lines, records_lines
from omp_tui.keys import N_, Bindings, bind
from omp_tui.receipts import theme_receipt
from omp_tui.service import Service
from omp_tui.text import fit, safe
from omp_tui.widgets.fields import Field
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.row_lines import row_start
from omp_tui.widgets.virtual_list import VirtualList
from omp_tui.words import memories

if TYPE_CHECKING:
    from omp_core.types import Neighbour, ThemeChange


@dataclass(frozen=True, slots=True)
class NewTheme:
    """A theme that is not there yet; without a label the machine names it."""

    label: str = ""


class MoveDialog(ThemeDialog):
    """What is typed finds a theme, and is the name of the new one."""

    AUTO_FOCUS = "#find"
    BINDINGS: ClassVar[Bindings] = [
        bind("enter", "accept", N_("Move"), priority=True),
        bind("down", "target(1)", N_("One down"), show=False, moving=True),
        bind("up", "target(-1)", N_("One up"), show=False, moving=True),
    ]

    def __init__(
        self,
        service: Service,
        records: Sequence[Record],
        homes: Sequence[Neighbour],
        *,
        target: str | None = None,
    ) -> None:
        count = memories(len(records))
        super().__init__(_("Move {memories} to a theme").format(memories=count), service)
        self._moved = tuple(records)
        self._homes = tuple(homes)
        self._target = target

    def body(self) -> Iterable[Widget]:
        about: Panel[Sequence[Record]] = Panel(records_lines, classes="about")
        about.show(self._moved)
        yield about
        yield Field(id="find", placeholder=_("a theme, or the name of a new one"), compact=True)
        self.list: VirtualList[Neighbour | NewTheme] = VirtualList(_key, _line, id="targets")
        self.list.add_class("table")
        self.list.can_focus = False
        yield self.list
        yield Panel(outlook_lines, id="preview")

    def on_mount(self) -> None:
        self._find()
        homes = [home.theme.id for home in self._homes]
        if self._target in homes:
            self.list.move_to(1 + homes.index(self._target))

    def on_resize(self) -> None:
        rows = len(self._homes) + 3
        self.list.styles.height = min(rows, 12, max(4, self.app.size.height - 19))
        super().on_resize()

    @property
    def _typed(self) -> str:
        return self.query_one("#find", Input).value.strip()

    @on(Input.Changed, "#find")
    def _find(self) -> None:
        """Show the themes whose names hold what was typed, a new theme above them."""
        typed = self._typed
        words = typed.casefold().split()
        found = [
            home
            for home in self._homes
            if all(word in home.theme.label.casefold() for word in words)
        ]
        self.list.start_over(keep_place=False)
        self.list.put_all([NewTheme(typed), *found])
        if found:
            self.list.move_to(1)

    def action_target(self, by: int) -> None:
        """Move the cursor of the list while the field has the keys."""
        self.list.action_move(by)

    @on(VirtualList.Moved)
    def _chosen(self) -> None:
        target = self.list.item
        if target is None or target == self._wanted:
            return
        self.preview(target, lambda: self._move(target, dry_run=True))

    def _move(self, target: Neighbour | NewTheme, *, dry_run: bool) -> ThemeChange:
        themes, ids = self.service.memory.themes, [record.id for record in self._moved]
        if isinstance(target, NewTheme):
            return themes.move(ids, None, label=target.label or None, dry_run=dry_run)
        return themes.move(ids, target.theme.id, dry_run=dry_run)

    def yes(self) -> str:
        return _("Move {memories}  enter").format(memories=memories(len(self._moved)))

    def show_preview(self) -> None:
        change = self.change
        outlook = Outlook(None if change is None else change.preview)
        self.query_one("#preview", Panel).show(outlook)
        self.fit()

    def carry_out(self) -> None:
        target = self.list.item
        if target is not None:
            self.write(lambda: theme_receipt(self._move(target, dry_run=False)))


def _key(target: Neighbour | NewTheme) -> str:
    return "new" if isinstance(target, NewTheme) else target.theme.id


def _line(target: Neighbour | NewTheme, place: RowPlace, width: int) -> Content:
    if not isinstance(target, NewTheme):
        return neighbour_line(target, place, width)
    if target.label:
        text = safe(_("a new theme “{label}”").format(label=target.label), width=width)
    else:
        text = Content(_("a new theme, named by itself"))
    return fit(Content.assemble(row_start(place), ("+ ", "bold"), text), width)
