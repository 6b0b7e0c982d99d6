"""The forms for decisions, the change log and sessions, and the menu that offers them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from omp_core.i18n import _
from omp_core.model import Receipt
from omp_tui.dialogs.fact import FactDialog
from omp_tui.dialogs.note import FormField, FormValues, NoteDialog
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.keys import N_
from omp_tui.service import Service

if TYPE_CHECKING:
    from omp_core.memory import Memory


@dataclass(frozen=True, slots=True)
class NoteKind:
    """Something that can be written into the project's documents. `name` is marked text."""

    key: str
    name: str
    dialog: Callable[[Service], WritingDialog]


class NoteWanted(Message):
    """Ask for an entry of the project's documents."""

    def __init__(self, note: NoteKind) -> None:
        super().__init__()
        self.note = note


def decision_dialog(service: Service) -> NoteDialog:
    """Ask for a decision; it gets the next free id of the day."""
    questions = (
        FormField("title", _("title"), _("what it is about"), needed=True),
        FormField("choice", _("choice"), _("what was chosen"), needed=True),
        FormField("context", _("context"), _("what it answers"), several=True),
        FormField(
            "alternatives", _("alternatives"), _("what else there was, one a line"), several=True
        ),
        FormField("rationale", _("rationale"), _("why this one"), several=True),
        FormField("impact", _("impact"), _("what follows from it, one a line"), several=True),
    )
    return NoteDialog(_("Record a decision"), service, questions, _add_decision)


def _add_decision(memory: Memory, answers: FormValues) -> Receipt:
    from omp_core.types import DecisionEntry

    return memory.documents.add_decision(
        DecisionEntry(
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
        FormField("summary", _("what changed"), _("in one sentence"), needed=True),
        FormField("type", _("type"), _("deployment, milestone, path, tool …")),
        FormField("details", _("details"), _("one a line"), several=True),
    )
    return NoteDialog(_("Add to the change log"), service, questions, _add_change)


def _add_change(memory: Memory, answers: FormValues) -> Receipt:
    from omp_core.types import ChangelogEntry

    change = ChangelogEntry(answers.text("summary"), answers.text("type"), answers.lines("details"))
    return memory.documents.add_change(change)


def session_dialog(service: Service) -> NoteDialog:
    """Ask for a session that ends now; it goes to the file of today."""

    def add(memory: Memory, answers: FormValues) -> Receipt:
        from omp_core.types import SessionEntry

        actions, decisions = answers.lines("actions"), answers.lines("decisions")
        episode = SessionEntry(answers.text("summary"), None, service.now(), actions, decisions)
        return memory.documents.add_session(episode)

    questions = (
        FormField("summary", _("summary"), _("what the session was about"), needed=True),
        FormField("actions", _("actions"), _("what was done, one a line"), several=True),
        FormField(
            "decisions", _("decisions"), _("what was decided, or its id, one a line"), several=True
        ),
    )
    return NoteDialog(_("Note a session"), service, questions, add)


NOTES = (
    NoteKind("d", N_("Record a decision"), decision_dialog),
    NoteKind("f", N_("Set a project fact"), FactDialog),
    NoteKind("c", N_("Add to the change log"), change_dialog),
    NoteKind("s", N_("Note a session"), session_dialog),
)
