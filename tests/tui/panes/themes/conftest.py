"""A memory with themes that form by themselves, and the dashboard on it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from tui.driven import NOW, Driven, Recorder

from omp_core.embed.protocol import Embedder
from omp_core.memory import Memory
from omp_core.model import Scope
from omp_core.settings import Settings

GIVEN = Path(__file__).parents[3] / "data" / "themes.json"
APP = "acme_shop-api"
ANA = Scope(user_id="ana", app_id=APP)
PROJECT = Scope(app_id=APP)

Book = dict[str, tuple[str, frozenset[str], bool, bool]]
Themed = Callable[[], Recorder]


def opened_at(root: Path, embedder: Embedder, actor: str = "user", at: datetime = NOW) -> Memory:
    return Memory.open(
        workspace=root / "shop-api",
        store=root / "store.db",
        settings=Settings(user_id="ana", app_id=APP),
        actor=actor,
        clock=lambda: at,
        load_embedder=lambda _settings: embedder,
    )


@pytest.fixture(scope="session")
def grouped(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    """A folder with 24 personal texts on four things and 6 of the project, all placed."""
    root = tmp_path_factory.mktemp("grouped")
    (root / "shop-api" / "_omp" / "memory").mkdir(parents=True)
    (root / "elsewhere").mkdir()
    given: dict[str, list[str]] = json.loads(GIVEN.read_text("utf-8"))
    with opened_at(root, embedder) as memory:
        for texts in given.values():
            for text in texts:
                memory.add(text, scope=ANA, force=True)
        for number, text in enumerate(given["deploy"]):
            memory.add(f"{text} ({number})", scope=PROJECT, force=True)
        memory.themes.follow()
    return root


@pytest.fixture
def themed(grouped: Path, tmp_path: Path, embedder: Embedder) -> Iterator[Themed]:
    """Make a memory of those texts, on a copy of its own."""
    opened: list[Memory] = []
    shutil.copytree(grouped, tmp_path, dirs_exist_ok=True)

    def reopen(actor: str, at: datetime = NOW) -> Memory:
        opened.append(opened_at(tmp_path, embedder, actor, at))
        return opened[-1]

    def made() -> Recorder:
        memory = reopen("user")
        memory.embedding.embedder()
        return Recorder(memory, reopen, tmp_path / "elsewhere")

    yield made
    for memory in opened:
        memory.close()


def book(memory: Recorder) -> Book:
    """Return all themes with what a person sees of them."""
    return rows_of(memory.real)


def rows_of(memory: Memory) -> Book:
    """Return all themes of a memory, by id: label, members, pinned, named by a person."""
    return {
        row.theme.id: (
            row.theme.label,
            frozenset(row.theme.members),
            row.theme.pinned,
            row.theme.label_by_human,
        )
        for row in memory.themes.list().rows
    }


def _called(memory: Recorder, times: int) -> bool:
    return len(memory.called("undo")) >= times


async def undo_all(seen: Driven, memory: Recorder, start: Book) -> None:
    """Press u until the themes are as they were at first."""
    while book(memory) != start:
        wanted = len(memory.called("undo")) + 1
        await seen.press("u")
        await seen.until(partial(_called, memory, wanted), "an undo")
        await seen.settle()
