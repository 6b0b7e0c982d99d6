"""`omp-tui report`: what happened in a period, as Markdown or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

import click
import msgspec

from omp_core.cli.session import Answer, memory_command
from omp_core.i18n import _, ngettext
from omp_core.language.terminal import one_line
from omp_core.memory import Memory
from omp_core.views import ImportantChange, PeriodReport, ReviewKind

_TEXT = 100
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")


@click.command(help=_("Report on a period, as Markdown: changes, audit, health, what waits."))
@click.option("--days", type=int, default=7, show_default=True, help=_("How far to look back."))
@memory_command
def report(memory: Memory, answer: Answer, days: int) -> None:
    made = memory.report(days=days)
    if answer.as_json:
        answer.json(msgspec.to_builtins(made))
        return
    for line in lines(made):
        answer.line(line)


def lines(made: PeriodReport) -> Iterator[str]:
    """Yield the report as lines of Markdown; texts of memories are quoted, never markup."""
    yield _("# Memory from {since} to {until}").format(
        since=_day(made.since), until=_day(made.until)
    )
    yield from ("", _("## Changes"), "")
    yield from _changes(made)
    yield from ("", _("## Important memories"), "")
    yield from [_important(one) for one in made.important] or [_("None was changed.")]
    if made.refusals:
        yield from ("", _("## Refused"), "")
        for one in made.refusals:
            yield f"- {_time(one.at)} {_plain(one.actor)}: {_plain(one.summary)}"
    yield from ("", _("## Health"), "")
    yield from _health(made)
    yield from ("", _("## Waiting for you"), "")
    yield from _waiting(made) or [_("Nothing.")]
    if made.unseen:
        yield from ("", _("## Not seen"), "")
        yield from (f"- {_plain(str(one))}" for one in made.unseen)


def _changes(made: PeriodReport) -> Iterator[str]:
    if not made.counts:
        yield _("Nothing was changed.")
        return
    yield _("| who | what | acts | records |")
    yield "| --- | --- | ---: | ---: |"
    for one in made.counts:
        yield f"| {_plain(one.actor)} | {_kind(one.kind)} | {one.acts} | {one.records} |"


def _important(one: ImportantChange) -> str:
    did = {"created": _("created"), "changed": _("changed"), "deleted": _("deleted")}[one.did]
    fields = f" ({', '.join(map(_plain, one.fields))})" if one.fields else ""
    return f"- {_time(one.at)} {_plain(one.actor)}: {did}{fields} “{_plain(one.text)}”"


def _health(made: PeriodReport) -> Iterator[str]:
    view = made.health
    if view.score is None or view.grade is None:
        yield _("- score: unknown, since not everything could be seen")
    else:
        yield _("- score: {score} of 100, {grade}").format(score=view.score, grade=_(view.grade))
    for row in view.rows:
        if row.reason:
            yield f"  - -{row.lost:.1f}: {_plain(row.reason)}"
    now, before = _share(made.hits, made.searches), _share(made.hits_before, made.searches_before)
    yield _("- searches that found something: {now}; in the period before: {before}").format(
        now=now, before=before
    )
    for alert in view.alerts:
        yield f"- {_plain(alert.message)} {_plain(alert.cure)}"


def _waiting(made: PeriodReport) -> list[str]:
    names = {
        ReviewKind.PENDING: _("memories written while the store was away"),
        ReviewKind.CANDIDATE: _("candidates"),
        ReviewKind.DUPLICATE: _("duplicates"),
        ReviewKind.ARCHIVE: _("proposals to archive"),
        ReviewKind.FORGET: _("proposals to forget"),
        ReviewKind.REFUSED: _("refused texts"),
    }
    said = [f"- {names[kind]}: {count}" for kind, count in made.waiting.items()]
    if made.disputes:
        said.append(
            ngettext("- {count} open dispute", "- {count} open disputes", made.disputes).format(
                count=made.disputes
            )
        )
    return said


def _share(hits: int, searches: int) -> str:
    if not searches:
        return _("there were none")
    return _("{hits} of {searches} ({share} %)").format(
        hits=hits, searches=searches, share=round(100 * hits / searches)
    )


def _kind(kind: str) -> str:
    """Return the name of a kind of act; an unknown one is its own name."""
    return {
        "add": _("added"),
        "update": _("changed"),
        "delete": _("deleted"),
        "tier": _("moved between tiers"),
        "resolve": _("settled"),
        "undo": _("undone"),
        "redo": _("redone"),
        "import": _("imported"),
        "extract": _("learned from conversations"),
        "maintain": _("moved by the tier rules"),
        "purge": _("purged"),
        "summarize": _("summarised"),
        "merge": _("merged"),
        "review": _("answered in the review"),
        "sync": _("compared between project and user"),
        "theme": _("themes"),
        "document": _("written to documents"),
        "restore": _("taken back"),
        "mirror": _("documents edited elsewhere"),
        "refuse": _("refused as duplicates"),
    }.get(kind, kind)


def _plain(text: str) -> str:
    """Return a text on one line in which nothing is Markdown."""
    return _SPECIAL.sub(r"\\\1", one_line(text, _TEXT))


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
