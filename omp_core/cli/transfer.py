"""Commands that move memories between tools: import and export."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
import msgspec

from omp_core.cli.options import choice, query_options
from omp_core.cli.session import PARTIAL, Answer, memory_command
from omp_core.errors import OmpError
from omp_core.i18n import _
from omp_core.language.marks import marked
from omp_core.memory import Memory
from omp_core.model import Query, Scope
from omp_core.present import write_lines
from omp_core.types import ImportReport, OnExisting, RowOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO


@click.command("import", help=_("Bring in memories of another tool, or an export of our own."))
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--format", "name", help=_("Name of the format. Default: found by looking."))
@click.option(
    "--on-existing",
    type=choice(get_args(OnExisting)),
    default="skip",
    show_default=True,
    help=_("What to do with a row whose id is held already."),
)
@click.option("--user", "user_id", help=_("Whose memories they are, where a row names nobody."))
@click.option("--app", "app_id", help=_("Their project. Default: the one that the files lie in."))
@click.option("--dry-run", is_flag=True, help=_("Only report what would be done."))
@memory_command
def import_file(
    memory: Memory,
    answer: Answer,
    path: Path,
    name: str | None,
    on_existing: OnExisting,
    user_id: str | None,
    app_id: str | None,
    dry_run: bool,
) -> int:  # fmt: skip
    with _counter(_("rows")) as count:
        report = memory.import_file(
            path,
            format=name,
            on_existing=on_existing,
            owner=Scope(user_id=user_id or None, app_id=app_id or None),
            dry_run=dry_run,
            progress=count,
        )
    if not dry_run and report.count("added"):
        with _counter(_("vectors")) as count:
            memory.embedding.embed_missing(progress=count)
    return say_import(
        answer,
        report,
        _(
            "{format}: {added} added, {overwritten} overwritten, {skipped} skipped, "
            "{refused} refused"
        ),
        format=report.format,
    )


def say_import(answer: Answer, report: ImportReport, summary: str, **told: str) -> int:
    """Print what an import did and return its exit code.

    `summary` is a sentence over the counts and what else is `told`.
    """
    counts = {one: report.count(one) for one in get_args(RowOutcome)}
    if answer.as_json:
        answer.json(
            {
                **told,
                "dry_run": report.dry_run,
                **counts,
                "rows": msgspec.to_builtins(report.rows),
                "acts": report.act_ids,
            }
        )
    else:
        for row in report.rows:
            for text in (row.reason, *row.notes):
                if text:
                    answer.line(f"{row.place}: {row.outcome}: {text}")
        answer.line(summary.format(**told, **counts))
        if report.dry_run:
            answer.note(_("nothing was written: this was a dry run"))
    return PARTIAL if counts["refused"] else 0


@click.command(help=_("Write memories as JSON lines, all of them unless filtered."))
@click.option(
    "--out", type=click.Path(path_type=Path), help=_("File to write. Default: standard output.")
)
@click.option(
    "--marks",
    is_flag=True,
    help=_("Put [SCOPE:...][CONF:...] in front of each text, for tools that know only texts."),
)
@click.option("--filter", "filtered", is_flag=True, help=_("Apply the filter options below."))
@memory_command
@query_options
def export(
    memory: Memory, answer: Answer, out: Path | None, marks: bool, filtered: bool, query: Query
) -> None:
    records = memory.export(query if filtered or query != Query() else None)
    if marks:
        records = map(marked, records)
    if out is None:
        write_lines(records, sys.stdout, memory.now())
        return
    with _whole_file(out) as file:
        number = write_lines(records, file, memory.now())
    if answer.as_json:
        answer.json({"file": str(out), "records": number})
    else:
        answer.line(_("{count} records in {file}").format(count=number, file=out))


@contextmanager
def _whole_file(path: Path) -> Iterator[TextIO]:
    """Open a private file that takes its name only when it is complete."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise OmpError(
            _("{path}: cannot be written: {reason}. Choose another place with --out.").format(
                path=path, reason=error.strerror
            )
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


class _counter:
    """Count upwards on a terminal's standard error, in place."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._live = sys.stderr.isatty()

    def __enter__(self) -> _counter:
        return self

    def __call__(self, done: int) -> None:
        if self._live:
            click.echo(f"\r{done:,} {self._what}", err=True, nl=False)

    def __exit__(self, *_exc: object) -> None:
        if self._live:
            click.echo("", err=True)
