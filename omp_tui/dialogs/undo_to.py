"""Ask before everything down to an act is taken back: how much, whose, and what stays."""

from __future__ import annotations

from collections import Counter

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.views import UndoPlan
from omp_tui.dialogs.confirm import ConfirmDialog
from omp_tui.text import MUTED, safe
from omp_tui.words import number

_NAMED = 8
_WIDTH = 60


class UndoToDialog(ConfirmDialog):
    """Names the first acts, newest first, and counts all of them by who did them."""

    VARIANT = "error"

    def __init__(self, plan: UndoPlan) -> None:
        super().__init__(
            _("Take back everything down to here?"),
            yes=_("Take {acts} back  y").format(acts=acts(len(plan.acts))),
            no=_("Leave it  esc"),
        )
        self._plan = plan

    def what(self) -> list[Content]:
        return plan_lines(self._plan)


def acts(count: int) -> str:
    """Return a counted noun: `1 act`, `1,204 acts`."""
    return ngettext("{count} act", "{count} acts", count).format(count=number(count))


def plan_lines(plan: UndoPlan) -> list[Content]:
    """Return what a plan does, in lines."""
    changes = ngettext("{count} change", "{count} changes", plan.records)
    head = _("{acts} with {changes}").format(
        acts=acts(len(plan.acts)), changes=changes.format(count=number(plan.records))
    )
    by = Counter(act.actor for act in plan.acts)
    lines = [
        Content.styled(head, "bold"),
        safe(" · ".join(f"{actor} {number(count)}" for actor, count in by.most_common())),
    ]
    for act in plan.acts[:_NAMED]:
        text = act.summary
        if act.undone_by is not None:
            text = _("bring again: {summary}").format(summary=text)
        lines.append(Content.assemble(("· ", MUTED), safe(text, width=_WIDTH)))
    rest = len(plan.acts) - _NAMED
    if rest > 0:
        more = ngettext("… and {count} more", "… and {count} more", rest)
        lines.append(Content.styled(more.format(count=number(rest)), MUTED))
    if plan.stay:
        text = ngettext(
            "{count} act stays: it cannot be taken back, such as an edit of a file by hand.",
            "{count} acts stay: they cannot be taken back, such as edits of files by hand.",
            len(plan.stay),
        )
        lines.append(Content.styled(text.format(count=number(len(plan.stay))), "$text-warning"))
    lines.append(
        Content.styled(_("What came after this question stays. One step; u undoes it."), MUTED)
    )
    return lines
