"""Ask before one answer is given to several things that wait: how many, which, what it does."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.views import ReviewItem, ReviewReport
from omp_tui.dialogs.confirm import ConfirmDialog
from omp_tui.dialogs.review.words import effects_text, kind_name, rejected_text
from omp_tui.text import MUTED, safe
from omp_tui.words import number

_NAMED = 5
_WIDTH = 60


class SeveralDialog(ConfirmDialog):
    """Says what a yes or no to all of the report does; the report is of a dry run."""

    CSS_PATH = "../../styles/dialogs.tcss"

    def __init__(self, report: ReviewReport, verb: Literal["accept", "reject"]) -> None:
        self._report = report
        self._verb = verb
        count = len(self.ready)
        kind = kind_name(report.kind)
        if verb == "accept":
            title = _("{kind}: accept {count}?").format(kind=kind, count=number(count))
            yes = _("Accept {count}  y").format(count=number(count))
        else:
            title = _("{kind}: reject {count}?").format(kind=kind, count=number(count))
            yes = _("Reject {count}  y").format(count=number(count))
        super().__init__(title, yes=yes, no=_("Leave them  esc"))

    @property
    def ready(self) -> list[ReviewItem]:
        """Those that the answer is carried out for."""
        return [item for item in self._report.items if item.key not in self._report.left]

    def what(self) -> list[Content]:
        lines = []
        if self._verb == "accept":
            for effect, count in Counter(item.effect for item in self.ready).items():
                lines.append(Content(effects_text(effect, count)).stylize("bold"))
        else:
            text = rejected_text(self._report.kind, len(self.ready))
            lines.append(Content(text).stylize("bold"))
        for item in self.ready[:_NAMED]:
            lines.append(Content.assemble(("· ", MUTED), safe(item.text, width=_WIDTH - 2)))
        if (rest := len(self.ready) - _NAMED) > 0:
            more = ngettext("… and {count} more", "… and {count} more", rest)
            lines.append(Content.styled(more.format(count=number(rest)), MUTED))
        lines += self._left()
        lines.append(Content.styled(_("One step; u undoes it."), MUTED))
        return lines

    def _left(self) -> list[Content]:
        left = list(self._report.left.values())
        if not left:
            return []
        text = ngettext("{count} stays: {reason}", "{count} stay, the first: {reason}", len(left))
        said = text.format(count=number(len(left)), reason=left[0][:400])
        return [line.stylize("$text-warning") for line in safe(said).wrap(_WIDTH)]
