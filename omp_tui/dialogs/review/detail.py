"""An item of the review in full: a pure function of the item, the time, a width."""

from __future__ import annotations

from datetime import datetime

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.names import tier_name
from omp_core.views import ReviewItem, ReviewKind
from omp_tui.dialogs.review.words import effect_text, no_text
from omp_tui.text import MUTED, safe
from omp_tui.words import ago, date, number, scope_text, share

_TEXT_CHARS = 4000
"""Characters of a text shown in full; the rest is counted."""


def detail_lines(item: ReviewItem, now: datetime, width: int) -> list[Content]:
    """Return an item in full: its text, who said it, what a yes, a merge and a no would do."""
    lines = [*_text(item.text, width, "bold"), _said(item, now, width)]
    owner = " · ".join(part for part in (tier_name(item.record.tier), _owner(item)) if part)
    lines += [safe(owner, width=width).stylize(MUTED), Content("")]
    lines.append(_answer("y", effect_text(item), width))
    if item.problem is not None:
        lines += [line.stylize("$text-error") for line in _text(item.problem, width)]
    for one in item.places:
        was = _("nothing") if one.before is None else str(one.before)
        text = _("{path}: {before} → {after}").format(
            path=one.path, before=was[:_TEXT_CHARS], after=str(one.after)[:_TEXT_CHARS]
        )
        lines += _indented(text, width)
    if item.other is not None:
        lines += _other(item, width)
    lines.append(_answer("x", no_text(item.kind), width))
    return lines


def _other(item: ReviewItem, width: int) -> list[Content]:
    other = item.other
    assert other is not None  # the caller has looked
    alike = "" if item.similarity is None else share(item.similarity)
    head = _("There is, {alike} alike (v{version}, {tier}):").format(
        alike=alike, version=other.version, tier=tier_name(other.tier)
    )
    lines = [safe(head, width=width).stylize(MUTED), *_indented(other.content, width)]
    if item.merged_text is not None:
        lines.append(_answer("m", _("merged, both would say:"), width))
        lines += _indented(item.merged_text, width)
    return lines


def _owner(item: ReviewItem) -> str:
    return scope_text(item.record.scope)


def _said(item: ReviewItem, now: datetime, width: int) -> Content:
    texts = {
        ReviewKind.PENDING: _("written {ago} by {actor}, while the store was away · {date}"),
        ReviewKind.CANDIDATE: _("proposed {ago} by {actor} · {date}"),
        ReviewKind.DUPLICATE: _("said {ago} by {actor} · {date}"),
        ReviewKind.ARCHIVE: _("last read or changed {ago}; said by {actor} · {date}"),
        ReviewKind.FORGET: _("last read or changed {ago}; said by {actor} · {date}"),
        ReviewKind.REFUSED: _("refused {ago}, said by {actor} · {date}"),
    }
    text = texts[item.kind].format(ago=ago(item.at, now), actor=item.actor, date=date(item.at))
    return safe(text, width=width).stylize(MUTED)


def _answer(key: str, text: str, width: int) -> Content:
    start = Content.assemble((f"{key} ", "bold $text-accent"))
    return Content.assemble(start, safe(text, width=max(width - 2, 1)))


def _indented(text: str, width: int) -> list[Content]:
    return [Content.assemble("  ", line) for line in _text(text, width - 2)]


def _text(text: str, width: int, style: str = "") -> list[Content]:
    lines = safe(text[:_TEXT_CHARS]).stylize(style).wrap(max(width, 1))
    rest = len(text) - _TEXT_CHARS
    if rest > 0:
        more = ngettext("… and {count} more character", "… and {count} more characters", rest)
        lines.append(Content.styled(more.format(count=number(rest)), MUTED))
    return list(lines)
