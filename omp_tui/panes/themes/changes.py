"""What a person does to themes: split, merge, move, rename, pin, dissolve, group all anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on

from omp_core.i18n import _, ngettext
from omp_core.model import Receipt, Record
from omp_tui.background import WRITE, Lane
from omp_tui.dialogs.themes.ask import DissolveDialog, RebuildDialog
from omp_tui.dialogs.themes.merge import MergeDialog
from omp_tui.dialogs.themes.move import MoveDialog
from omp_tui.dialogs.themes.rename import RenameDialog
from omp_tui.dialogs.themes.split import SplitDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed, Said, Written
from omp_tui.panes.base import Pane
from omp_tui.panes.themes.lists import MemberList, ThemeList
from omp_tui.panes.themes.messages import (
    DissolvingSeen,
    HomesRead,
    MembersWanted,
    NearRead,
    RebuildFailed,
    RebuildSeen,
)
from omp_tui.receipts import theme_receipt
from omp_tui.words import number

if TYPE_CHECKING:
    from omp_core.types import Suggestion, Theme, ThemeChange, ThemeMembers


class ThemeActionsPane(Pane):
    """A pane with a list of themes and the members of the one in hand."""

    list: ThemeList
    members: MemberList

    BINDINGS: ClassVar[Bindings] = [
        bind("S", "split", N_("Split")),
        bind("m", "merge", N_("Merge")),
        bind("v", "move_members", N_("Move")),
        bind("r", "rename", N_("Rename")),
        bind("p", "pin", N_("Pin")),
        bind("F", "fix", N_("Fix")),
        bind("d", "dissolve", N_("Dissolve"), show=False),
        bind("R", "rebuild", N_("Group anew"), show=False),
    ]

    rebuilding = False
    """Whether a rebuild is being looked at or done."""

    @property
    def theme(self) -> Theme | None:
        """The theme that an action is about: the one under the cursor."""
        row = self.list.item
        return None if row is None else row.theme

    def done(self, receipt: Receipt | None) -> None:
        """Take the receipt of what a dialog did; None when it was left."""
        raise NotImplementedError

    def say_rebuilding(self, going_on: bool) -> None:
        """Show that themes are being grouped anew, or no longer."""
        raise NotImplementedError

    # with the members read anew

    def _with_members(self, then: Callable[[ThemeMembers], None]) -> None:
        theme = self.theme
        if theme is None:
            return
        themes, theme_id = self.service.memory.themes, theme.id
        self.ask("action", lambda: themes.members(theme_id), lambda held: MembersWanted(held, then))

    @on(MembersWanted)
    def _members_wanted(self, event: MembersWanted) -> None:
        event.then(event.held)

    # split

    def action_split(self) -> None:
        """Split the theme in hand; its marked members, if any, apart from the others."""
        marked = [record.id for record in self.members.marked]
        self._split(lambda held: SplitDialog(self.service, held, marked=marked))

    def _split(self, dialog: Callable[[ThemeMembers], SplitDialog]) -> None:
        def opened(held: ThemeMembers) -> None:
            if held.theme.size < 2:
                said = _("It has one member only: there is nothing to split.")
                self.post_message(Said(said, "warning"))
                return
            self.open(dialog(held), self.done)

        self._with_members(opened)

    # merge

    def action_merge(self) -> None:
        """Merge the theme in hand, or the marked ones, with others."""
        chosen = [row.theme for row in self.list.chosen]
        if not chosen:
            return
        if len({theme.scope for theme in chosen}) > 1:
            said = _("Themes of different users or projects cannot be merged.")
            self.post_message(Said(said, "warning"))
            return
        in_hand = self.theme
        first = in_hand if in_hand in chosen and in_hand is not None else chosen[0]
        self._merge(first, [theme.id for theme in chosen if theme.id != first.id])

    def _merge(self, theme: Theme, marked: Sequence[str]) -> None:
        themes = self.service.memory.themes
        self.ask("action", lambda: themes.alike(theme.id), partial(NearRead, theme, marked))

    @on(NearRead)
    def _near_read(self, event: NearRead) -> None:
        dialog = MergeDialog(self.service, event.theme, event.near, marked=event.marked)
        self.open(dialog, self.done)

    # move members

    def action_move_members(self) -> None:
        """Move the marked members, else the one in hand, to another theme."""
        self._move(self.members.records)

    def _move(self, records: Sequence[Record], target: str | None = None) -> None:
        if not records:
            return
        themes, ids = self.service.memory.themes, [record.id for record in records]
        self.ask("action", lambda: themes.homes(ids), partial(HomesRead, records, target))

    @on(HomesRead)
    def _homes_read(self, event: HomesRead) -> None:
        dialog = MoveDialog(self.service, event.records, event.homes, target=event.target)
        self.open(dialog, self.done)

    # name and pin

    def action_rename(self) -> None:
        if (theme := self.theme) is not None:
            self.open(RenameDialog(self.service, theme), self.done)

    def action_pin(self) -> None:
        """Keep the theme in hand, or the marked ones, as they are; or hand them back."""
        chosen = [row.theme for row in self.list.chosen]
        if not chosen:
            return
        themes, pinned = self.service.memory.themes, not all(theme.pinned for theme in chosen)
        for theme in chosen:
            if theme.pinned != pinned:
                self._do(partial(themes.pin, theme.id, pinned=pinned))
        self.list.clear_marks()

    def _do(self, call: Callable[[], ThemeChange]) -> None:
        self.change(lambda: theme_receipt(call()))

    # dissolve

    def action_dissolve(self) -> None:
        """Ask with what would become of the members."""
        if (theme := self.theme) is None:
            return
        themes = self.service.memory.themes
        self.ask(
            "action",
            lambda: themes.dissolve(theme.id, dry_run=True),
            partial(DissolvingSeen, theme),
        )

    @on(DissolvingSeen)
    def _dissolving_seen(self, event: DissolvingSeen) -> None:
        themes, theme_id = self.service.memory.themes, event.theme.id

        def answered(yes: bool | None) -> None:
            if yes:
                self._do(lambda: themes.dissolve(theme_id))

        self.open(DissolveDialog(event.theme, event.change), answered)

    # what is suggested

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Return what could be done with the theme in hand, the biggest gain first."""
        theme = self.theme
        return () if theme is None else self.list.advice.get(theme.id, ())

    def action_fix(self) -> None:
        """Open what is suggested first, with its preview."""
        theme, suggestions = self.theme, self.suggestions()
        if theme is None:
            return
        if not suggestions:
            self.post_message(Said(_("Nothing is suggested for this theme.")))
            return
        first = suggestions[0]
        if first.kind == "split":
            self._split(lambda held: SplitDialog(self.service, held, groups=first.groups))
        elif first.kind == "merge":
            self._merge(theme, [one for one in first.themes if one != theme.id])
        else:
            memory, ids = self.service.memory, list(first.records)
            self.ask(
                "action",
                lambda: ([memory.get(one) for one in ids], memory.themes.homes(ids)),
                lambda found: HomesRead(found[0], first.themes[-1], found[1]),
            )

    # all anew

    def action_rebuild(self) -> None:
        """Look in the background what grouping all anew would change, and ask."""
        if self.rebuilding:
            return
        themes = self.service.memory.themes
        self.say_rebuilding(True)
        self.ask(
            "rebuild",
            lambda: themes.rebuild(dry_run=True),
            RebuildSeen,
            failed=RebuildFailed,
        )

    @on(RebuildSeen)
    def _rebuild_seen(self, event: RebuildSeen) -> None:
        self.say_rebuilding(False)
        if event.change.receipt.note and not _changes(event):
            self.post_message(Said(_("Grouped anew they would be as they are.")))
            return
        records = self.list.held

        def answered(yes: bool | None) -> None:
            if yes:
                self._rebuild(records)

        self.open(RebuildDialog(event.change), answered)

    @on(RebuildFailed)
    def _rebuild_failed(self, event: RebuildFailed) -> None:
        self.say_rebuilding(False)
        self.post_message(CallFailed(Lane(self.MODE, "rebuild"), event.error))

    def _rebuild(self, records: int) -> None:
        themes = self.service.memory.themes
        text = ngettext(
            "{count} memory is being grouped anew.",
            "{count} memories are being grouped anew.",
            records,
        ).format(count=number(records))
        self.service.background.ask(
            WRITE,
            lambda: theme_receipt(themes.rebuild()),
            Written,
            self,
            keep_all=True,
            what=lambda: text,
        )


def _changes(event: RebuildSeen) -> bool:
    report = event.change.report
    return bool(report.moved or report.created or report.removed or report.dropped)
