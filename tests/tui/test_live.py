"""Live refresh, trouble and faults."""

from __future__ import annotations

import logging
import threading
from itertools import count

import pytest
from tui.driven import Driven, MakeMemory, Open, record

from omp_core.errors import StoreUnavailableError
from omp_core.views import Page
from omp_tui.widgets.record_list import RecordList


def records(seen: Driven) -> RecordList:
    return seen.app.screen.query_one(RecordList)


async def test_a_store_that_goes_away_is_said_once_and_comes_back(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    async with dashboard(memory) as seen:
        memory.errors["change_stamp"] = StoreUnavailableError("locked [/by] another")
        await seen.shows("locked [/by] another ✗")
        looks = len(memory.calls)
        await seen.until(lambda: len(memory.calls) > looks + 3)
        assert seen.toasts.count("locked [/by] another") == 1
        del memory.errors["change_stamp"]
        await seen.shows("as of", "▶")


async def test_a_standing_error_is_told_once(dashboard: Open, make_memory: MakeMemory) -> None:
    memory = make_memory(3)
    memory.errors["capabilities"] = StoreUnavailableError("cannot tell")
    async with dashboard(memory, wait=False) as seen:
        asked = ("capabilities", None)
        await seen.until(lambda: memory.calls.count(asked) > 3)
        await seen.until(lambda: seen.toasts)
        assert seen.toasts.count("cannot tell") == 1


async def test_the_list_takes_the_keys_when_its_first_row_comes(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    async with dashboard(memory, "memories") as seen:
        memory.elsewhere(record(1), record(2))
        await seen.shows("2 memories")
        await seen.until(lambda: seen.app.focused is records(seen))
        await seen.press("down")
        assert records(seen).cursor == 1


async def test_a_page_that_cannot_be_read_is_asked_for_again(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(3)
    memory.errors["list"] = StoreUnavailableError("no")
    async with dashboard(memory, "memories", wait=False) as seen:
        await seen.until(lambda: "no" in seen.toasts)
        del memory.errors["list"]
        memory.elsewhere(record(9))
        await seen.shows("4 memories")


async def test_a_fault_is_logged_with_its_trace_and_told(
    dashboard: Open,
    make_memory: MakeMemory,
    faults: list[logging.LogRecord],
    caplog: pytest.LogCaptureFixture,
) -> None:
    memory = make_memory(3)
    memory.errors["undo"] = ZeroDivisionError("a [/fault]")
    async with dashboard(memory) as seen:
        await seen.press("u")
        await seen.shows("A fault in this program (ZeroDivisionError).")
        (entry,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
        assert entry.exc_info is not None
        faults.append(entry)
        del memory.errors["undo"]
        await seen.press("u")
        await seen.shows("there is nothing to undo")


async def test_writes_in_quick_succession_all_arrive(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(0)
    async with dashboard(memory, "memories") as seen:
        for number in range(100):
            memory.elsewhere(record(number))
            if number % 10 == 0:
                await seen.pilot.pause(0.02)
        await seen.shows("100 memories")


async def test_a_slow_page_is_shown_though_writes_go_on(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    """A list that starts over with every write would drop every page that comes late."""
    memory = make_memory(300)
    async with dashboard(memory, "memories") as seen:
        fresh, noticed = count(1), threading.Event()

        def looked(stamp: object) -> object:
            noticed.set()
            return stamp

        def slow(page: Page) -> Page:
            """Answer only after another write, which has been noticed by then."""
            memory.elsewhere(record(-next(fresh)))
            noticed.clear()
            seen.app.call_from_thread(seen.app.look)
            assert noticed.wait(20)
            return page

        memory.answers["change_stamp"] = looked
        memory.answers["list"] = slow
        memory.elsewhere(record(1000))
        await seen.until(lambda: records(seen).total > 310)
        del memory.answers["list"]
        await seen.until(lambda: f"{memory.real.list().total} memories" in seen.text)
