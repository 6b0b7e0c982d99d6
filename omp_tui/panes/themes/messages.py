"""What comes back to the themes from their threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from omp_core.errors import OmpError
from omp_core.model import Record

if TYPE_CHECKING:
    from omp_core.types import (
        AssimilationResult,
        Neighbour,
        RebuildChange,
        Suggestion,
        Theme,
        ThemeChange,
        ThemeListing,
        ThemeMembers,
    )


class ListRead(Message):
    """`last_act` is what undo would take back, `took` how many seconds the reading cost."""

    def __init__(self, themes: ThemeListing, last_act: str | None, took: float) -> None:
        super().__init__()
        self.themes = themes
        self.last_act = last_act
        self.took = took


class ListFailed(Message):
    def __init__(self, error: OmpError) -> None:
        super().__init__()
        self.error = error


class AdviceRead(Message):
    """What could be done with the themes."""

    def __init__(self, suggestions: tuple[Suggestion, ...]) -> None:
        super().__init__()
        self.suggestions = suggestions


class MembersRead(Message):
    def __init__(self, held: ThemeMembers) -> None:
        super().__init__()
        self.held = held


class MembersFailed(Message):
    """They cannot be read; a theme may have gone since the list was read."""

    def __init__(self, theme_id: str, error: OmpError) -> None:
        super().__init__()
        self.theme_id = theme_id
        self.error = error


class MembersWanted(Message):
    """The members of a theme, read for something that goes on with them."""

    def __init__(self, held: ThemeMembers, then: Callable[[ThemeMembers], None]) -> None:
        super().__init__()
        self.held = held
        self.then = then


class Placed(Message):
    """Records that waited were placed, as many as could be."""

    def __init__(self, followed: AssimilationResult) -> None:
        super().__init__()
        self.followed = followed


class PlacingFailed(Message):
    def __init__(self, error: OmpError) -> None:
        super().__init__()
        self.error = error


class NearRead(Message):
    """All themes by how alike they are to one; `marked` are to be merged with it."""

    def __init__(self, theme: Theme, marked: Sequence[str], near: tuple[Neighbour, ...]) -> None:
        super().__init__()
        self.theme = theme
        self.marked = marked
        self.near = near


class HomesRead(Message):
    """The themes that records may be moved into; `target` is the one suggested."""

    def __init__(
        self, records: Sequence[Record], target: str | None, homes: tuple[Neighbour, ...]
    ) -> None:
        super().__init__()
        self.records = records
        self.target = target
        self.homes = homes


class DissolvingSeen(Message):
    """What dissolving a theme would do."""

    def __init__(self, theme: Theme, change: ThemeChange) -> None:
        super().__init__()
        self.theme = theme
        self.change = change


class RebuildSeen(Message):
    """What a rebuild would do; the receipt says that it has not been done."""

    def __init__(self, change: RebuildChange) -> None:
        super().__init__()
        self.change = change


class RebuildFailed(Message):
    def __init__(self, error: OmpError) -> None:
        super().__init__()
        self.error = error
