"""The mirror of documents: how much of them one reading takes on, and what is said of the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from omp_core.memory import Memory
from omp_core.model import Home, Query
from omp_core.settings import DocumentSettings, Settings

FACTS = Query(home=Home.PROJECT)


@dataclass
class Clock:
    """Processor time that each document takes: a second for each of its bytes."""

    spent: float = 0.0

    def thread_time(self) -> float:
        return self.spent


@pytest.fixture
def opened(tmp_path: Path) -> Any:
    """Open a memory of a project whose documents may be read for some seconds at a time."""
    memory = tmp_path / "shop" / "_omp" / "memory"
    memory.mkdir(parents=True)

    def made(seconds: float) -> Memory:
        settings = Settings(user_id="ana", documents=DocumentSettings(mirror_cpu_s=seconds))
        return Memory.open(
            workspace=tmp_path / "shop",
            store=tmp_path / "store.db",
            settings=settings,
            load_embedder=lambda _settings: None,
        )

    return made


def test_what_takes_too_long_is_named_and_read_by_the_next_reading(
    opened: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop" / "_omp" / "memory"
    for number in range(4):
        (folder / f"note{number}.yaml").write_text(f"key: {'x' * number}y\n")
    clock = Clock()
    monkeypatch.setattr("omp_core.services.mirror.time", clock)
    parsed: list[str] = []
    real = __import__("omp_core.project.documents", fromlist=["facts_in"]).facts_in

    def slowly(workspace: Any, source: Any) -> Any:
        clock.spent += 1.0
        parsed.append(source.file.name)
        return real(workspace, source)

    monkeypatch.setattr("omp_core.project.documents.facts_in", slowly)
    with opened(1.5) as memory:
        for seen, waiting in ((2, 2), (4, 0), (4, 0)):
            assert memory.list(FACTS).total == seen
            late = [one for one in memory.unseen() if "not read yet" in one.reason]
            assert len(late) == waiting
    assert parsed == [f"note{number}.yaml" for number in range(4)]
    with opened(0.1) as memory:
        (folder / "note9.yaml").write_text("key: z\n")
        assert memory.list(FACTS).total == 5
        assert memory.unseen() == ()


def test_a_damaged_document_is_parsed_once(
    opened: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop" / "_omp" / "memory"
    (folder / "bad.yaml").write_text("a: [1\n")
    with opened(9.0) as memory:
        assert memory.list().total == 0
        monkeypatch.setattr("omp_core.project.documents.facts_in", None)
        (folder / "bad.yaml").touch()
        assert memory.list().total == 0
        assert [one.place for one in memory.unseen()] == ["bad.yaml:1"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pending_memories: 5\n", "no list"),
        ("pending_memories: [\n", "expected"),
        ("\udcff", "UTF-8"),
    ],
)
def test_a_pending_file_that_cannot_be_read_is_named_and_stops_nothing(
    opened: Any, tmp_path: Path, text: str, told: str
) -> None:
    file = tmp_path / "shop" / "_omp" / "memory" / "user-context.yaml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with opened(9.0) as memory:
        memory.review.counts()
        (missing,) = memory.unseen()
        assert missing.place.startswith("user-context.yaml")
        assert told in missing.reason
        assert memory.list().total == 0
        assert memory.unseen() == (missing,)
