"""Commands that keep the memory in order: maintain, purge, conflicts, resolve, backups."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click
import msgspec

from omp_core.cli.session import PARTIAL, Answer, memory_command
from omp_core.cli.text import ago, say_receipt
from omp_core.i18n import _, ngettext
from omp_core.language.headline import headline
from omp_core.language.terminal import visible
from omp_core.memory import Memory
from omp_core.types import OpenDispute, Resolution, RestorePlan


@click.command(help=_("Apply the rules of tiers, expiry and forgetting; undo takes it back."))
@click.option("--dry-run", is_flag=True, help=_("Only report what would be done."))
@memory_command
def maintain(memory: Memory, answer: Answer, dry_run: bool) -> None:
    report = memory.maintain(dry_run=dry_run)
    if answer.as_json:
        answer.json(msgspec.to_builtins(report))
        return
    for record_id in report.locked:
        answer.note(_("{id} is due, but locked, and stays as it is").format(id=record_id))
    for move in report.moved:
        where = _("archived") if move.archived else f"→ {move.to_tier}"
        answer.line(
            f"{move.id}  {move.from_tier} {where} ({move.reason})  {headline(move.content)}"
        )
    answer.line(
        ngettext("{count} record moved", "{count} records moved", len(report.moved)).format(
            count=len(report.moved)
        )
    )
    if report.proposals:
        answer.note(
            ngettext(
                "{count} record waits for your decision: omp-tui proposals",
                "{count} records wait for your decision: omp-tui proposals",
                report.proposals,
            ).format(count=report.proposals)
        )
    if dry_run:
        answer.note(_("nothing was written: this was a dry run"))


@click.command(help=_("List long-term records that should be archived or forgotten."))
@memory_command
def proposals(memory: Memory, answer: Answer) -> None:
    found = list(memory.proposals())
    if answer.as_json:
        answer.json(
            [
                {
                    "id": one.record.id,
                    "content": one.record.content,
                    "unread_days": round(one.unread_days, 1),
                    "advice": one.advice,
                }
                for one in found
            ]
        )
        return
    for one in found:
        answer.line(
            f"{one.record.id}  {one.advice:<7}  {one.unread_days:4.0f}d  "
            f"{headline(one.record.content)}"
        )


@click.command(help=_("Remove the rows of records that have expired."))
@memory_command
def purge(memory: Memory, answer: Answer) -> None:
    receipt = memory.purge()
    say_receipt(answer, receipt)


@click.command(help=_("List open disputes, the most urgent first."))
@click.option("--set-aside", is_flag=True, help=_("Those that were set aside."))
@memory_command
def conflicts(memory: Memory, answer: Answer, set_aside: bool) -> None:
    queue = memory.disputes(set_aside=set_aside)
    if answer.as_json:
        answer.json(
            [
                {
                    "record": one.record.id,
                    **msgspec.to_builtins(one.dispute),
                    "repeats": one.repeats,
                }
                for one in queue
            ]
        )
        return
    now = memory.now()
    for one in queue:
        dispute = one.dispute
        again = _(" ({count} on this field)").format(count=one.repeats) if one.repeats > 1 else ""
        answer.line(f"{one.record.id}  {dispute.id}")
        answer.line(
            f"  {dispute.kind} {dispute.field} {ago(dispute.incoming_at, now)} "
            f"{dispute.confidence:.2f}{again}"
        )
        answer.line(f"  A {dispute.current_actor}: {dispute.current}")
        answer.line(f"  B {dispute.incoming_actor}: {dispute.incoming}")


@click.command(
    help=_(
        "Settle a dispute: keep current (A), take incoming (B), both, a value, or later. With "
        "--all-like all disputes of one kind get the same answer, as one act."
    )
)
@click.argument("words", metavar="[RECORD DISPUTE] RESOLUTION", nargs=-1, required=True)
@click.option("--value", help=_("The third value, with the resolution `value`."))
@click.option(
    "--all-like", metavar="DISPUTE", help=_("Settle this dispute and all that are like it.")
)
@click.option("--dry-run", is_flag=True, help=_("With --all-like: only list what it would settle."))
@memory_command
def resolve(
    memory: Memory,
    answer: Answer,
    words: tuple[str, ...],
    value: str | None,
    all_like: str | None,
    dry_run: bool,
) -> int:
    *named, word = words
    resolution = _resolution(word)
    if all_like is None:
        if len(named) != 2 or dry_run:
            raise click.UsageError(
                _("name RECORD and DISPUTE, or --all-like DISPUTE, which also takes --dry-run")
            )
        record_id, dispute_id = named
        say_receipt(answer, memory.resolve(record_id, dispute_id, resolution, value))
        return 0
    if named or value is not None:
        raise click.UsageError(_("--all-like takes a resolution only, and no value"))
    done = memory.resolve_many(all_like, resolution, dry_run=dry_run)
    if answer.as_json:
        answer.json(
            {
                "dry_run": dry_run,
                "disputes": [_named(one) for one in done.disputes],
                "refused": [{**_named(one), "reason": why} for one, why in done.refused],
                "act_id": None if done.receipt is None else done.receipt.act_id,
            }
        )
        return PARTIAL if done.refused else 0
    if done.receipt is None:
        for one in done.disputes:
            answer.line(f"{one.record.id}  {one.dispute.id}")
            answer.line(f"  A {one.dispute.current_actor}: {one.dispute.current}")
            answer.line(f"  B {one.dispute.incoming_actor}: {one.dispute.incoming}")
        answer.note(_("nothing was written: this was a dry run"))
    else:
        say_receipt(answer, done.receipt)
    for one, why in done.refused:
        answer.note(f"{one.dispute.id}: {why}")
    return PARTIAL if done.refused else 0


def _resolution(word: str) -> Resolution:
    for known in get_args(Resolution):
        if word == known:
            found: Resolution = known
            return found
    raise click.UsageError(
        _("{word} is no resolution; there are {known}").format(
            word=word, known=", ".join(get_args(Resolution))
        )
    )


def _named(one: OpenDispute) -> dict[str, str]:
    return {"record": one.record.id, "dispute": one.dispute.id}


@click.command(help=_("Copy the store as it is now, checked; the newest seven are kept."))
@click.option("--list", "listing", is_flag=True, help=_("Only list the backups there are."))
@memory_command
def backup(memory: Memory, answer: Answer, listing: bool) -> None:
    made = [] if listing else [memory.backups.make()]
    found = memory.backups.all()
    if answer.as_json:
        answer.json({"made": [str(one) for one in made], "backups": [str(one) for one in found]})
        return
    for one in made or found:
        answer.line(str(one))


@click.command(
    help=_(
        "Put a backup of the store back, the newest unless FILE names one; or an older version "
        "of a project document. What is replaced is kept."
    )
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--at", type=int, default=1, help=_("For a document: how many versions back."))
@click.option("--yes", is_flag=True, help=_("Do not ask."))
@memory_command
def restore(memory: Memory, answer: Answer, file: Path | None, at: int, yes: bool) -> None:
    plan = memory.backups.plan(file, at)
    if not yes:
        click.confirm(
            visible(_question(plan), keep_newlines=False),
            abort=True,
            err=True,
        )
    kept = memory.backups.restore(plan)
    if answer.as_json:
        answer.json({"restored": str(plan.target), "kept": None if kept is None else str(kept)})
        return
    answer.line(
        _("{target} is as it was in {backup}").format(target=plan.target, backup=plan.backup)
    )
    if kept is not None:
        answer.note(_("what was there before is kept as {path}").format(path=kept))


def _question(plan: RestorePlan) -> str:
    if plan.holds is None:
        text = _("Put {backup} in the place of {target}?")
        return visible(text.format(backup=plan.backup, target=plan.target))
    records, acts = plan.holds
    text = _("Put {backup}, which holds {records} records after {acts} acts, in place of {target}?")
    return visible(text.format(backup=plan.backup, target=plan.target, records=records, acts=acts))
