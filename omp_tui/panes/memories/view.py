"""What the list of memories is asked to show, and how that is said in a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.model import Order, Query, SearchAnswer, SearchMode
from omp_core.names import status_name, tier_name
from omp_tui.dialogs.choose import Choice
from omp_tui.text import MUTED, safe
from omp_tui.widgets.links import link
from omp_tui.words import category_name, home_name, memories, number, order_name, scope_text

MODES = (SearchMode.HYBRID, SearchMode.KEYWORD, SearchMode.SEMANTIC)
ORDERS: tuple[Order, ...] = ("updated", "created", "accessed", "content", "tier", "access_count")


@dataclass(frozen=True, slots=True)
class MemoriesView:
    """A search text or none, a filter, an order."""

    text: str = ""
    mode: SearchMode = SearchMode.HYBRID
    query: Query = field(default_factory=Query)
    order: Order = "updated"
    descending: bool = True

    @property
    def filtered(self) -> bool:
        return self.query != Query()

    def next_mode(self) -> MemoriesView:
        place = MODES.index(self.mode)
        return replace(self, mode=MODES[(place + 1) % len(MODES)])

    def sorted_by(self, order: Order) -> MemoriesView:
        """Sort by something else; the same again turns the direction round."""
        if order == self.order:
            return replace(self, descending=not self.descending)
        return replace(self, order=order, descending=order not in ("content", "tier"))


def order_choices() -> list[Choice[Order]]:
    """Return the orders that can be chosen, each with its letter."""
    return [
        Choice(order, order_name(order), key) for order, key in zip(ORDERS, "ucrxtn", strict=True)
    ]


def view_lines(view: MemoriesView, width: int) -> list[Content]:
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


def _order(view: MemoriesView) -> str:
    if view.text:
        return _("best first")
    return f"{order_name(view.order)} {'↓' if view.descending else '↑'}"


def count_text(total: int, answer: SearchAnswer | None, marked: int) -> str:
    """Return how much there is, a cut said as such."""
    found = memories(total) if answer is None else _found(answer)
    if not marked:
        return found
    return _("{count} marked · {found}").format(count=number(marked), found=found)


def _found(answer: SearchAnswer) -> str:
    # what was cut are candidates, of which nobody can say how many of them fit
    text = _("best {count}") if answer.cut > 0 else _("{count} found")
    return text.format(count=number(len(answer.hits)))


def marked_text(count: int, total: int) -> str:
    """Return the sentence that not all could be marked at a time."""
    return _("Marked the first {count} of {total}.").format(
        count=number(count), total=number(total)
    )


def weaker(answer: SearchAnswer | None, waiting: int) -> str:
    """Return why a search could do less than was asked for; nothing if it could do all.

    `waiting` is how many records have no vector yet.
    """
    if answer is None:
        return ""
    if waiting and answer.mode is not SearchMode.KEYWORD:
        return ngettext(
            "{count} memory cannot be found by meaning yet; it is being worked on.",
            "{count} memories cannot be found by meaning yet; it is being worked on.",
            waiting,
        ).format(count=number(waiting))
    return answer.degraded or ""


def nothing(view: MemoriesView, reason: str = "") -> Content:
    """Return what stands in place of an empty list: why, and what to press."""
    if view.text:
        what = safe(_("Nothing fits “{text}”.").format(text=view.text), width=60)
        hint = _("esc clears the search, and again the filters; ^t tries another mode.")
    elif view.filtered:
        what = Content(_("No memory passes this filter."))
        hint = _("esc drops all filters, f changes them.")
    else:
        what = Content(_("There is no memory here yet."))
        hint = _("a adds one; 1 shows how to bring in those of another tool.")
    lines = [what.stylize("bold")]
    if reason:
        lines.append(safe(reason, width=200).stylize("$text-warning"))
    return Content("\n\n").join([*lines, Content.styled(hint, MUTED)])


def _chip(name: str, value: str, action: str) -> Content:
    return link(Content.assemble((name + " ", MUTED), safe(value, width=40)), action)
