"""What is typed as a search is searched for, however fast it comes and whatever lies open."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from textual import events
from textual.widgets import Input
from tui.driven import Driven, MakeMemory, Open, Recorder

WORDS = [
    "deploy",
    "delay",
    "directory",
    "daily",
    "yd",
    "dy",
    "day",
    "ddyy",
    "pool",
    "size",
    "y",
    "yes",
    "xyz",
    "ey",
    "ty",
    "tw",
    "ti",
    "edit",
    "key",
    "d",
    "d",
    "y",
    "undo",
    "u",
    "uu",
    "merge",
    "fix",
    "F",
    "Fy",
    "Y",
    "space",
    "*dy",
    "sort",
    "split",
    "reject",
    "x",
    "xx",
    "z",
    "big",
    ".env",
    "redact",
]
CHANGING = {"delete", "update", "set_tier", "add", "fix", "undo", "redo", "set_status", "resolve"}


def words(count: int) -> list[str]:
    """Return the words above, then made-up ones of the letters that are keys somewhere."""
    chance = random.Random(5)
    letters = "adeftcyxubzmvrSpFnPY*! jkhlgGqwio1234567"
    made = ["".join(chance.choices(letters, k=chance.randint(1, 9))) for _number in range(count)]
    return [*WORDS, *made][:count]


def burst(seen: Driven, keys: Sequence[str]) -> None:
    """Put keys into the program's queue at once, as a paste or a slow line does."""
    for key in keys:
        name = {" ": "space", "/": "slash", "*": "asterisk", "!": "exclamation_mark"}.get(key, key)
        seen.app.post_message(events.Key(name, key if len(key) == 1 else None))


def changes(memory: Recorder) -> list[tuple[str, object]]:
    return [call for call in memory.calls if call[0] in CHANGING]


STATES = {
    "overview": ("1",),
    "memories": ("2",),
    "a record open": ("2", "enter"),
    "a record left open": ("2", "enter", "1"),
    "a question open": ("2", "d"),
    "a choice open": ("2", "t"),
    "a filter open": ("2", "f"),
    "marks": ("2", "space", "space"),
    "help open": ("2", "question_mark", "escape"),
}


@pytest.mark.parametrize("state", STATES)
async def test_a_burst_after_slash_changes_nothing(
    dashboard: Open, make_memory: MakeMemory, state: str
) -> None:
    memory = make_memory(12)
    async with dashboard(memory, size=(60, 16)) as seen:
        for word in words(60):
            for key in STATES[state]:
                burst(seen, [key])
                await seen.pilot.pause()
            burst(seen, ["/", *word])
            await seen.until(
                lambda word=word: (  # type: ignore[misc]
                    isinstance(seen.app.focused, Input) and seen.app.focused.value == word
                ),
                f"{word!r} in the search line",
            )
            burst(seen, ["escape", "escape", "escape"])
            await seen.until(lambda: not isinstance(seen.app.focused, Input))
        assert changes(memory) == []
        assert memory.real.list().total == 12
