"""Data exports of chat services: ChatGPT and Claude.ai."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from omp_core.errors import FormatError
from omp_core.transcripts import TranscriptProblem, Turn, detect, exports, read

Write = Callable[[str, str | bytes], Path]


def node(
    name: str, parent: str | None, role: str, *parts: Any, time: float | None = None, **more: Any
) -> dict[str, Any]:
    message = {
        "id": name,
        "author": {"role": role},
        "create_time": time,
        "content": {"content_type": "text", "parts": list(parts)},
        "metadata": {},
        **more,
    }
    return {"id": name, "parent": parent, "children": [], "message": message}


def conversation(*nodes: dict[str, Any], last: str | None = None, **more: Any) -> dict[str, Any]:
    mapping = {each["id"]: each for each in nodes}
    return {"title": "t", "mapping": mapping, "current_node": last, "conversation_id": "c", **more}


def export(write: Write, *conversations: Any) -> Path:
    return write("conversations.json", json.dumps(conversations, ensure_ascii=False))


def test_chatgpt_follows_the_branch_that_was_kept(write: Write) -> None:
    root = {"id": "root", "parent": None, "children": ["a"], "message": None}
    path = export(
        write,
        conversation(
            node("d", "b2", "assistant", "Noted."),
            root,
            node("a", "root", "user", "我住在杭州", time=1767225600.5),
            node("b", "a", "assistant", "thrown away"),
            node("b2", "a", "user", "edited"),
            last="d",
        ),
    )
    assert detect(path).name == "chatgpt"
    assert list(read(path)) == [
        Turn("user", "我住在杭州", datetime(2026, 1, 1, 0, 0, 0, 500000, UTC), "c/a", "c"),
        Turn("user", "edited", None, "c/b2", "c"),
        Turn("assistant", "Noted.", None, "c/d", "c"),
    ]


@pytest.mark.parametrize("last", [None, "gone"])
def test_chatgpt_without_a_last_node_goes_by_time(write: Write, last: str | None) -> None:
    nodes = [node("b", None, "user", "2", time=2.0), node("a", None, "user", "1", time=1.0)]
    path = export(write, conversation(*nodes, last=last))
    assert [turn.text for turn in read(path)] == ["1", "2"]


@pytest.mark.parametrize(
    "more",
    [
        {"recipient": "bio"},
        {"recipient": "python"},
        {"author": {"role": "tool"}},
        {"author": {"role": "system"}},
        {"author": None},
        {"metadata": {"is_visually_hidden_from_conversation": True}},
        {"content": {"content_type": "code", "text": "x"}},
        {"content": {"content_type": "thoughts", "thoughts": []}},
        {"content": {"content_type": "text", "parts": ["", " "]}},
        {"content": {"content_type": "text"}},
        {"content": None},
    ],
)
def test_chatgpt_what_nobody_said(write: Write, more: dict[str, Any]) -> None:
    assert list(read(export(write, conversation(node("a", None, "user", "x", **more))))) == []


def test_chatgpt_parts(write: Write) -> None:
    content = {
        "content_type": "multimodal_text",
        "parts": [{"content_type": "image_asset_pointer"}, {"text": "spoken"}, "typed"],
    }
    path = export(write, conversation(node("a", None, "user", content=content, recipient="all")))
    assert [turn.text for turn in read(path)] == ["spoken\n\ntyped"]


def test_chatgpt_nodes_in_a_circle_end(write: Write) -> None:
    nodes = [node("a", "b", "user", "1"), node("b", "a", "user", "2")]
    path = export(write, conversation(*nodes, last="b"))
    assert [turn.text for turn in read(path)] == ["1", "2"]


def test_chatgpt_equal_nodes_of_two_conversations_have_places_of_their_own(write: Write) -> None:
    one = conversation(node("a", None, "user", "1"), conversation_id=None)
    path = export(write, one, one)
    assert [turn.place for turn in read(path)] == ["1/a", "2/a"]


def test_odd_conversations_are_reported_and_the_rest_read(write: Write) -> None:
    good = conversation(node("a", None, "user", "1"))
    problems: list[TranscriptProblem] = []
    path = export(write, good, 5, {"mapping": []}, {**good, "conversation_id": "d"})
    assert [turn.place for turn in read(path, report=problems.append)] == ["c/a", "d/a"]
    assert [problem.place for problem in problems] == ["#2", "#3"]


def test_claude_ai_turns(write: Write) -> None:
    messages = [
        {
            "uuid": "x",
            "sender": "human",
            "text": "We use Postgres 16",
            "content": [{"type": "text", "text": "We use Postgres 16"}],
            "created_at": "2026-01-05T10:00:01Z",
            "attachments": [{"file_name": "a.txt", "extracted_content": "not said"}],
        },
        {"sender": "assistant", "text": "好的", "content": [{"type": "tool_use", "name": "x"}]},
        {"sender": "human", "text": ""},
        {"sender": "someone", "text": "x"},
        "no message",
    ]
    path = export(write, {"uuid": "c1", "name": "Plan", "chat_messages": messages}, {"uuid": "c2"})
    assert detect(path).name == "claude-ai"
    problems: list[TranscriptProblem] = []
    assert list(read(path, report=problems.append)) == [
        Turn("user", "We use Postgres 16", datetime(2026, 1, 5, 10, 0, 1, 0, UTC), "c1/1", "c1"),
        Turn("assistant", "好的", None, "c1/2", "c1"),
    ]
    assert [problem.place for problem in problems] == ["#2"]


@pytest.mark.parametrize("chunk", [1, 7, 64, 1 << 20])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_list_is_read_in_pieces(
    write: Write, monkeypatch: pytest.MonkeyPatch, chunk: int, encoding: str
) -> None:
    monkeypatch.setattr(exports, "_CHUNK", chunk)
    conversations = [
        conversation(node("a", None, "user", f"第{n}句 😀 ]}},"), conversation_id=f"c{n}")
        for n in range(3)
    ]
    text = json.dumps(conversations, ensure_ascii=False, indent=1)
    path = write("conversations.json", text.encode(encoding))
    assert [turn.text for turn in read(path, "chatgpt")] == [f"第{n}句 😀 ]}}," for n in range(3)]


def test_only_one_conversation_is_held_at_a_time(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "_CHUNK", 1 << 10)
    path = export(
        write,
        *(
            conversation(node("a", None, "user", "x" * 500), conversation_id=f"{n}")
            for n in range(99)
        ),
    )
    with path.open("rb") as stream:
        turns = read(stream)
        next(turns)
        assert stream.tell() < path.stat().st_size / 10


def test_cut_off_export_gives_what_is_whole_and_says_so(write: Write) -> None:
    path = export(write, conversation(node("a", None, "user", "1")), {"mapping": {}})
    data = path.read_bytes()
    for cut, place in ((3, "#2"), (1, "#3")):
        path.write_bytes(data[:-cut])
        problems: list[TranscriptProblem] = []
        assert [turn.text for turn in read(path, report=problems.append)] == ["1"]
        assert [problem.place for problem in problems] == [place]
        assert "cut off" in problems[0].reason


def test_deep_nesting_is_reported(write: Write) -> None:
    good = json.dumps(conversation(node("a", None, "user", "1")))
    path = write("c.json", f"[{good}, {'[' * 200_000}")
    problems: list[TranscriptProblem] = []
    assert [turn.text for turn in read(path, report=problems.append)] == ["1"]
    assert [problem.place for problem in problems] == ["#2"]


def test_wrong_encoding_is_an_error(write: Write) -> None:
    data = json.dumps([conversation(node("a", None, "user", "中文"))], ensure_ascii=False)
    with pytest.raises(FormatError, match=r"is not UTF-8.*Save the file as UTF-8"):
        list(read(write("c.json", data.encode("gbk"))))


def test_no_list(write: Write) -> None:
    with pytest.raises(FormatError, match="is no list of conversations"):
        list(read(write("c.json", "{}"), "chatgpt"))
