"""The keys of the screen that it was called from, and of no other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import N_, Bindings, Key, bind, key_name
from omp_tui.text import MUTED, fit, join_lines


class HelpDialog(Dialog[None]):
    """Lists the given keys: what works here first, what works everywhere below."""

    BINDINGS: ClassVar[Bindings] = [bind("question_mark,q", "cancel", N_("Close"), show=False)]

    def __init__(self, title: str, here: Sequence[Key], everywhere: Sequence[Key]) -> None:
        super().__init__(_("Keys in {mode}").format(mode=title))
        self._here = here
        self._everywhere = everywhere

    def body(self) -> Iterable[Widget]:
        lines = [_line(key) for key in self._here]
        lines += [Content(""), Content.styled(_("everywhere"), MUTED)]
        lines += [_line(key) for key in self._everywhere]
        yield VerticalScroll(Static(join_lines(lines)), can_focus=True)
        yield Static(Content.styled(_("esc closes"), MUTED), classes="hint")


def _line(key: Key) -> Content:
    names = " ".join(key_name(name) for name in key.keys)
    style = "bold $text-accent" if key.enabled else "dim"
    return Content.assemble(fit(Content(names), 16).stylize(style), key.description)
