"""A folder that is imported gives what lies in it: no link leads an import elsewhere."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from omp_core.errors import FormatError
from omp_core.formats import FORMATS, ImportItem, detect, read
from omp_core.record_json import to_json

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
EXAMPLES = Path(__file__).parent / "examples"
MARK = "outside marker"
FOLDERS = ["openmemory-plus", "claude-code", "basic-memory", "serena", "instructions", "engram"]
NO_FOLDER = {
    "omp-tui", "omp-tui-saved", "openmemory", "mem0", "lm-mem", "mcp-memory", "mcp-memory-service",
    "claude-mem", "mem0-markdown", "json-lines",
}  # fmt: skip
"""Formats of one file or archive."""
NAMED = {"serena": "markdown"}


@pytest.fixture
def folder(example: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """Return the example folder of a format; that of engram holds its packed chunks."""

    def made(name: str) -> Path:
        if name != "engram":
            return example(name)
        target = tmp_path / "engram"
        (target / "chunks").mkdir(parents=True)
        (target / "manifest.json").write_text('{"version": 1, "chunks": []}')
        (target / "chunks" / "a.jsonl.gz").write_bytes(engram_chunk("kept"))
        (target / "chunks" / "b.jsonl.gz").write_bytes(engram_chunk("kept too"))
        return target

    return made


def engram_chunk(content: str) -> bytes:
    rows = [{"id": 1, "session_id": "s", "content": content, "created_at": "2026-01-01 10:00:00"}]
    return gzip.compress(json.dumps({"observations": rows}).encode())


@pytest.fixture
def no_hanging() -> Iterator[None]:
    """Only what waits for a pipe or reads a device without end meets this limit."""

    def hung(_number: int, _frame: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def taken(path: Path, now: datetime) -> list[ImportItem]:
    try:
        return list(read(path, now=now))
    except FormatError as error:
        return [ImportItem(path.name, None, str(error))]


def records_in(path: Path, now: datetime) -> int:
    return sum(one.record is not None for one in taken(path, now))


def test_every_format_is_a_folder_here_or_named_as_none() -> None:
    assert set(FORMATS) == {NAMED.get(one, one) for one in FOLDERS} | NO_FOLDER


@pytest.mark.parametrize("name", FOLDERS)
def test_a_link_that_leads_out_is_named_and_nothing_behind_it_is_taken(
    name: str, folder: Callable[[str], Path], tmp_path: Path, now: datetime
) -> None:
    root = folder(name)
    assert detect(root) is not None
    files = [file for file in sorted(root.rglob("*")) if file.is_file()]
    whole, named = records_in(root, now), 0
    for number, file in enumerate(files):
        kept = file.read_bytes()
        outside = tmp_path / "outside" / f"{number}{file.suffix}"
        outside.parent.mkdir(exist_ok=True)
        held = engram_chunk(MARK) if file.suffix == ".gz" else kept + f"\n{MARK}\n".encode()
        outside.write_bytes(held)
        file.unlink()
        file.symlink_to(outside)
        items = taken(root, now)
        assert MARK not in json.dumps([to_json(one.record) for one in items if one.record])
        if records_in(root, now) < whole:
            assert any("leads out" in (one.problem or "") for one in items), file
            named += 1
        file.unlink()
        file.write_bytes(kept)
    assert named
    linked = tmp_path / "linked"
    linked.mkdir()
    (root / "zz-folder").symlink_to(linked)
    (linked / "note.md").write_text(MARK)
    assert MARK not in json.dumps([to_json(one.record) for one in taken(root, now) if one.record])


@pytest.mark.parametrize("name", FOLDERS)
def test_a_pipe_or_a_device_in_a_folder_stops_nothing(
    name: str, folder: Callable[[str], Path], now: datetime, no_hanging: None
) -> None:
    root = folder(name)
    before = records_in(root, now)
    assert before
    for place in [root, *(one for one in root.rglob("*") if one.is_dir())]:
        for suffix in (".md", ".mdc", ".yaml", ".jsonl.gz"):
            os.mkfifo(place / f"0-pipe{suffix}")
            (place / f"0-zero{suffix}").symlink_to("/dev/zero")
    assert detect(root) is not None
    assert records_in(root, now) == before
