"""Alerts that can be acted on: the cursor, the cure, the records they are about."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tui.driven import (
    NOW,
    MakeMemory,
    Open,
    Recorder,
    alert,
    health,
    record,
    show_health,
)

from omp_core.errors import NotFoundError
from omp_core.model import Home, Query, Tier
from omp_tui.dialogs.fix import FixDialog
from omp_tui.dialogs.notice import NoticeDialog


@pytest.fixture
def memory(make_memory: MakeMemory) -> Recorder:
    return make_memory(40, health_view=health())


async def test_f_asks_and_names_what_is_going_to_be_done(dashboard: Open, memory: Recorder) -> None:
    held = [record(number, tier=Tier.WORKING) for number in range(41, 51)]
    memory.answers.clear()
    memory.elsewhere(*held)
    async with dashboard(memory) as seen:
        await seen.shows("Working memory is 100 % full")
        await seen.press("F")
        await seen.shows("Put this right?", "(50)", "(49)", "u undoes it")
        await seen.press("F", "enter")
        await seen.until(lambda: not isinstance(seen.app.screen, FixDialog))
        assert memory.called("fix") == []
        await seen.press("F")
        await seen.shows("Put this right?")
        await seen.answer("y")
        await seen.until(lambda: "20/20" not in seen.text)
        await seen.press("u")
        await seen.told("undid: ")
        await seen.shows("20/20")
    assert memory.called("fix") == ["working-full"]


async def test_the_cursor_moves_by_key_and_mouse_and_stays_on_its_alert(
    dashboard: Open, memory: Recorder
) -> None:
    async with dashboard(memory) as seen:
        await seen.shows("▸▲ working memory")
        await seen.press("down", "j", "down")
        await seen.shows("▸· 23 long-term")
        await seen.press("k")
        await seen.shows("▸▲ 4 disputes")
        others = (
            alert("hit-rate-low", "hit rate 20 %", "search in hybrid mode"),
            alert("disputes-waiting", "5 disputes wait", "settle them"),
        )
        show_health(memory, health(alerts=others))
        memory.elsewhere(record(90))
        await seen.shows("▸▲ 5 disputes wait")
        await seen.pilot.click("#alerts", offset=(4, 1))
        await seen.shows("▸▲ hit rate 20 %")


async def test_enter_and_a_double_click_show_the_records(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory) as seen:
        await seen.press("enter")
        await seen.shows("tier working", "10 memories", "(40)")
        query = Query(tiers=frozenset({Tier.WORKING}), home=Home.USER)
        assert memory.called("list")[-1][:3] == (query, "created", False)
        await seen.press("1", "down", "down", "enter")
        await seen.shows("tier long-term", "unread since 2026-01-30", "last read ↑")
        unread = NOW - timedelta(days=30)
        query = Query(tiers=frozenset({Tier.LONG_TERM}), unread_since=unread, home=Home.USER)
        assert memory.called("list")[-1][:3] == (query, "accessed", False)
        await seen.press("escape")
        await seen.shows("40 memories")
        await seen.press("1", "up")
        await seen.pilot.pause()
        row = next(i for i, line in enumerate(seen.text.splitlines()) if "4 disputes" in line)
        await seen.pilot.click(offset=(6, row), times=2)
        await seen.until(lambda: seen.app.current_mode == "conflicts")


async def test_what_a_person_decides_is_said_and_not_done(
    dashboard: Open, memory: Recorder
) -> None:
    says = {
        "hit-rate-low": "omp-tui search --mode hybrid",
        "disputes-waiting": "omp-tui resolve",
        "long-term-large": "omp-tui proposals",
        "important-modified": "omp-tui log --important",
    }
    alerts = tuple(alert(name, f"about {name}", "think") for name in says)
    show_health(memory, health(alerts=alerts))
    async with dashboard(memory) as seen:
        for text in says.values():
            await seen.press("F")
            await seen.shows("What to do", text)
            await seen.press("escape", "down")
        assert memory.called("fix") == []
        await seen.press("up", "up", "up", "enter")  # it is about no records
        await seen.shows("What to do")
        await seen.press("escape", "down", "down", "down", "enter")
        await seen.shows("tier important", "home user store")
        query = Query(tiers=frozenset({Tier.IMPORTANT}), home=Home.USER)
        assert memory.called("list")[-1][:3] == (query, "updated", True)


async def test_the_stale_are_archived_all_and_some_of_them_named(
    dashboard: Open, memory: Recorder
) -> None:
    long_ago = NOW - timedelta(days=99)
    memory.elsewhere(
        record(50, tier=Tier.LONG_TERM, created_at=long_ago, last_accessed=None), at=long_ago
    )
    async with dashboard(memory) as seen:
        await seen.press("down", "down", "F")
        await seen.shows("Archive the 23 long-term memories", "(50)")
        await seen.answer("y")
        await seen.until(lambda: memory.called("fix") == ["stale"])


async def test_an_alert_that_is_over_is_said_to_be(dashboard: Open, memory: Recorder) -> None:
    memory.errors["fix"] = NotFoundError("the alert working-full is not raised now")
    async with dashboard(memory) as seen:
        await seen.press("F")
        await seen.shows("Put this right?")
        await seen.answer("y")
        await seen.told("is not raised now")


async def test_without_alerts_there_is_nothing_to_fix_and_arrows_scroll(
    dashboard: Open, memory: Recorder
) -> None:
    show_health(memory, health(alerts=()))
    async with dashboard(memory, size=(80, 24)) as seen:
        await seen.shows("Nothing needs your attention")
        assert "F Fix" not in seen.text
        before = seen.query("#panels").scroll_y
        await seen.press("F", "enter", "down", "down")
        await seen.until(lambda: seen.query("#panels").scroll_y > before)
        await seen.press("pageup", "pagedown")
        assert len(seen.app.screen_stack) == 1


async def test_a_health_that_costs_points_says_why(dashboard: Open, memory: Recorder) -> None:
    async with dashboard(memory, size=(80, 24)) as seen:
        await seen.press("w")
        await seen.shows("conflict", "−1.2 pt", "6 of 100 records have disputes.")
        await seen.press("enter")
        await seen.until(lambda: not isinstance(seen.app.screen, NoticeDialog))


async def test_settings_that_a_repository_may_not_set_are_an_alert(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(1)
    config = memory.document("project.yaml").parent.parent / "config.yaml"
    config.write_text("store:\n  url: http://evil\nuser_id: victim\n", encoding="utf-8")
    async with dashboard(memory) as seen:
        await seen.shows("2 settings of the project were not taken: store.url, user_id")
