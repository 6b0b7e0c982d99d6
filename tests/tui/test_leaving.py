"""Long changes: what is being done is said, goes on in the back, and is no prison."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from tui.driven import Driven, MakeMemory, Open, Recorder

from omp_core.errors import FormatError, StoreUnavailableError
from omp_tui.background import IMPORT, WRITE, Work
from omp_tui.dialogs.edit import EditDialog
from omp_tui.dialogs.quit import QuitDialog
from omp_tui.widgets.work_line import work_text, worth_saying


@pytest.fixture
def export(tmp_path: Path) -> Path:
    file = tmp_path / "[b]export.json"
    rows = [{"id": f"r{number}", "memory": f"{number} cups of tea"} for number in (1, 2)]
    file.write_text(json.dumps({"results": rows}))
    return file


async def import_slowly(seen: Driven, memory: Recorder, export: Path) -> threading.Event:
    """Start an import that does not get on until the returned gate is opened."""
    gate = memory.gates["import_file"] = threading.Event()
    await seen.press("o")
    seen.query("#path").value = str(export)
    await seen.press("enter")
    await seen.shows("Reading [b]export.json …")
    return gate


async def quitting(seen: Driven) -> None:
    await seen.until(lambda: isinstance(seen.app.screen, QuitDialog))
    await seen.pilot.pause()


async def over(seen: Driven) -> None:
    await seen.until(lambda: not seen.app.is_running)


async def test_an_import_goes_on_while_other_things_are_done(
    dashboard: Open, make_memory: MakeMemory, export: Path
) -> None:
    memory = make_memory(8)
    async with dashboard(memory, size=(80, 24)) as seen:
        gate = await import_slowly(seen, memory, export)
        await seen.press("2")
        await seen.shows("8 memories")
        await seen.press("d")
        await seen.answer("y")
        await seen.shows("deleted 1", "Reading [b]export.json …")
        gate.set()
        await seen.shows("Brought in 2 memories from mem0", "9 memories")
        await seen.until(lambda: "Reading" not in seen.text)


async def test_quitting_waits_for_the_import_and_then_leaves(
    dashboard: Open, make_memory: MakeMemory, export: Path
) -> None:
    memory = make_memory(8)
    async with dashboard(memory) as seen:
        gate = await import_slowly(seen, memory, export)
        await seen.press("q")
        await seen.shows(
            "Leaving as soon as this is done", "Reading [b]export.json …", "Leave at once  y"
        )
        await seen.press("q", "enter")  # the same key does not confirm, and enter stays
        await seen.until(lambda: len(seen.app.screen_stack) == 1)
        await seen.press("q")
        await quitting(seen)
        gate.set()
        await over(seen)
    assert memory.real.list().total == 10


async def test_leaving_at_once_does_not_wait(
    dashboard: Open, make_memory: MakeMemory, export: Path
) -> None:
    memory = make_memory(8)
    async with dashboard(memory) as seen:
        gate = await import_slowly(seen, memory, export)
        await seen.press("q")
        await quitting(seen)
        await seen.answer("y")
        await over(seen)
        assert memory.called("import_file") == []
        assert seen.app.service.background.busy
        gate.set()
        await seen.until(lambda: not seen.app.service.background.busy)


async def test_an_error_on_the_way_out_calls_the_leaving_off(
    dashboard: Open, make_memory: MakeMemory, export: Path
) -> None:
    memory = make_memory(8)
    async with dashboard(memory) as seen:
        gate = await import_slowly(seen, memory, export)
        memory.errors["import_file"] = FormatError("row 501 is [/odd]")
        await seen.press("q")
        await quitting(seen)
        gate.set()
        await seen.shows("row 501 is [/odd]", "Not left: something could not be written.")
        assert seen.app.is_running


async def test_a_busy_store_is_named_and_not_waited_for_in_silence(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    memory = make_memory(8)
    async with dashboard(memory, "memories") as seen:
        gate = memory.gates["update"] = threading.Event()
        await seen.press("e", "x", "ctrl+s")
        await seen.press("ctrl+q")
        await seen.shows("It is still being written")
        await seen.press("ctrl+q")
        await seen.shows("Leaving as soon as this is done", "A change is being written")
        await seen.press("escape")
        await seen.until(lambda: isinstance(seen.app.screen, EditDialog))
        memory.errors["update"] = StoreUnavailableError("held for too long")
        gate.set()
        await seen.shows("held for too long")
        await seen.press("escape")
        await seen.until(lambda: len(seen.app.screen_stack) == 1)
        await seen.press("q")
        await over(seen)


async def test_unsaved_text_is_not_lost_to_quitting_once(
    dashboard: Open, make_memory: MakeMemory
) -> None:
    async with dashboard(make_memory(8), "memories") as seen:
        await seen.press("e", "x", "ctrl+q")
        await seen.shows("This is not saved yet")
        await seen.press("ctrl+q")
        await over(seen)


def test_only_what_takes_long_or_tells_its_progress_is_worth_a_line() -> None:
    quick, slow = Work(WRITE, 0.5, 0, None), Work(WRITE, 2.5, 0, None)
    assert worth_saying([quick]) == []
    assert worth_saying([Work(IMPORT, 0.1, 0, "Reading x …"), slow]) == [
        "Reading x …",
        "A change is being written, for 2 s now.",
    ]


def test_a_change_says_how_long_and_how_many_wait() -> None:
    texts = [
        work_text(Work(WRITE, 0.1, 3, None)),
        work_text(Work(WRITE, 7.9, 0, None)),
        work_text(Work(WRITE, 7.9, 1, None)),
        work_text(Work(WRITE, 130, 2, None)),
        work_text(Work(IMPORT, 130, 2, "Bringing in")),
    ]
    assert texts == [
        "A change is being written.",
        "A change is being written, for 7 s now.",
        "A change is being written, for 7 s now, and 1 more waits.",
        "A change is being written, for 2 m now, and 2 more wait.",
        "Bringing in",
    ]
