"""What the journal is asked to show, and how that is said in a line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.views import CLEAN_UP_KINDS, ActivityQuery
from omp_tui.text import MUTED, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.links import link
from omp_tui.words import number


class Group(StrEnum):
    """Kinds of lines, as a person thinks of them."""

    MEMORIES = "memories"
    SETTLED = "settled"
    THEMES = "themes"
    DOCUMENTS = "documents"
    CLEAN_UP = "clean-up"
    UNDONE = "undone"
    FOUND = "found"
    MISSED = "missed"


class Period(StrEnum):
    """How far back the journal is shown."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    EVER = "ever"


_KINDS: dict[Group, frozenset[str]] = {
    Group.MEMORIES: frozenset({"add", "update", "delete", "tier", "import", "extract"}),
    Group.SETTLED: frozenset({"resolve", "review", "refuse", "denied", "sync"}),
    Group.THEMES: frozenset({"theme"}),
    Group.DOCUMENTS: frozenset({"document", "mirror"}),
    Group.CLEAN_UP: CLEAN_UP_KINDS,
    Group.UNDONE: frozenset({"undo", "redo", "restore"}),
    Group.FOUND: frozenset({"hit"}),
    Group.MISSED: frozenset({"miss"}),
}
_DAYS = {Period.DAY: 1, Period.WEEK: 7, Period.MONTH: 30}


@dataclass(frozen=True, slots=True)
class ActivityView:
    """Who, what kind, how far back, and about which record; `record_text` is what it says."""

    actors: frozenset[str] = frozenset()
    groups: frozenset[Group] = frozenset()
    period: Period = Period.EVER
    record_id: str | None = None
    record_text: str = ""

    @property
    def filtered(self) -> bool:
        return self != ActivityView()

    def query(self, now: datetime) -> ActivityQuery:
        """Return the filter of the journal at a moment."""
        days = _DAYS.get(self.period)
        return ActivityQuery(
            actors=self.actors,
            kinds=frozenset[str]().union(*(_KINDS[group] for group in self.groups)),
            since=None if days is None else now - timedelta(days=days),
            record_id=self.record_id,
        )


def group_name(group: Group) -> str:
    return {
        Group.MEMORIES: _("memories written"),
        Group.SETTLED: _("settled and reviewed"),
        Group.THEMES: _("themes"),
        Group.DOCUMENTS: _("documents"),
        Group.CLEAN_UP: _("clean-up runs"),
        Group.UNDONE: _("undone and redone"),
        Group.FOUND: _("searches that found"),
        Group.MISSED: _("searches that missed"),
    }[group]


def period_name(period: Period) -> str:
    return {
        Period.DAY: _("24 hours"),
        Period.WEEK: _("7 days"),
        Period.MONTH: _("30 days"),
        Period.EVER: _("any time"),
    }[period]


@dataclass(frozen=True, slots=True)
class ActivityHead:
    """What stands above the journal."""

    view: ActivityView
    total: int | None
    paused: bool


def head_lines(head: ActivityHead, width: int) -> list[Content]:
    """Return the filters, whether it follows, and how many lines there are, on one line."""
    view = head.view
    who = ", ".join(sorted(view.actors)) or _("everyone")
    kinds = ", ".join(group_name(group) for group in sorted(view.groups)) or _("every kind")
    chips = [_chip(text) for text in (who, kinds, period_name(view.period))]
    if view.record_id is not None:
        chips.append(_chip(_("about “{text}”").format(text=view.record_text or view.record_id)))
    live = _("paused ⏸") if head.paused else _("live ▶")
    right = [link(Content(live), "app.pause")]
    if head.total is not None:
        lines = ngettext("{count} line", "{count} lines", head.total)
        right.append(Content.styled(lines.format(count=number(head.total)), "bold"))
    return [spread(Content("  ").join(chips), Content("  ").join(right), width)]


def nothing(view: ActivityView, away: str | None) -> Content:
    """Return what stands in place of an empty journal: why, and what to press."""
    if away is not None:
        what = Content(_("The store is away, and the journal with it."))
        more = safe(away, width=200).stylize("$text-warning")
    elif view.filtered:
        what = Content(_("Nothing in the journal passes this filter."))
        more = Content.styled(_("esc drops the filter, f changes it."), MUTED)
    else:
        what = Content(_("Nothing was done here yet."))
        more = Content.styled(
            _("Every change by you, an agent or the rules comes up here, and every search."), MUTED
        )
    return Content("\n\n").join([what.stylize("bold"), more])


def _chip(text: str) -> Content:
    return link(Content.assemble(safe(text, width=40), (" ▾", MUTED)), "screen.filter")
