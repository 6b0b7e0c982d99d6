"""What the list of memories is asked to show, and how that is said in a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Never

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.model import Order, Query, Scope, SearchAnswer, SearchMode
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
    chips = list(_chips(view.query))
    for chosen in (chips, [chip for chip in chips if chip.value]):
        parts = [_part(chip.name, chip.value or _("any"), "screen.filter") for chip in chosen]
        line = Content("  ").join([*parts, _part(_("sort"), _order(view), "screen.sort")])
        if line.cell_length <= width:
            return [line]
    return [line.truncate(width, ellipsis=True)]


@dataclass(frozen=True, slots=True)
class Chip:
    """One condition of a query: its name, what it lets through, the query without it."""

    name: str
    value: str
    """Nothing where it lets anything through."""
    without: Query


def without_last(query: Query) -> Query:
    """Return the query without the condition that stands last on its line."""
    for chip in reversed(list(_chips(query))):
        if chip.without != query:
            return chip.without
    return query


def _chips(query: Query) -> Iterator[Chip]:
    """Yield every condition of a query; the first four whether or not they ask for anything."""
    none: frozenset[Never] = frozenset()
    tiers = ", ".join(tier_name(tier) for tier in sorted(query.tiers))
    yield Chip(_("tier"), tiers, replace(query, tiers=none))
    categories = ", ".join(category_name(one) for one in sorted(query.categories))
    yield Chip(_("category"), categories, replace(query, categories=none))
    statuses = ", ".join(status_name(status) for status in sorted(query.statuses))
    yield Chip(_("status"), statuses, replace(query, statuses=Query().statuses))
    yield Chip(_("scope"), scope_text(query.scope), replace(query, scope=Scope()))
    if query.tag is not None:
        yield Chip(_("tag"), query.tag, replace(query, tag=None))
    if query.disputed is not None:
        value = _("only") if query.disputed else _("none")
        yield Chip(_("disputed"), value, replace(query, disputed=None))
    if query.proposed is not None:
        value = _("only") if query.proposed else _("none")
        yield Chip(_("proposed"), value, replace(query, proposed=None))
    if query.include_expired or query.only_expired:
        value = _("only") if query.only_expired else _("too")
        yield Chip(_("expired"), value, replace(query, include_expired=False, only_expired=False))
    if query.home is not None:
        yield Chip(_("home"), home_name(query.home), replace(query, home=None))
    if query.unread_since is not None:
        since = f"{query.unread_since:%Y-%m-%d}"
        yield Chip(_("unread since"), since, replace(query, unread_since=None))
    for key in sorted(query.metadata):
        others = {name: value for name, value in query.metadata.items() if name != key}
        yield Chip(key, str(query.metadata[key]), replace(query, metadata=others))
    if query.within is not None:
        value = " | ".join(scope_text(scope) or _("none") for scope in query.within)
        yield Chip(_("within"), value, replace(query, within=None))
    if query.ids is not None:
        yield Chip(_("chosen"), memories(len(query.ids)), replace(query, ids=None))


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
        hint = _("⌫ takes the last condition away, esc all of them; f changes them.")
    else:
        what = Content(_("There is no memory here yet."))
        hint = _("a adds one; 1 shows how to bring in those of another tool.")
    lines = [what.stylize("bold")]
    if reason:
        lines.append(safe(reason, width=200).stylize("$text-warning"))
    return Content("\n\n").join([*lines, Content.styled(hint, MUTED)])


def _part(name: str, value: str, action: str) -> Content:
    return link(
        Content.assemble((safe(name, width=20).plain + " ", MUTED), safe(value, width=40)), action
    )
