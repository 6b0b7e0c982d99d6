"""Commands on the inbox: what needs a person's yes or no."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import msgspec

from omp_core.cli.options import choice
from omp_core.cli.session import PARTIAL, Answer, memory_command
from omp_core.cli.text import ago, cut_note, say_receipt, width
from omp_core.i18n import _
from omp_core.language.terminal import one_line
from omp_core.memory import Memory
from omp_core.present import receipt_json
from omp_core.record_json import to_json
from omp_core.views import ReviewEffect, ReviewItem, ReviewKind

_KEY = click.argument("key", metavar="KEY")
_SEEN = click.option(
    "--seen", metavar="MARK", help=_("Only if it is still what it was: the mark that list gave.")
)


@click.group(help=_("Answer what needs your yes or no: pending, candidates, duplicates …"))
def review() -> None:
    """Hold the commands of the review."""


@review.command("list", help=_("List what waits, with what a yes would do."))
@click.argument("kind", required=False, type=choice(ReviewKind))
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True)
@memory_command
def list_waiting(memory: Memory, answer: Answer, kind: str | None, limit: int, offset: int) -> None:
    counts = memory.review.counts()
    kinds = list(ReviewKind) if kind is None else [ReviewKind(kind)]
    pages = {
        one: memory.review.page(one, offset=offset, limit=limit) for one in kinds if counts[one]
    }
    if answer.as_json:
        items = [_json(item) for page in pages.values() for item in page.items]
        answer.json({"counts": counts, "items": items})
        return
    now = memory.now()
    for one, page in pages.items():
        answer.line(f"{kind_name(one)} {page.total}")
        for item in page.items:
            columns = max(20, width() - len(item.key) - 10)
            answer.line(f"  {item.key}  {ago(item.at, now):>5}  {one_line(item.text, columns)}")
            answer.line(f"      {effect_text(item)}")
        if note := cut_note(offset + len(page.items), page.total):
            answer.note(note)
    if not pages:
        answer.line(_("nothing waits for an answer"))


@review.command(help=_("Show one thing that waits, whole."))
@_KEY
@memory_command
def show(memory: Memory, answer: Answer, key: str) -> None:
    item = memory.review.get(key)
    if answer.as_json:
        answer.json(_json(item))
        return
    for line in _lines(item):
        answer.line(line)


@review.command(help=_("Say yes: do what the list says it would do."))
@_KEY
@_SEEN
@memory_command
def accept(memory: Memory, answer: Answer, key: str, seen: str | None) -> int:
    receipt = memory.review.accept(key, seen=seen)
    say_receipt(answer, receipt)
    return PARTIAL if receipt.outcome == "disputed" else 0


@review.command(help=_("Say no: discard, or keep what was to be archived or forgotten."))
@_KEY
@_SEEN
@memory_command
def reject(memory: Memory, answer: Answer, key: str, seen: str | None) -> None:
    say_receipt(answer, memory.review.reject(key, seen=seen))


@review.command(help=_("Take it in other words."))
@_KEY
@click.option("--content", required=True, help=_("The text to take instead."))
@_SEEN
@memory_command
def edit(memory: Memory, answer: Answer, key: str, content: str, seen: str | None) -> None:
    say_receipt(answer, memory.review.edit(key, content, seen=seen))


@review.command(help=_("Bring it into a record, by default the one that it resembles."))
@_KEY
@click.argument("into", metavar="[RECORD]", required=False)
@click.option("--content", help=_("The text of both. Default: the fuller of the two."))
@_SEEN
@memory_command
def merge(
    memory: Memory,
    answer: Answer,
    key: str,
    into: str | None,
    content: str | None,
    seen: str | None,
) -> None:
    say_receipt(answer, memory.review.merge(key, into, content, seen=seen))


@review.command("all", help=_("Answer all of a kind as one act; undo takes it back."))
@click.argument("kind", type=choice(ReviewKind))
@click.option("--reject", "no", is_flag=True, help=_("Say no to all of them."))
@click.option("--dry-run", is_flag=True, help=_("Only report what would be done."))
@memory_command
def answer_all(memory: Memory, answer: Answer, kind: str, no: bool, dry_run: bool) -> int:
    answered = memory.review.reject_all if no else memory.review.accept_all
    report = answered(ReviewKind(kind), dry_run=dry_run)
    if answer.as_json:
        answer.json(
            {
                "kind": report.kind,
                "act_id": report.act_id,
                "items": [_json(item) for item in report.items],
                "receipts": [receipt_json(one) for one in report.receipts],
                "left": report.left,
            }
        )
    else:
        for item in report.items if dry_run else ():
            answer.line(f"{item.key}  {effect_text(item)}")
        for key, reason in report.left.items():
            answer.note(f"{key}: {reason}")
        if dry_run:
            answer.note(_("nothing was written: this was a dry run"))
        else:
            answer.line(report.note or _("nothing of this kind waits for an answer"))
    return PARTIAL if report.left else 0


def kind_name(kind: ReviewKind) -> str:
    """Return what a kind is called."""
    names = {
        ReviewKind.PENDING: _("Pending"),
        ReviewKind.CANDIDATE: _("Candidates"),
        ReviewKind.DUPLICATE: _("Duplicates"),
        ReviewKind.ARCHIVE: _("To archive"),
        ReviewKind.FORGET: _("To forget"),
        ReviewKind.REFUSED: _("Refused"),
    }
    return names[kind]


def effect_text(item: ReviewItem) -> str:
    """Return what a yes would do, as a sentence."""
    if item.problem is not None:
        return item.problem
    texts: dict[ReviewEffect, str] = {
        "new": _("would be new"),
        "stored": _("is stored already"),
        "same": _("same as “{text}”: would count as a read"),
        "proposed": _("resembles “{text}”: would become a candidate"),
        "merged": _("would be merged into “{text}”"),
        "disputed": _("would dispute “{text}”"),
        "document": _("would write {places}"),
        "archived": _("would be archived"),
        "deleted": _("would be deleted"),
        "blocked": _("cannot be done now"),
    }
    places = ", ".join(f"{one.path} ({one.file})" for one in item.places)
    other = "" if item.other is None else item.other.content
    told = texts[item.effect].format(text=other, places=places)
    if item.kind is ReviewKind.REFUSED and item.other is not None:
        told += _(", beside “{text}”").format(text=other)
    return told


def _lines(item: ReviewItem) -> Iterator[str]:
    yield item.text
    yield ""
    yield f"{item.key}  {item.actor}  {item.at:%Y-%m-%d %H:%M}  {item.mark}"
    yield effect_text(item)
    for one in item.places:
        yield f"    {one.file} {one.path}: {one.before} → {one.after}"
    if item.merged_text is not None:
        yield _("merged: {text}").format(text=item.merged_text)


def _json(item: ReviewItem) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "key": item.key,
        "mark": item.mark,
        "kind": item.kind,
        "text": item.text,
        "at": item.at,
        "actor": item.actor,
        "effect": item.effect,
        "other": None if item.other is None else item.other.id,
        "other_content": None if item.other is None else item.other.content,
        "similarity": item.similarity,
        "merged_text": item.merged_text,
        "places": msgspec.to_builtins(item.places),
        "problem": item.problem,
        "record": to_json(item.record),
    }
    return {name: value for name, value in plain.items() if value not in (None, [], ())}
