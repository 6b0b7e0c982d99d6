"""What is peculiar to single formats, and how they are told apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from omp_core.errors import FormatError
from omp_core.formats import ImportItem, detect, read
from omp_core.model import Category, Scope, Status

Write = Callable[[str, str | bytes], Path]
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def items(path: Path, format: str | None = None) -> list[ImportItem]:
    return list(read(path, format, now=NOW))


def contents(path: Path) -> list[str]:
    return [item.record.content for item in items(path) if item.record]


ROW = {"id": "m", "content": "c"}
LM_ROW = {**ROW, "tags": "", "expires_at": 0}
ENTITY = {"type": "entity", "name": "a", "entityType": "t", "observations": ["o"]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mem0", [ROW]),
        ("mem0", []),
        ("mem0", {"results": [{"memory": "c"}]}),
        ("mem0", {"results": []}),
        ("mem0", {"count": 1, "next": None, "results": [{"text": "c"}]}),
        ("mem0", {"memories": [ROW], "total": 1}),
        ("mem0", [{"data": {"text": "c"}}]),
        ("mem0", [{"data": "c"}]),
        ("lm-mem", [LM_ROW]),
        ("lm-mem", {"records": [LM_ROW]}),
        ("lm-mem", {"records": []}),
        ("lm-mem", {"csv": "id,content,tags\nr,c,\n"}),
        ("mcp-memory", ENTITY),
        ("mcp-memory", {**ENTITY, "observations": ["o" * 100_000]}),
        ("omp-tui", {"omp_tui_export": 1}),
    ],
)
def test_json_is_told_apart_by_content(write: Write, name: str, content: Any) -> None:
    assert detect(write("any.name", json.dumps(content))).name == name
    if name in ("mem0", "lm-mem"):
        assert detect(write("indented", json.dumps(content, indent=1))).name == name


def test_a_large_first_row_does_not_hide_the_format(write: Write) -> None:
    big = "x" * 300_000
    path = write("a.json", json.dumps({"note": big, "results": [{"memory": big}, {"memory": "b"}]}))
    assert detect(path).name == "mem0"
    assert contents(path) == [big, "b"]


@pytest.mark.parametrize(
    ("tool", "content"),
    [
        ("ChatGPT", [{"title": "t", "mapping": {}}]),
        ("Claude", [{"uuid": "c", "chat_messages": []}]),
    ],
)
def test_conversations_are_sent_elsewhere(write: Write, tool: str, content: Any) -> None:
    with pytest.raises(FormatError, match=f"is a {tool} conversation.*extracted"):
        detect(write("conversations.json", json.dumps(content)))


@pytest.mark.parametrize("content", [{"a": 1}, [1, 2], [{"title": "t"}], {"results": "none"}])
def test_other_json_is_unknown(write: Write, content: Any) -> None:
    with pytest.raises(FormatError, match="is in no known format"):
        detect(write("a.json", json.dumps(content)))


# mem0


@pytest.mark.parametrize(
    "row",
    [
        {"memory": "c"},
        {"text": "c"},
        {"content": "c"},
        {"data": "c"},
        {"data": {"memory": "c"}},
        {"data": {"text": "c"}},
        {"memory": "", "text": " ", "content": "c"},
    ],
)
@pytest.mark.parametrize("wrap", ["", "results", "memories", "items", "data"])
def test_mem0_variants(write: Write, row: dict[str, Any], wrap: str) -> None:
    rows = [{**row, "user_id": "ana", "created_at": "2026-01-01T00:00:00Z"}]
    path = write("a.json", json.dumps({wrap: rows} if wrap else rows))
    (item,) = items(path)
    assert item.record is not None
    assert item.record.content == "c"
    assert item.record.scope == Scope(user_id="ana")
    assert item.record.created_at == datetime(2026, 1, 1, tzinfo=UTC)


def test_mem0_second_text_is_kept(write: Write) -> None:
    (item,) = items(write("a.json", json.dumps([{"memory": "c", "text": "d"}])))
    assert item.record is not None
    assert item.record.metadata == {"text": "d"}


def test_mem0_page_of_many_is_announced(write: Write) -> None:
    page = {"count": 694, "next": "https://api/?page=2", "previous": None, "results": [ROW]}
    _, problem = items(write("a.json", json.dumps(page)))
    assert "694 memories and holds 1" in (problem.problem or "")
    assert len(items(write("b.json", json.dumps({**page, "count": 1})))) == 1


def test_one_id_with_two_texts_loses_neither(write: Write) -> None:
    rows = [{"id": "m", "memory": "a"}, {"id": "m", "memory": "b"}, {"id": "m", "memory": "a"}]
    path = write("a.json", json.dumps(rows))
    first, second, third = (item.record for item in items(path))
    assert first is not None
    assert second is not None
    assert third is not None
    assert first.id == third.id == "m"
    assert second.id != "m"
    assert second.metadata == {"original_id": "m"}
    assert second.id == [item.record and item.record.id for item in items(path)][1]


def test_reading_twice_gives_the_same_ids_where_there_are_none(write: Write) -> None:
    path = write("a.json", json.dumps([{"memory": "a"}, {"memory": "a", "user_id": "ana"}]))
    first = [item.record.id for item in items(path) if item.record]
    assert first == [item.record.id for item in items(path) if item.record]
    assert len(set(first)) == 2


# lm-mem


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_lm_mem_csv_separators(write: Write, separator: str) -> None:
    header = separator.join(["id", "content", "tags", "created_at", "expires_at", "unknown"])
    path = write("a.csv", f"{header}\n" + separator.join(["r", "c", "a", "1", "0.0", "x"]))
    (item,) = items(path)
    assert item.record is not None
    assert item.record.expires_at is None
    assert item.record.metadata == {"unknown": "x"}


def test_lm_mem_csv_with_too_many_columns_keeps_them(write: Write) -> None:
    (item,) = items(write("a.csv", "id,content,tags,created_at\nr,c,,1,more,and more\n"))
    assert item.record is not None
    assert item.record.metadata == {"more columns": ["more", "and more"]}


def test_lm_mem_csv_inside_json(write: Write) -> None:
    path = write("a.json", json.dumps({"csv": "id,content,tags\r\nr,内容,\r\n"}))
    (item,) = items(path)
    assert item.place == "a.json#csv:2"
    assert item.record is not None
    assert item.record.content == "内容"


def test_lm_mem_csv_without_content_column(write: Write) -> None:
    with pytest.raises(FormatError, match="names no column `content`"):
        items(write("a.csv", "id,text\n1,a\n"), "lm-mem")


def test_lm_mem_places_name_the_line_where_a_row_begins(write: Write) -> None:
    path = write("a.csv", 'id,content,tags\nr1,"a\nb\nc",\nr2,d,\n')
    assert [item.place for item in items(path)] == ["a.csv:2", "a.csv:5"]


# MCP memory


def test_mcp_entity_may_be_named_in_several_ways(write: Write) -> None:
    lines = [
        {"type": "entity", "entityName": "a", "observations": ["o"]},
        {"type": "entity", "id": "b", "observations": "one text"},
        {"type": "entity", "name": "c", "id": "c-1", "observations": [{"content": "o", "at": 1}]},
        {"type": "entity", "name": "", "observations": ["o"]},
        {"type": "note"},
        ["no object"],
    ]
    path = write("memory.json", "\n".join(map(json.dumps, lines)))
    found = items(path)
    names = [item.record.metadata["entity"] for item in found if item.record]
    assert names == ["a", "b", "c"]
    assert found[2].record is not None
    assert found[2].record.metadata["entity_id"] == "c-1"
    assert [item.place for item in found if item.problem] == [
        "memory.json:4",
        "memory.json:5",
        "memory.json:6",
    ]


def test_mcp_links_are_on_every_memory_of_the_entity(write: Write) -> None:
    relation = {"type": "relation", "from": "a", "to": "b", "relationType": "owns"}
    lines = [relation, {**ENTITY, "observations": ["x", "y"]}, {"type": "relation", "from": "a"}]
    found = items(write("memory.jsonl", "\n".join(map(json.dumps, lines))))
    links = [item.record.metadata["links"] for item in found if item.record]
    assert links == [[{"relation": "owns", "to": "b"}]] * 2
    assert len([item for item in found if item.problem]) == 1


def test_mcp_equal_observations_of_two_entities_stay_two(write: Write) -> None:
    lines = [ENTITY, {**ENTITY, "name": "b"}]
    found = items(write("memory.jsonl", "\n".join(map(json.dumps, lines))))
    assert len({item.record.id for item in found if item.record}) == 2


def test_mcp_first_line_damaged(write: Write) -> None:
    path = write("memory.jsonl", '{"type": "ent\n' + json.dumps(ENTITY))
    assert detect(path).name == "mcp-memory"
    assert [item.problem is None for item in items(path)] == [False, True]


def test_mcp_many_damaged_starts_in_a_line_end(write: Write) -> None:
    path = write("memory.jsonl", '{"type": "entity", "name": ' * 20_000 + "\n" + json.dumps(ENTITY))
    found = items(path)
    assert found[-1].record is not None
    assert 1 < len(found) < 2000


# Folders


def test_claude_folder_by_any_of_its_paths(example: Callable[[str], Path]) -> None:
    project = example("claude-code")
    whole = contents(project)
    for path in (project / "memory", project / "memory" / "MEMORY.md"):
        assert detect(path).name == "claude-code"
        assert contents(path) == whole


def test_claude_folder_without_index(write: Write, tmp_path: Path) -> None:
    write("m/a.md", "---\nname: n\ndescription: d\ntype: user\n---\n")
    (item,) = items(tmp_path / "m")
    assert item.record is not None
    assert item.record.content == "d"
    assert item.record.category is Category.IDENTITY


def test_claude_type_inside_wins_and_both_are_kept(write: Write, tmp_path: Path) -> None:
    write("m/MEMORY.md", "")
    write("m/a.md", "---\ntype: user\nmetadata:\n  type: feedback\n---\nText\n")
    (item,) = items(tmp_path / "m")
    assert item.record is not None
    assert item.record.category is Category.PREFERENCE
    assert item.record.metadata["type"] == "feedback"
    assert item.record.metadata["original_type"] == "user"


@pytest.mark.parametrize(
    "frontmatter", ["a: b: c", "- list", "\tx: 1", "a: 1\na: 2", "x: [", "date: 2026-99-99"]
)
def test_claude_frontmatter_that_is_no_mapping_is_kept_as_text(
    write: Write, tmp_path: Path, frontmatter: str
) -> None:
    write("m/MEMORY.md", "")
    write("m/a.md", f"---\n{frontmatter}\n---\nText\n")
    (item,) = items(tmp_path / "m")
    assert item.record is not None
    assert item.record.content == "Text"
    assert item.record.metadata["frontmatter"] == f"{frontmatter}\n"
    assert item.notes


def test_claude_file_that_cannot_be_read_is_reported(write: Write, tmp_path: Path) -> None:
    write("m/MEMORY.md", "- [a](a.md) - x\n- [b](b.md) - y\n")
    write("m/a.md", b"\xff\xfe\xff")
    write("m/b.md", "Text\n")
    write("m/.hidden/c.md", "Text\n")
    first, second = items(tmp_path / "m")
    assert first.problem is not None
    assert second.record is not None


def test_plus_folder_by_any_of_its_paths(example: Callable[[str], Path]) -> None:
    workspace = example("openmemory-plus")
    whole = contents(workspace)
    for path in (workspace / "_omp", workspace / "_omp" / "memory"):
        assert detect(path).name == "openmemory-plus"
        assert contents(path) == whole


def test_plus_project_documents_stay_in_the_repository(write: Write, tmp_path: Path) -> None:
    for name in ("project", "decisions", "changelog", "sessions/a", "themes/index", "handoffs/h"):
        write(f"_omp/memory/{name}.yaml", "- key: a\n  value: b\n")
    assert items(tmp_path) == []


@pytest.mark.parametrize(
    "text", ["key: a\nvalue: b\n", "- key: a\n  value: b\n", "x: 1\nentries:\n- {key: a, value: b}"]
)
def test_plus_entries(write: Write, tmp_path: Path, text: str) -> None:
    write("_omp/memory/project.yaml", "{}")
    write("_omp/memory/entries.yaml", text)
    assert contents(tmp_path) == ["a: b"]


def test_plus_values_that_are_no_text(write: Write, tmp_path: Path) -> None:
    write("_omp/memory/project.yaml", "{}")
    write("_omp/memory/e.yaml", "- {key: a, value: {x: [1, true], y: null}}\n- {key: b}\n")
    first, second = items(tmp_path)
    assert first.record is not None
    assert first.record.content == "a: x: 1, true; y: None"
    assert second.problem is not None


@pytest.mark.parametrize("text", ["", "pending_memories: []\n", "_degraded: false\n"])
def test_plus_nothing_pending(write: Write, tmp_path: Path, text: str) -> None:
    write("_omp/memory/user-context.yaml", text)
    assert items(tmp_path) == []


def test_plus_pending_memories_that_are_no_list(write: Write, tmp_path: Path) -> None:
    write("_omp/memory/user-context.yaml", "pending_memories: {text: a}\n")
    (item,) = items(tmp_path)
    assert "is no list" in (item.problem or "")


def test_embedded_tags_are_taken_only_from_the_front(write: Write, tmp_path: Path) -> None:
    texts = ["[CONF:0.5] a [SCOPE:X]", "[SCOPE:PERSONAL]", "[note] b", "[CONF:high]c"]
    write("_omp/memory/user-context.yaml", json.dumps({"pending_memories": texts}))
    records = [item.record for item in items(tmp_path) if item.record]
    assert [record.content for record in records] == [
        "a [SCOPE:X]",
        "[SCOPE:PERSONAL]",
        "[note] b",
        "c",
    ]
    assert [record.confidence for record in records] == [0.5, 1.0, 1.0, 1.0]
    assert records[3].metadata == {"confidence": "high"}


def test_nothing_dead_comes_back_alive(example: Callable[[str], Path]) -> None:
    dead = {"paused", "archived", "deleted"}
    for item in items(example("openmemory")):
        if item.record and item.record.metadata.get("state") in dead:
            assert item.record.status is Status.ARCHIVED


def test_plus_a_folder_is_not_one_by_the_name_of_a_file_alone(write: Write, tmp_path: Path) -> None:
    write("project.yaml", "a: 1\n")
    write("docs/guide.md", "- a\n")
    with pytest.raises(FormatError, match="no known kind"):
        detect(tmp_path)
