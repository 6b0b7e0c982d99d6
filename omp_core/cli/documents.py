"""Commands on the project's documents: facts, decisions, changes, sessions, validation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from omp_core.cli.session import FAILED, PARTIAL, Answer, ending, memory_command
from omp_core.errors import UsageError
from omp_core.i18n import _, ngettext
from omp_core.memory import Memory
from omp_core.model import Json, Receipt
from omp_core.present import document_place, receipt_json
from omp_core.settings import Settings

if TYPE_CHECKING:
    from omp_core.types import DocumentProblem


@click.group(help=_("Change single facts in the project's documents."))
def fact() -> None:
    """Hold the commands on facts."""


@fact.command("set", help=_("Set the fact at KEY.PATH, in project.yaml unless --in names another."))
@click.argument("path", metavar="KEY.PATH")
@click.argument("value")
@click.option(
    "--text", "as_text", is_flag=True, help=_("Take VALUE as text, whatever it looks like.")
)
@click.option("--in", "document", metavar="DOCUMENT", help=_("Another document, like decisions."))
@memory_command
def set_fact(
    memory: Memory, answer: Answer, path: str, value: str, as_text: bool, document: str | None
) -> int:  # fmt: skip
    from omp_core.language.typed_values import meant

    given: Json = value if as_text else meant(value)
    return _say(answer, memory.documents.set_value(path, given, document=document))


@fact.command("unset", help=_("Remove the fact at KEY.PATH."))
@click.argument("path", metavar="KEY.PATH")
@click.option("--in", "document", metavar="DOCUMENT", help=_("Another document, like decisions."))
@memory_command
def unset_fact(memory: Memory, answer: Answer, path: str, document: str | None) -> int:
    return _say(answer, memory.documents.remove_value(path, document=document))


@click.group(help=_("Write down the project's decisions."))
def decision() -> None:
    """Hold the commands on decisions."""


@decision.command("add", help=_("Add a decision, under the next free id of the day."))
@click.option("--title", required=True, help=_("What it is about."))
@click.option("--choice", required=True, help=_("What was chosen."))
@click.option("--context", default="", help=_("What it answers."))
@click.option("--alternative", "alternatives", multiple=True, help=_("What else there was."))
@click.option("--rationale", default="", help=_("Why this one."))
@click.option("--impact", multiple=True, help=_("What follows from it; may be repeated."))
@click.option("--tag", "tags", multiple=True, help=_("A topic word; may be repeated."))
@memory_command
def add_decision(
    memory: Memory,
    answer: Answer,
    title: str,
    choice: str,
    context: str,
    alternatives: tuple[str, ...],
    rationale: str,
    impact: tuple[str, ...],
    tags: tuple[str, ...],
) -> int:  # fmt: skip
    from omp_core.types import DecisionEntry

    made = DecisionEntry(title, choice, context, alternatives, rationale, impact, tags)
    return _say(answer, memory.documents.add_decision(made))


@click.group(help=_("Write down what changed in the project."))
def changelog() -> None:
    """Hold the commands on the change log."""


@changelog.command("add", help=_("Add an entry to the change log."))
@click.argument("text")
@click.option("--type", "kind", default="", help=_("deployment, milestone, path, tool ..."))
@click.option("--detail", "details", multiple=True, help=_("More of it; may be repeated."))
@memory_command
def add_change(
    memory: Memory, answer: Answer, text: str, kind: str, details: tuple[str, ...]
) -> int:  # fmt: skip
    from omp_core.types import ChangelogEntry

    return _say(answer, memory.documents.add_change(ChangelogEntry(text, kind, details)))


@click.group(help=_("Write down sessions, and what went wrong in them."))
def session() -> None:
    """Hold the commands on sessions."""


@session.command("add", help=_("Add a session to the file of today."))
@click.option("--summary", required=True, help=_("What it was about."))
@click.option("--action", "actions", multiple=True, help=_("What was done; may be repeated."))
@click.option("--decision", "decisions", multiple=True, help=_("What was decided, or its id."))
@click.option("--id", "session_id", help=_("Its own id: what is told of it later is added."))
@click.option("--start", metavar="TIME", help=_("When it began: a time of today, or a date too."))
@click.option("--end", metavar="TIME", help=_("When it ended. Default: now."))
@memory_command
def add_session(
    memory: Memory,
    answer: Answer,
    summary: str,
    actions: tuple[str, ...],
    decisions: tuple[str, ...],
    session_id: str | None,
    start: str | None,
    end: str | None,
) -> int:  # fmt: skip
    from omp_core.types import SessionEntry

    began = None if start is None else memory.moment(start)
    ended = memory.now() if end is None else memory.moment(end)
    if began is not None and began > ended:
        raise UsageError(_("the session would end before it began; give both --start and --end"))
    episode = SessionEntry(summary, began, ended, actions, decisions, session_id)
    return _say(answer, memory.documents.add_session(episode))


@session.command("error", help=_("Note what went wrong in the session file of today."))
@click.argument("text")
@click.option("--file", "about", default="", help=_("The file that it is about."))
@memory_command
def note_error(memory: Memory, answer: Answer, text: str, about: str) -> int:
    return _say(answer, memory.documents.add_error(text, about=about))


def _say(answer: Answer, receipt: Receipt) -> int:
    if answer.as_json:
        answer.json({**receipt_json(receipt), **document_place(receipt.id)})
    else:
        answer.line(receipt.note or receipt.outcome)
    unjournalled = receipt.act_id is None and receipt.outcome != "unchanged"
    return PARTIAL if unjournalled else 0


@click.command(
    help=_(
        "Check documents: syntax, conflict markers, duplicate keys, schema, settings, secrets. "
        "Exit code 1 when something is wrong."
    )
)
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help=_("Warnings count as problems."))
@click.option("--json", "as_json", is_flag=True, help=_("Answer as JSON."))
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help=_("Directory to look for _omp/ in, upwards. Default: OMP_WORKSPACE, or here."),
)
@click.option("--store", type=click.Path(path_type=Path), help=_("Not used: documents only."))
@click.pass_context
def validate(
    context: click.Context,
    files: tuple[Path, ...],
    strict: bool,
    as_json: bool,
    workspace: Path | None,
    store: Path | None,
) -> None:  # fmt: skip
    # the settings file is among what is checked, so that a wrong one must not stop this here
    with (
        ending(as_json=as_json),
        Memory.open(workspace=workspace, store=store, settings=Settings()) as memory,
    ):
        found = memory.documents.validate(files)
        bad = _say_problems(Answer(as_json), memory, found, strict=strict)
    context.exit(FAILED if bad else 0)


def _say_problems(
    answer: Answer, memory: Memory, found: dict[Path, list[DocumentProblem]], *, strict: bool
) -> bool:  # fmt: skip
    assert memory.workspace is not None
    root = memory.workspace.root
    rows = [
        (file.relative_to(root) if file.is_relative_to(root) else file, problem)
        for file, problems in found.items()
        for problem in problems
    ]
    counted = [one for _file, one in rows if strict or one.severity == "error"]
    if answer.as_json:
        answer.json(
            {
                "files": len(found),
                "problems": [{"file": str(file), **msgspec.to_builtins(one)} for file, one in rows],
            }
        )
        return bool(counted)
    for file, one in rows:
        said = one.message
        if one.severity == "warning":
            said = _("warning: {message}").format(message=said)
        answer.line(f"{file}:{one.line or 1}:{one.column or 1}: {said}")
    answer.note(
        ngettext(
            "{count} document checked, problems: {problems}",
            "{count} documents checked, problems: {problems}",
            len(found),
        ).format(count=len(found), problems=len(rows))
    )
    return bool(counted)
