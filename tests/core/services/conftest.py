"""A memory of its own for each test, with a clock that stands still until it is moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from omp_core.embed.protocol import Embedder
from omp_core.memory import Memory
from omp_core.settings import Settings

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **by: float) -> None:
        self.at += timedelta(**by)


Open = Callable[..., Memory]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_memory(tmp_path: Path, clock: Clock, embedder: Embedder) -> Iterator[Open]:
    """Open memories on one store; each call is another actor, all are closed at the end."""
    opened: list[Memory] = []

    def open_one(actor: str = "user", **options: Any) -> Memory:
        given: dict[str, Any] = {
            "workspace": tmp_path,
            "store": tmp_path / "store.db",
            "settings": Settings(),
            "clock": clock,
            "load_embedder": lambda _settings: embedder,
        }
        memory = Memory.open(actor=actor, **(given | options))
        opened.append(memory)
        return memory

    yield open_one
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: Open) -> Memory:
    return open_memory()
