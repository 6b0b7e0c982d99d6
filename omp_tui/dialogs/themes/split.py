"""Split a theme: the parts and their members, to be moved between them before it is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _, ngettext
from omp_core.model import Record
from omp_tui.background import Lane
from omp_tui.dialogs.themes.base import ThemeDialog
from omp_tui.dialogs.themes.lines import name_of
from omp_tui.dialogs.themes.parts import Groups, SplitParts, named_apart
from omp_tui.keys import N_, Bindings, bind
from omp_tui.receipts import theme_receipt
from omp_tui.service import Service
from omp_tui.text import MUTED, fit, safe
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.row_lines import row_start
from omp_tui.widgets.virtual_list import VirtualList
from omp_tui.words import number, share

if TYPE_CHECKING:
    from omp_core.types import ThemeChange, ThemeFigure, ThemeMembers

_AROUND = 11
"""Rows of the screen that are not the list: frame, name, buttons, keys, an error."""


@dataclass(frozen=True, slots=True)
class PartHeading:
    """The heading of a part. `figure`: what would come of it, None while that is not known."""

    part: int
    size: int
    keeps: bool
    figure: ThemeFigure | None


Row = PartHeading | Record


class SplitDialog(ThemeDialog):
    """Opens with the parts that likeness suggests, with those given, or with the marked
    members apart from the others."""

    AUTO_FOCUS = "#parts"
    BINDINGS: ClassVar[Bindings] = [
        bind("plus,equals_sign", "more", N_("More parts")),
        bind("minus", "fewer", N_("Fewer parts")),
        bind("left", "shift(-1)", N_("To the part above")),
        bind("right", "shift(1)", N_("To the part below")),
    ]

    class LookedAgain(Message):
        def __init__(self, members: tuple[str, ...]) -> None:
            super().__init__()
            self.members = members

    def __init__(
        self,
        service: Service,
        held: ThemeMembers,
        *,
        marked: Sequence[str] = (),
        groups: Groups = (),
    ) -> None:
        super().__init__(_("Split a theme"), service)
        self._theme = held.theme
        self._records = {record.id: record for record in held.records}
        self.parting = (
            named_apart(held.theme.members, marked)
            if 0 < len(marked) < held.theme.size
            else SplitParts(groups)
        )
        self._count = max(len(groups) or held.split.count, 2)

    def body(self) -> Iterable[Widget]:
        yield Static(self._about(), classes="about")
        self.list: VirtualList[Row] = VirtualList(_key, self._line, id="parts")
        self.list.add_class("table")
        yield self.list

    def on_mount(self) -> None:
        if self.parting.groups:
            self._show_rows()
            self._look()
        else:
            self._regroup(self._count)

    def _about(self) -> Content:
        size = self._theme.size
        members = ngettext("{count} member", "{count} members", size).format(count=number(size))
        return Content.assemble(name_of(self._theme, 60).stylize("bold"), (" · " + members, MUTED))

    def yes(self) -> str:
        parts = len(self.parting.filled)
        if parts < 2:
            return _("Split  enter")
        return ngettext(
            "Split into {parts} themes, {count} member  enter",
            "Split into {parts} themes, {count} members  enter",
            self._theme.size,
        ).format(parts=parts, count=number(self._theme.size))

    # the parts

    def _regroup(self, count: int) -> None:
        """Ask for so many parts by likeness."""
        themes, theme_id = self.service.memory.themes, self._theme.id
        self._count = count
        self.preview(count, lambda: themes.split(theme_id, count=count, dry_run=True))

    def _look(self) -> None:
        """Ask what would come of the parts as they are."""
        groups = self.parting.filled
        if len(groups) < 2:
            self.forget_preview()
            return
        themes, theme_id = self.service.memory.themes, self._theme.id
        self.preview(groups, lambda: themes.split(theme_id, groups=groups, dry_run=True))

    def previewed(self, change: ThemeChange) -> None:
        if not isinstance(self._wanted, int):
            return
        # what was asked for was a number of parts: these are they, the one that stays first
        figures = sorted(
            self._figures(change), key=lambda one: (one.theme.id != self._theme.id, -one.theme.size)
        )
        self.parting = SplitParts(tuple(one.theme.members for one in figures))
        self._show_rows()

    def _figures(self, change: ThemeChange) -> list[ThemeFigure]:
        own = set(self._theme.members)
        return [one for one in change.preview.after if own.issuperset(one.theme.members)]

    def _set(self, parting: SplitParts) -> None:
        if parting != self.parting:
            self.parting = parting
            self._show_rows()
            self._look()

    def action_more(self) -> None:
        """One part more: by likeness, or an empty one where members were moved by hand."""
        if self.parting.by_hand:
            self._set(self.parting.with_another())
        elif self._count < self._theme.size:
            self._regroup(self._count + 1)

    def action_fewer(self) -> None:
        """One part less: by likeness, or the last two together."""
        if self.parting.by_hand:
            self._set(self.parting.with_one_less())
        elif self._count > 2:
            self._regroup(self._count - 1)

    def action_shift(self, by: int) -> None:
        """Move the marked members, else the one in hand, to the next part."""
        chosen = [row.id for row in self.list.chosen if isinstance(row, Record)]
        if not chosen or not self.parting.groups:
            return
        self._set(self.parting.moved(chosen, by))

    # what is shown

    def show_preview(self) -> None:
        if self.parting.groups:
            self._show_rows()
        self.say_yes()

    def _show_rows(self) -> None:
        by_members = {}
        if self.change is not None:
            by_members = {frozenset(one.theme.members): one for one in self._figures(self.change)}
        rows: list[Row] = []
        for part, group in enumerate(self.parting.groups):
            figure = by_members.get(frozenset(group))
            keeps = figure is not None and figure.theme.id == self._theme.id
            rows.append(PartHeading(part, len(group), keeps, figure))
            rows += [self._records[one] for one in group if one in self._records]
        self.list.styles.height = min(len(rows) + 2, max(6, self.app.size.height - _AROUND))
        self.list.start_over(keep_place=True)
        self.list.put_all(rows)
        self.fit()

    def _line(self, row: Row, place: RowPlace, width: int) -> Content:
        if isinstance(row, Record):
            return fit(
                Content.assemble(row_start(place), "  ", safe(row.content, width=width)), width
            )
        text = ngettext(
            "part {number} · {count} member", "part {number} · {count} members", row.size
        ).format(number=row.part + 1, count=row.size)
        if row.figure is not None and row.size > 1:
            text += " · " + _("cohesion {value}").format(value=share(row.figure.cohesion))
        if row.keeps:
            text += " · " + _("keeps its place")
        name = Content("") if row.figure is None else name_of(row.figure.theme, width)
        if not row.size:
            name = Content.styled(_("empty: → moves members here"), MUTED)
        return fit(
            Content.assemble("▸" if place.cursor else " ", (text, "bold"), "  ", name), width
        )

    def on_resize(self) -> None:
        if self.parting.groups:
            self._show_rows()
        super().on_resize()

    # the theme meanwhile

    def invalidate(self) -> None:
        """The memory changed: see whether these are still the members."""
        themes, theme_id = self.service.memory.themes, self._theme.id
        self.service.background.ask(
            Lane("theme dialog", "members"),
            lambda: themes.members(theme_id).theme.members,
            self.LookedAgain,
            self,
            failed=lambda _error: self.LookedAgain(()),
            refresh=True,
        )

    def on_split_dialog_looked_again(self, event: LookedAgain) -> None:
        if not self._saving and set(event.members) != set(self._theme.members):
            self.say_error(_("Its members changed meanwhile; esc and S show it as it is now."))

    # doing it

    def nothing_chosen(self) -> str:
        if self.parting.groups and len(self.parting.filled) < 2:
            return _("All members are in one part; ← and → move them.")
        return super().nothing_chosen()

    def carry_out(self) -> None:
        themes, theme_id, groups = self.service.memory.themes, self._theme.id, self.parting.filled
        self.write(lambda: theme_receipt(themes.split(theme_id, groups=groups)))


def _key(row: Row) -> str:
    return row.id if isinstance(row, Record) else f"part {row.part}"
