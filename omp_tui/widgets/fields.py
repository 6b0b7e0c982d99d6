"""Fields to type into. What is pasted there is data like any other: controls become symbols."""

from __future__ import annotations

from typing import Any, Final

from textual.document._document import EditResult
from textual.document._edit import Edit
from textual.widgets import Input, TextArea

from omp_tui.text import shown

MOST_CHARACTERS: Final = 1_000
"""Of a line that can be edited: Textual measures the whole line anew with every move in it."""


class Field(Input):
    """One line. What is longer than `MOST_CHARACTERS` is shown in part and cannot be edited."""

    def __init__(self, value: str = "", **options: Any) -> None:
        if len(value) > MOST_CHARACTERS:
            super().__init__(value[:MOST_CHARACTERS] + "…", **{**options, "disabled": True})
        else:
            super().__init__(value, **options)

    def validate_value(self, value: str) -> str:
        return shown(value)


class TextField(TextArea):
    """Several lines."""

    def edit(self, edit: Edit) -> EditResult:
        edit.text = shown(edit.text)
        return super().edit(edit)

    def load_text(self, text: str) -> None:
        super().load_text(shown(text))
