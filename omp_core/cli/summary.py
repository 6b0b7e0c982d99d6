"""`omp-tui summarize`: a tier in few words, with the quality of that."""

from __future__ import annotations

import click

from omp_core.cli.options import choice, scope_options
from omp_core.cli.session import PARTIAL, Answer, memory_command
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_core.model import Scope, Tier
from omp_core.present import summary as summary_json
from omp_core.types import TierSummary


@click.command(help=_("Summarise a tier by extraction, and say how good the summary is."))
@click.option("--tier", type=choice(Tier), default=Tier.SHORT_TERM.value, show_default=True)
@click.option("--max-tokens", type=int, default=500, show_default=True)
@click.option(
    "--apply",
    "applying",
    is_flag=True,
    help=_("Store the summary and archive its originals; undo takes it back."),
)
@memory_command
@scope_options
def summarize(
    memory: Memory, answer: Answer, tier: str, max_tokens: int, applying: bool, scope: Scope
) -> int | None:  # fmt: skip
    made = memory.summarize(Tier(tier), max_tokens=max_tokens, scope=scope)
    receipt = memory.apply_summary(made) if applying else None
    if answer.as_json:
        answer.json({**summary_json(made), "act_id": receipt and receipt.act_id})
    else:
        for line in made.summary.text.splitlines():
            answer.line(line)
        for line in _quality_lines(made):
            answer.note(line)
        if receipt is not None:
            answer.note(receipt.note or receipt.outcome)
    return None if made.summary.quality.passed else PARTIAL


def _quality_lines(made: TierSummary) -> list[str]:
    quality = made.summary.quality
    lines = [
        _(
            "of {count} records: retention {retention} %, compression {compression}, "
            "readability {readability}, accuracy {accuracy} %"
        ).format(
            count=len(made.records),
            retention=round(quality.retention * 100),
            compression=round(quality.compression, 1),
            readability=round(quality.readability, 2),
            accuracy=round(quality.accuracy * 100),
        )
    ]
    if quality.failed:
        lines.append(_("below the mark: {names}").format(names=", ".join(quality.failed)))
    lines += [_("missed: {text}").format(text=fact.text) for fact in quality.missed]
    return lines
