"""Mode 3: the queue of disputes, one of them in hand with both its sides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from omp_core.errors import NotFoundError
from omp_core.i18n import _
from omp_core.model import DisputeSide
from omp_tui.background import Lane
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed
from omp_tui.panes.conflicts.answers import QueuePane
from omp_tui.panes.conflicts.lines import Card, QueueStatus, card_lines, standing_lines
from omp_tui.panes.conflicts.messages import (
    DetailRead,
    QueueFailed,
    QueueRead,
)
from omp_tui.panes.conflicts.queue import DisputeList
from omp_tui.text import safe
from omp_tui.widgets.panel import Panel

if TYPE_CHECKING:
    from omp_core.memory import Memory
    from omp_core.types import (
        DisputeDetail,
        Ending,
        OpenDispute,
    )


class ConflictsPane(QueuePane):
    """The dispute in hand stays in hand when others come, and says when it ended elsewhere."""

    MODE = "conflicts"
    PARTS = (DisputeList,)
    CSS_PATH = "pane.tcss"
    AUTO_FOCUS = "DisputeList"
    BINDINGS: ClassVar[Bindings] = [
        bind("f", "set_aside", N_("Set aside or waiting"), show=False),
        bind("ctrl+up", "scroll_card(-3)", N_("Dispute up"), show=False, moving=True),
        bind("ctrl+down", "scroll_card(3)", N_("Dispute down"), show=False, moving=True),
    ]

    def body(self) -> Iterable[Widget]:
        self._queue: tuple[OpenDispute, ...] | None = None
        self._aside = False
        self.side = "current"
        self._detail: DisputeDetail | None = None
        self._ending: Ending | None = None
        self._looked: str | None = None
        """The dispute whose details, or whose ending, are on the screen."""
        self.answered = set()
        self._failure: str | None = None
        self.list = DisputeList(self.service.now, id="queue")
        self.card = Panel(card_lines, id="dispute")
        yield Panel(standing_lines, id="standing")
        yield VerticalScroll(self.card, id="card", can_focus=False)
        yield Static(id="nothing")
        yield self.list
        yield Static(id="receipt")

    # reading

    @property
    def settled(self) -> bool:
        if self._queue is None:
            return self._failure is not None
        one = self.list.item
        return self.list.complete and (one is None or self._looked == one.dispute.id)

    def reload(self) -> None:
        memory, aside = self.service.memory, self._aside
        self.ask(
            "queue",
            lambda: memory.disputes(set_aside=aside),
            lambda queue: QueueRead(queue, aside),
            failed=QueueFailed,
            refresh=True,
        )

    @on(QueueRead)
    def _queue_read(self, event: QueueRead) -> None:
        if event.set_aside != self._aside:
            return
        before = {one.dispute.id for one in self._queue or ()}
        hand = self.list.item
        self._queue, self._failure = event.queue, None
        self._looked = None
        self.list.start_over(keep_place=True)
        self.list.put_all(event.queue)
        there = {one.dispute.id for one in event.queue}
        if hand is None or (hand.dispute.id in self.answered and hand.dispute.id not in there):
            self._take_next()
        self._say_standing()
        self._follow_answered(before)

    def _take_next(self) -> None:
        """Take the dispute in hand that stands at the cursor now; from then on it is held."""
        self.list.let_go()
        self.list.move_to(self.list.cursor)

    def _follow_answered(self, before: set[str]) -> None:
        """Go to a dispute that was answered here and is open again: the answer was undone."""
        places = {one.dispute.id: at for at, one in enumerate(self._queue or ())}
        again = [one for one in self.answered if one in places and one not in before]
        self.answered.difference_update(again)
        if again:
            self.query_one("#receipt", Static).update("")
            self.list.move_to(min(places[one] for one in again))

    @on(QueueFailed)
    def _queue_failed(self, event: QueueFailed) -> None:
        self._queue, self._failure = None, str(event.error)
        self._say_standing()
        self.post_message(CallFailed(Lane(self.MODE, "queue"), event.error))

    @on(DisputeList.Moved)
    def _moved(self, event: DisputeList.Moved) -> None:
        one: OpenDispute | None = event.item
        if one is None:
            self._say_standing()
            return
        if self._detail is None or self._detail.open.dispute.id != one.dispute.id:
            self._detail, self._ending = None, None
            self.side = "current"
        self._show()
        memory, record_id, dispute_id = self.service.memory, one.record.id, one.dispute.id
        self.ask("detail", lambda: _looked_up(memory, record_id, dispute_id), lambda read: read)

    @on(DetailRead)
    def _detail_read(self, event: DetailRead) -> None:
        one = self.list.item
        if one is None or one.dispute.id != event.dispute_id:
            return
        fresh = self._detail is None and self._ending is None
        self._looked = event.dispute_id
        self._ending = event.ending
        if event.detail is not None:
            self._detail = event.detail
            if fresh and event.detail.preference is not None:
                self.side = event.detail.preference.side
        self._show()

    # showing

    def _show(self) -> None:
        one, queue = self.list.item, self._queue or ()
        if one is None:
            return
        detail = self._detail
        if detail is not None and detail.open.dispute.id != one.dispute.id:
            detail = None
        place = (min(self.list.cursor + 1, max(1, len(queue))), max(1, len(queue)))
        self.card.show(Card(one, detail, self.side, place, self.service.now(), self._ending))
        self.refresh_bindings()

    def _say_standing(self) -> None:
        queue = self._queue
        if queue is not None:
            standing = QueueStatus(queue, self._aside, self.service.now())
            self.query_one("#standing", Panel).show(standing)
        empty = queue is None or (not queue and self.list.item is None)
        self.set_class(empty, "-nothing")
        if empty:
            self.query_one("#nothing", Static).update(safe(self._nothing()))

    def _nothing(self) -> str:
        if self._failure is not None:
            return _("The disputes cannot be read: {reason}").format(reason=self._failure)
        if self._queue is None:
            return _("Reading the disputes …")
        if self._aside:
            return _("Nothing is set aside. f goes back to those that wait.")
        return _(
            "No dispute waits. One comes here when two agents change the same field at once, when "
            "a new memory contradicts an old one, when a memory and a document of the project "
            "disagree, and when two branches of git changed one field. f shows what was set aside."
        )

    # answering

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing is answered where there is nothing; what is set aside is not set aside again."""
        one = self.list.item
        if action in ("answer", "own_words", "alike", "side"):
            if one is None or self.has_class("-nothing"):
                return False
            if parameters == ("later",):
                return not self._aside and one.branch is None
        return super().check_action(action, parameters)

    def action_side(self, side: DisputeSide) -> None:
        """Put the focus on a side: `enter` keeps it."""
        if not self.goes_on():
            self.side = side
            self._show()

    def action_scroll_card(self, by: int) -> None:
        self.query_one("#card").scroll_relative(y=by, animate=False)

    @on(DisputeList.Opened)
    def _keep(self) -> None:
        self.action_answer(self.side)

    def goes_on(self) -> bool:
        """Go on from a dispute that ended elsewhere; whether that is what the key did."""
        if self._ending is None:
            return False
        self._ending = self._detail = None
        self._take_next()
        self._say_standing()
        return True

    # what was set aside

    def action_set_aside(self) -> None:
        """Show what was set aside, or again what waits."""
        self._aside = not self._aside
        self.answered.clear()
        self._queue, self._detail, self._ending = None, None, None
        self.list.start_over(keep_place=False)
        self.list.put_all(())
        self._say_standing()
        self.reload()


def _looked_up(memory: Memory, record_id: str, dispute_id: str) -> DetailRead:
    try:
        return DetailRead(dispute_id, memory.dispute(dispute_id))
    except NotFoundError:
        return DetailRead(dispute_id, None, memory.dispute_ending(record_id, dispute_id))
