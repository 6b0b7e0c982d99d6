"""Ask before one answer is given to all disputes that are alike: how many, and what stays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _, ngettext
from omp_core.model import DisputeKind, DisputeSide
from omp_tui.dialogs.confirm import ConfirmDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.panes.conflicts.lines import alike_lines
from omp_tui.text import MUTED, join_lines, safe

if TYPE_CHECKING:
    from omp_core.types import Resolution, Settlement

_WIDTH = 58
_NAMED = 6


class AlikeDialog(ConfirmDialog):
    """`b` and `z` change the answer, and change it back."""

    BINDINGS: ClassVar[Bindings] = [
        bind("b", "answer('both')", N_("Keep both instead")),
        bind("z", "answer('later')", N_("Set aside instead")),
    ]

    def __init__(self, planned: Settlement, answer: Resolution) -> None:
        count = len(planned.disputes)
        super().__init__(
            ngettext(
                "The same answer for {count} dispute?",
                "The same answer for {count} disputes?",
                count,
            ).format(count=count),
            yes=ngettext("Settle {count}  y", "Settle {count}  y", count).format(count=count),
            no=_("Leave them  esc"),
        )
        self._planned = planned
        self._first = answer
        self.answer = answer

    def body(self) -> Iterable[Widget]:
        yield Static(join_lines(self.what()), id="what")

    def what(self) -> list[Content]:
        texts: dict[str, str] = {
            "current": _("Each keeps its current side (A):"),
            "incoming": _("Each takes its incoming side (B):"),
            "both": _("Each keeps both sides:"),
            "later": _("Each is set aside until you ask for it:"),
        }
        sides: dict[str, DisputeSide] = {"current": "current", "incoming": "incoming"}
        disputes = self._planned.disputes
        lines = [Content.styled(texts[self.answer], "bold")]
        lines += alike_lines(disputes, sides.get(self.answer), _WIDTH, _NAMED)
        lines += [safe(reason, width=_WIDTH) for _one, reason in self._planned.refused[:_NAMED]]
        return [*lines, Content.styled(_("It is one act; u takes all of it back."), MUTED)]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disputes of branches, and those set aside already, cannot be set aside."""
        if action == "answer" and parameters == ("later",):
            able = all(
                one.dispute.kind is not DisputeKind.BRANCH and not one.dispute.set_aside
                for one in self._planned.disputes
            )
            return True if able else None
        return super().check_action(action, parameters)

    def action_answer(self, answer: Resolution) -> None:
        self.answer = self._first if self.answer == answer else answer
        self.query_one("#what", Static).update(join_lines(self.what()))
        self.fit()
