"""Mode 7: who did what, and who searched for what, as it happens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from omp_core.errors import OmpError
from omp_core.i18n import _
from omp_core.model import Act, Capability, Receipt, SearchLog
from omp_core.views import Activity, UndoPlan
from omp_tui.background import Lane
from omp_tui.dialogs.act import ActAnswer, ActDialog
from omp_tui.dialogs.activity_filter import ActivityFilterDialog
from omp_tui.dialogs.logged_search import LoggedSearchDialog
from omp_tui.dialogs.undo_to import UndoToDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed, Said, UndoAsked
from omp_tui.panes.activity.lines import activity_line, said
from omp_tui.panes.activity.view import ActivityHead, ActivityView, head_lines, nothing
from omp_tui.panes.base import Pane
from omp_tui.text import shown
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.rows import PAGE, At, Feed
from omp_tui.widgets.virtual_list import VirtualList


class ActivityPane(Pane):
    """The journal is read downwards in pages; what is new comes in at the top."""

    MODE = "activity"
    PARTS = (VirtualList,)
    CSS_PATH = "pane.tcss"
    AUTO_FOCUS = "VirtualList"
    BINDINGS: ClassVar[Bindings] = [
        bind("u", "undo_act", N_("Undo this act")),
        bind("U", "undo_to", N_("Undo down to here")),
        bind("f", "filter", N_("Filter")),
        bind("c", "copy", N_("Copy"), show=False),
        bind("escape", "back", N_("Clear marks, then the filter"), show=False),
    ]

    class PageRead(Message):
        def __init__(self, generation: int, at: At, page: tuple[Activity, ...]) -> None:
            super().__init__()
            self.generation = generation
            self.at = at
            self.page = page

    class PageFailed(Message):
        def __init__(self, at: At, error: OmpError) -> None:
            super().__init__()
            self.at = at
            self.error = error

    class Counted(Message):
        def __init__(self, view: ActivityView, total: int) -> None:
            super().__init__()
            self.view = view
            self.total = total

    class ActorsRead(Message):
        def __init__(self, actors: Sequence[str]) -> None:
            super().__init__()
            self.actors = actors

    class Planned(Message):
        """What undoing down to an act would do, begun with the act that is newest now."""

        def __init__(self, act: Act, newest: str | None, plan: UndoPlan) -> None:
            super().__init__()
            self.act = act
            self.newest = newest
            self.plan = plan

    def body(self) -> Iterable[Widget]:
        self.view = ActivityView()
        self._total: int | None = None
        self._loaded = False
        self._again = False
        self._away: str | None = None
        self.list: VirtualList[Activity] = VirtualList(
            lambda line: line.key, self._line, rows=Feed(lambda line: line.key), id="journal"
        )
        yield Panel(head_lines, id="head")
        yield self.list
        yield Static(id="nothing")

    def on_mount(self) -> None:
        self._say()
        self.watch(self.app, "paused", self._say)
        self.watch(self.app, "capabilities", self._capabilities_known)

    def _line(self, line: Activity, place: RowPlace, width: int) -> Content:
        return activity_line(line, place, self.service.now(), width)

    @property
    def settled(self) -> bool:
        return self._loaded and self.list.complete

    # reading

    def reload(self) -> None:
        """Read what is new, the cursor staying on its line."""
        if self._loaded and not self.list.complete:
            self._again = True  # a page is on its way; starting over now would drop it
            return
        self._ask(keep_place=True)

    def show_view(self, view: ActivityView) -> None:
        """Show another part of the journal, from the top."""
        self.view = view
        self._total = None
        self._say()
        self._ask(keep_place=False)

    def _ask(self, *, keep_place: bool) -> None:
        self.list.start_over(keep_place=keep_place)
        self.list.want_visible()
        view, journal, now = self.view, self.service.memory.journal, self.service.now()
        self.ask("count", lambda: journal.count(view.query(now)), partial(self.Counted, view))

    @on(VirtualList.PageWanted)
    def _read_page(self, event: VirtualList.PageWanted) -> None:
        query, journal = self.view.query(self.service.now()), self.service.memory.journal
        generation, at = event.generation, event.at
        self.ask(
            "page",
            lambda: journal.page(query, limit=PAGE, before=str(at) or None),
            partial(self.PageRead, generation, at),
            failed=partial(self.PageFailed, at),
            keep_all=True,
        )

    @on(PageRead)
    def _page_read(self, event: PageRead) -> None:
        self.list.put(event.generation, event.at, event.page)
        self._loaded = True
        self._say()
        if self._again and self.list.complete:
            self._again = False
            self._ask(keep_place=True)

    @on(PageFailed)
    def _page_failed(self, event: PageFailed) -> None:
        self.list.give_up(event.at)
        self.post_message(CallFailed(Lane(self.MODE, "page"), event.error))

    @on(Counted)
    def _counted(self, event: Counted) -> None:
        if event.view == self.view:
            self._total = event.total
            self._say()

    def _capabilities_known(self, capabilities: Sequence[Capability]) -> None:
        store = next((one for one in capabilities if one.name == "store"), None)
        self._away = None if store is None or store.up else store.reason or store.label
        self._say()

    def _say(self) -> None:
        head = ActivityHead(self.view, self._total, bool(getattr(self.app, "paused", False)))
        self.query_one("#head", Panel).show(head)
        empty = self._loaded and self.list.total == 0
        was_empty = self.has_class("-nothing")
        self.set_class(empty, "-nothing")
        if empty:
            self.query_one("#nothing", Static).update(nothing(self.view, self._away))
        elif was_empty:
            self.call_after_refresh(self.list.focus)  # it lost it when it was hidden

    # looking closer

    @on(VirtualList.Opened)
    def _opened(self, event: VirtualList.Opened) -> None:
        what = event.item.what
        if isinstance(what, SearchLog):
            self.open(LoggedSearchDialog(self.service, what))
            return

        def answered(answer: ActAnswer | None) -> None:
            if answer is not None and answer.wish == "undo":
                self.call_later(self._undo, what)
            elif answer is not None:
                self.show_view(ActivityView(record_id=answer.record_id, record_text=answer.text))

        self.open(ActDialog(self.service, what), answered)

    def action_filter(self) -> None:
        self.ask("actors", self.service.memory.journal.actors, self.ActorsRead)

    @on(ActorsRead)
    def _actors_read(self, event: ActorsRead) -> None:
        def chosen(view: ActivityView | None) -> None:
            if view is not None:
                self.show_view(view)

        self.open(ActivityFilterDialog(self.view, event.actors), chosen)

    def action_copy(self) -> None:
        """Copy the lines as they are shown."""
        if lines := self.list.chosen:
            texts = [shown(f"{one.what.actor}: {said(one.what)}") for one in lines]
            self.app.copy_to_clipboard("\n".join(texts))
            self.post_message(Said(_("Copied {count}.").format(count=len(lines))))

    def action_back(self) -> None:
        if self.list.marked:
            self.list.clear_marks()
        elif self.view.filtered:
            self.show_view(ActivityView())

    # taking back

    def action_undo_act(self) -> None:
        if (act := self._act_in_hand()) is not None:
            self._undo(act)

    def _undo(self, act: Act) -> None:
        if act.undone_by is not None:
            self.post_message(Said(_("It was taken back already; ^r brings it again."), "warning"))
        else:
            self.post_message(UndoAsked(act))

    def action_undo_to(self) -> None:
        """Show what undoing everything down to the act in hand would take back."""
        if (act := self._act_in_hand()) is None:
            return
        memory = self.service.memory

        def plan() -> tuple[str | None, UndoPlan]:
            newest = next((one.id for one in memory.acts(limit=1)), None)
            return newest, memory.undo_to(act.id, newest=newest, dry_run=True)

        self.ask("plan", plan, lambda answer: self.Planned(act, *answer))

    @on(Planned)
    def _planned(self, event: Planned) -> None:
        memory, act, newest = self.service.memory, event.act, event.newest

        def undo() -> Receipt:
            done = memory.undo_to(act.id, newest=newest)
            nothing_left = _("Nothing was left to take back.")
            return done.receipt or Receipt("unchanged", "", None, note=nothing_left)

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(undo)

        if event.plan.acts:
            self.open(UndoToDialog(event.plan), answered)
        else:
            self.post_message(Said(_("Everything down to here is taken back already.")))

    def _act_in_hand(self) -> Act | None:
        what = None if self.list.item is None else self.list.item.what
        if isinstance(what, SearchLog):
            self.post_message(Said(_("A search changes nothing that could be undone.")))
            return None
        return what
