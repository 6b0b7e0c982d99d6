"""The lines of the queue and of the dispute in hand: pure functions of data and a width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.model import DisputeKind, DisputeSide
from omp_core.names import field_name
from omp_tui.panes.conflicts.words import kind_name, preference_text, use_text, value_text
from omp_tui.text import MUTED, fit, safe
from omp_tui.widgets.bars import spread
from omp_tui.widgets.links import link
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.words import ago

if TYPE_CHECKING:
    from omp_core.types import DisputeDetail, Ending, OpenDispute

_BESIDE = 96
"""From this width on both sides stand beside each other."""
_MOST_LINES = 12
"""Lines of one side; a longer text says how much is left out."""


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """What the line above the dispute says."""

    queue: tuple[OpenDispute, ...]
    set_aside: bool
    now: datetime


@dataclass(frozen=True, slots=True)
class Card:
    """The dispute in hand: what is known of it, which side `enter` keeps.

    `detail` is None while it is being read; `ending` says how it ended elsewhere.
    """

    open: OpenDispute
    detail: DisputeDetail | None
    side: DisputeSide
    place: tuple[int, int]
    now: datetime
    ending: Ending | None = None


def standing_lines(standing: QueueStatus, width: int) -> list[Content]:
    """Return how many wait, of which kinds, and in which order."""
    count = len(standing.queue)
    if standing.set_aside:
        text = ngettext("{count} set aside", "{count} set aside", count)
    else:
        text = ngettext("{count} waits", "{count} wait", count)
    kinds = Counter(one.dispute.kind for one in standing.queue)
    parts = [
        Content(_("{kind} {count}").format(kind=kind_name(kind), count=kinds[kind]))
        for kind in DisputeKind
        if kinds[kind]
    ]
    left = Content.assemble(
        (text.format(count=count), "bold"), "  ", Content(" · ").join(parts).stylize(MUTED)
    )
    order = _("f: back to those that wait") if standing.set_aside else _("most urgent first")
    return [spread(left, Content.styled(f" {order}", MUTED), width)]


def queue_line(one: OpenDispute, place: RowPlace, now: datetime, width: int) -> Content:
    """Return one line of the queue: kind, age, both sides."""
    dispute = one.dispute
    # on the cursor line the colours of the cursor carry
    muted = "" if place.cursor else MUTED
    sign = "▸ " if place.cursor else "  "
    sides = Content.assemble(
        safe(value_text(dispute.current, dispute.field), width=max(8, (width - 30) // 2)),
        ("  ↔  ", muted),
        safe(value_text(dispute.incoming, dispute.field), width=max(8, (width - 30) // 2)),
    )
    head = Content.assemble(
        sign,
        fit(Content(kind_name(dispute.kind)), 16),
        fit(Content(ago(dispute.incoming_at, now)), 9),
    )
    return fit(Content.assemble(head, " ", sides), width)


def card_lines(card: Card, width: int) -> list[Content]:
    """Return title, what both started from, both sides, what the rules say."""
    lines = [_title(card, width)]
    if card.ending is not None:
        lines.append(_ended(card, width))
    lines.append(_base(card, width))
    if width >= _BESIDE:
        room = (width - 1) // 2
        left, right = _side(card, "current", room), _side(card, "incoming", room)
        height = max(len(left), len(right))
        for at in range(height):
            lines.append(
                Content.assemble(
                    _filled(left, at, height, room), " ", _filled(right, at, height, room)
                )
            )
    else:
        lines += [*_side(card, "current", width), *_side(card, "incoming", width)]
    return lines


def _filled(box: list[Content], at: int, height: int, width: int) -> Content:
    """Return a line of a box that is made as high as its neighbour."""
    if at == height - 1:
        return box[-1]
    if at < len(box) - 1:
        return box[at]
    return Content("│" + " " * (width - 2) + "│")


def _title(card: Card, width: int) -> Content:
    one, dispute = card.open, card.open.dispute
    number, count = card.place
    name = dispute.field if one.branch is not None else field_name(dispute.field)
    words = [_("{number} of {count}").format(number=number, count=count)]
    words.append(
        _("{kind}: {field}").format(kind=kind_name(dispute.kind), field=safe(name, width=40).plain)
    )
    if one.branch is not None:
        words.append(_("in {file}").format(file=safe(one.branch.file, width=30).plain))
    if one.repeats > 1:
        words.append(_("{count} on this field").format(count=one.repeats))
    if card.detail is not None and card.detail.alike > 1:
        words.append(_("{count} like this").format(count=card.detail.alike))
    if dispute.kind is DisputeKind.SAME_FIELD and dispute.field != "content":
        words.append(safe(f"“{one.record.content}”", width=40).plain)
    return fit(Content.styled(" · ".join(words), "bold"), width)


def _ended(card: Card, width: int) -> Content:
    ending = card.ending
    if ending is None:
        return Content("")
    if ending.actor is None or ending.at is None:
        text = _("▲ It is open no more: settled in the document, or gone. Any key goes on.")
    else:
        form = (
            _("▲ {actor} deleted the memory, {ago}. Any key goes on.")
            if ending.deleted
            else _("▲ Settled meanwhile by {actor}, {ago}. Any key goes on.")
        )
        text = form.format(actor=ending.actor, ago=ago(ending.at, card.now))
    return safe(text, width=width).stylize("bold $text-warning")


def _base(card: Card, width: int) -> Content:
    dispute, detail = card.open.dispute, card.detail
    if detail is None:
        return Content.styled("…", MUTED)
    if detail.base:
        said = value_text(detail.base[0], dispute.field)
        if dispute.kind is DisputeKind.BRANCH:
            text = _("both started from “{text}”").format(text=said)
        else:
            text = _("both started from v{version} “{text}”").format(
                version=dispute.base_version, text=said
            )
    else:
        text = {
            DisputeKind.CONTRADICTION: _("two memories that cannot both be true"),
            DisputeKind.CROSS_HOME: _("a memory, and what a document of the project says"),
            DisputeKind.BRANCH: _("what both branches started from is not known"),
            DisputeKind.SAME_FIELD: _("what both started from is not in the journal"),
        }[dispute.kind]
    return safe(text, width=width).stylize(MUTED)


def _side(card: Card, name: DisputeSide, width: int) -> list[Content]:
    """Return one side as a box: who and when, the text, its use, whether the rules prefer it."""
    dispute, detail = card.open.dispute, card.detail
    here = card.side == name and card.ending is None
    actor, at = (
        (dispute.current_actor, dispute.current_at)
        if name == "current"
        else (dispute.incoming_actor, dispute.incoming_at)
    )
    inner = width - 4
    edge = "$primary" if here else MUTED
    letter = _("A current") if name == "current" else _("B incoming")
    head = Content.assemble(
        f"{'▸' if here else ' '}{letter} · ",
        safe(actor, width=max(6, inner - 26)),
        f" · {ago(at, card.now)} ",
    ).truncate(width - 3, ellipsis=True)
    head = link(head, f"screen.side('{name}')", "bold" if here else "")
    rule = "─" * max(0, width - 3 - head.cell_length)
    lines = [Content.assemble(("╭─", edge), head, (rule + "╮", edge))]
    for line in [*_text(card, name, inner), *_facts(detail, name, card, inner)]:
        lines.append(Content.assemble(("│ ", edge), fit(line, inner), (" │", edge)))
    lines.append(Content.styled("╰" + "─" * (width - 2) + "╯", edge))
    return lines


def _text(card: Card, name: DisputeSide, width: int) -> list[Content]:
    dispute, detail = card.open.dispute, card.detail
    value = dispute.current if name == "current" else dispute.incoming
    whole = value_text(value, dispute.field)
    words = None if detail is None else detail.words
    pieces = () if words is None else words.left if name == "current" else words.right
    if "".join(one.text for one in pieces) != whole:  # it has a name in the reader's language
        text = safe(whole[:2000])
    else:
        text = Content.assemble(
            *(
                Content.assemble("[", safe(one.text), "]").stylize("bold $text-warning")
                if one.differs and one.text.strip()
                else safe(one.text)
                for one in pieces
            )
        )
    lines = text.wrap(width) or [Content("")]
    rest = len(lines) - _MOST_LINES
    if rest > 0:
        more = ngettext("… {count} more line", "… {count} more lines", rest).format(count=rest)
        lines = [*lines[:_MOST_LINES], Content.styled(more, "$text-warning")]
    return list(lines)


def _facts(
    detail: DisputeDetail | None, name: DisputeSide, card: Card, width: int
) -> list[Content]:
    if detail is None:
        return []
    lines = [safe(use_text(detail.side(name), card.now), width=width).stylize(MUTED)]
    preferred = detail.preference
    if preferred is not None and preferred.side == name:
        lines.append(safe(preference_text(preferred), width=width).stylize("$text-success"))
    return lines


def alike_lines(
    disputes: Sequence[OpenDispute], keeps: DisputeSide | None, width: int, most: int
) -> list[Content]:
    """Return what stays of each dispute, both sides where `keeps` is None."""
    lines = []
    for one in disputes[:most]:
        dispute = one.dispute
        sides = {"current": dispute.current, "incoming": dispute.incoming}
        shown = list(sides.values()) if keeps is None else [sides[keeps]]
        room = max(8, (width - 5) // len(shown) - 2)
        lines.append(
            Content.assemble(
                ("· ", MUTED),
                Content("  ↔  ").join(
                    safe(value_text(value, dispute.field), width=room) for value in shown
                ),
            )
        )
    rest = len(disputes) - most
    if rest > 0:
        more = ngettext("… and {count} more", "… and {count} more", rest).format(count=rest)
        lines.append(Content.styled(more, MUTED))
    return lines
