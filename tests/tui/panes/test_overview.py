"""Mode 1: what it shows, the first run, what follows by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tui.driven import NOW, MakeMemory, Open, health, record

from omp_core.model import Capability, Status
from omp_core.views import HitRate


async def test_the_first_frame_waits_for_nothing(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(30)
    memory.gate.clear()
    async with dashboard(memory, wait=False) as seen:
        await seen.shows("omp-tui", "shop-api", "1 Overview", "opening the memory")
        assert memory.calls == []
        memory.gate.set()
        await seen.shows("30 memories", "store ●")


async def test_it_shows_use_and_limit_of_every_tier(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(40)) as seen:
        await seen.shows("working", "10/20", "short-term", "10/100", "long-term", "advice < 10,000")
        await seen.shows("important", "never cleaned", "40 memories", "40 in the store")


async def test_it_follows_another_process_without_a_key(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(5)
    async with dashboard(memory) as seen:
        memory.elsewhere(record(90), record(91))
        await seen.shows("7 memories", "agent:codex", "imported 2 records")


async def test_what_is_down_says_why_and_not_by_colour_alone(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(5)
    memory.answers["capabilities"] = lambda known: (
        Capability("store", False, "sqlite", NOW, "locked by another program"),
        Capability("vectors", True, "hashing", NOW, "near-duplicates only"),
        Capability("project", True, "shop-api", NOW),
    )
    async with dashboard(memory) as seen:
        await seen.shows("store ○ away", "vectors ◐ hashing", "project ● shop-api")
        await seen.shows("locked by another program", "near-duplicates only")


async def test_health_and_alerts_appear_when_they_are_given(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(5, health_view=health())) as seen:
        await seen.shows("Health 78 good", "conflict", "✗", "Alerts 3", "working memory 90 % full")
        await seen.shows("7 d 72 %", "↗ improving", "30-90 d", "stale 23 of 380 · 6 %", "today")


async def test_a_rate_that_cannot_be_given_says_why(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    rate = HitRate(reason="3 searches in 7 days, 5 needed")
    async with dashboard(make_memory(5, health_view=health(hit_rate=rate))) as seen:
        await seen.shows("3 searches in 7 days, 5 needed", "7 d —")


async def test_health_that_comes_later_comes_in(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(0)
    async with dashboard(memory) as seen:
        assert "Health" not in seen.text
        memory.elsewhere(record(90))
        await seen.shows("Health 100 excellent")


async def test_it_fits(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(5, health_view=health())) as seen:
        for size in ((80, 24), (120, 40), (60, 20)):
            await seen.pilot.resize_terminal(*size)
            await seen.shows("working", "Health 78 good", "? Help")
            assert {len(line) for line in seen.text.splitlines()} == {size[0]}


async def test_tabs_can_be_clicked(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(5)) as seen:
        line = seen.text.splitlines()[1]
        await seen.pilot.click(offset=(line.index("Memories"), 1))
        await seen.shows("search the memories")


# the first run


async def test_an_empty_memory_says_what_to_do(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(0, project=False), size=(80, 24)) as seen:
        await seen.shows("There is no memory here yet.", "i Set up this project", "Look at")
        assert "Tiers" not in seen.text


async def test_i_sets_up_the_project_and_the_welcome_goes(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0, project=False)
    async with dashboard(memory) as seen:
        await seen.shows("no project here", "i Set up this project")
        await seen.press("i")
        await seen.shows("files, the first", "project ●")
        await seen.until(lambda: "i Set up this project" not in seen.text)


async def test_o_brings_in_an_export_and_u_takes_it_back(
    dashboard: Open, make_memory: MakeMemory, tmp_path: Path
) -> None:
    memory = make_memory(0)
    export = tmp_path / "export.json"
    rows = [{"id": f"r{n}", "memory": text} for n, text in enumerate(["one tea", "two teas", ""])]
    export.write_text(json.dumps({"results": rows}))
    async with dashboard(memory) as seen:
        await seen.press("o")
        seen.query("#path").value = str(tmp_path / "nothing")
        await seen.press("enter")
        await seen.shows("There is no file or folder")
        seen.query("#path").value = str(export)
        await seen.press("enter")
        await seen.shows("Brought in 2 memories from mem0", "1 was refused", "2 memories")
        await seen.press("u")
        await seen.shows("undid: ")
        assert memory.real.list().total == 0


async def test_d_asks_the_launcher_for_the_demo(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(0)) as seen:
        await seen.press("d")
        await seen.pilot.pause()
    assert seen.app.return_value == "demo"


async def test_the_offers_are_gone_once_there_is_a_memory(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    async with dashboard(memory) as seen:
        await seen.press("d", "i")
        await seen.pilot.pause()
        assert seen.app.is_running
        assert "Set up this project" not in seen.text
        assert ("init_workspace", None) not in memory.calls


async def test_a_project_can_be_set_up_where_there_is_none(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3, project=False)
    async with dashboard(memory) as seen:
        await seen.shows("i Set up this project")
        await seen.press("i")
        await seen.shows("Made ", "files, the first")
        assert "i Set up this project" not in seen.text


async def test_q_quits(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(3)) as seen:
        await seen.press("q")
        await seen.pilot.pause()
    assert seen.app.return_value is None
    assert not seen.app.is_running


async def test_the_same_overview_is_not_read_again(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    async with dashboard(memory) as seen:
        await seen.until(lambda: [name for name, _what in memory.calls].count("change_stamp") >= 3)
        assert [name for name, _what in memory.calls].count("overview") == 1


async def test_pending_and_candidates_are_counted(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(3)
    memory.answers["overview"] = lambda overview: replace(overview, pending=3, candidates=2)
    async with dashboard(memory) as seen:
        await seen.shows("▲ 2 candidates", "▲ 3 pending")


async def test_the_hit_rate_is_drawn_over_fewer_or_more_days(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(5, health_view=health())) as seen:
        await seen.shows("Hit rate · 30 days", "-29", "30 % alert")
        await seen.press("right_square_bracket")
        await seen.shows("Hit rate · 90 days", "-89")
        await seen.press("left_square_bracket", "left_square_bracket", "left_square_bracket")
        await seen.shows("Hit rate · 7 days", "-6")


async def test_what_waits_for_a_yes_is_an_alert_that_opens_the_review(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(5)
    memory.elsewhere(record(80, status=Status.CANDIDATE))
    async with dashboard(memory) as seen:
        await seen.shows("▸· 1 memory waits for a yes or no")
        await seen.press("enter")
        await seen.until(lambda: seen.app.current_mode == "review")


async def test_categories_and_ages_are_counted(dashboard: Open, make_memory: MakeMemory) -> None:
    async with dashboard(make_memory(9)) as seen:
        await seen.shows("preference 1", "made in 7 d 9")
