"""What a receipt or a report means, in a sentence for a toast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from omp_core.i18n import _, ngettext
from omp_core.model import Outcome, Receipt
from omp_core.names import field_name
from omp_tui.messages import Imported

if TYPE_CHECKING:
    from omp_core.types import ImportReport, RebuildChange, ThemeChange
    from omp_core.views import ReviewItem, ReviewReport

Severity = Literal["information", "warning"]


def receipt_text(receipt: Receipt) -> tuple[str, Severity]:
    """Return the sentence, and whether the person should take notice.

    The sentence may hold memory text; it goes through the safe path like any other.
    """
    if receipt.disputes or receipt.outcome == "disputed":
        fields = ", ".join(sorted({field_name(dispute.field) for dispute in receipt.disputes}))
        text = _(
            "Somebody changed the same field meanwhile ({fields}). Theirs stays current, yours is "
            "kept beside it as an open dispute."
        )
        return text.format(fields=fields), "warning"
    if receipt.note:
        # what no act stands for cannot be undone
        lasting = receipt.act_id is None and receipt.outcome != "unchanged"
        return receipt.note, "warning" if lasting else "information"
    texts = {
        "created": _("Added. u undoes."),
        "updated": _("Saved. u undoes."),
        "unchanged": _("Nothing changed."),
        "merged": _("The same text is known already; it was merged with that. u undoes."),
        "duplicate": _("Not stored: something very like it is known already: “{existing}”."),
        "pending": _("The store is away: it is kept in user-context.yaml until it comes back."),
        "deleted": _("Deleted. u undoes."),
    }
    severity: Severity = "warning" if receipt.outcome in ("pending", "duplicate") else "information"
    return texts[receipt.outcome].format(existing=receipt.existing or receipt.id), severity


def import_text(report: ImportReport) -> str:
    """Return what an import did, with the first reason where rows were left out."""
    added = report.count("added") + report.count("overwritten")
    parts = [
        ngettext(
            "Brought in {count} memory from {format}.",
            "Brought in {count} memories from {format}.",
            added,
        ).format(count=added, format=report.format)
    ]
    skipped, refused = report.count("skipped"), report.count("refused")
    if skipped:
        text = ngettext("{count} was here already.", "{count} were here already.", skipped)
        parts.append(text.format(count=skipped))
    if refused:
        first = next(row for row in report.rows if row.outcome == "refused")
        text = ngettext(
            "{count} was refused: {place}: {reason}.",
            "{count} were refused, the first: {place}: {reason}.",
            refused,
        )
        parts.append(text.format(count=refused, place=first.place, reason=first.reason))
    if added:
        parts.append(_("u undoes."))
    return " ".join(parts)


def imported(report: ImportReport) -> Imported:
    """Return the message that an import is done."""
    return Imported(import_text(report), report.act_ids)


def init_text(made: Sequence[Path]) -> str:
    """Return what setting up a project made."""
    if not made:
        return _("This project was set up already; nothing was changed.")
    count = len(made)
    text = ngettext("Made {count} file: {path}", "Made {count} files, the first: {path}", count)
    return text.format(count=count, path=made[0])


def theme_receipt(change: ThemeChange | RebuildChange) -> Receipt:
    """Return the receipt of a change of themes with the sentence that a person is told."""
    receipt = change.receipt
    if receipt.act_id is None:
        return replace(receipt, note=None)
    return replace(receipt, note=_("Done: {what}. u undoes.").format(what=receipt.note))


def review_receipt(receipt: Receipt, item: ReviewItem, *, accepted: bool = False) -> Receipt:
    """Return the receipt of an answer in the review with the sentence that a person is told."""
    if receipt.act_id is None:
        return receipt
    text = _("Done: {what}. u undoes.")
    if accepted and item.effect == "disputed":
        # the dispute is what the yes was said to, and no news about somebody else's write
        receipt = replace(receipt, outcome="updated", disputes=())
        text = _("Done: {what}. The difference waits in Conflicts. u undoes.")
    elif accepted and item.effect == "proposed":
        text = _("Done: {what}. It goes to Duplicates. u undoes.")
    return replace(receipt, note=text.format(what=receipt.note))


def report_receipt(report: ReviewReport) -> Receipt:
    """Return the receipt of an answer to several, with how many were left and why."""
    parts = []
    if report.act_id is not None:
        parts.append(_("Done: {what}. u undoes.").format(what=report.note))
    if report.left:
        count = len(report.left)
        text = ngettext(
            "{count} was left: {reason}", "{count} were left, the first: {reason}", count
        )
        parts.append(text.format(count=count, reason=next(iter(report.left.values()))))
    outcome: Outcome = "unchanged" if report.act_id is None else "updated"
    return Receipt(outcome, "", report.act_id, note=" ".join(parts) or None)
