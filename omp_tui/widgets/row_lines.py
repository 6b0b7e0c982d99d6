"""One record as one line: a pure function of the record, its place in the list, a width."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from omp_core.i18n import _
from omp_core.model import Order, Record
from omp_tui.text import MUTED, fit, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.rows import Row
from omp_tui.words import age, share, tier_short

_FIGURE = 6


@dataclass(frozen=True, slots=True)
class Place:
    """How a row stands in its list."""

    cursor: bool
    marked: bool
    order: Order
    now: datetime


def row_line(row: Row, place: Place, width: int) -> Content:
    """Return exactly `width` cells: text, open disputes, score, tier, what it is sorted by."""
    record = row.record
    # On the cursor line the colours of the cursor carry; muted ones would be lost on them.
    muted = "" if place.cursor else MUTED
    right = [Content("")]
    if disputes := sum(not dispute.set_aside for dispute in record.disputes):
        right.append(Content(_("⚖{count}").format(count=disputes)))
    if row.score is not None:
        right.append(fit(Content(share(row.score)), 3).stylize("bold"))
    right.append(fit(Content(tier_short(record)), 5).stylize(muted))
    right.append(spread(Content(""), _figure(record, place), _FIGURE).stylize(muted))
    right.append(Content(""))
    left = Content.assemble(
        "▸" if place.cursor else " ",
        ("✓" if place.marked else " ", "bold"),
        " ",
        safe(record.content, width=width),
    )
    return spread(left, Content(" ").join(right), width)


def waiting_line(width: int) -> Content:
    """Return what stands for a row that has been asked for."""
    return fit(Content.styled("   ·", MUTED), width)


def _figure(record: Record, place: Place) -> Content:
    if place.order == "access_count":
        return Content(f"{record.access_count}×")
    moment = {
        "created": record.created_at,
        "accessed": record.last_accessed,
    }.get(place.order, record.updated_at)
    return Content(age(moment, place.now))
