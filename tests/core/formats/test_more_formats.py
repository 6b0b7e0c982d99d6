"""What is peculiar to the formats beside the common ones."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from omp_core.errors import FormatError
from omp_core.formats import ImportItem, detect, read
from omp_core.model import Category, Status

Write = Callable[[str, str | bytes], Path]
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def items(path: Path, format: str | None = None) -> list[ImportItem]:
    return list(read(path, format, now=NOW))


def contents(path: Path) -> list[str]:
    return [item.record.content for item in items(path) if item.record]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mcp-memory-service", {"memories": [], "export_metadata": {}}),
        ("mcp-memory-service", {"memories": [{"content": "c", "content_hash": "h"}]}),
        ("claude-mem", {"exportedAtEpoch": 1, "observations": []}),
        ("claude-mem", {"observations": [{"memory_session_id": "s", "text": "t"}]}),
        ("engram", {"observations": [{"session_id": "s", "content": "c"}]}),
        ("engram", {"version": "1", "sessions": [], "observations": [], "prompts": []}),
    ],
)
def test_json_is_told_apart_by_content(write: Write, name: str, content: Any) -> None:
    assert detect(write("a.json", json.dumps(content))).name == name


@pytest.mark.parametrize("name", ["mcp-memory-service", "claude-mem", "engram"])
def test_document_without_its_list(write: Write, name: str) -> None:
    with pytest.raises(FormatError, match="has no list of"):
        items(write("a.json", '{"x": 1}'), name)


def test_claude_mem_rows_are_known_again_whatever_their_number(write: Write) -> None:
    row = {"memory_session_id": "s", "title": "t", "text": "x", "created_at_epoch": 1774864800000}
    ids = [
        [item.record.id for item in items(write("a.json", json.dumps({"observations": [each]})))
         if item.record]
        for each in ({**row, "id": 1}, {**row, "id": 2, "text": "changed"})
    ]  # fmt: skip
    assert ids[0] == ids[1]


def test_claude_mem_text_inside_columns_is_storable(write: Write) -> None:
    facts = r"[\"a\\ud800\"]"
    row = f'{{"memory_session_id": "s", "facts": "{facts}"}}'
    path = write("a.json", f'{{"observations": [{row}]}}')
    assert contents(path) == ["a\ufffd"]


OBSERVATION = {
    "id": 1,
    "session_id": "s1",
    "title": "Use uv",
    "content": "uv replaces pip",
    "created_at": "2026-02-20 09:10:00",
}


def test_engram_times_are_utc_without_a_note(write: Write) -> None:
    (item,) = items(write("a.json", json.dumps({"observations": [OBSERVATION]})))
    assert item.record is not None
    assert item.record.created_at == datetime(2026, 2, 20, 9, 10, tzinfo=UTC)
    assert item.notes == ()


def test_engram_chunks(write: Write, tmp_path: Path) -> None:
    def chunk(content: Any) -> bytes:
        return gzip.compress(json.dumps(content).encode())

    write(".engram/manifest.json", '{"version": 1, "chunks": []}')
    write(".engram/chunks/a.jsonl.gz", chunk({"observations": [OBSERVATION], "prompts": []}))
    write(".engram/chunks/b.jsonl.gz", chunk({"sessions": [], "observations": None, "prompts": []}))
    write(".engram/chunks/c.jsonl.gz", chunk({"observations": [OBSERVATION]})[:-9])
    for path in (tmp_path, tmp_path / ".engram"):
        assert detect(path).name == "engram"
        found = items(path)
        assert [item.place for item in found] == ["chunks/a.jsonl.gz#1", "chunks/c.jsonl.gz"]
        assert found[0].record is not None
        assert "is damaged" in (found[1].problem or "")


def test_mem0_markdown_rule_in_a_memory_is_no_block(write: Write) -> None:
    text = (
        "\n---\nid: a\ncreated_at: 2026-01-01\n---\nfirst\n\n---\nnot: a block\n---\nstill\n"
        "---\ncreated_at: 2026-01-02\nid: b\n---\nsecond\n"
    )
    path = write("mem0-export.md", text.replace("\n", "\r\n"))
    assert detect(path).name == "mem0-markdown"
    assert contents(path) == ["first\n\n---\nnot: a block\n---\nstill", "second"]
    assert [item.place for item in items(path)] == ["mem0-export.md:2", "mem0-export.md:12"]


def test_basic_memory_note_alone(example: Callable[[str], Path]) -> None:
    path = example("basic-memory") / "decisions" / "cache-policy.md"
    assert detect(path).name == "basic-memory"
    prose, decision, pit = (item.record for item in items(path))
    assert prose is not None
    assert "TTL is 60 s" not in prose.content
    assert decision is not None
    assert pit is not None
    assert (decision.content, decision.category) == ("TTL is 60 s", Category.DECISION)
    assert decision.tags == {"cache", "redis"}
    assert decision.metadata["context"] == "load test of March"
    assert decision.metadata["links"] == pit.metadata["links"]
    assert decision.metadata["links"] == [
        {"relation": "supersedes", "to": "Old cache policy", "context": "after the outage"},
        {"relation": "relates_to", "to": "Redis"},
    ]
    assert pit.tags == {"cache", "redis", "购物车"}
    assert pit.metadata["category"] == "坑"


def test_basic_memory_note_that_cannot_be_read(write: Write, tmp_path: Path) -> None:
    write("notes/a.md", "---\ntitle: a\npermalink: a\n---\n- [fact] b\n")
    write("notes/b.md", b"\xff\xff\xff")
    assert [item.problem is None for item in items(tmp_path / "notes")] == [True, False]


@pytest.mark.parametrize(
    "name",
    [
        *("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules", "x.mdc"),
        *(".cursor/rules/a.md", ".claude/rules/a.md"),
        *("memory-bank/progress.md", ".continue/rules.md"),
    ],
)
def test_instruction_files_by_name_and_place(write: Write, name: str) -> None:
    path = write(name, "- a\n- b\n")
    assert detect(path).name == "instructions"
    assert contents(path) == ["a", "b"]


@pytest.mark.parametrize("folder", [".cursor/rules", ".windsurf/rules", "memory-bank", "."])
def test_instruction_folders(write: Write, tmp_path: Path, folder: str) -> None:
    name = "projectbrief.md" if folder in ("memory-bank", ".") else "a.md"
    path = write(f"{folder}/{name}", "- a\n").parent
    assert detect(path).name == "instructions"
    assert contents(path) == ["a"]
    assert contents(tmp_path) == ["a"]


def test_other_markdown_is_no_instruction_file(write: Write, tmp_path: Path) -> None:
    path = write("docs/guide.md", "# Guide\n\n- a\n")
    for each in (path, tmp_path):
        with pytest.raises(FormatError, match="no known"):
            detect(each)


def test_entries_between_section_signs(write: Write, tmp_path: Path) -> None:
    write("MEMORY.md", "first entry\nof two lines\n§\nsecond\n§\n\n")
    write("USER.md", "写 Go 十年\n")
    assert detect(tmp_path).name == "instructions"
    found = items(tmp_path)
    assert [item.place for item in found] == ["MEMORY.md#1", "MEMORY.md#2", "USER.md#1"]
    assert contents(tmp_path) == ["first entry\nof two lines", "second", "写 Go 十年"]
    assert found[2].record is not None
    assert found[2].record.category is Category.IDENTITY


def test_deleted_observation_stays_dead(example: Callable[[str], Path]) -> None:
    statuses = [item.record.status for item in items(example("engram.json")) if item.record]
    assert statuses == [Status.ACTIVE, Status.ARCHIVED]


def test_folder_that_cannot_be_listed_is_reported(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("notes/a.md", "---\ntitle: a\npermalink: a\n---\n- [fact] b\n")
    write("notes/locked/b.md", "---\ntitle: b\npermalink: b\n---\n- [fact] c\n")
    scandir = os.scandir

    def refuse(path: str) -> Any:
        if str(path).endswith("locked"):  # the superuser could list it whatever its rights
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    first, second = items(tmp_path / "notes")
    assert first.record is not None
    assert "cannot be listed: Permission denied" in (second.problem or "")
