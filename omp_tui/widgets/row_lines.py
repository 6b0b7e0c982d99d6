"""One record as one line: a pure function of the record, its place in the list, a width."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from omp_core.i18n import _
from omp_core.model import Order, Record
from omp_tui.text import MUTED, fit, marked, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.words import age, share, tier_short

_FIGURE = 6


def row_line(
    record: Record,
    score: float | None,
    place: RowPlace,
    order: Order,
    now: datetime,
    width: int,
    *,
    words: Sequence[str] = (),
) -> Content:
    """Return exactly `width` cells: text, open disputes, score, tier, what it is sorted by.

    `words` of the text were looked for, and are marked in it.
    """
    # On the cursor line the colours of the cursor carry; muted ones would be lost on them.
    muted = "" if place.cursor else MUTED
    right = [Content("")]
    if place.fate != "same":
        right.append(
            Content(_("changed meanwhile") if place.fate == "changed" else _("moved away"))
        )
    if disputes := sum(not dispute.set_aside for dispute in record.disputes):
        right.append(Content(_("⚖{count}").format(count=disputes)))
    if record.locked:
        right.append(Content("🔒"))
    if score is not None:
        right.append(fit(Content(share(score)), 3).stylize("bold"))
    right.append(fit(Content(tier_short(record)), 5).stylize(muted))
    right.append(spread(Content(""), _figure(record, order, now), _FIGURE).stylize(muted))
    right.append(Content(""))
    text = marked(safe(record.content, width=width), words)
    left = Content.assemble(row_start(place), text)
    return spread(left, Content(" ").join(right), width)


def row_start(place: RowPlace) -> Content:
    """Return the three cells that every row of a list begins with: cursor and mark."""
    return Content.assemble(
        "▸" if place.cursor else " ", ("✓" if place.marked else " ", "bold"), " "
    )


def _figure(record: Record, order: Order, now: datetime) -> Content:
    if order == "access_count":
        return Content(f"{record.access_count}×")
    moment = {
        "created": record.created_at,
        "accessed": record.last_accessed,
    }.get(order, record.updated_at)
    return Content(age(moment, now))
