"""Records, hits and receipts as lines for people."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from omp_core.i18n import _, ngettext
from omp_core.language.terminal import cells, one_line
from omp_core.model import Hit, PartName, Receipt, Record, ThemeHit
from omp_core.present import receipt_json
from omp_core.record_json import to_json

if TYPE_CHECKING:
    from omp_core.cli.session import Answer


def width() -> int:
    """Return the columns of the terminal, or a generous width for a pipe."""
    return shutil.get_terminal_size((200, 24)).columns


def record_line(record: Record, now: datetime, columns: int) -> str:
    """Return one line: id, tier, age, marks, and as much of the text as fits."""
    marks = f" ⚖{len(record.disputes)}" if record.disputes else ""
    marks += " 🔒" if record.locked else ""
    head = f"{record.id}  {record.tier:<10}  {ago(record.updated_at, now):>5}{marks}  "
    return head + one_line(record.content, max(20, columns - cells(head)))


_INDENT = " " * 6
_PART_LETTERS: dict[PartName, str] = {
    "keyword": "k",
    "semantic": "s",
    "recency": "r",
    "importance": "i",
    "conversation": "c",
}


def hit_line(hit: Hit, now: datetime, columns: int) -> str:
    """Return one line: score, what each part adds to it, likeness, and the record's own line."""
    parts = [_PART_LETTERS[part.name] + _short(part.value * part.weight) for part in hit.parts]
    if hit.similarity is not None:
        parts.append(f"~{_short(hit.similarity)}")
    head = f"{hit.score:.2f}  {' '.join(parts)}  "
    return head + record_line(hit.record, now, columns - len(head))


def why_lines(hit: Hit, columns: int) -> list[str]:
    """Return why a hit ranks: value and weight of each part, and the words that hit."""
    names: dict[PartName, str] = {
        "keyword": _("words"),
        "semantic": _("meaning"),
        "recency": _("recency"),
        "importance": _("importance"),
        "conversation": _("its conversation"),
    }
    parts = [f"{names[part.name]} {part.value:.3f} × {part.weight:g}" for part in hit.parts]
    lines = [f"{' + '.join(parts)} = {hit.score:.3f}"]
    if hit.words:
        lines.append(_("words that hit: {words}").format(words=", ".join(hit.words)))
    return [_INDENT + one_line(line, max(20, columns - len(_INDENT))) for line in lines]


def _short(value: float) -> str:
    """Return a share as `.56`, `1.0` or `-.20`."""
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 0.995 else f"{value:.1f}"


def theme_hit_line(theme: ThemeHit, columns: int) -> str:
    """Return one line: how near a theme is, its id, its members, and its label."""
    nearness = theme.words if theme.similarity is None else theme.similarity
    head = f"{nearness:.2f}  {theme.id}  {theme.members:>4}  "
    return head + one_line(theme.label, max(20, columns - len(head)))


def record_lines(record: Record) -> list[str]:
    """Return every field of a record, a line each, the text first."""
    plain = to_json(record)
    lines = [plain.pop("content"), ""]
    hidden = {"stamps", "disputes"}
    lines += [
        f"{name:<14} {value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in plain.items()
        if value not in (None, [], {}) and value is not False and name not in hidden
    ]
    for dispute in record.disputes:
        lines.append(
            _("dispute {id}: {field} is “{current}” by {actor}, “{incoming}” by {other}").format(
                id=dispute.id,
                field=dispute.field,
                current=dispute.current,
                actor=dispute.current_actor,
                incoming=dispute.incoming,
                other=dispute.incoming_actor,
            )
        )
    return lines


def padded(text: str, columns: int) -> str:
    """Return the text with blanks up to so many terminal columns."""
    return text + " " * max(0, columns - cells(text))


def ago(moment: datetime, now: datetime) -> str:
    """Return how long ago a moment was, in one unit: `now`, `5m`, `3h`, `12d`."""
    past = max(timedelta(), now - moment)
    if past < timedelta(minutes=1):
        return _("now")
    if past < timedelta(hours=1):
        return f"{past // timedelta(minutes=1)}m"
    if past < timedelta(days=1):
        return f"{past // timedelta(hours=1)}h"
    return f"{past.days}d"


def say_receipt(answer: Answer, receipt: Receipt) -> None:
    """Print what a write did: its note for a person, the whole receipt for a script."""
    if answer.as_json:
        answer.json(receipt_json(receipt))
    else:
        answer.line(receipt.note or receipt.outcome)


def cut_note(shown: int, total: int) -> str | None:
    """Return a sentence on what a limit left out; None when all is shown."""
    if shown >= total:
        return None
    return ngettext(
        "{shown} of {total} is shown; --limit and --offset show more",
        "{shown} of {total} are shown; --limit and --offset show more",
        shown,
    ).format(shown=shown, total=total)
