"""What clients are told of the tools: strict ones refuse every tool over one loose node."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import omp_core.mcp.tools  # noqa: F401 - registers them
from omp_core.mcp.registry import TOOLS, Tool

TYPES = {"string", "integer", "number", "boolean", "array", "object"}
MOST_DESCRIPTION = 1024
"""Characters that OpenAI takes."""


def nodes(schema: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from nodes(inner, f"{path}.{name}")
    if isinstance(schema.get("items"), dict):
        yield from nodes(schema["items"], f"{path}[]")


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_strict_clients_accept_every_tool(tool: Tool) -> None:
    assert len(tool.description) <= MOST_DESCRIPTION
    assert tool.reader.listed["type"] == "object"
    for path, node in nodes(tool.reader.listed, tool.name):
        assert node.get("type") in TYPES, f"{path}: every node has one type"
        assert not {"anyOf", "oneOf", "allOf", "$ref", "$defs"} & set(node), path
        assert node["type"] != "array" or isinstance(node.get("items"), dict), path
        assert "enum" not in node or node["type"] == "string", path
        assert len(node.get("description", "")) <= MOST_DESCRIPTION, path
        assert node.get("default", "") is not None, path
    json.dumps(tool.reader.listed)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_what_is_listed_is_what_is_taken(tool: Tool) -> None:
    assert tool.reader.listed["properties"].keys() == tool.reader.schema["properties"].keys()
    assert tool.reader.listed.get("required") == tool.reader.schema.get("required")


def test_a_number_is_its_text_where_text_is_meant() -> None:
    read = TOOLS["add_memory"].reader.read
    given: Any = read({"content": 42, "user_id": 12345, "tags": [1, 2], "ttl_seconds": 60})
    assert (given.content, given.user_id, given.tags, given.ttl_seconds) == (
        "42",
        "12345",
        ["1", "2"],
        60,
    )
