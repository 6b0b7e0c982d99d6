"""The command that learns from a conversation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from omp_core import present
from omp_core.cli.options import choice
from omp_core.cli.session import PARTIAL, Answer, memory_command
from omp_core.i18n import _, ngettext
from omp_core.memory import Memory
from omp_core.model import Json

if TYPE_CHECKING:
    from collections.abc import Callable

    from omp_core.model import Turn
    from omp_core.types import Extracted, Fact, SentenceVerdict, TranscriptProblem

_FORMATS = ("claude-code", "codex", "gemini", "chatgpt", "claude-ai", "text")


@click.command(help=_("Read memories out of a conversation; - reads standard input."))
@click.argument("file", metavar="FILE|-")
@click.option(
    "--format", "name", type=choice(_FORMATS), help=_("Its shape. Default: found by looking.")
)
@click.option("--explain", is_flag=True, help=_("Say of each sentence what happened and why."))
@click.option("--session", metavar="ID", help=_("The conversation's id, where it has none."))
@click.option("--start", metavar="TIME", help=_("When it began, where it has no times."))
@click.option("--end", metavar="TIME", help=_("When it ended, where it has no times."))
@click.option("--dry-run", is_flag=True, help=_("Only report what would be done."))
@memory_command
def extract(
    memory: Memory,
    answer: Answer,
    file: str,
    name: str | None,
    explain: bool,
    session: str | None,
    start: str | None,
    end: str | None,
    dry_run: bool,
) -> int:  # fmt: skip
    problems: list[TranscriptProblem] = []
    source = sys.stdin.buffer if file == "-" else Path(file)
    turns = list(memory.extraction.read(source, name, report=problems.append))
    with _bar(turns) as progress:
        done = memory.extraction.extract(
            turns,
            dry_run=dry_run,
            session=session,
            start=None if start is None else memory.moment(start),
            end=None if end is None else memory.moment(end),
            progress=progress,
        )
    if answer.as_json:
        answer.json(_json(done, problems, dry_run=dry_run, explain=explain))
    else:
        _say(answer, done, problems, dry_run=dry_run, explain=explain)
    return PARTIAL if problems or done.count("refused") else 0


@contextmanager
def _bar(turns: list[Turn]) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how far the reading is; elsewhere nothing."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(
        length=len(turns), label=_("reading"), file=sys.stderr, hidden=hidden
    ) as bar:
        yield lambda done: bar.update(done - bar.pos)


def _say(
    answer: Answer,
    done: Extracted,
    problems: list[TranscriptProblem],
    *,
    dry_run: bool,
    explain: bool,
) -> None:
    report = done.report
    if explain:
        for sentence in report.sentences:
            for line in _explained(sentence):
                answer.line(line)
        answer.line()
    outcomes = {one.source: one for one in done.applied}
    for fact in report.facts:
        answer.line(_fact_line(fact))
        applied = outcomes.get(fact.source_hash)
        if applied is not None:
            answer.line("    " + " ".join(filter(None, (applied.outcome, applied.place))))
            if applied.note:
                answer.line(f"    {applied.note}")
    for episode in report.episodes:
        answer.line(f"{episode.date} {episode.id}: {episode.summary}")
    answer.line(
        _(
            "{turns} turns, {sentences} sentences: {stored} facts to store, {candidates} to confirm"
        ).format(
            turns=report.turns,
            sentences=len(report.sentences),
            stored=len(report.stored),
            candidates=len(report.candidates),
        )
    )
    if not dry_run:
        answer.line(_counts(done))
    for problem in problems:
        answer.note(f"{problem.place}: {problem.reason}")
    if dry_run:
        answer.note(_("nothing was written: this was a dry run"))


def _counts(done: Extracted) -> str:
    new = done.count("added") + done.count("updated")
    parts = (
        ngettext("{count} written", "{count} written", new).format(count=new),
        _("{count} wait for review").format(count=done.count("candidate")),
        _("{count} known already").format(count=done.count("known") + done.count("unchanged")),
        _("{count} pending").format(count=done.count("pending")),
        _("{count} kept as they were").format(count=done.count("kept")),
        _("{count} refused").format(count=done.count("refused")),
    )
    return ", ".join(parts)


def _explained(sentence: SentenceVerdict) -> list[str]:
    head = f"{sentence.place:>6}  {sentence.verdict:<9} {sentence.confidence:.2f}  {sentence.text}"
    where = f" → {sentence.route}" if sentence.route else ""
    return [head, f"        {sentence.stage}: {sentence.explanation}{where}"]


def _fact_line(fact: Fact) -> str:
    where = f"{fact.route}/{fact.category}"
    key = f" {fact.key_path}" if fact.key_path else ""
    return f"{fact.place:>6}  {fact.confidence:.2f} {where}{key}: {fact.text}"


def _json(
    done: Extracted, problems: list[TranscriptProblem], *, dry_run: bool, explain: bool
) -> dict[str, Json]:
    report = done.report
    told = present.extraction(done, problems, dry_run=dry_run)
    told |= {"sentences": len(report.sentences), "acts": list(done.act_ids)}
    if explain:
        told["explained"] = msgspec.to_builtins(report.sentences)
    return told
