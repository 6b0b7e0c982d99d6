"""Themes in a preview and in a table, as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.model import Record
from omp_tui.text import MUTED, fit, safe
from omp_tui.widgets.bars import bar, spread
from omp_tui.widgets.row_lines import row_start
from omp_tui.words import number, share

if TYPE_CHECKING:
    from omp_core.types import Neighbour, Theme, ThemeFigure, ThemePreview
    from omp_tui.widgets.list_messages import RowPlace

_BAR = 10
_NAMED = 3
_NAME = 20


def name_of(theme: Theme, width: int) -> Content:
    """Return a theme's name; one without a name says so."""
    return safe(theme.label, width=width) if theme.label.strip() else Content(_("without a name"))


def neighbour_line(near: Neighbour, place: RowPlace, width: int) -> Content:
    """Return exactly `width` cells: name, members, how alike as a bar and a figure."""
    style = "" if place.cursor else "$primary"
    right = Content(" ").join(
        [
            Content(""),
            Content("📌" if near.theme.pinned else "  "),
            Content(f"{number(near.theme.size):>4}"),
            bar(near.similarity, _BAR, style),
            fit(Content(share(near.similarity)), 3).stylize("bold"),
            Content(""),
        ]
    )
    return spread(Content.assemble(row_start(place), name_of(near.theme, width)), right, width)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a change would do, None while that is being looked at, under a word about it."""

    preview: ThemePreview | None
    word: str = ""


def outlook_lines(outlook: Outlook, width: int) -> list[Content]:
    """Return the word, if there is one, and the preview under it."""
    lines = [safe(outlook.word, width=width).stylize(MUTED)] if outlook.word else []
    return [*lines, *preview_lines(outlook.preview, width)]


def preview_lines(preview: ThemePreview | None, width: int) -> list[Content]:
    """Return a line for each theme as it would be, and for each that would be gone."""
    if preview is None:
        return [Content.styled(_("looking what it would do …"), MUTED)]
    gone = set(preview.removed)
    lines = [
        _figure_line("−", figure, _("goes"), width)
        for figure in preview.before
        if figure.theme.id in gone
    ]
    before = {figure.theme.id: figure for figure in preview.before}
    for figure in preview.after:
        old = before.get(figure.theme.id)
        lines.append(_figure_line("+" if old is None else "→", figure, _was(figure, old), width))
    if not lines:
        return [Content.styled(_("It would change nothing."), MUTED)]
    return lines


def _was(figure: ThemeFigure, old: ThemeFigure | None) -> str:
    if old is None:
        return _("new")
    return _("was {count}, cohesion {cohesion}").format(
        count=number(old.theme.size), cohesion=share(old.cohesion)
    )


def _figure_line(sign: str, figure: ThemeFigure, note: str, width: int) -> Content:
    size = figure.theme.size
    members = ngettext("{count} member", "{count} members", size).format(count=number(size))
    figures = _("{members} · cohesion {cohesion}").format(
        members=members, cohesion=share(figure.cohesion) if size > 1 else "—"
    )
    full = Content.assemble("  ", figures, ("  " + note, MUTED))
    # what it was gives way before its name does
    right = full if width - full.cell_length >= _NAME else Content.assemble("  ", figures)
    left = Content.assemble((sign + " ", "bold"), name_of(figure.theme, width))
    return spread(left, right, width)


def records_lines(records: Sequence[Record], width: int) -> list[Content]:
    """Return the texts of the first records, and how many more there are."""
    lines = [
        Content.assemble(("· ", MUTED), safe(record.content, width=width - 2))
        for record in records[:_NAMED]
    ]
    if len(records) > _NAMED:
        rest = len(records) - _NAMED
        more = ngettext("… and {count} more", "… and {count} more", rest).format(count=rest)
        lines.append(Content.styled(more, MUTED))
    return lines
