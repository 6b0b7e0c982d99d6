"""One line of the journal: a pure function of the line, its place in the list, a width."""

from __future__ import annotations

from datetime import UTC, datetime

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.model import Act, SearchLog
from omp_core.views import Activity
from omp_tui.text import MUTED, fit, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.row_lines import row_start
from omp_tui.words import mode_name, number, share

_MOMENT = 11
_ACTOR = 14
_WIDE = 100
"""From this width on a line says in words what the rules moved."""


def activity_line(line: Activity, place: RowPlace, now: datetime, width: int) -> Content:
    """Return exactly `width` cells: when, who, what, and what came of it."""
    muted = "" if place.cursor else MUTED
    what = line.what
    right = [Content("")]
    if isinstance(what, Act):
        right += _outcome(what, line.moved, width)
    right.append(Content(""))
    left = Content.assemble(
        row_start(place),
        fit(Content(moment(what.at, now)), _MOMENT).stylize(muted),
        " ",
        fit(safe(what.actor, width=_ACTOR), _ACTOR).stylize(muted),
        "  ",
        safe(said(what), width=width),
    )
    return spread(left, Content(" ").join(right), width)


def moment(at: datetime, now: datetime) -> str:
    """Return the time of day in UTC, and the date where it is another one."""
    at, now = at.astimezone(UTC), now.astimezone(UTC)
    if at.date() == now.date():
        return f"{at:%H:%M}"
    return f"{at:%m-%d %H:%M}" if at.year == now.year else f"{at:%Y-%m-%d}"


def said(what: Act | SearchLog) -> str:
    """Return what was done or searched for, in a sentence that may hold memory text."""
    if isinstance(what, Act):
        return what.summary
    count = len(what.result_ids)
    if not what.hit:
        return _("searched “{query}” · {mode} · missed").format(
            query=what.query, mode=mode_name(what.mode)
        )
    text = ngettext(
        "searched “{query}” · {mode} · {count} hit, best {best}",
        "searched “{query}” · {mode} · {count} hits, best {best}",
        count,
    )
    return text.format(
        query=what.query, mode=mode_name(what.mode), count=count, best=share(what.best_score)
    )


def _outcome(act: Act, moved: int, width: int) -> list[Content]:
    parts = []
    if act.undone_by is not None:
        parts.append(Content.styled(_("undone"), "bold"))
    if moved and width >= _WIDE:
        text = ngettext("▸ {count} moved by the rules", "▸ {count} moved by the rules", moved)
        parts.append(Content(text.format(count=number(moved))))
    elif moved:
        parts.append(Content(f"▸{number(moved)}"))
    elif act.records > 1:
        parts.append(Content(f"▸ {number(act.records)}"))
    return parts
