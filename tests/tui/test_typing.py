"""What is typed as a search is searched for, however fast it comes and whatever lies open."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input
from tui.driven import Driven, MakeMemory, Open

from omp_tui.modes import MODES

_WORDS = """
deploy delay directory daily day pool size yes xyz edit key undo merge fix Fy space *dy sort split
reject big .env redact yd dy ddyy ey ty tw ti d y u uu F Y x xx z
"""
REAL = tuple(_WORDS.split())
LETTERS = "adeftcyxubzmvrSpFnPY*! jkhlgGwio1234567"
NAMES = {" ": "space", "/": "slash", "*": "asterisk", "!": "exclamation_mark", ".": "full_stop"}
OPENERS = {
    "nothing over it": (),
    "a record": ("enter",),
    "a question": ("d",),
    "a choice": ("t",),
    "a filter": ("f",),
    "an order": ("s",),
    "a cure": ("F",),
    "a note": ("n",),
    "messages": ("!",),
    "marks": (" ", " "),
    "an undo": ("u",),
}
EACH, PLAIN = 4, 33
"""Words for each mode and each thing that is opened over it, opened again before each, or not."""


def words(count: int, seed: str) -> list[str]:
    """Return the words above, then made-up ones of the letters that are keys somewhere."""
    chance = random.Random(seed)
    made = ["".join(chance.choices(LETTERS, k=chance.randint(1, 9))) for _number in range(count)]
    return [*chance.sample(REAL, count // 2), *made][:count]


def burst(seen: Driven, keys: Iterable[str]) -> None:
    """Put keys into the program's queue at once, as a paste or a slow line does."""
    for key in keys:
        seen.app.post_message(events.Key(NAMES.get(key, key), key if len(key) == 1 else None))


def content(store: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that a store holds, table by table."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as opened:
        tables = opened.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        ).fetchall()
        return {name: opened.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables}


@pytest.mark.parametrize("mode", [mode.name for mode in MODES])
async def test_bursts_after_slash_leave_the_store_byte_for_byte(
    dashboard: Open, make_memory: MakeMemory, mode: str
) -> None:
    memory = make_memory(12)
    memory.real.delete(["m12"])  # something that a stray u would take back
    number = next(one.key for one in MODES if one.name == mode)
    async with dashboard(memory, size=(60, 16)) as seen:
        await seen.until(lambda: seen.app.warmed and seen.app.service.background.at_rest)
        before = content(memory.store)
        for over, opening in OPENERS.items():
            for word in words(EACH, f"{mode} {over}"):
                burst(seen, [number, *opening, "/", *word, "escape", "escape", "escape"])
            for word in words(PLAIN, f"{mode} after {over}"):
                burst(seen, ["/", *word, "escape"])
            await seen.pilot.pause()
            burst(seen, ["escape", number])
            await seen.until(lambda: seen.app.service.background.idle)
            burst(seen, opening)
            await seen.pilot.pause()
            burst(seen, ["/", *"dy the end"])
            await seen.until(
                lambda: (
                    isinstance(seen.app.focused, Input) and seen.app.focused.value[-3:] == "end"
                ),
                f"the last word in the search line, after {over}",
            )
            assert seen.query("#search").value == "dy the end"
            burst(seen, ["escape", "escape", "escape"])
            await seen.until(lambda: not isinstance(seen.app.focused, Input))
        await seen.until(lambda: seen.app.service.background.idle)
        assert content(memory.store) == before
