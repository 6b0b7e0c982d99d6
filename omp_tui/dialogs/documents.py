"""The forms for decisions, the change log and sessions, and the menu that offers them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omp_core.i18n import _
from omp_core.model import Receipt
from omp_tui.dialogs.fact import FactDialog
from omp_tui.dialogs.note import Answers, NoteDialog, Question
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.keys import N_
from omp_tui.service import Service

if TYPE_CHECKING:
    from omp_core.memory import Memory


@dataclass(frozen=True, slots=True)
class Note:
    """Something that can be written into the project's documents. `name` is marked text."""

    key: str
    name: str
    dialog: Callable[[Service], WritingDialog]


def decision_dialog(service: Service) -> NoteDialog:
    """Ask for a decision; it gets the next free id of the day."""
    questions = (
        Question("title", _("title"), _("what it is about"), needed=True),
        Question("choice", _("choice"), _("what was chosen"), needed=True),
        Question("context", _("context"), _("what it answers"), several=True),
        Question(
            "alternatives", _("alternatives"), _("what else there was, one a line"), several=True
        ),
        Question("rationale", _("rationale"), _("why this one"), several=True),
        Question("impact", _("impact"), _("what follows from it, one a line"), several=True),
    )
    return NoteDialog(_("Record a decision"), service, questions, _add_decision)


def _add_decision(memory: Memory, answers: Answers) -> Receipt:
    from omp_core.types import Decision

    return memory.documents.add_decision(
        Decision(
            answers.text("title"),
            answers.text("choice"),
            answers.text("context"),
            answers.lines("alternatives"),
            answers.text("rationale"),
            answers.lines("impact"),
        )
    )


def change_dialog(service: Service) -> NoteDialog:
    """Ask for an entry of the change log."""
    questions = (
        Question("summary", _("what changed"), _("in one sentence"), needed=True),
        Question("type", _("type"), _("deployment, milestone, path, tool …")),
        Question("details", _("details"), _("one a line"), several=True),
    )
    return NoteDialog(_("Add to the change log"), service, questions, _add_change)


def _add_change(memory: Memory, answers: Answers) -> Receipt:
    from omp_core.types import Change

    change = Change(answers.text("summary"), answers.text("type"), answers.lines("details"))
    return memory.documents.add_change(change)


def session_dialog(service: Service) -> NoteDialog:
    """Ask for a session that ends now; it goes to the file of today."""

    def add(memory: Memory, answers: Answers) -> Receipt:
        from omp_core.types import Episode

        actions, decisions = answers.lines("actions"), answers.lines("decisions")
        episode = Episode(answers.text("summary"), None, service.now(), actions, decisions)
        return memory.documents.add_session(episode)

    questions = (
        Question("summary", _("summary"), _("what the session was about"), needed=True),
        Question("actions", _("actions"), _("what was done, one a line"), several=True),
        Question(
            "decisions", _("decisions"), _("what was decided, or its id, one a line"), several=True
        ),
    )
    return NoteDialog(_("Note a session"), service, questions, add)


NOTES = (
    Note("d", N_("Record a decision"), decision_dialog),
    Note("f", N_("Set a project fact"), FactDialog),
    Note("c", N_("Add to the change log"), change_dialog),
    Note("s", N_("Note a session"), session_dialog),
)
