"""What waits as lines: pure functions of the items, their place in a list, a width."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.views import ReviewItem, ReviewKind
from omp_tui.dialogs.review.words import effect_text, kind_name, what_fills
from omp_tui.text import MUTED, fit, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.links import link
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.row_lines import row_start
from omp_tui.words import date, memories, number, span

_WIDE = 100
_AGE = 6


@dataclass(frozen=True, slots=True)
class Tabs:
    """The kinds with how many wait of each, one of them in front."""

    counts: Mapping[ReviewKind, int]
    current: ReviewKind
    marked: int = 0
    loading: bool = False
    """Whether the model, which finds what resembles what, is still being loaded."""


@dataclass(frozen=True, slots=True)
class Outage:
    """When the store was away, as far as that was seen; `since`: the oldest that waits for it."""

    pending: int
    since: datetime | None
    away_from: datetime | None = None
    back_at: datetime | None = None
    in_front: bool = True
    """Whether the pending are what the list shows, so that `Y` is about them."""


def tab_lines(tabs: Tabs, width: int) -> list[Content]:
    """Return one line: the kinds with their counts, to be clicked; at the end what is marked."""
    parts = []
    for kind in ReviewKind:
        count = tabs.counts.get(kind)
        figure = "—" if count is None else number(count)
        text = _("{kind} {count}").format(kind=kind_name(kind), count=figure)
        here = kind is tabs.current
        style = "bold reverse" if here else "" if count else MUTED
        parts.append(link(f"[{text}]" if here else text, f"screen.show_kind('{kind}')", style))
    line = Content(" · ").join(parts)
    if tabs.marked:
        marked = _("{count} marked").format(count=number(tabs.marked))
        return [spread(line, Content.styled(f" {marked}", "bold"), width)]
    if tabs.loading:
        looking = Content.styled(" " + _("◐ looking what resembles what …"), "$text-warning")
        if line.cell_length + looking.cell_length <= width:
            return [spread(line, looking, width)]
    return [line.truncate(width, ellipsis=True)]


def banner_lines(outage: Outage, width: int) -> list[Content]:
    """Return the line that says what waits since the store was away, and how to take it."""
    count = number(outage.pending)
    if outage.away_from is not None and outage.back_at is not None:
        away = span((outage.back_at - outage.away_from).total_seconds())
        text = _("The store came back {time}, was away {span}.").format(
            time=f"{outage.back_at.astimezone():%H:%M}", span=away
        )
    elif outage.since is not None:
        text = _("Written while the store was away, the first {date}.").format(
            date=date(outage.since)
        )
    else:
        text = _("Written while the store was away.")
    if outage.in_front:
        what = ngettext("Y takes the one.", "Y takes all {count}.", outage.pending)
    else:
        what = ngettext(
            "{count} waits under Pending.", "{count} wait under Pending.", outage.pending
        )
    line = Content.assemble("◐ ", (what.format(count=count), "bold"), " ", text)
    if not outage.in_front:
        line = link(line, f"screen.show_kind('{ReviewKind.PENDING}')")
    return [line.truncate(width, ellipsis=True)]


def item_line(item: ReviewItem, place: RowPlace, now: datetime, width: int) -> Content:
    """Return exactly `width` cells: the text, when it was said, what a yes would do."""
    # On the cursor line the colours of the cursor carry; muted ones would be lost on them.
    muted = "" if place.cursor else MUTED
    style = "$text-error" if item.effect == "blocked" and not place.cursor else ""
    right = [Content("")]
    if place.fate != "same":
        word = _("changed meanwhile") if place.fate == "changed" else _("settled meanwhile")
        right.append(Content.styled(word, "bold"))
    if width >= _WIDE:
        age = span(max(0.0, (now - item.at).total_seconds()))
        right.append(spread(Content(""), Content(age), _AGE).stylize(muted))
    room = int(width * 0.42)
    right += [fit(safe(effect_text(item), width=room), room).stylize(style), Content("")]
    left = Content.assemble(row_start(place), safe(item.text, width=width))
    return spread(left, Content("  ").join(right), width)


def nothing(tabs: Tabs) -> Content:
    """Return what stands in place of an empty list: what will fill it, where something waits."""
    empty, later = what_fills(tabs.current)
    lines = [Content(empty).stylize("bold"), Content.styled(later, MUTED)]
    others = [kind for kind in ReviewKind if tabs.counts.get(kind, 0)]
    if others:
        named = Content(" · ").join(
            link(
                _("{kind} {count}").format(
                    kind=kind_name(kind), count=number(tabs.counts.get(kind, 0))
                ),
                f"screen.show_kind('{kind}')",
                "bold",
            )
            for kind in others
        )
        lines += [Content(""), Content.assemble(_("Waiting for an answer:"), " ", named)]
    else:
        lines += [Content(""), Content(_("Nothing at all waits for an answer."))]
    return Content("\n").join(lines)


def failure(error: str, pending: int) -> Content:
    """Return what stands in place of the list while what waits cannot be read."""
    lines = [
        Content(_("What waits cannot be shown.")).stylize("bold"),
        safe(error[:800]).stylize("$text-error"),
    ]
    if pending:
        text = ngettext(
            "{memories} waits for the store, and can be answered when it is back.",
            "{memories} wait for the store, and can be answered when it is back.",
            pending,
        )
        lines.append(Content(text.format(memories=memories(pending))))
    return Content("\n\n").join(lines)
