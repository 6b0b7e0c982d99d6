"""Merge a theme with others: all of its scope by how alike they are, and what would come of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _, ngettext
from omp_tui.dialogs.themes.base import ThemeDialog
from omp_tui.dialogs.themes.lines import Outlook, name_of, neighbour_line, outlook_lines
from omp_tui.keys import N_, Bindings, bind
from omp_tui.receipts import theme_receipt
from omp_tui.service import Service
from omp_tui.text import MUTED
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.virtual_list import VirtualList
from omp_tui.words import number, share

if TYPE_CHECKING:
    from omp_core.types import Neighbour, Theme


class MergeDialog(ThemeDialog):
    """The marked ones are merged with the theme, else the one under the cursor."""

    AUTO_FOCUS = "#near"
    BINDINGS: ClassVar[Bindings] = [bind("enter", "accept", N_("Merge"), priority=True)]

    def __init__(
        self,
        service: Service,
        theme: Theme,
        near: Sequence[Neighbour],
        *,
        marked: Sequence[str] = (),
    ) -> None:
        super().__init__(_("Merge themes"), service)
        self._theme = theme
        self._near = tuple(near)
        self._marked = frozenset(marked)

    def body(self) -> Iterable[Widget]:
        yield Static(
            Content.assemble(
                name_of(self._theme, 60).stylize("bold"),
                ("  " + _("with, the most alike first:"), MUTED),
            ),
            classes="about",
        )
        self.list: VirtualList[Neighbour] = VirtualList(
            lambda near: near.theme.id, neighbour_line, id="near"
        )
        self.list.add_class("table")
        yield self.list
        yield Panel(outlook_lines, id="preview")

    def on_mount(self) -> None:
        self.list.start_over(keep_place=False)
        self.list.put_all(self._near)
        self.list.mark_all(one for one in self._near if one.theme.id in self._marked)

    def on_resize(self) -> None:
        self.list.styles.height = min(len(self._near) + 2, 12, max(5, self.app.size.height - 16))
        super().on_resize()

    @on(VirtualList.Moved)
    @on(VirtualList.MarksChanged)
    def _chosen(self) -> None:
        chosen = tuple(one.theme.id for one in self.list.chosen)
        if not chosen or chosen == self._wanted:
            return
        themes, names = self.service.memory.themes, [self._theme.id, *chosen]
        self.preview(chosen, lambda: themes.merge(names, dry_run=True))

    def yes(self) -> str:
        chosen = [one.theme for one in self.list.chosen]
        members = self._theme.size + sum(theme.size for theme in chosen)
        return ngettext(
            "Merge {themes} themes, {count} member  enter",
            "Merge {themes} themes, {count} members  enter",
            members,
        ).format(themes=len(chosen) + 1, count=number(members))

    def show_preview(self) -> None:
        change, item = self.change, self.list.item
        outlook = Outlook(
            None if change is None else change.preview, "" if item is None else _alike(item)
        )
        self.query_one("#preview", Panel).show(outlook)
        self.say_yes()
        self.fit()

    def nothing_chosen(self) -> str:
        if not self._near:
            return _("There is no other theme of the same user and project.")
        return super().nothing_chosen()

    def carry_out(self) -> None:
        themes = self.service.memory.themes
        names = [self._theme.id, *(one.theme.id for one in self.list.chosen)]
        self.write(lambda: theme_receipt(themes.merge(names)))


def _alike(near: Neighbour) -> str:
    return _("{value} alike; space marks several, u undoes the merge").format(
        value=share(near.similarity)
    )
