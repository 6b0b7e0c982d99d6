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
    home_name,
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


def view_lines(view: View, width: int) -> list[Content]:
    """Return the filters and the order in words, on one line; each part can be clicked.

    Where there is no room for all, filters that let anything through are left out.
    """
    filters = [(name, value) for name, value in _filters(view.query) if value]
    for chosen in ([*_filters(view.query)], filters):
        chips = [_chip(name, value or _("any"), "screen.filter") for name, value in chosen]
        line = Content("  ").join([*chips, _chip(_("sort"), _order(view), "screen.sort")])
        if line.cell_length <= width:
            return [line]
    return [line.truncate(width, ellipsis=True)]


def _filters(query: Query) -> Iterable[tuple[str, str]]:
    """Yield the name of each filter and what it lets through, nothing for anything."""
    yield _("tier"), ", ".join(tier_name(tier) for tier in sorted(query.tiers))
    yield _("category"), ", ".join(category_name(one) for one in sorted(query.categories))
    yield _("status"), ", ".join(status_name(status) for status in sorted(query.statuses))
    yield _("scope"), scope_text(query.scope)
    if query.disputed:
        yield _("disputed"), _("only")
    if query.include_expired:
        yield _("expired"), _("too")
    if query.home is not None:
        yield _("home"), home_name(query.home)
    if query.unread_since is not None:
        yield _("unread since"), f"{query.unread_since:%Y-%m-%d}"


def _order(view: View) -> str:
    if view.text:
        return _("best first")
    return f"{order_name(view.order)} {'↓' if view.descending else '↑'}"


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
