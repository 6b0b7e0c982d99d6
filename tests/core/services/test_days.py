"""A date without a time is the whole of that day where the person lives, at every door."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

import omp_core.mcp.tools  # noqa: F401 - registers them
from omp_core.mcp.registry import TOOLS, Call
from omp_core.memory import Memory
from omp_core.settings import Settings

DAY, END = "2026-12-31", "2026-12-31T16:00:00+00:00"
TEXT = "The gate closes at nine"


def imported(memory: Memory, folder: Path, name: str, content: str) -> None:
    file = folder / name
    file.write_text(content, "utf-8")
    memory.import_file(file)


def own_export(memory: Memory, folder: Path) -> None:
    at = "2026-01-01T00:00:00Z"
    row = {"id": "o1", "content": TEXT, "created_at": at, "updated_at": at, "expires_at": DAY}
    lines = [{"omp_tui_export": 1}, row, {"omp_tui_export_end": 1}]
    imported(memory, folder, "own.jsonl", "\n".join(map(json.dumps, lines)))


def pending(memory: Memory, folder: Path) -> None:
    memory.init_workspace(folder)
    (folder / "_omp" / "memory" / "user-context.yaml").write_text(
        f"_degraded: true\npending_memories:\n  - text: {TEXT}\n    expires_at: {DAY}\n", "utf-8"
    )
    memory.pending.sync()


DOORS: dict[str, Callable[[Memory, Path], object]] = {
    "add": lambda memory, _to: memory.add(TEXT, expires_at=memory.moment(DAY, last=True)),
    "update": lambda memory, _to: memory.update(memory.add(TEXT).id, {"expires_at": DAY}),
    "import_memories": lambda memory, _to: TOOLS["import_memories"].answer(
        Call(memory, nullcontext, lambda: None),
        {"data": json.dumps([{"id": "x", "content": TEXT, "expires_at": DAY}])},
    ),
    "own export": own_export,
    "mem0": lambda memory, to: imported(
        memory, to, "mem0.json", json.dumps({"results": [{"memory": TEXT, "expiration_date": DAY}]})
    ),
    "lm-mem": lambda memory, to: imported(
        memory, to, "lm.json", json.dumps({"records": [{"content": TEXT, "expires_at": DAY}]})
    ),
    "pending": pending,
}


@pytest.mark.parametrize("door", DOORS)
def test_what_expires_on_a_date_holds_the_whole_of_that_day(
    open_memory: Callable[..., Memory], tmp_path: Path, door: str
) -> None:
    memory = open_memory(
        settings=Settings(time_zone="Asia/Shanghai"), load_embedder=lambda _settings: None
    )
    DOORS[door](memory, tmp_path)
    (record,) = memory.export()
    assert record.expires_at is not None
    assert record.expires_at.isoformat() == END
