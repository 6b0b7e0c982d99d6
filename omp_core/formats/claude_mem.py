"""claude-mem: a JSON document with observations and summaries of sessions.

Its row ids differ from one database to the next; session, title and time identify a row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from omp_core.errors import FormatError
from omp_core.formats.files import read_text
from omp_core.formats.head import peek
from omp_core.formats.item import ImportItem
from omp_core.formats.json_text import load_json
from omp_core.formats.plain import NotPlainError, plain
from omp_core.formats.row import Row, converted, record_id
from omp_core.i18n import _
from omp_core.model import Category, Json, Record, Scope

NAME = "claude-mem"
_JSON_COLUMNS = ("facts", "concepts", "files_read", "files_modified", "files_edited")
_SUMMARY = ("request", "investigated", "learned", "completed", "next_steps", "notes")
_SESSION_KEYS = ("memory_session_id", "sdk_session_id")


def detect(path: Path) -> bool:
    """Tell whether a file is such a document."""
    head = peek(path).json
    if head is None or head.root != "object":
        return False
    first = head.first.get("observations")
    return head.has("exportedAtEpoch") or (
        isinstance(first, dict) and any(key in first for key in _SESSION_KEYS)
    )


def read(path: Path, now: datetime) -> Iterator[ImportItem]:
    """Yield the observations and summaries of a document. Raises FormatError."""
    content = load_json(read_text(path), str(path))
    if not isinstance(content, dict) or not isinstance(content.get("observations"), list):
        raise FormatError(
            _("{path}: has no list of observations. Export them again.").format(path=path)
        )
    tables: tuple[tuple[str, Callable[..., Record]], ...] = (
        ("observations", _observation),
        ("summaries", _summary),
    )
    for table, convert in tables:
        rows = content.get(table)
        for number, raw in enumerate(rows if isinstance(rows, list) else [], 1):
            yield converted(f"{path.name}#{table}/{number}", raw, partial(convert, now=now))
    for table in ("sessions", "prompts"):
        if content.get(table):
            problem = _("{key} holds no memories and was not read.").format(key=table)
            yield ImportItem(f"{path.name}#{table}", None, problem)


def _observation(row: Row, now: datetime) -> Record:
    for name in _JSON_COLUMNS:
        if name in row.fields:
            row.fields[name] = _column(row.fields[name])
    facts = row.fields.pop("facts", None)
    facts = [fact for fact in facts if isinstance(fact, str)] if isinstance(facts, list) else []
    title, subtitle = row.take_text("title"), row.take_text("subtitle")
    told = row.take_text("narrative", "text")
    lines = [told, *(f"- {fact}" for fact in facts)] if told else facts
    content = "\n".join(line for line in lines if line) or subtitle or title
    for name, value in (("title", title), ("subtitle", subtitle)):
        if value is not None:
            row.keep(name, value)
    row.fields["tags"] = row.fields.pop("concepts", None)
    kind = row.take_word("type")
    if kind is not None:
        row.keep("type", kind)
        row.fields["category"] = kind
    return _identified(row, content, title or "", now, Category.FACT)


def _summary(row: Row, now: datetime) -> Record:
    parts = [(name, row.take_text(name)) for name in _SUMMARY]
    content = "\n".join(f"{name}: {text}" for name, text in parts if text)
    return _identified(row, content, "summary", now, Category.EPISODE)


def _identified(
    row: Row, content: str | None, title: str, now: datetime, category: Category
) -> Record:
    epoch = row.fields.get("created_at_epoch")
    session = next((row.fields[key] for key in _SESSION_KEYS if row.fields.get(key)), None)
    number = row.take("id")
    if number is not None:
        row.keep("original_id", number)
    if session is not None and epoch is not None:
        row.fields["id"] = record_id(NAME, title, Scope(), str(session), str(epoch))
    if not row.fields.get("created_at"):
        row.fields["created_at"] = epoch
    scope = Scope(app_id=row.take_word("project"))
    return row.record(NAME, content, now, scope=scope, category=category)


def _column(value: Json) -> Json:
    """Return what a column of JSON text holds; what is no JSON stays text."""
    if not isinstance(value, str):
        return value
    try:
        return plain(json.loads(value))[0]
    except (ValueError, RecursionError, NotPlainError):
        return value
