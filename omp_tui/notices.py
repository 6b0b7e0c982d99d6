"""What the dashboard has told the person since it was opened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Severity = Literal["information", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence, whole, and when it was said. It may hold memory text."""

    at: datetime
    text: str
    severity: Severity


class Notices:
    """All notices of the session. An error counts as unseen until the list has been looked at."""

    def __init__(self) -> None:
        self._all: list[Notice] = []
        self._seen = 0

    def add(self, notice: Notice) -> None:
        """Keep one more."""
        self._all.append(notice)

    def newest_first(self) -> tuple[Notice, ...]:
        """Return all of them."""
        return tuple(reversed(self._all))

    def unseen_errors(self) -> tuple[Notice, ...]:
        """Return the errors that nobody has looked at yet, the newest first."""
        fresh = self._all[self._seen :]
        return tuple(one for one in reversed(fresh) if one.severity == "error")

    def see(self) -> None:
        """Take all of them for seen."""
        self._seen = len(self._all)
