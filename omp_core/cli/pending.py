"""Commands on memories that wait for the store."""

from __future__ import annotations

import click

from omp_core.cli.session import PARTIAL, Answer, memory_command
from omp_core.cli.text import record_line, say_receipt, width
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.present import receipt_json
from omp_core.record_json import to_json
from omp_core.types import PendingPreview


@click.group(help=_("Review what was written while the store was away."))
def pending() -> None:
    """Hold the commands on pending memories."""


@pending.command("list", help=_("List what waits, with what storing it would do."))
@memory_command
def list_pending(memory: Memory, answer: Answer) -> None:
    previews = memory.pending.previews()
    if answer.as_json:
        answer.json([_json(one) for one in previews])
        return
    now = memory.now()
    for one in previews:
        answer.line(record_line(one.record, now, width()))
        answer.line(f"    {effect_text(one)}")


@pending.command(help=_("Store what waits, all of it unless IDs are named."))
@click.argument("ids", nargs=-1)
@memory_command
def sync(memory: Memory, answer: Answer, ids: tuple[str, ...]) -> int:
    receipts = memory.pending.sync(ids or None)
    if answer.as_json:
        answer.json([receipt_json(one) for one in receipts])
    else:
        for one in receipts:
            answer.line(f"{one.outcome} {one.id}")
            if one.outcome == "pending" and one.note:
                answer.note(one.note)
    return PARTIAL if any(one.outcome in ("disputed", "pending") for one in receipts) else 0


@pending.command(help=_("Change the text of a waiting memory."))
@click.argument("memory_id", metavar="ID")
@click.option("--content", required=True, help=_("The new text."))
@memory_command
def edit(memory: Memory, answer: Answer, memory_id: str, content: str) -> None:
    record = memory.pending.edit(memory_id, {"content": content})
    if answer.as_json:
        answer.json(to_json(record))
    else:
        answer.line(record.content)


@pending.command(help=_("Bring a waiting memory into a record that there is."))
@click.argument("memory_id", metavar="ID")
@click.argument("into", metavar="RECORD")
@click.option("--content", help=_("The text of both. Default: the fuller of the two."))
@memory_command
def merge(memory: Memory, answer: Answer, memory_id: str, into: str, content: str | None) -> None:
    receipt = memory.pending.merge(memory_id, into, content)
    if answer.as_json:
        answer.json(receipt_json(receipt))
    else:
        answer.line(f"{receipt.outcome} {receipt.id}")


@pending.command(help=_("Drop waiting memories unstored; undo puts them back."))
@click.argument("ids", nargs=-1, required=True)
@memory_command
def discard(memory: Memory, answer: Answer, ids: tuple[str, ...]) -> None:
    receipt = memory.pending.discard(ids)
    say_receipt(answer, receipt)


def effect_text(preview: PendingPreview) -> str:
    """Return what storing a pending memory would do, as a sentence."""
    texts = {
        "new": _("would be new"),
        "stored": _("is stored already"),
        "same": _("same as “{text}”: would count as a read"),
        "duplicate": _("resembles “{text}”: would become a candidate"),
        "contradiction": _("would dispute “{text}”"),
    }
    other = "" if preview.other is None else preview.other.content
    return texts[preview.effect].format(text=other)


def _json(preview: PendingPreview) -> dict[str, object]:
    return {
        **to_json(preview.record),
        "effect": preview.effect,
        "other": None if preview.other is None else preview.other.id,
        "similarity": preview.similarity,
        "problem": preview.problem,
    }
