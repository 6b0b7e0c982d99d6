"""Reading arguments as leniently as language models write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.errors import InvalidValueError
from omp_core.mcp import tools  # noqa: F401 - registers them
from omp_core.mcp.arguments import json_object, split_metadata, tag_list
from omp_core.mcp.registry import TOOLS
from omp_core.model import Tier

TAG = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters=',，["'), min_size=1)


def read(tool: str, **arguments: Any) -> Any:
    return TOOLS[tool].reader.read(arguments)


@given(st.lists(TAG))
def test_tags_come_as_list_as_text_and_as_json(tags: list[str]) -> None:
    assert tag_list(tags) == tags
    assert tag_list(", ".join(tags)) == tags
    assert tag_list("，".join(tags)) == tags


def test_json_text_of_tags_is_read() -> None:
    assert tag_list('["a, b", "c"]') == ["a, b", "c"]
    assert tag_list("[draft") == ["[draft"]


def test_tags_not_given_differ_from_no_tags() -> None:
    assert tag_list(None) is None
    assert tag_list("") == []
    assert tag_list([]) == []
    assert read("update_memory", mem_id="x").tags is None
    assert read("update_memory", mem_id="x", tags="").tags == ""


@pytest.mark.parametrize("value", [{"a": 1}, '{"a": 1}', ' {"a":1} '])
def test_an_object_comes_as_such_or_as_text(value: Any) -> None:
    assert json_object("metadata", value) == {"a": 1}


@pytest.mark.parametrize("value", [None, "", "  "])
def test_no_object_is_an_empty_one(value: Any) -> None:
    assert json_object("metadata", value) == {}


@pytest.mark.parametrize("value", ["{hunter2", "[1]", "hunter2", "[" * 100_000])
def test_other_text_is_refused_without_repeating_it(value: str) -> None:
    with pytest.raises(InvalidValueError, match=r"^metadata: it is not") as refused:
        json_object("metadata", value)
    assert "hunter2" not in str(refused.value)


def test_metadata_names_fields() -> None:
    fields, metadata = split_metadata(
        {"category": "Anti-Pattern", "importance": " HIGH", "source": None, "where": "here"}
    )
    assert fields == {"category": "anti_pattern", "importance": "high"}
    assert metadata == {"where": "here"}


def test_null_and_empty_text_are_not_given() -> None:
    given = read("search_memories", query="x", user_id="", limit="", mode=None)
    assert (given.scope.user_id, given.limit, given.mode) == (None, 5, "hybrid")


def test_numbers_and_truth_come_as_text() -> None:
    assert read("search_memories", query="x", limit="7").limit == 7
    assert read("search_memories", query="x", limit=7.0).limit == 7
    assert read("add_memory", content="x", force="true", ttl_seconds="60").force is True


@pytest.mark.parametrize("word", ["long-term", "long_term", "Long Term", " LONG_TERM "])
def test_words_of_a_choice_are_folded(word: str) -> None:
    assert read("add_memory", content="x", tier=word).tier is Tier.LONG_TERM


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"query": "x", "userid": "ana"}, r"no argument 'userid'; did you mean 'user_id'\?"),
        ({}, r"missing required field `query`"),
        ({"query": "x", "limit": 0}, r">= 1.*limit"),
        ({"query": "x", "mode": "magic"}, r"mode"),
    ],
)
def test_what_cannot_be_read_is_said(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        read("search_memories", **arguments)


def test_a_filter_takes_single_values() -> None:
    given = read("get_memories", metadata_filter='{"category": ["a", "b"]}')
    with pytest.raises(InvalidValueError, match="one exact value"):
        _ = given.chosen


def test_schemas_are_plain_and_say_everything() -> None:
    for tool in TOOLS.values():
        assert tool.reader.schema["type"] == "object"
        assert len(tool.description) > 40
        for name, shown in tool.reader.schema["properties"].items():
            assert shown["description"], f"{tool.name}.{name}"
            assert "$ref" not in str(shown)
            assert "'null'" not in str(shown)
