"""A form whose answers become an entry of a project document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Receipt
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.service import Service
from omp_tui.widgets.fields import Field, TextField

if TYPE_CHECKING:
    from omp_core.memory import Memory

_SEVERAL = "-several"


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a form. `several`: it takes more than one line."""

    name: str
    label: str
    hint: str
    needed: bool = False
    several: bool = False


@dataclass(frozen=True, slots=True)
class FormValues:
    """What was typed into a form."""

    typed: Mapping[str, str]

    def text(self, name: str) -> str:
        return self.typed[name].strip()

    def lines(self, name: str) -> tuple[str, ...]:
        """Return the lines that hold something."""
        return tuple(line.strip() for line in self.typed[name].splitlines() if line.strip())


Write = Callable[["Memory", FormValues], Receipt]
"""Writes the answers; called in a worker thread."""


class NoteDialog(WritingDialog):
    """Asks the questions one below the other; the fields of several lines grow as they fill."""

    def __init__(
        self, title: str, service: Service, questions: Sequence[FormField], write: Write
    ) -> None:
        super().__init__(title, service)
        self._questions = tuple(questions)
        self._write = write

    def body(self) -> Iterable[Widget]:
        yield Vertical(
            *(
                Horizontal(
                    Static(Content(question.label), classes="label"), field_of(question),
                    classes="line",
                )
                for question in self._questions
            ),
            id="form",
        )  # fmt: skip

    def on_mount(self) -> None:
        self.query_one(f"#{self._questions[0].name}").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    def answers(self) -> FormValues:
        """Return what stands in the fields now."""
        return FormValues({one.name: self._typed(one) for one in self._questions})

    def _typed(self, question: FormField) -> str:
        if question.several:
            return self.query_one(f"#{question.name}", TextArea).text
        return self.query_one(f"#{question.name}", Input).value

    def has_changes(self) -> bool:
        return any(text.strip() for text in self.answers().typed.values())

    def save(self) -> None:
        answers = self.answers()
        missing = [one for one in self._questions if one.needed and not answers.text(one.name)]
        if missing:
            self.query_one(f"#{missing[0].name}").focus()
            raise InvalidValueError(needed_text([one.label for one in missing]))
        memory, write = self.service.memory, self._write
        self.write(lambda: write(memory, answers))


def needed_text(labels: Sequence[str]) -> str:
    """Return the sentence that says which fields have to be filled in."""
    return _("Not written yet. Fill in first: {fields}").format(fields=", ".join(labels))


def field_of(question: FormField, text: str = "") -> Widget:
    """Return the field for the answer to a question."""
    if question.several:
        return TextField(
            text,
            id=question.name,
            placeholder=question.hint,
            compact=True,
            highlight_cursor_line=False,
            classes=_SEVERAL,
        )
    return Field(text, id=question.name, placeholder=question.hint, compact=True)
