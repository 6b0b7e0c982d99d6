"""A walk through the whole dashboard leaves nothing personal in the project's repository."""

from __future__ import annotations

from pathlib import Path

from tui.driven import Driven, MakeMemory, Open

from omp_core.model import Scope
from omp_tui.modes import MODES

MARK = "quixotry"
TEXTS = (
    f"The {MARK} divorce hearing with Martin is on Tuesday",
    f"Takes antidepressants every morning, {MARK} dose",
    f"每天晚上练习{MARK}钢琴，准备去看心理医生",
    f"Saves for the {MARK} flat in Lisbon, 900 euros a month",
)
SCOPES = (
    Scope(user_id="ana"),
    Scope(user_id="ana", app_id="another"),
    Scope(),
    Scope(agent_id="x"),
)
OPENING = ("enter", "e", "F", "ctrl+p")
"""Keys that open something or look at it; each is left with escape."""


def leaks(repository: Path, ids: list[str]) -> list[str]:
    """Return the files below the repository that hold a marked text or the id of one."""
    wanted = [MARK.encode(), *(one.encode() for one in ids)]
    return [
        str(file)
        for file in sorted(repository.rglob("*"))
        if file.is_file() and any(one in file.read_bytes() for one in wanted)
    ]


async def leave(seen: Driven) -> None:
    for _press in range(3):
        await seen.press("escape")
    await seen.until(lambda: len(seen.app.screen_stack) == 1, "the mode's own screen")


async def test_a_walk_of_the_dashboard_publishes_nothing(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3, facts="database: PostgreSQL 16\n")
    stored = [
        memory.real.add(text, scope=scope, force=True, tags=[f"{MARK}tag"]).id
        for text, scope in zip(TEXTS, SCOPES, strict=True)
    ]
    memory.real.delete([stored[3]])
    workspace = memory.real.workspace
    assert workspace is not None
    async with dashboard(memory) as seen:
        for mode in MODES:
            await seen.press(mode.key)
            await seen.settle()
            for key in OPENING:
                await seen.press(key)
                await seen.pilot.pause()
                await leave(seen)
            await seen.press("slash", *MARK, "enter")
            await seen.settle()
            await leave(seen)
            await seen.press("down", "enter")
            await leave(seen)
        await seen.press("u")
        await leave(seen)
        await seen.until(lambda: seen.app.service.background.idle)
    assert leaks(memory.store.parent, stored)
    assert leaks(workspace.root, stored) == []
