"""The lines of the overview's panels: pure functions of what is known and a width."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.model import Capability, Home
from omp_core.names import tier_name
from omp_core.views import HealthRow, HealthView, Overview, TierUse, Trend, UnreadBucket
from omp_tui.text import MUTED, fit, safe
from omp_tui.widgets.bars import bar, label, spread
from omp_tui.widgets.top_bar import capability_name, capability_sign
from omp_tui.words import age, category_name, days, memories, number, percent

_TIER_LABEL = 12
_CAPABILITY_LABEL = 9
_UNKNOWN = "—"


@dataclass(frozen=True, slots=True)
class Seen:
    """All that the overview shows, at one moment."""

    overview: Overview
    capabilities: tuple[Capability, ...]
    now: datetime


def tier_lines(seen: Seen, width: int) -> list[Content]:
    """A bar per tier that has a capacity; a bare figure for the others."""
    return [_tier_line(use, width) for use in seen.overview.tiers]


def _tier_line(use: TierUse, width: int) -> Content:
    name = label(tier_name(use.tier), _TIER_LABEL)
    if use.limit is None:
        note = (
            _("advice < {count}").format(count=number(use.advice))
            if use.advice is not None
            else _("never cleaned")
        )
        used = _UNKNOWN if use.used is None else number(use.used)
        left = Content.assemble(name, (used, "bold"))
        return spread(left, Content.styled(" " + note, MUTED), width)
    share = use.used / use.limit if use.limit and use.used is not None else 0.0
    full = use.alarm is not None and share > use.alarm
    mark = " ▲" if full else "  "
    figure = f" {_UNKNOWN if use.used is None else use.used}/{use.limit}"
    room = width - _TIER_LABEL - 8 - 2
    style = "$text-warning" if full else "$text-success"
    return Content.assemble(
        name,
        bar(share, room, style),
        fit(Content(" " * max(0, 8 - len(figure)) + figure).stylize("bold"), 8),
        (mark, "$text-warning"),
    )


def total_lines(seen: Seen, width: int) -> list[Content]:
    """Totals per home, what waits for a person, and how the three capabilities are."""
    overview = seen.overview
    homes = {
        Home.USER: _("{count} in the store"),
        Home.PROJECT: _("{count} in documents"),
    }
    total = _("Total unknown") if overview.away else memories(overview.total)
    lines = [Content.styled(total, "bold")]
    lines += _flow(
        [
            Content.styled(text.format(count=number(overview.homes[home])), MUTED)
            for home, text in homes.items()
            if overview.homes.get(home)
        ],
        width,
    )
    lines += _flow(_waiting(overview), width)
    for capability in seen.capabilities:
        lines += _capability_detail(capability, width)
    if overview.health is not None:
        lines += _distribution(overview.health, width)
    if not seen.capabilities:
        lines.append(Content.styled(_("opening the memory …"), MUTED))
    return lines


def _distribution(health: HealthView, width: int) -> list[Content]:
    """Return how many memories there are of each category and age."""
    counts = health.categories.items()
    named = [f"{category_name(category)} {number(count)}" for category, count in counts]
    week, month, older = health.ages
    ages = [
        _("made in 7 d {count}").format(count=number(week)),
        _("in 30 d {count}").format(count=number(month)),
        _("before {count}").format(count=number(older)),
    ]
    parts = [Content.styled(part, MUTED) for part in (*named, *ages)]
    return _flow(parts, width) if named else []


def _waiting(overview: Overview) -> list[Content]:
    counts = (
        (overview.disputes, ngettext("{count} dispute", "{count} disputes", overview.disputes)),
        (
            overview.candidates,
            ngettext("{count} candidate", "{count} candidates", overview.candidates),
        ),
        (overview.pending, ngettext("{count} pending", "{count} pending", overview.pending)),
    )
    waiting = [
        Content.styled("▲ " + text.format(count=number(count)), "$text-warning")
        for count, text in counts
        if count
    ]
    return waiting or [Content.styled(_("✓ nothing waits for you"), MUTED)]


def _flow(parts: list[Content], width: int) -> list[Content]:
    """Return the parts side by side, on as many lines as they need."""
    lines: list[Content] = []
    for part in parts:
        together = Content.assemble(lines[-1], "  ", part) if lines else part
        if lines and together.cell_length <= width:
            lines[-1] = together
        else:
            lines.append(part.truncate(width, ellipsis=True))
    return lines


def _capability_detail(capability: Capability, width: int) -> list[Content]:
    """Return the state and, wrapped under it, the reason why something is missing."""
    state = capability.label if capability.up else _("away")
    first = Content.assemble(
        label(capability_name(capability.name), _CAPABILITY_LABEL),
        capability_sign(capability),
        " ",
        safe(state, width=width - _CAPABILITY_LABEL - 2),
    )
    if not capability.reason:
        return [first]
    indent = _CAPABILITY_LABEL + 2
    reason = safe(capability.reason[:300]).wrap(max(width - indent, 8))
    return [first, *(Content(" " * indent).append(line) for line in reason)]


def activity_lines(seen: Seen, width: int) -> list[Content]:
    """The newest acts: how long ago, by whom, what."""
    acts = seen.overview.recent
    health = seen.overview.health
    if not acts and health is not None and not health.unread:
        return [_away()]
    if not acts:
        return [Content.styled(_("Nothing has been written yet."), MUTED)]
    lines = []
    for act in acts:
        actor_style = "$text-accent" if act.actor.startswith("agent:") else MUTED
        summary = safe(act.summary, width=width - 25)
        lines.append(
            Content.assemble(
                fit(Content(age(act.at, seen.now)), 6).stylize(MUTED),
                fit(safe(act.actor, width=17), 18).stylize(actor_style),
                summary.stylize("strike") if act.undone_by else summary,
            )
        )
    return lines


def score_lines(health: HealthView, width: int) -> list[Content]:
    """The score as a bar, for when there is room for it."""
    style = {"excellent": "$text-success", "good": "$text-primary", "poor": "$text-warning"}
    if health.score is None or health.grade is None:
        return [Content.styled(_("No score: not everything could be seen."), MUTED), Content("")]
    return [bar(health.score / 100, width, style[health.grade]), Content("")]


def health_lines(health: HealthView, width: int) -> list[Content]:
    """The parts of the score: value, target, met or not, and what it costs."""
    return [_health_line(row, width) for row in health.rows]


def _health_line(row: HealthRow, width: int) -> Content:
    names = {
        "active": _("active"),
        "rot": _("rot"),
        "confidence": _("confidence"),
        "conflict": _("conflict"),
    }
    sign = Content.styled("✓", "$text-success") if row.ok else Content.styled("✗", "$text-error")
    line = Content.assemble(
        label(names[row.name], 11),
        fit(Content(row.value).stylize("bold"), 7),
        fit(Content(row.target).stylize(MUTED), 7),
        sign,
    )
    if row.lost >= 0.05:
        points = f"{row.lost:.1f}"
        lost = _("−{points} pt").format(points=points)
        if line.cell_length + 1 + len(lost) > width:
            lost = f"−{points}"
        line = Content.assemble(line, " ", (lost, MUTED))
    return line.truncate(width, ellipsis=True)


def why_lines(health: HealthView, width: int) -> list[Content]:
    """The parts of the score, each with the reason for the points that it costs."""
    lines: list[Content] = []
    for row in health.rows:
        lines.append(_health_line(row, width))
        if row.reason:
            reason = safe(row.reason[:300]).wrap(max(width - 2, 8))
            lines += [Content("  ").append(line) for line in reason]
    if not any(row.reason for row in health.rows):
        lines += [Content(""), Content.styled(_("No point is lost."), "$text-success")]
    return lines


def health_title(health: HealthView) -> str:
    if health.score is None or health.grade is None:
        return _("Health unknown")
    grade = {"excellent": _("excellent"), "good": _("good"), "poor": _("poor")}[health.grade]
    return _("Health {score} {grade}").format(score=health.score, grade=grade)


def hit_rate_title(health: HealthView) -> str:
    rate = health.hit_rate
    trends: dict[Trend, str] = {
        "improving": _("↗ improving"),
        "steady": _("→ steady"),
        "declining": _("↘ declining"),
    }
    parts = [
        _("7 d {share}").format(share=percent(rate.last_7d)),
        _("30 d {share}").format(share=percent(rate.last_30d)),
    ]
    if rate.trend is not None:
        parts.append(trends[rate.trend])
    return "  ".join(parts)


def unread_lines(health: HealthView, width: int) -> list[Content]:
    """How long memories have not been read, as bars, and how far they have decayed.

    Without the store there are no ages to count: that is said, not shown as zero.
    """
    if not health.unread:
        return [_away()]
    most = max((bucket.count for bucket in health.unread), default=0)
    half = width // 2 if width >= 36 else width
    cells = [_unread_cell(bucket, most, half - 1) for bucket in health.unread]
    per_line = max(1, width // half)
    lines = [
        Content("").join([fit(cell, half) for cell in cells[start : start + per_line]])
        for start in range(0, len(cells), per_line)
    ]
    decay = health.decay
    summary = (
        _("active {active} · aging {aging} · stale {stale} · cleanup {cleanup}")
        if width >= 46
        else _("active {active} · aging {aging} · cleanup {cleanup}")
    ).format(active=decay.active, aging=decay.aging, stale=decay.stale, cleanup=decay.cleanup)
    lines.append(Content.styled(summary, MUTED).truncate(width, ellipsis=True))
    return lines


def _unread_cell(bucket: UnreadBucket, most: int, width: int) -> Content:
    if bucket.to_days is None:
        name = f">{days(bucket.from_days)}"
    elif bucket.from_days == 0:
        name = f"<{days(bucket.to_days)}"
    else:
        name = f"{bucket.from_days}-{days(bucket.to_days)}"
    share = bucket.count / most if most else 0.0
    figure = number(bucket.count)
    return Content.assemble(
        label(name, 9),
        bar(share, width - 9 - 7, "$text-primary", rest=" "),
        f" {figure:<6}",
    )


def _away() -> Content:
    return Content.styled(_("The store is away; nobody can tell."), MUTED)


def unread_title(health: HealthView) -> str:
    if not health.unread:
        return ""
    stale = health.stale
    return _("stale {count} of {total} · {share}").format(
        count=stale.count, total=stale.of, share=percent(stale.ratio)
    )
