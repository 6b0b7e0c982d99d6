"""Themes and their members as lines: pure functions of them, their place in a list, a width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_tui.panes.themes.view import is_project
from omp_tui.text import MUTED, fit, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.row_lines import row_start
from omp_tui.words import number, scope_text, share

if TYPE_CHECKING:
    from omp_core.types import Suggestion, Theme, ThemeMembers, ThemeRow
    from omp_tui.widgets.list_messages import RowPlace

_SUGGESTIONS = 3
_NEIGHBOURS = 3
PIN = "📌"


@dataclass(frozen=True, slots=True)
class Facts:
    """A theme, what is in it once that is read, and what could be done with it."""

    row: ThemeRow
    held: ThemeMembers | None
    suggestions: tuple[Suggestion, ...]


def theme_line(row: ThemeRow, advised: bool, place: RowPlace, width: int) -> Content:
    """Return exactly `width` cells: label, `!` where there is a suggestion, members, cohesion,
    pin, whose it is."""
    muted = "" if place.cursor else MUTED
    right = [Content("")]
    if place.fate != "same":
        right.append(
            Content(_("changed meanwhile") if place.fate == "changed" else _("moved away"))
        )
    size = f"{number(row.theme.size):>4}"
    right += [
        Content.styled("!" if advised else " ", "bold $text-warning" if not place.cursor else ""),
        Content.styled(size, "bold") if not row.health.oversize else Content.styled(size, "bold u"),
        fit(Content(_cohesion(row)), 3).stylize(muted),
        fit(Content(PIN if row.theme.pinned else ""), 2),
        fit(Content(whose_short(row.theme)), 4).stylize(muted),
        Content(""),
    ]
    left = Content.assemble(row_start(place), label(row.theme, width))
    return spread(left, Content(" ").join(right), width)


def label(theme: Theme, width: int) -> Content:
    """Return a theme's name in one line; one without a name says so."""
    return safe(theme.label, width=width) if theme.label.strip() else Content(_("without a name"))


def whose_short(theme: Theme) -> str:
    """Return at most four cells that say whose a theme is."""
    return _("proj") if is_project(theme) else _("mine")


def _cohesion(row: ThemeRow) -> str:
    return share(row.health.cohesion) if row.theme.size > 1 else "—"


def facts_lines(facts: Facts, width: int) -> list[Content]:
    """Return name, figures, whose it is, what could be done, and the nearest other themes."""
    theme, health = facts.row.theme, facts.row.health
    figures = [
        ngettext("{count} member", "{count} members", theme.size).format(count=number(theme.size))
    ]
    if theme.size > 1:
        figures.append(_("cohesion {value}").format(value=share(health.cohesion)))
    if health.oversize:
        figures.append(_("more than a theme takes"))
    if theme.pinned:
        figures.append(_("{pin} pinned").format(pin=PIN))
    if theme.label_by_human:
        figures.append(_("named by a person"))
    lines = [
        label(theme, width).stylize("bold"),
        Content(" · ".join(figures)).truncate(width, ellipsis=True),
        _whose_line(theme, width),
    ]
    for one in facts.suggestions[:_SUGGESTIONS]:
        lines += _wrapped("! ", suggestion_text(one, theme), width, "$text-warning")
    if len(facts.suggestions) > _SUGGESTIONS:
        rest = len(facts.suggestions) - _SUGGESTIONS
        more = ngettext("… and {count} more", "… and {count} more", rest).format(count=rest)
        lines.append(Content.styled(more, MUTED))
    if facts.held is not None and facts.held.neighbours:
        near = Content("  ").join(
            Content.assemble((share(one.similarity), "bold"), " ", safe(one.theme.label, width=28))
            for one in facts.held.neighbours[:_NEIGHBOURS]
        )
        lines.append(
            Content.assemble((_("near") + " ", MUTED), near).truncate(width, ellipsis=True)
        )
    return lines


def suggestion_text(suggestion: Suggestion, theme: Theme) -> str:
    """Return a suggestion as it reads beside one of its themes."""
    names = {
        "split": _("Split it. {reason}"),
        "merge": _("Merge it with another. {reason}"),
        "move": _("Move a memory to another theme. {reason}"),
    }
    if suggestion.kind == "move" and suggestion.themes[-1] == theme.id:
        return _("Take a memory in from another theme. {reason}").format(reason=suggestion.reason)
    return names[suggestion.kind].format(reason=suggestion.reason)


def _whose_line(theme: Theme, width: int) -> Content:
    owner = scope_text(theme.scope)
    if is_project(theme):
        text = _("of the project, lies in _omp/memory/themes · {owner}")
    else:
        text = _("personal, lies beside the store · {owner}")
    return safe(text.format(owner=owner or "—"), width=width).stylize(MUTED)


def _wrapped(sign: str, text: str, width: int, style: str) -> Sequence[Content]:
    room = max(width - len(sign), 8)
    lines = safe(text[:400]).wrap(room)
    return [
        Content.assemble((sign if not at else " " * len(sign), style), line)
        for at, line in enumerate(lines)
    ]
