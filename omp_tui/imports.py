"""How far an import is: counted in its thread, read from the screen."""

from __future__ import annotations

from pathlib import Path

from omp_core.i18n import _, ngettext
from omp_tui.words import number


class Counted:
    """Takes the rows done, and says so in a sentence."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._rows = 0

    def done(self, rows: int) -> None:
        """Note how many rows are done by now."""
        self._rows = rows

    def text(self) -> str:
        if not self._rows:
            return _("Reading {name} …").format(name=self._name)
        return ngettext(
            "Bringing in {name}: {count} row so far.",
            "Bringing in {name}: {count} rows so far.",
            self._rows,
        ).format(name=self._name, count=number(self._rows))
