"""What a person says to a dispute: a side, both, other words, later; the same to all like it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.widgets import Static

from omp_core.i18n import _
from omp_core.model import DisputeSide, Receipt
from omp_tui.background import WRITE
from omp_tui.dialogs.alike import AlikeDialog
from omp_tui.dialogs.own_words import OwnWordsDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed, Written
from omp_tui.panes.base import Pane
from omp_tui.panes.conflicts.messages import AlikeRead, SettleFailed
from omp_tui.panes.conflicts.queue import DisputeList
from omp_tui.receipts import receipt_text
from omp_tui.text import safe

if TYPE_CHECKING:
    from omp_core.types import OpenDispute, Resolution, Settlement


class QueuePane(Pane):
    """A pane with a queue of disputes, each to be answered once."""

    list: DisputeList
    side: DisputeSide
    """The side that `enter` keeps."""
    answered: set[str]
    """Disputes that were answered here, or are being answered."""

    BINDINGS: ClassVar[Bindings] = [
        bind("b", "answer('both')", N_("Both")),
        bind("e", "own_words", N_("Own words")),
        bind("z", "answer('later')", N_("Later")),
        bind("Y", "alike", N_("All like this")),
    ]

    def goes_on(self) -> bool:
        """Go on from a dispute that ended elsewhere; whether that is what the key did."""
        raise NotImplementedError

    def action_answer(self, resolution: Resolution) -> None:
        """Settle the dispute in hand; the next one comes by itself."""
        if self.goes_on() or (one := self._waiting) is None:
            return
        memory, record_id, dispute_id = self.service.memory, one.record.id, one.dispute.id
        self._settle(dispute_id, lambda: memory.resolve(record_id, dispute_id, resolution))

    def action_own_words(self) -> None:
        """Ask for a third value."""
        if self.goes_on() or (one := self._waiting) is None:
            return

        def written(receipt: Receipt | None) -> None:
            if receipt is not None:
                self.answered.add(one.dispute.id)
                self._say_receipt(receipt)

        self.open(OwnWordsDialog(self.service, one, self.side), written)

    def action_alike(self) -> None:
        """See what the answer would settle besides, and ask."""
        if self.goes_on() or (one := self._waiting) is None:
            return
        memory, dispute_id, side = self.service.memory, one.dispute.id, self.side
        self.ask(
            "alike",
            lambda: memory.resolve_many(dispute_id, side, dry_run=True),
            lambda planned: AlikeRead(dispute_id, side, planned),
        )

    @on(AlikeRead)
    def _alike_read(self, event: AlikeRead) -> None:
        dialog = AlikeDialog(event.planned, event.resolution)
        memory, dispute_id = self.service.memory, event.dispute_id

        def answered(yes: bool | None) -> None:
            if yes:
                answer = dialog.answer
                self.answered |= {one.dispute.id for one in event.planned.disputes}
                self._settle(dispute_id, lambda: _receipt(memory.resolve_many(dispute_id, answer)))

        self.open(dialog, answered)

    @property
    def _waiting(self) -> OpenDispute | None:
        """The dispute in hand, unless it is being answered already."""
        one = self.list.item
        return None if one is None or one.dispute.id in self.answered else one

    def _settle(self, dispute_id: str, call: Callable[[], Receipt]) -> None:
        self.answered.add(dispute_id)
        self.service.background.ask(
            WRITE,
            call,
            Written,
            self,
            failed=partial(SettleFailed, dispute_id),
            keep_all=True,
        )

    def on_written(self, event: Written) -> None:
        event.shown = bool(event.receipt.act_id)
        self._say_receipt(event.receipt)

    def _say_receipt(self, receipt: Receipt) -> None:
        text = receipt_text(receipt)[0]
        line = _("✓ {what} · u undoes").format(what=text) if receipt.act_id else text
        width = max(20, self.size.width - 2)
        self.query_one("#receipt", Static).update(safe(line, width=width))

    @on(SettleFailed)
    def _settle_failed(self, event: SettleFailed) -> None:
        self.answered.clear()
        self.reload()
        self.post_message(CallFailed(WRITE, event.error))


def _receipt(done: Settlement) -> Receipt:
    """Return the receipt of one answer for many, with what could not be settled so."""
    reasons = " ".join(reason for _one, reason in done.refused)
    if done.receipt is None:
        return Receipt("unchanged", "", None, note=reasons or _("They are settled already."))
    note = " ".join(part for part in (done.receipt.note, reasons) if part)
    return replace(done.receipt, note=note)
