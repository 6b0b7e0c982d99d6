"""Commands on records: add, show, list, update, delete, lock, unlock, merge."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, get_args

import click
import msgspec

from omp_core.cli.options import (
    choice,
    field_options,
    query_options,
    scope_options,
)
from omp_core.cli.session import PARTIAL, Answer, memory_command
from omp_core.cli.text import (
    cut_note,
    record_line,
    record_lines,
    say_receipt,
    width,
)
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.model import Order, Query, Receipt, Scope
from omp_core.present import receipt_json, typed_fields
from omp_core.record_json import to_json

_SHOWN_OF_HISTORY = 20


@click.command(help=_("Store a memory. CONTENT of - reads it from standard input."))
@click.argument("content")
@click.option("--project", is_flag=True, help=_("Belongs to this project: fills in its id."))
@click.option("--ttl", "ttl_seconds", type=float, metavar="SECONDS", help=_("Expire after this."))
@click.option("--force", is_flag=True, help=_("Store it although it resembles another record."))
@click.option("--id", "record_id", help=_("Write to this record, if it exists."))
@click.option("--based-on", type=int, metavar="VERSION", help=_("The version that was read."))
@memory_command
@field_options
@scope_options
def add(
    memory: Memory,
    answer: Answer,
    content: str,
    project: bool,
    ttl_seconds: float | None,
    force: bool,
    record_id: str | None,
    based_on: int | None,
    fields: dict[str, Any],
    scope: Scope,
) -> int:
    if content == "-":
        content = sys.stdin.read()
    own = memory.scope
    if scope == Scope():
        scope = Scope(user_id=own.user_id)
    if project:
        scope = replace(scope, app_id=own.app_id)
    receipt = memory.add(
        content,
        scope=scope,
        ttl_seconds=ttl_seconds,
        force=force,
        id=record_id,
        version=based_on,
        **typed_fields(fields),
    )
    return _say(answer, receipt)


@click.command(help=_("Show all fields of a memory, and its history."))
@click.argument("record_id", metavar="ID")
@memory_command
def show(memory: Memory, answer: Answer, record_id: str) -> None:
    record = memory.get(record_id)
    history = memory.history(record_id)
    if answer.as_json:
        answer.json({**to_json(record), "history": msgspec.to_builtins(history)})
        return
    for line in record_lines(record):
        answer.line(line)
    for entry in history[:_SHOWN_OF_HISTORY]:
        names = ", ".join(entry.after or ()) if entry.before is not None else ""
        answer.line(
            f"v{entry.version:<4} {entry.at:%Y-%m-%d %H:%M} {entry.actor} {entry.kind} {names}"
        )
    if len(history) > _SHOWN_OF_HISTORY:
        answer.note(
            _("{shown} of {total} changes are shown; --json shows all").format(
                shown=_SHOWN_OF_HISTORY, total=len(history)
            )
        )


@click.command("list", help=_("List memories, newest change first."))
@click.option("--limit", type=int, default=50, show_default=True)
@click.option("--offset", type=int, default=0)
@click.option("--sort", "order", type=choice(get_args(Order)), default="updated", show_default=True)
@click.option("--ascending", is_flag=True, help=_("Smallest or oldest first."))
@memory_command
@query_options
def list_records(
    memory: Memory,
    answer: Answer,
    limit: int,
    offset: int,
    order: Order,
    ascending: bool,
    query: Query,
) -> None:
    page = memory.list(query, order, not ascending, offset, limit)
    if answer.as_json:
        answer.json(
            {
                "records": [to_json(record) for record in page.records],
                "total": page.total,
                "offset": offset,
            }
        )
        return
    now = memory.now()
    for record in page.records:
        answer.line(record_line(record, now, width()))
    note = cut_note(len(page.records), page.total)
    if note:
        answer.note(note)


@click.command(help=_("Change fields of a memory, under the write rule."))
@click.argument("record_id", metavar="ID")
@click.option("--content", help=_("The new text."))
@click.option("--clear-tags", is_flag=True, help=_("Remove all tags."))
@click.option("--based-on", type=int, metavar="VERSION", help=_("The version that was read."))
@memory_command
@field_options
@scope_options
def update(
    memory: Memory,
    answer: Answer,
    record_id: str,
    content: str | None,
    clear_tags: bool,
    based_on: int | None,
    fields: dict[str, Any],
    scope: Scope,
) -> int:
    changes = {f"metadata.{key}": value for key, value in fields.pop("metadata", {}).items()}
    changes |= fields | {
        name: value for name, value in msgspec.to_builtins(scope).items() if value is not None
    }
    if content is not None:
        changes["content"] = content
    if clear_tags:
        changes["tags"] = []
    if not changes:
        raise click.UsageError(_("nothing to change was given"))
    return _say(answer, memory.update(record_id, changes, based_on=based_on))


@click.command(help=_("Delete memories; `omp-tui undo` brings them back."))
@click.argument("record_ids", metavar="ID...", nargs=-1, required=True)
@memory_command
def delete(memory: Memory, answer: Answer, record_ids: tuple[str, ...]) -> int:
    return _say(answer, memory.delete(record_ids))


@click.command(help=_("Lock memories: no agent and no rule changes them; only you can."))
@click.argument("record_ids", metavar="ID...", nargs=-1, required=True)
@memory_command
def lock(memory: Memory, answer: Answer, record_ids: tuple[str, ...]) -> None:
    say_receipt(answer, memory.lock(record_ids))


@click.command(help=_("Lift the locks of memories."))
@click.argument("record_ids", metavar="ID...", nargs=-1, required=True)
@memory_command
def unlock(memory: Memory, answer: Answer, record_ids: tuple[str, ...]) -> None:
    say_receipt(answer, memory.unlock(record_ids))


def _say(answer: Answer, receipt: Receipt) -> int:
    """Print a receipt. A write that was not taken as it was given ends as done in part."""
    if answer.as_json:
        answer.json(receipt_json(receipt))
    else:
        version = f" v{receipt.record.version}" if receipt.record is not None else ""
        shown = receipt.duplicate_id if receipt.outcome == "duplicate" else receipt.id
        answer.line(f"{receipt.outcome} {shown}{version}")
        if receipt.note:
            answer.note(receipt.note)
    return PARTIAL if receipt.outcome in ("duplicate", "disputed") else 0


@click.command(help=_("Make one record of two; the other one is superseded. Undo parts them."))
@click.argument("keep", metavar="KEEP")
@click.argument("other", metavar="OTHER")
@click.option("--content", help=_("The text of both. Default: the fuller of the two."))
@memory_command
def merge(memory: Memory, answer: Answer, keep: str, other: str, content: str | None) -> None:
    say_receipt(answer, memory.merge(keep, other, content))
