"""Everything about one record as lines: pure functions of the record, its history, a width."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.model import (
    Dispute,
    DisputeKind,
    Home,
    JournalEntry,
    Json,
    PartName,
    Record,
    ScorePart,
)
from omp_core.names import field_name, status_name, tier_name
from omp_core.views import Forecast
from omp_tui.text import MUTED, marked, safe
from omp_tui.widgets.bars import bar, label
from omp_tui.widgets.record_list import ListRow
from omp_tui.words import (
    age,
    ago,
    category_name,
    date,
    home_name,
    importance_name,
    scope_text,
    share,
    source_name,
    temporality_name,
)

TEXT_SHOWN = 4000
"""Characters of a text that the preview shows; longer ones say how much is left out."""
_LABEL = 13
_BAR = 10
_HISTORY_SHOWN = 12
_VALUE_SHOWN = 400
_SPARKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class DetailContent:
    """A record with why it ranks and what happened to it; the history may come later."""

    row: ListRow
    history: tuple[JournalEntry, ...] | None
    now: datetime
    forecast: Forecast
    whole_text: bool = True


def title(record: Record) -> str:
    """Return `preference · important · v4`: words of ours only, safe as a border title."""
    return " · ".join(
        [category_name(record.category), tier_name(record.tier), f"v{record.version}"]
    )


def detail_lines(detail: DetailContent, width: int) -> list[Content]:
    """Text, score parts, fields, disputes and history, each value wrapped under its label."""
    record = detail.row.record
    lines: list[Content] = []
    if detail.whole_text:
        lines += [*_text(record.content, detail.row.words, width), Content("")]
    if detail.row.parts is not None:
        lines += [*_score(detail.row.parts, detail.row.score), Content("")]
    if record.disputes:
        lines += [*_disputes(record.disputes, detail.now, width), Content("")]
    lines += [*_forecast(detail.forecast, detail.now, width), Content("")]
    lines += _fields(record, detail.now, width)
    lines += [Content(""), *_history(detail.history, detail.now, width)]
    return lines


def _text(text: str, words: Sequence[str], width: int) -> list[Content]:
    lines = marked(safe(text[:TEXT_SHOWN]), words).wrap(width)
    left_out = len(text) - TEXT_SHOWN
    if left_out > 0:
        rest = ngettext(
            "… {count} more character; enter shows all",
            "… {count} more characters; enter shows all",
            left_out,
        ).format(count=f"{left_out:,}")
        lines.append(Content.styled(rest, "$text-warning"))
    return lines


def _score(parts: Sequence[ScorePart], score: float | None) -> Iterable[Content]:
    names: dict[PartName, str] = {
        "keyword": _("keyword"),
        "semantic": _("semantic"),
        "recency": _("recency"),
        "importance": _("importance"),
        "conversation": _("talk around"),
    }
    yield Content.assemble(label(_("why it ranks"), _LABEL), (share(score), "bold"))
    for part in parts:
        added = part.value * part.weight
        yield Content.assemble(
            label("  " + names[part.name], _LABEL),
            bar(max(0.0, added), _BAR - 1, "$text-accent"),
            " ",
            share(added),
        )


def _forecast(forecast: Forecast, now: datetime, width: int) -> list[Content]:
    """Return how much is retained, its curve, and what happens next if nobody reads it."""
    steps = len(_SPARKS) - 1
    curve = "".join(_SPARKS[round(max(0.0, min(1.0, one)) * steps)] for one in forecast.curve)
    retained = _("{share} {curve} {later} in {days} d").format(
        share=share(forecast.retention),
        curve=curve,
        later=share(forecast.curve[-1]),
        days=forecast.days,
    )
    return [
        *_labelled(_("retention"), retained, width),
        *_labelled(_("next"), _next_step(forecast, now), width),
    ]


def _next_step(forecast: Forecast, now: datetime) -> str:
    at = forecast.at
    wait = "" if at is None else age(now, max(at, now))
    return {
        "stays": _("it stays as it is"),
        "short-term-when-full": _("to short-term memory when working memory is full"),
        "long-term": _("unread, to long-term memory in {span}").format(span=wait),
        "asked": _("unread, you are asked about it in {span}").format(span=wait),
        "expires": _("it expires in {span}").format(span=wait),
    }[forecast.step]


def _fields(record: Record, now: datetime, width: int) -> list[Content]:
    values: list[tuple[str, str]] = [
        (_("scope"), scope_text(record.scope) or _("none")),
        (_("home"), home_name(record.home)),
        (_("importance"), importance_name(record.importance)),
        (
            _("source"),
            _("{source} · confidence {confidence}").format(
                source=source_name(record.source), confidence=share(record.confidence)
            ),
        ),
        (_("meant to be"), temporality_name(record.temporality)),
        (_("status"), status_name(record.status)),
        (_("read"), _reads(record, now)),
        (_("changed"), f"{date(record.updated_at)} · {ago(record.updated_at, now)}"),
        (_("created"), date(record.created_at)),
    ]
    if record.locked:
        values.append((_("locked"), _("only you change it")))
    if record.expires_at is not None:
        values.append((_("expires"), _expiry(record.expires_at, now)))
    if record.superseded_by:
        values.append((_("successor"), record.superseded_by))
    if record.tags:
        values.append((_("tags"), ", ".join(sorted(record.tags))))
    if record.episode:
        values.append((_("episode"), record.episode))
    for key in sorted(record.metadata):
        value = record.metadata[key]
        if key == "episode" and value == record.episode:
            continue
        values.append((key, value if isinstance(value, str) else _value(value)))
    values.append((_("id"), record.id))
    lines: list[Content] = []
    for name, value in values:
        lines += _labelled(name, value, width)
    return lines


def _reads(record: Record, now: datetime) -> str:
    if record.last_accessed is None:
        return _("never")
    return ngettext(
        "{count} time, last {ago}", "{count} times, last {ago}", record.access_count
    ).format(count=record.access_count, ago=ago(record.last_accessed, now))


def _expiry(moment: datetime, now: datetime) -> str:
    if moment <= now:
        return _("{date} · expired").format(date=date(moment))
    return _("{date} · in {span}").format(date=date(moment), span=age(now, moment))


def _labelled(name: str, value: str, width: int, *, indent: int = 0) -> list[Content]:
    """Return a label and the value beside it, wrapped under itself."""
    room = max(width - _LABEL, 8)
    cut = value[:_VALUE_SHOWN] + ("…" if len(value) > _VALUE_SHOWN else "")
    wrapped = safe(cut).wrap(room) or [Content("")]
    head = label(" " * indent + safe(name, width=_LABEL - 1 - indent).plain, _LABEL)
    return [
        Content.assemble(head if index == 0 else " " * _LABEL, line)
        for index, line in enumerate(wrapped)
    ]


def _disputes(disputes: tuple[Dispute, ...], now: datetime, width: int) -> list[Content]:
    lines: list[Content] = []
    for dispute in disputes:
        sides = _("⚖ dispute on {field}: {kind}").format(
            field=field_name(dispute.field), kind=_kind(dispute.kind)
        )
        lines += safe(sides).stylize("$text-warning").wrap(width)
        for name, value, actor, at in (
            (_("current"), dispute.current, dispute.current_actor, dispute.current_at),
            (_("incoming"), dispute.incoming, dispute.incoming_actor, dispute.incoming_at),
        ):
            said = _("{value} — {actor}, {ago}").format(
                value=_value(value), actor=actor, ago=ago(at, now)
            )
            lines += _labelled(name, said, width, indent=2)
    return lines


def _kind(kind: DisputeKind) -> str:
    return {
        DisputeKind.SAME_FIELD: _("two writers, one field"),
        DisputeKind.CONTRADICTION: _("contradicts another memory"),
        DisputeKind.CROSS_HOME: _("project and user disagree"),
        DisputeKind.BRANCH: _("two branches disagree"),
    }[kind]


def _history(history: tuple[JournalEntry, ...] | None, now: datetime, width: int) -> list[Content]:
    if history is None:
        return [Content.assemble(label(_("history"), _LABEL), ("…", MUTED))]
    if not history:
        return [Content.assemble(label(_("history"), _LABEL), (_("none is kept"), MUTED))]
    newest = sorted(history, key=lambda entry: (entry.at, entry.seq), reverse=True)
    lines = [Content.styled(_("history"), MUTED)]
    for entry in newest[:_HISTORY_SHOWN]:
        head = f"v{entry.version} {age(entry.at, now)}"
        said = f"{entry.actor}: {_change(entry)}"
        lines += _labelled(head, said, width, indent=2)
    rest = len(newest) - _HISTORY_SHOWN
    if rest > 0:
        more = ngettext("{count} older change", "{count} older changes", rest)
        lines.append(Content.styled("  … " + more.format(count=rest), MUTED))
    return lines


def _change(entry: JournalEntry) -> str:
    if entry.before is None:
        return _("written")
    if entry.after is None:
        return _("deleted")
    return ", ".join(_steps(entry.before, entry.after)) or entry.kind


def _steps(before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterable[str]:
    for field in after:
        if field in ("version", "stamps", "updated_at") or before.get(field) == after[field]:
            continue
        yield _("{field} from {before} to {after}").format(
            field=field_name(field), before=_value(before.get(field)), after=_value(after[field])
        )


def _value(value: Json) -> str:
    if value is None:
        return _("nothing")
    if isinstance(value, str):
        text = value if len(value) <= 60 else value[:59] + "…"
        return f"“{text}”"
    if isinstance(value, frozenset | set | tuple):
        return ", ".join(str(part) for part in sorted(value))
    return json.dumps(value, ensure_ascii=False, default=str)


def is_read_only(record: Record) -> bool:
    """Whether the record mirrors a project document, which is changed there."""
    return record.home is Home.PROJECT
