"""Commands on themes: list, show, split, merge, move, rename, pin, dissolve, rebuild, suggest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

import click
import msgspec

from omp_core.cli.options import choice, scope_options
from omp_core.cli.session import Answer, memory_command
from omp_core.cli.text import record_line, width
from omp_core.i18n import _, ngettext
from omp_core.language.terminal import one_line
from omp_core.memory import Memory
from omp_core.model import Scope
from omp_core.present import receipt_json
from omp_core.record_json import to_json

if TYPE_CHECKING:
    from omp_core.types import Suggestion, Theme, ThemeChange, ThemeDetail, ThemeFigure, ThemeRow

Decorated = Callable[..., Any]


@click.group(help=_("Browse the themes of the memory, and put them in order."))
def themes() -> None:
    """Hold the commands on themes."""


def dry_run_option(function: Decorated) -> Decorated:
    """Add --dry-run; the function gets `dry_run`."""
    text = _("Only show what would be done.")
    return click.option("--dry-run", is_flag=True, help=text)(function)


@themes.command("list", help=_("List themes, the biggest first."))
@memory_command
@scope_options
def list_themes(memory: Memory, answer: Answer, scope: Scope) -> None:
    shown = memory.themes.list(scope)
    if answer.as_json:
        health = msgspec.to_builtins(shown.health)
        del health["themes"]
        answer.json(
            {
                "themes": [_row_json(row) for row in shown.rows],
                "health": health,
                "unsorted": shown.unsorted,
                "degraded": shown.degraded,
                "notes": shown.notes,
            }
        )
        return
    for row in shown.rows:
        answer.line(_row_line(row))
    if shown.unsorted:
        answer.note(
            ngettext(
                "{count} record is in no theme", "{count} records are in no theme", shown.unsorted
            ).format(count=shown.unsorted)
        )
    for note in (shown.degraded, *shown.notes):
        if note:
            answer.note(note)


@themes.command(help=_("Show a theme with its members. THEME is an id, its beginning, or a label."))
@click.argument("theme")
@memory_command
def show(memory: Memory, answer: Answer, theme: str) -> None:
    detail = memory.themes.show(theme)
    if answer.as_json:
        answer.json(_detail_json(detail))
        return
    answer.line(_row_line(detail.row))
    now, columns = memory.now(), width()
    for record in detail.records:
        answer.line("  " + record_line(record, now, columns - 2))
    for near in detail.neighbours:
        answer.line(f"  ~ {near.similarity:.2f}  {near.theme.id}  {near.theme.label}")
    answer.line(f"  {detail.split.reason}")
    for suggestion in detail.suggestions:
        answer.line("  " + _suggestion_line(suggestion))


@themes.command(help=_("List what could be done with the themes, the biggest gain first."))
@memory_command
@scope_options
def suggest(memory: Memory, answer: Answer, scope: Scope) -> None:
    found = memory.themes.suggest(scope)
    if answer.as_json:
        answer.json(msgspec.to_builtins(found))
        return
    for suggestion in found:
        answer.line(_suggestion_line(suggestion))


@themes.command(
    help=_(
        "Split a theme by likeness into --parts, or as --group says: record ids with commas "
        "between them; members in no group are a part of their own."
    )
)
@click.argument("theme")
@click.option("--parts", type=click.IntRange(min=2), help=_("How many parts."))
@click.option("--group", "groups", multiple=True, metavar="ID,ID", help=_("May be repeated."))
@dry_run_option
@memory_command
def split(
    memory: Memory,
    answer: Answer,
    theme: str,
    parts: int | None,
    groups: tuple[str, ...],
    dry_run: bool,
) -> None:
    named = [[name.strip() for name in group.split(",") if name.strip()] for group in groups]
    _say(
        answer,
        memory.themes.split(theme, count=parts, groups=named or None, dry_run=dry_run),
        dry_run,
    )


@themes.command(help=_("Merge themes into the biggest of them."))
@click.argument("names", metavar="THEME THEME...", nargs=-1, required=True)
@dry_run_option
@memory_command
def merge(memory: Memory, answer: Answer, names: tuple[str, ...], dry_run: bool) -> None:
    _say(answer, memory.themes.merge(names, dry_run=dry_run), dry_run)


@themes.command(help=_("Move records into a theme, or with --new into a new one."))
@click.argument("record_ids", metavar="RECORD...", nargs=-1, required=True)
@click.option("--to", "theme", metavar="THEME", help=_("The theme that takes them."))
@click.option("--new", "new", is_flag=True, help=_("Make a new theme of them."))
@click.option("--label", help=_("What the new theme is called."))
@dry_run_option
@memory_command
def move(
    memory: Memory,
    answer: Answer,
    record_ids: tuple[str, ...],
    theme: str | None,
    new: bool,
    label: str | None,
    dry_run: bool,
) -> None:
    if (theme is None) != new:
        raise click.UsageError(_("give either --to THEME or --new"))
    if label and not new:
        raise click.UsageError(_("--label names a new theme; themes rename renames one"))
    change = memory.themes.move(record_ids, theme, label=label, dry_run=dry_run)
    _say(answer, change, dry_run)


@themes.command(help=_("Give a theme a label; --auto lets the machine name it again."))
@click.argument("theme")
@click.argument("label", required=False)
@click.option("--auto", is_flag=True, help=_("Take the label back."))
@dry_run_option
@memory_command
def rename(
    memory: Memory, answer: Answer, theme: str, label: str | None, auto: bool, dry_run: bool
) -> None:
    if (label is None) != auto:
        raise click.UsageError(_("give either a label or --auto"))
    _say(answer, memory.themes.rename(theme, label, dry_run=dry_run), dry_run)


@themes.command(help=_("Keep a theme as it is; --release hands it back to the machine."))
@click.argument("theme")
@click.option("--release", is_flag=True, help=_("Release the pin, and the marks on its members."))
@dry_run_option
@memory_command
def pin(memory: Memory, answer: Answer, theme: str, release: bool, dry_run: bool) -> None:
    _say(answer, memory.themes.pin(theme, pinned=not release, dry_run=dry_run), dry_run)


@themes.command(help=_("Break a theme up; its members join other themes or are alone."))
@click.argument("theme")
@dry_run_option
@memory_command
def dissolve(memory: Memory, answer: Answer, theme: str, dry_run: bool) -> None:
    _say(answer, memory.themes.dissolve(theme, dry_run=dry_run), dry_run)


@themes.command(help=_("Say of two records that they belong together or apart, or take it back."))
@click.argument("first", metavar="RECORD")
@click.argument("second", metavar="RECORD")
@click.argument("kind", type=choice(["together", "apart", "free"]))
@dry_run_option
@memory_command
def mark(
    memory: Memory,
    answer: Answer,
    first: str,
    second: str,
    kind: Literal["together", "apart", "free"],
    dry_run: bool,
) -> None:
    meant = None if kind == "free" else kind
    _say(answer, memory.themes.mark(first, second, meant, dry_run=dry_run), dry_run)


@themes.command(help=_("Group all records anew, under what people pinned."))
@dry_run_option
@memory_command
def rebuild(memory: Memory, answer: Answer, dry_run: bool) -> None:
    change = memory.themes.rebuild(dry_run=dry_run)
    report = change.report
    if answer.as_json:
        answer.json(
            {
                **receipt_json(change.receipt),
                "report": asdict(report),
                "themes": change.themes,
                "dry_run": dry_run,
            }
        )
        return
    for one in report.moved:
        answer.line(f"{one.record}  {one.source or '-'} → {one.target}")
    answer.line(
        _(
            "{themes} themes: {kept} kept, {created} new, {removed} gone; {moved} records moved"
        ).format(
            themes=change.themes,
            kept=len(report.kept),
            created=len(report.created),
            removed=len(report.removed),
            moved=len(report.moved),
        )
    )
    if report.waiting:
        answer.note(
            ngettext(
                "{count} record waits for a vector",
                "{count} records wait for a vector",
                len(report.waiting),
            ).format(count=len(report.waiting))
        )
    if dry_run:
        answer.note(_("nothing was written: this was a dry run"))


def _say(answer: Answer, change: ThemeChange, dry_run: bool) -> None:
    shown = change.preview
    if answer.as_json:
        answer.json(
            {
                **receipt_json(change.receipt),
                "before": [_figure_json(figure) for figure in shown.before],
                "after": [_figure_json(figure) for figure in shown.after],
                "removed": shown.removed,
                "must_link": shown.must_link,
                "cannot_link": shown.cannot_link,
                "released": shown.released,
                "dry_run": dry_run,
            }
        )
        return
    for sign, figures in (("-", shown.before), ("+", shown.after)):
        for figure in figures:
            answer.line(f"{sign} {_theme_line(figure.theme, figure.cohesion)}")
    answer.line(change.receipt.note or change.receipt.outcome)
    if dry_run:
        answer.note(_("nothing was written: this was a dry run"))


def _theme_line(theme: Theme, cohesion: float) -> str:
    pinned = " 📌" if theme.pinned else ""
    head = f"{theme.id}  {theme.size:>4}  {cohesion:.2f}{pinned}  "
    return head + one_line(theme.label, max(20, width() - len(head) - 2))


def _row_line(row: ThemeRow) -> str:
    return _theme_line(row.theme, row.health.cohesion)


def _suggestion_line(suggestion: Suggestion) -> str:
    about = " ".join([*suggestion.records, *suggestion.themes])
    return f"{suggestion.kind:<5}  {about}  {suggestion.reason}"


def _row_json(row: ThemeRow) -> dict[str, Any]:
    return {**msgspec.to_builtins(row.theme), "health": msgspec.to_builtins(row.health)}


def _figure_json(figure: ThemeFigure) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(figure.theme),
        "cohesion": figure.cohesion,
        "new": figure.new,
    }


def _detail_json(detail: ThemeDetail) -> dict[str, Any]:
    return {
        **_row_json(detail.row),
        "records": [to_json(record) for record in detail.records],
        "neighbours": [
            {"id": near.theme.id, "label": near.theme.label, "similarity": near.similarity}
            for near in detail.neighbours
        ],
        "split": msgspec.to_builtins(detail.split),
        "suggestions": msgspec.to_builtins(detail.suggestions),
    }
