"""Set one fact of project.yaml, seeing what it says now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from omp_core.errors import InvalidValueError, NotFoundError, OmpError
from omp_core.i18n import _, ngettext
from omp_core.model import Json
from omp_tui.background import Lane
from omp_tui.dialogs.note import FormField, field_of, needed_text
from omp_tui.dialogs.writing import WritingDialog
from omp_tui.service import Service
from omp_tui.text import MUTED, join_lines, safe, shown

if TYPE_CHECKING:
    from omp_core.memory import Memory

_PAUSE_S = 0.12
_WIDTH = 70


@dataclass(frozen=True, slots=True)
class Present:
    """What the document says at a path: a value, or why there is none."""

    path: str
    there: bool = False
    value: Json = None
    why_not: str = ""


class FactDialog(WritingDialog):
    """Opened on a fact that there is, it says when somebody changes that meanwhile."""

    class Looked(Message):
        def __init__(self, present: Present) -> None:
            super().__init__()
            self.present = present

    def __init__(
        self, service: Service, path: str = "", value: Json = None, document: str | None = None
    ) -> None:
        """`document` is the one that it stands in; None is project.yaml."""
        super().__init__(_("Set a project fact"), service)
        self._document = document
        self._opened = Present(path, bool(path), value)
        self._present = self._opened
        self._typing: Timer | None = None

    def body(self) -> Iterable[Widget]:
        from omp_core.language.typed_values import typed

        opened = self._opened
        text = shown(typed(opened.value)) if opened.there else ""
        self._first = (shown(opened.path), text)
        path = FormField("path", _("fact"), _("its path, like deployment.web.url"))
        value = FormField(
            "value", _("value"), _("a text, or JSON: 8080, true, [1, 2]"), several=True
        )
        yield Vertical(
            Horizontal(
                Static(Content(path.label), classes="label"),
                field_of(path, self._first[0]),
                classes="line",
            ),
            Horizontal(
                Static(Content(value.label), classes="label"),
                field_of(value, self._first[1]),
                classes="line",
            ),
            id="form",
        )
        yield Static(id="present")

    def on_mount(self) -> None:
        self.query_one("#value" if self._opened.there else "#path").focus()
        self.query_one("#value", TextArea).select_all()
        self._say()

    # what it says now

    def invalidate(self) -> None:
        """The memory changed: see what the document says now."""
        self._look()

    @on(Input.Changed, "#path")
    def _path_typed(self) -> None:
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(_PAUSE_S, self._look)

    def _look(self) -> None:
        memory, path, document = self.service.memory, self._path, self._document
        self.service.background.ask(
            Lane("fact", "present"), lambda: _look_up(memory, path, document), self.Looked, self
        )

    def on_fact_dialog_looked(self, event: Looked) -> None:
        if event.present.path == self._path:
            self._present = event.present
            self._say()

    @on(TextArea.Changed, "#value")
    def _say(self) -> None:
        lines = [
            line.stylize(style)
            for text, style in (self._state(), (self._kind(), MUTED))
            for line in safe(text, width=_WIDTH).wrap(_WIDTH)
            if text
        ]
        self.query_one("#present", Static).update(join_lines(lines))

    def _state(self) -> tuple[str, str]:
        from omp_core.language.typed_values import typed

        present, opened = self._present, self._opened
        if not present.there:
            return present.why_not, MUTED
        says = typed(present.value)
        if not opened.there or present.path != opened.path:
            return _("It says now: {value}").format(value=says), MUTED
        if present.value != opened.value:
            text = _("▲ Somebody changed it meanwhile; saving replaces: {value}")
            return text.format(value=says), "$text-warning"
        return "", MUTED

    def _kind(self) -> str:
        from omp_core.language.typed_values import meant

        if not self._value:
            return ""
        value = meant(self._value)
        if value is None:
            return _("It is going to be empty (null).")
        if isinstance(value, bool):
            return _("It is going to be a yes or no.")
        if isinstance(value, int | float):
            return _("It is going to be a number; in quotes it is a text.")
        if isinstance(value, list):
            text = ngettext(
                "It is going to be a list of {count} item.",
                "It is going to be a list of {count} items.",
                len(value),
            )
            return text.format(count=len(value))
        if isinstance(value, dict):
            text = ngettext(
                "It is going to be a map of {count} key.",
                "It is going to be a map of {count} keys.",
                len(value),
            )
            return text.format(count=len(value))
        return _("It is going to be a text.")

    # saving

    @property
    def _path(self) -> str:
        return self.query_one("#path", Input).value.strip()

    @property
    def _value(self) -> str:
        return self.query_one("#value", TextArea).text

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    def has_changes(self) -> bool:
        return (self.query_one("#path", Input).value, self._value) != self._first

    def save(self) -> None:
        from omp_core.language.typed_values import meant

        if self._opened.there and not self.has_changes():
            self.dismiss(None)
            return
        path, typed = self._path, self._value
        missing = [label for label, text in ((_("fact"), path), (_("value"), typed)) if not text]
        if missing:
            raise InvalidValueError(needed_text(missing))
        documents, value = self.service.memory.documents, meant(typed)
        document = self._document
        self.write(lambda: documents.set_value(path, value, document=document))


def _look_up(memory: Memory, path: str, document: str | None) -> Present:
    if not path:
        return Present(path)
    try:
        return Present(path, True, memory.documents.value(path, document=document))
    except InvalidValueError:  # a path that is still being typed
        return Present(path)
    except NotFoundError:
        return Present(path, why_not=_("There is no such fact yet."))
    except OmpError as error:
        return Present(path, why_not=str(error))
