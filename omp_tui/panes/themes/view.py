"""What the list of themes shows, in what order, and how that is said in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_tui.dialogs.choose import Choice
from omp_tui.text import MUTED, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.links import link
from omp_tui.words import number, share

if TYPE_CHECKING:
    from omp_core.types import Suggestion, Theme, ThemeListing, ThemeRow

Order = Literal["size", "cohesion", "label", "advice"]
Whose = Literal["all", "personal", "project"]
Advice = Mapping[str, "tuple[Suggestion, ...]"]
"""Theme id -> what could be done with it, the biggest gain first."""


@dataclass(frozen=True, slots=True)
class ThemesView:
    """Whose themes, in which order."""

    whose: Whose = "all"
    order: Order = "size"


@dataclass(frozen=True, slots=True)
class ThemesStatus:
    """What the line above the list says: the themes as read, and what is going on."""

    view: ThemesView
    themes: ThemeListing
    shown: int
    advised: int
    placing: bool


def is_project(theme: Theme) -> bool:
    """Whether a theme holds what the project may publish: facts that belong to no user."""
    return theme.scope.user_id is None


def arranged(rows: Sequence[ThemeRow], advice: Advice, view: ThemesView) -> list[ThemeRow]:
    """Return the rows that the view lets through, in its order."""
    chosen = [
        row
        for row in rows
        if view.whose == "all" or is_project(row.theme) == (view.whose == "project")
    ]
    if view.order == "cohesion":
        # the loosest first: that is what wants looking after; one alone is never loose
        return sorted(chosen, key=lambda row: (row.theme.size < 2, row.health.cohesion))
    if view.order == "label":
        return sorted(chosen, key=lambda row: row.theme.label.casefold())
    if view.order == "advice":
        return sorted(chosen, key=lambda row: -_gain(advice.get(row.theme.id, ())))
    return chosen


def _gain(suggestions: Sequence[Suggestion]) -> float:
    return suggestions[0].gain if suggestions else -1.0


def by_theme(suggestions: Sequence[Suggestion]) -> dict[str, tuple[Suggestion, ...]]:
    """Return the suggestions of each theme that one is about, order kept."""
    found: dict[str, tuple[Suggestion, ...]] = {}
    for one in suggestions:
        for theme_id in one.themes:
            found[theme_id] = (*found.get(theme_id, ()), one)
    return found


def whose_choices() -> list[Choice[Whose]]:
    """Return whose themes can be shown, each with its letter."""
    return [
        Choice("all", _whose("all"), "a"),
        Choice("personal", _whose("personal"), "m"),
        Choice("project", _whose("project"), "p"),
    ]


def order_choices() -> list[Choice[Order]]:
    """Return the orders, each with its letter."""
    return [
        Choice("size", _order("size"), "m"),
        Choice("cohesion", _order("cohesion"), "c"),
        Choice("label", _order("label"), "n"),
        Choice("advice", _order("advice"), "a"),
    ]


def next_order(view: ThemesView, order: Order) -> ThemesView:
    return replace(view, order=order)


def _whose(whose: Whose) -> str:
    names: dict[Whose, str] = {
        "all": _("all themes"),
        "personal": _("personal themes"),
        "project": _("themes of the project"),
    }
    return names[whose]


def _order(order: Order) -> str:
    names: dict[Order, str] = {
        "size": _("most members first"),
        "cohesion": _("loosest first"),
        "label": _("by name"),
        "advice": _("most to gain first"),
    }
    return names[order]


def standing_lines(standing: ThemesStatus, width: int) -> list[Content]:
    """Return one line: counts, what waits, and whose themes in which order, to be clicked."""
    themes = standing.themes
    count = len(themes.rows)
    parts = [
        Content.styled(
            ngettext("{count} theme", "{count} themes", count).format(count=number(count)), "bold"
        ),
    ]
    if standing.shown < count:
        parts.append(Content(_("{count} shown").format(count=number(standing.shown))))
    if standing.advised:
        text = ngettext("! {count} suggestion", "! {count} suggestions", standing.advised)
        parts.append(Content(text.format(count=number(standing.advised))))
    if count:
        cohesion = _("cohesion {value}").format(value=share(themes.health.cohesion))
        parts.append(Content.styled(cohesion, MUTED))
    if themes.unsorted:
        parts.append(Content.styled(waiting_text(standing), "$text-warning"))
    left = Content(" · ").join(parts)
    chips = Content("  ").join(
        [
            link(_whose(standing.view.whose) + " ▾", "screen.filter"),
            link(_order(standing.view.order) + " ▾", "screen.sort"),
        ]
    )
    if left.cell_length + chips.cell_length + 2 > width:
        return [left.truncate(width, ellipsis=True)]
    return [spread(left, chips, width)]


def waiting_text(standing: ThemesStatus) -> str:
    """Return how many memories are in no theme, and whether they are being placed."""
    count = standing.themes.unsorted
    if standing.themes.degraded is not None:
        text = ngettext("{count} memory in no theme", "{count} memories in no theme", count)
    elif standing.placing:
        text = ngettext(
            "{count} waits to be placed, being placed …",
            "{count} wait to be placed, being placed …",
            count,
        )
    else:
        text = ngettext("{count} waits to be placed", "{count} wait to be placed", count)
    return text.format(count=number(count))


def nothing(standing: ThemesStatus) -> Content:
    """Return what stands in place of an empty list: why, and what will fill it."""
    themes = standing.themes
    if themes.rows:
        lines = [
            Content(_("None of the themes is among those that are shown.")),
            Content.styled(_("f shows others, esc all of them."), MUTED),
        ]
    elif themes.degraded is not None:
        lines = [
            Content(_("There are no themes.")),
            safe(themes.degraded, width=400).stylize("$text-warning"),
            Content.styled(_("omp-tui model pull fetches a model that finds themes."), MUTED),
        ]
    elif themes.unsorted:
        lines = [
            Content(waiting_text(standing)),
            Content.styled(
                _("Memories about one thing come together here as soon as they are placed."), MUTED
            ),
        ]
    else:
        lines = [
            Content(_("There are no themes yet.")),
            Content.styled(
                _("Memories about one thing come together here by themselves; 2 then a adds one."),
                MUTED,
            ),
        ]
    return Content("\n\n").join([lines[0].stylize("bold"), *lines[1:]])
