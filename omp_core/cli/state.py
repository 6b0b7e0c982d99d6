"""Commands about the whole: stats, log, undo, redo."""

from __future__ import annotations

import click
import msgspec

from omp_core.cli.session import PARTIAL, Answer, memory_command
from omp_core.cli.text import ago, padded, say_receipt
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.model import Home, Receipt


@click.command(help=_("Count memories by tier, home and state."))
@memory_command
def stats(memory: Memory, answer: Answer) -> None:
    view = memory.overview()
    entities = memory.entities()
    if answer.as_json:
        answer.json(
            {
                "total": None if view.away else view.total,
                "tiers": {
                    use.tier: {"used": use.used, "limit": use.limit, "advice": use.advice}
                    for use in view.tiers
                },
                "homes": dict(view.homes) | ({Home.USER: None} if view.away else {}),
                "disputes": view.disputes,
                "candidates": view.candidates,
                "pending": view.pending,
                "scopes": entities,
            }
        )
        return
    if view.away:
        answer.line(_("nobody can tell how many memories there are: the store is away"))
    else:
        answer.line(_("{count} memories").format(count=view.total))
    for use in view.tiers:
        limit = f"/{use.limit}" if use.limit is not None else ""
        answer.line(
            f"  {padded(_(use.tier), 11)} {use.used if use.used is not None else '—':>7}{limit}"
        )
    if not view.away:
        answer.line(_("  user store {count}").format(count=view.homes[Home.USER]))
    answer.line(_("  project    {count}").format(count=view.homes[Home.PROJECT]))
    answer.line(
        _("{disputes} disputed, {candidates} candidates, {pending} pending").format(
            disputes=view.disputes, candidates=view.candidates, pending=view.pending
        )
    )


@click.command(help=_("Show who did what, newest first."))
@click.option("--limit", type=click.IntRange(min=1), default=30, show_default=True)
@click.option("--act", "act_id", help=_("Show what this act changed, field by field."))
@click.option("--important", is_flag=True, help=_("Only changes of important records."))
@memory_command
def log(memory: Memory, answer: Answer, limit: int, act_id: str | None, important: bool) -> None:
    if act_id is not None or important:
        entries = memory.entries(act_id) if act_id else memory.audit(limit=limit + 1)
        cut = act_id is None and len(entries) > limit
        entries = entries[:limit] if cut else entries
        if answer.as_json:
            answer.json(msgspec.to_builtins(entries))
            _say_cut(answer, cut=cut)
            return
        for entry in entries:
            answer.line(f"{entry.at:%Y-%m-%d %H:%M} {entry.actor} {entry.kind} {entry.record_id}")
            before, after = entry.before or {}, entry.after or {}
            for name in (dict(before) | dict(after)) if entry.before and entry.after else ():
                answer.line(f"  {name}: {before.get(name)} → {after.get(name)}")
        _say_cut(answer, cut=cut)
        return
    acts = memory.acts(limit=limit + 1)
    cut = len(acts) > limit
    acts = acts[:limit]
    if answer.as_json:
        answer.json(msgspec.to_builtins(acts))
        _say_cut(answer, cut=cut)
        return
    now = memory.now()
    for act in acts:
        undone = _(" (undone)") if act.undone_by else ""
        answer.line(f"{act.id}  {ago(act.at, now):>5}  {act.actor}: {act.summary}{undone}")
    _say_cut(answer, cut=cut)


def _say_cut(answer: Answer, *, cut: bool) -> None:
    if cut:
        answer.note(_("there is more; --limit shows it"))


@click.command(help=_("Take back an act: the newest of yours, or the one named."))
@click.argument("act_id", metavar="[ACT]", required=False)
@memory_command
def undo(memory: Memory, answer: Answer, act_id: str | None) -> int:
    return _say(answer, memory.undo(act_id))


@click.command(help=_("Bring back what was undone last."))
@memory_command
def redo(memory: Memory, answer: Answer) -> int:
    return _say(answer, memory.redo())


def _say(answer: Answer, receipt: Receipt) -> int:
    say_receipt(answer, receipt)
    return PARTIAL if receipt.outcome in ("disputed", "unchanged") else 0
