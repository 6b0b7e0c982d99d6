"""Fields to type into. What is pasted there is data like any other: controls become symbols."""

from __future__ import annotations

from textual.document._document import EditResult
from textual.document._edit import Edit
from textual.widgets import Input, TextArea

from omp_tui.text import shown


class Field(Input):
    """One line."""

    def validate_value(self, value: str) -> str:
        return shown(value)


class TextField(TextArea):
    """Several lines."""

    def edit(self, edit: Edit) -> EditResult:
        edit.text = shown(edit.text)
        return super().edit(edit)

    def load_text(self, text: str) -> None:
        super().load_text(shown(text))
