"""Two memories become one, and two again."""

from __future__ import annotations

from tui.driven import MakeMemory, Open, record

from omp_core.model import Status


async def test_two_marked_memories_become_one_and_two_again(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    memory.elsewhere(
        record(1, content="Deploys go to Vercel"),
        record(2, content="Deploys go to Vercel from main", tags=frozenset({"ci"})),
    )
    async with dashboard(memory, "memories", size=(80, 24)) as seen:
        await seen.press("m")
        await seen.told("Mark two memories")
        await seen.press("asterisk")
        await seen.shows("2 marked")
        await seen.press("m")
        await seen.shows("stays  Deploys go to Vercel", "goes  Deploys", "Save  ^s")
        await seen.until(lambda: seen.query("#content").text == "Deploys go to Vercel from main")
        await seen.press("ctrl+o")
        await seen.shows("stays  Deploys go to Vercel from main")
        await seen.press("ctrl+o", "ctrl+s")
        await seen.shows("1 memory")
        kept = memory.real.get("m1")
        assert kept.content == "Deploys go to Vercel from main"
        assert "ci" in kept.tags
        assert memory.real.get("m2").status is Status.SUPERSEDED
        await seen.press("u")
        await seen.shows("2 memories")
        assert memory.real.get("m1").content == "Deploys go to Vercel"
