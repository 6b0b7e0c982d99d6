"""How far an import or an embedding is: counted in its thread, read from the screen."""

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


class Embedded:
    """Takes the records that have got their vectors, and says how many wait."""

    def __init__(self) -> None:
        self._at_first = 0
        self._done = 0

    @property
    def waiting(self) -> int:
        """How many records wait for a vector."""
        return max(0, self._at_first - self._done)

    def begin(self, waiting: int) -> None:
        """Note how many wait at first."""
        self._at_first, self._done = waiting, 0

    def done(self, records: int) -> None:
        """Note how many are done by now."""
        self._done = records

    def text(self) -> str | None:
        """Return the sentence; None while nothing waits."""
        if not self.waiting:
            return None
        return ngettext(
            "{count} memory waits to be found by meaning.",
            "{count} memories wait to be found by meaning.",
            self.waiting,
        ).format(count=number(self.waiting))
