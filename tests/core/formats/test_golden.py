"""The example of every format, converted whole.

After a wanted change of a conversion, write the golden files anew and review the difference:

    OMP_GOLDEN=write pytest tests/core/formats/test_golden.py
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from omp_core.formats import FORMATS, ImportItem, detect, read
from omp_core.model import Source, Status
from omp_core.record_json import to_json

GOLDEN = Path(__file__).parent / "golden"

# Example, format, rows that became records, rows with a problem, records that are active.
EXPECTED = [
    ("own.jsonl", "omp-tui", 2, 1, 1),
    ("saved.json", "omp-tui-saved", 2, 0, 1),
    ("openmemory", "openmemory", 6, 1, 2),
    ("mem0.json", "mem0", 6, 4, 5),
    ("lm-mem.json", "lm-mem", 3, 0, 3),
    ("lm-mem-list.json", "lm-mem", 1, 0, 1),
    ("lm-mem.csv", "lm-mem", 3, 1, 3),
    ("memory.jsonl", "mcp-memory", 5, 4, 5),
    ("openmemory-plus", "openmemory-plus", 8, 2, 8),
    ("claude-code", "claude-code", 5, 0, 5),
    ("doobidoo.json", "mcp-memory-service", 2, 0, 2),
    ("claude-mem.json", "claude-mem", 3, 2, 3),
    ("engram.json", "engram", 2, 1, 1),
    ("mem0-export-shop-2026-03-01.md", "mem0-markdown", 2, 0, 2),
    ("basic-memory", "basic-memory", 4, 0, 4),
    ("graph.jsonl", "mcp-memory", 3, 0, 3),
    ("lines.jsonl", "json-lines", 3, 1, 3),
    ("serena", "markdown", 4, 0, 4),
    ("instructions", "instructions", 6, 1, 6),
]


def shown(items: list[ImportItem], root: Path) -> str:
    rows = [
        {
            "place": item.place,
            "record": None if item.record is None else to_json(item.record),
            "problem": item.problem,
            "notes": list(item.notes),
        }
        for item in items
    ]
    text = json.dumps(rows, ensure_ascii=False, indent=1, default=str)
    return text.replace(str(root), "<examples>") + "\n"


@pytest.mark.parametrize(("name", "format_name", "records", "problems", "active"), EXPECTED)
def test_example_converts_as_recorded(
    name: str,
    format_name: str,
    records: int,
    problems: int,
    active: int,
    example: Callable[[str], Path],
    now: datetime,
    tmp_path: Path,
) -> None:
    path = example(name)
    assert detect(path).name == format_name
    items = list(read(path, now=now))
    found = [item.record for item in items if item.record is not None]
    assert len(found) == records
    assert sum(item.problem is not None for item in items) == problems
    assert sum(record.status is Status.ACTIVE for record in found) == active
    if format_name != "omp-tui":
        assert {record.source for record in found} == {Source.IMPORTED}
    assert len({item.place for item in items}) == len(items)
    golden = GOLDEN / f"{name}.json"
    if os.environ.get("OMP_GOLDEN") == "write":
        golden.write_text(shown(items, tmp_path), "utf-8")
    assert shown(items, tmp_path) == golden.read_text("utf-8")


def test_every_format_has_an_example() -> None:
    assert {row[1] for row in EXPECTED} == set(FORMATS)


@pytest.mark.parametrize("name", [row[0] for row in EXPECTED])
def test_second_reading_gives_the_same_ids(
    name: str, example: Callable[[str], Path], now: datetime
) -> None:
    path = example(name)
    first = [item.record.id for item in read(path, now=now) if item.record]
    assert first == [item.record.id for item in read(path, now=now) if item.record]
    assert len(set(first)) == len(first)
