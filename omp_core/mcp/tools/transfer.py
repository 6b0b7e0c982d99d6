"""Tools that take memories out and bring them in, as text in the conversation."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from omp_core.errors import InvalidValueError, UsageError
from omp_core.i18n import _
from omp_core.mcp.arguments import Arguments, Scoped
from omp_core.mcp.registry import Answer, Call, tool
from omp_core.model import SCOPE_FIELDS, Home, Json, Query, Record
from omp_core.present import write_lines
from omp_core.record_json import exported, from_json

if TYPE_CHECKING:
    from omp_core.types import ImportReport, OnExisting

Format = Literal["json", "csv"]
_CSV_COLUMNS = (
    "id", "content", "tags", "created_at", "updated_at", "expires_at", *SCOPE_FIELDS, "metadata",
)  # fmt: skip
_CSV_METADATA = ("category", "importance", "source", "confidence", "temporality", "tier", "status")
_OWN_KEYS = frozenset({"version", "tier", "stamps"})
"""A row with these is a record of ours, whole."""


class ExportMemories(Scoped, frozen=True, kw_only=True):
    fmt: Annotated[Format, Meta(description="json holds every field; csv is for spreadsheets.")] = (
        "json"
    )


@tool("reads")
def export_memories(call: Call, given: ExportMemories) -> Answer:
    """Return all memories of a scope, or all there are, for a backup: archived and expired ones
    too, none left out. import_memories takes the answer as it is. For a large store
    `omp-tui export --out FILE` is the better way."""
    query = Query(scope=given.scope, statuses=frozenset(), include_expired=True, home=Home.USER)
    records = list(call.memory.export(query))
    if given.fmt == "csv":
        return {"csv": _csv(records), "total": len(records)}
    return {"records": [exported(record) for record in records], "total": len(records)}


def _csv(records: Iterable[Record]) -> str:
    text = io.StringIO(newline="")
    sheet = csv.DictWriter(text, _CSV_COLUMNS, extrasaction="ignore", restval="")
    sheet.writeheader()
    for record in records:
        plain = exported(record)
        inner = {name: plain[name] for name in _CSV_METADATA} | plain["metadata"]
        sheet.writerow(
            {name: value for name, value in plain.items() if value is not None}
            | {
                "tags": ",".join(plain["tags"]),
                "created_at": _seconds(record.created_at),
                "updated_at": _seconds(record.updated_at),
                "expires_at": _seconds(record.expires_at),
                "metadata": msgspec.json.encode(inner).decode(),
            }
        )
    return text.getvalue()


def _seconds(moment: datetime | None) -> float | int:
    """Return Unix seconds; 0 for never."""
    return 0 if moment is None else moment.timestamp()


class ImportMemories(Arguments, frozen=True, kw_only=True):
    data: Annotated[
        dict[str, Any] | list[Any] | str,
        Meta(description="What export_memories returned, its records, or an export as text."),
    ]
    fmt: Annotated[Format, Meta(description="The format of data that is text.")] = "json"
    overwrite: Annotated[
        bool, Meta(description="A memory that is held becomes as it is in data.")
    ] = False
    new_ids: Annotated[
        bool, Meta(description="A memory whose id is held comes in under a new id.")
    ] = False
    dry_run: Annotated[bool, Meta(description="Only report what would be done.")] = False


@tool("adds")
def import_memories(call: Call, given: ImportMemories) -> Answer:
    """Bring back what export_memories returned, or an export of another memory tool as text. An
    id that is held already is skipped unless overwrite or new_ids says otherwise. A row that
    cannot be taken is reported, and the rest goes on."""
    if given.overwrite and given.new_ids:
        raise UsageError(_("overwrite and new_ids exclude each other; choose one"))
    on_existing: OnExisting = (
        "overwrite" if given.overwrite else "new-id" if given.new_ids else "skip"
    )
    text, unread = _text(given.data, call.memory.now())
    report = call.memory.import_text(
        text, name=f"memories.{given.fmt}", on_existing=on_existing, dry_run=given.dry_run
    )
    if report.count("added") and not given.dry_run:
        call.embed_later()
    return _told(report, unread)


def _text(data: Json, now: datetime) -> tuple[str, list[dict[str, Json]]]:
    """Return what is to be imported as the text of a file, and the rows that are none of ours."""
    value = _decoded(data)
    rows = value.get("records") if isinstance(value, dict) else value
    if not (isinstance(rows, list) and any(map(_is_own, rows))):
        text = data if isinstance(data, str) else msgspec.json.encode(data).decode()
        if not text.strip():
            raise InvalidValueError(_("data: it is empty; give what export_memories returned"))
        return text, []
    records: list[Record] = []
    unread: list[dict[str, Json]] = []
    for number, row in enumerate(rows, 1):
        try:
            records.append(from_json(row if isinstance(row, dict) else {}))
        except InvalidValueError as error:
            unread.append(
                {"place": f"records#{number}", "outcome": "refused", "reason": str(error)}
            )
    file = io.StringIO(newline="\n")
    write_lines(records, file, now)
    return file.getvalue(), unread


def _decoded(data: Json) -> Json:
    """Return data as a JSON value; text that is no JSON document as it is."""
    if isinstance(data, str) and data.lstrip()[:1] in ("{", "["):
        try:
            return msgspec.json.decode(data)
        except (msgspec.DecodeError, RecursionError):
            return data
    return data


def _is_own(row: Json) -> bool:
    return isinstance(row, dict) and row.keys() >= _OWN_KEYS


def _told(report: ImportReport, unread: list[dict[str, Json]]) -> Answer:
    rows = [
        {"place": row.place, "outcome": row.outcome, "reason": row.reason, "notes": row.notes}
        for row in report.rows
        if row.reason or row.notes
    ]
    return {
        "imported": report.count("added"),
        "skipped": report.count("skipped"),
        "overwritten": report.count("overwritten"),
        "refused": report.count("refused") + len(unread),
        "format": report.format,
        "dry_run": report.dry_run,
        "rows": [*unread, *msgspec.to_builtins(rows)],
        "act_ids": list(report.act_ids),
    }
