"""What a person says to what waits: yes, no, other words, into another, the same to several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, Literal

from textual import on

from omp_core.i18n import _
from omp_core.model import Receipt
from omp_core.views import ReviewItem, ReviewKind
from omp_tui.background import WRITE, Lane
from omp_tui.dialogs.review.edit import EditItemDialog
from omp_tui.dialogs.review.merge import MergeItemDialog
from omp_tui.dialogs.review.preview import PreviewDialog, Verb
from omp_tui.dialogs.review.several import SeveralDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed, Said, Written
from omp_tui.panes.base import Pane
from omp_tui.panes.review.messages import AllSeen, AnswerFailed
from omp_tui.receipts import report_receipt, review_receipt
from omp_tui.text import shown
from omp_tui.widgets.virtual_list import VirtualList

YesOrNo = Literal["accept", "reject"]


class InboxPane(Pane):
    """A pane with a list of what waits, each to be answered once."""

    list: VirtualList[ReviewItem]
    kind: ReviewKind
    answering: set[str]
    """Keys of what is being answered: a second key meant for the first says nothing more."""

    BINDINGS: ClassVar[Bindings] = [
        bind("y", "answer('accept')", N_("Accept")),
        bind("e", "answer('edit')", N_("Edit")),
        bind("m", "answer('merge')", N_("Merge")),
        bind("x", "answer('reject')", N_("Reject")),
        bind("Y", "accept_all", N_("All of a kind")),
        bind("c", "copy", N_("Copy"), show=False),
    ]

    def say_receipt(self, receipt: Receipt | None) -> None:
        """Show what was done here last, or nothing."""
        raise NotImplementedError

    def read_again(self) -> None:
        """Read what waits now, not at the next look."""
        raise NotImplementedError

    # one

    def action_answer(self, verb: Verb) -> None:
        """Answer the item in hand; a yes or no, the marked ones."""
        marked = self.list.marked
        if marked and verb in ("accept", "reject"):
            self._look_at_all("accept" if verb == "accept" else "reject", marked)
            return
        item = self.list.item
        if item is not None and self._is_as_seen(verb):
            self.answer(verb, item)

    def _is_as_seen(self, verb: Verb) -> bool:
        """Whether the item in hand is what the cursor was put on; else say so, and look again.

        A dialog shows the item as it is now, so only what is settled opens none.
        """
        fate = self.list.fate
        if fate == "same" or (fate == "changed" and verb in ("edit", "merge")):
            return True
        if fate == "changed":
            text = _("It changed meanwhile. Look again; the same key answers it as it is now.")
        else:
            text = _("It was settled meanwhile. Here is the next.")
        self.list.move_to(self.list.cursor)
        self.post_message(Said(text, "warning"))
        return False

    def answer(self, verb: Verb, item: ReviewItem) -> None:
        """Answer this item as it was seen."""
        if item.key in self.answering:
            return
        if verb == "edit":
            self.open(EditItemDialog(self.service, item), partial(self._dialog_done, item))
        elif verb == "merge":
            self.open(MergeItemDialog(self.service, item), partial(self._dialog_done, item))
        else:
            review = self.service.memory.review
            say = review.accept if verb == "accept" else review.reject
            call = partial(say, item.key, seen=item.mark)
            self._carry_out([item], lambda: review_receipt(call(), item, accepted=verb == "accept"))

    def _carry_out(self, items: Sequence[ReviewItem], change: Callable[[], Receipt]) -> None:
        keys = frozenset(item.key for item in items)
        self.answering |= keys
        self.list.let_go()
        self.list.clear_marks()
        self.service.background.ask(
            WRITE, change, Written, self, failed=partial(AnswerFailed, keys), keep_all=True
        )

    def _dialog_done(self, item: ReviewItem, receipt: Receipt | None) -> None:
        if receipt is not None:
            self.answering.add(item.key)
            self.list.let_go()
            self._done(receipt)

    # several

    def action_accept_all(self) -> None:
        """Show what a yes to all of this kind would do, and ask."""
        self._look_at_all("accept", ())

    def _look_at_all(self, verb: YesOrNo, items: Sequence[ReviewItem]) -> None:
        seen = {item.key: item.mark for item in items} or None
        review = self.service.memory.review
        all_of = review.accept_all if verb == "accept" else review.reject_all
        look = partial(all_of, self.kind, seen=seen, dry_run=True)
        self.ask("several", look, partial(AllSeen, verb))

    @on(AllSeen)
    def _all_seen(self, event: AllSeen) -> None:
        dialog = SeveralDialog(event.report, event.verb)
        if not dialog.ready:
            left = next(iter(event.report.left.values()), None)
            self.post_message(Said(left or _("Nothing waits here."), "warning"))
            return

        def answered(yes: bool | None) -> None:
            if not yes:
                return
            # exactly what was shown, and of that only what is still as it was shown
            seen = {item.key: item.mark for item in dialog.ready}
            review, kind = self.service.memory.review, event.report.kind
            all_of = review.accept_all if event.verb == "accept" else review.reject_all
            self._carry_out(dialog.ready, lambda: report_receipt(all_of(kind, seen=seen)))

        self.open(dialog, answered)

    # looking

    @on(VirtualList.Opened, "#items")
    def _opened(self, event: VirtualList.Opened) -> None:
        def left(answer: tuple[Verb, ReviewItem] | None) -> None:
            if answer is not None:
                self.call_later(self.answer, *answer)

        self.open(PreviewDialog(self.service, event.item), left)

    def action_copy(self) -> None:
        """Copy the texts as they are shown: what looks harmless has to paste harmless."""
        items = self.list.chosen
        if items:
            self.app.copy_to_clipboard("\n\n".join(shown(item.text) for item in items))
            self.post_message(Said(_("Copied.")))

    # what became of it

    def on_written(self, event: Written) -> None:
        """The message goes on to the app, which tells it and looks at the memory."""
        self._done(event.receipt)

    def _done(self, receipt: Receipt) -> None:
        self.say_receipt(receipt)
        self.read_again()

    @on(AnswerFailed)
    def _answer_failed(self, event: AnswerFailed) -> None:
        self.answering -= event.keys
        self.post_message(CallFailed(Lane(self.MODE, "answer"), event.error))
        self.read_again()
