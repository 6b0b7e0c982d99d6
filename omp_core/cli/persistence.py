"""Keeping the whole memory in one file and bringing it back; and the settings."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click
import msgspec

from omp_core.cli.options import choice
from omp_core.cli.progress import progress_bar
from omp_core.cli.session import Answer, memory_command
from omp_core.cli.transfer import say_import
from omp_core.errors import InvalidValueError, UsageError
from omp_core.i18n import _, ngettext
from omp_core.memory import Memory
from omp_core.types import OnExisting, Setting


@click.command(help=_("Save every record, whole, in one private JSON file."))
@click.argument("path", type=click.Path(path_type=Path))
@memory_command
def save(memory: Memory, answer: Answer, path: Path) -> None:
    count = memory.save(path)
    if answer.as_json:
        answer.json({"file": str(path), "records": count})
    else:
        answer.line(
            ngettext("{count} record in {file}", "{count} records in {file}", count).format(
                count=count, file=path
            )
        )


@click.command(
    help=_("Bring back what was saved; each 500 records are an act that undo takes back.")
)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--on-existing",
    type=choice(get_args(OnExisting)),
    default="overwrite",
    show_default=True,
    help=_("What to do with a record whose id is held already."),
)
@click.option("--dry-run", is_flag=True, help=_("Only report what would be done."))
@memory_command
def load(
    memory: Memory, answer: Answer, path: Path, on_existing: OnExisting, dry_run: bool
) -> int:  # fmt: skip
    report = memory.load(path, on_existing=on_existing, dry_run=dry_run)
    if report.count("added") and not dry_run:
        with progress_bar(_("embedding"), memory.embedding.missing()) as show:
            memory.embedding.embed_missing(progress=show)
    return say_import(
        answer,
        report,
        _("{added} added, {overwritten} overwritten, {skipped} skipped, {refused} refused"),
        file=str(path),
    )


@click.command(help=_("Change settings, of this project or with --user of all; or show them."))
@click.argument("settings", nargs=-1, metavar="KEY=VALUE...")
@click.option("--unset", multiple=True, metavar="KEY", help=_("Go back to the default of KEY."))
@click.option("--user", is_flag=True, help=_("Your own settings, for all your projects."))
@click.option("--show", is_flag=True, help=_("Show every setting and where it comes from."))
@memory_command
def configure(
    memory: Memory,
    answer: Answer,
    settings: tuple[str, ...],
    unset: tuple[str, ...],
    user: bool,
    show: bool,
) -> None:  # fmt: skip
    if not (settings or unset or show):
        raise UsageError(_("say what to change, as KEY=VALUE, or --show what there is"))
    shown = frozenset[str]()
    if settings or unset:
        values = dict(map(_pair, settings))
        result = memory.configuration.change(values, unset=unset, user=user)
        shown = frozenset(memory.configuration.key_of(name) for name in (*values, *unset))
        note = _("{file} is changed; it holds for what starts from now on")
        if not result.written:
            note = _("{file} says so already")
        answer.note(note.format(file=result.file))
    _say(answer, [one for one in memory.configuration.settings() if show or one.key in shown])


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise InvalidValueError(_("{text!r} is not of the form KEY=VALUE").format(text=text))
    return key, value


def _say(answer: Answer, found: list[Setting]) -> None:
    """Tell settings as they are in force now, and the file that each comes from."""
    if answer.as_json:
        answer.json(
            [
                {
                    "key": one.key,
                    "value": one.value,
                    "source": "default" if one.source is None else str(one.source),
                }
                for one in found
            ]
        )
        return
    for one in found:
        value = msgspec.json.encode(one.value).decode()
        answer.line(f"{one.key:<34} {value:<12} {one.source or _('default')}")
