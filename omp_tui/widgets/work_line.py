"""The line above the keys that says what is being changed while that takes long."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from omp_core.i18n import _, ngettext
from omp_tui.background import CHANGES, Work
from omp_tui.text import safe
from omp_tui.words import number, span

_SLOW_S = 1.5
"""A change that ends sooner is not worth a word."""


class WorkLine(Widget):
    """Follows the app's `works`; takes no room while there is nothing to say."""

    DEFAULT_CSS = """
    WorkLine { height: 1; width: 100%; padding: 0 1; display: none; background: $background; }
    """

    def on_mount(self) -> None:
        self._lines: list[str] = []
        self.watch(self.app, "works", self._works_changed)

    def _works_changed(self, works: Sequence[Work]) -> None:
        self._lines = worth_saying(works)
        self.display = bool(self._lines)
        self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        return safe("⋯ " + "  ".join(self._lines), width=width).stylize("$text-accent")


def worth_saying(works: Sequence[Work]) -> list[str]:
    """Return what is said of the changes that take long, or that tell how far they are."""
    return [
        work_text(one)
        for one in works
        if one.said is not None or (one.lane in CHANGES and one.seconds > _SLOW_S)
    ]


def work_text(work: Work) -> str:
    """Return the sentence that says what is being changed."""
    if work.said is not None:
        return work.said
    if work.seconds < _SLOW_S:
        return _("A change is being written.")
    if not work.waiting:
        return _("A change is being written, for {span} now.").format(span=_seconds(work))
    return ngettext(
        "A change is being written, for {span} now, and {count} more waits.",
        "A change is being written, for {span} now, and {count} more wait.",
        work.waiting,
    ).format(span=_seconds(work), count=number(work.waiting))


def _seconds(work: Work) -> str:
    if work.seconds >= 60:
        return span(work.seconds)
    return _("{count} s").format(count=int(work.seconds))
