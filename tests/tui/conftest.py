"""Fixtures of the dashboard's tests; what they give is in `driven`."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tui.driven import NOW, Driven, MakeMemory, Open, Recorder, open_memory, record, show_health

from omp_core.memory import Memory
from omp_core.views import HealthView
from omp_tui.app import DashboardApp


@pytest.fixture
def faults(caplog: pytest.LogCaptureFixture) -> Iterator[list[logging.LogRecord]]:
    """What the program reported as its own faults; a test that expects one empties the list."""
    found: list[logging.LogRecord] = []
    yield found
    caught = [one for one in caplog.get_records("call") if one.levelno >= logging.ERROR]
    assert [one.getMessage() for one in caught] == [one.getMessage() for one in found]


@pytest.fixture
def dashboard(faults: list[logging.LogRecord]) -> Open:
    """Open a dashboard on a memory, with notifications and tooltips as in a terminal."""

    @asynccontextmanager
    async def opened(
        memory: Recorder,
        start: str = "overview",
        *,
        size: tuple[int, int] = (120, 40),
        wait: bool = True,
    ) -> AsyncIterator[Driven]:
        app = DashboardApp(memory.as_memory, start=start, now=lambda: NOW, look_every_s=0.15)
        async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
            driven = Driven(app, pilot)
            if wait:
                await driven.settle()
            yield driven

    return opened


@pytest.fixture
def make_memory(tmp_path: Path) -> Iterator[MakeMemory]:
    """Make a memory of `count` records, m1 the newest."""
    opened: list[Memory] = []

    def made(
        count: int,
        *,
        project: bool = True,
        facts: str = "",
        health_view: HealthView | None = None,
    ) -> Recorder:
        root = tmp_path / f"memory{len(opened)}"
        documents = root / "shop-api" / "_omp" / "memory"
        (documents if project else root / "shop-api").mkdir(parents=True)
        if facts:
            (documents / "project.yaml").write_text(facts, encoding="utf-8")
        memory = open_memory(root)
        opened.append(memory)
        place = root / "elsewhere"
        place.mkdir()
        recorder = Recorder(memory, lambda actor, at: open_memory(root, actor, at), place)
        if count:
            recorder.elsewhere(*(record(number) for number in range(1, count + 1)), actor="system")
        if health_view is not None:
            show_health(recorder, health_view)
        return recorder

    yield made
    for memory in opened:
        memory.close()
