"""What the list of memories is asked to show, and how that is said in a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from textual.content import Content

from omp_core.i18n import _
from omp_core.model import Order, Query, SearchAnswer, SearchMode
from omp_tui.text import MUTED, safe
from omp_tui.widgets.links import link
from omp_tui.words import (
    category_name,
    memories,
    number,
    order_name,
    scope_text,
    status_name,
    tier_name,
)

MODES = (SearchMode.HYBRID, SearchMode.KEYWORD, SearchMode.SEMANTIC)
ORDERS: tuple[Order, ...] = ("updated", "created", "accessed", "content", "tier", "access_count")


@dataclass(frozen=True, slots=True)
class View:
    """A search text or none, a filter, an order."""

    text: str = ""
    mode: SearchMode = SearchMode.HYBRID
    query: Query = field(default_factory=Query)
    order: Order = "updated"
    descending: bool = True

    @property
    def filtered(self) -> bool:
        return self.query != Query()

    def next_mode(self) -> View:
        place = MODES.index(self.mode)
        return replace(self, mode=MODES[(place + 1) % len(MODES)])

    def sorted_by(self, order: Order) -> View:
        """Sort by something else; the same again turns the direction round."""
        if order == self.order:
            return replace(self, descending=not self.descending)
        return replace(self, order=order, descending=order not in ("content", "tier"))


def view_line(view: View) -> Content:
    """Return the filters and the order in words; each part can be clicked."""
    query = view.query
    chips = [
        _chip(_("tier"), _any(tier_name(tier) for tier in sorted(query.tiers)), "screen.filter"),
        _chip(
            _("category"),
            _any(category_name(category) for category in sorted(query.categories)),
            "screen.filter",
        ),
        _chip(
            _("status"),
            _any(status_name(status) for status in sorted(query.statuses)),
            "screen.filter",
        ),
        _chip(_("scope"), scope_text(query.scope) or _("any"), "screen.filter"),
    ]
    if query.disputed:
        chips.append(_chip(_("disputed"), _("only"), "screen.filter"))
    if query.include_expired:
        chips.append(_chip(_("expired"), _("too"), "screen.filter"))
    if view.text:
        chips.append(_chip(_("sort"), _("best first"), "screen.sort"))
    else:
        arrow = "↓" if view.descending else "↑"
        chips.append(_chip(_("sort"), f"{order_name(view.order)} {arrow}", "screen.sort"))
    return Content("  ").join(chips)


def count_text(total: int, answer: SearchAnswer | None, marked: int) -> str:
    """Return how much there is, a cut said as such."""
    if marked:
        return _("{count} marked").format(count=number(marked))
    if answer is None:
        return memories(total)
    if answer.cut > 0:
        return _("best {shown} of {total}").format(
            shown=number(len(answer.hits)), total=number(answer.total)
        )
    return _("{count} found").format(count=number(answer.total))


def nothing(view: View) -> Content:
    """Return what stands in place of an empty list: why, and what to press."""
    if view.text:
        what = safe(_("Nothing fits “{text}”.").format(text=view.text), width=60)
        hint = _("esc clears the search, ^t tries another mode, F drops all filters.")
    elif view.filtered:
        what = Content(_("No memory passes this filter."))
        hint = _("F drops all filters, f changes them.")
    else:
        what = Content(_("There is no memory here yet."))
        hint = _("a adds one; 1 shows how to bring in those of another tool.")
    return Content.assemble(what.stylize("bold"), "\n\n", (hint, MUTED))


def _chip(name: str, value: str, action: str) -> Content:
    return link(Content.assemble((name + " ", MUTED), safe(value, width=40)), action)


def _any(names: Iterable[str]) -> str:
    return ", ".join(names) or _("any")
