"""Conversations written down as text, and sources of all kinds."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.errors import FormatError
from omp_core.transcripts import TRANSCRIPTS, TranscriptProblem, Turn, detect, read

Write = Callable[[str, str | bytes], Path]


def said(text: str) -> list[tuple[str, str, str]]:
    return [(turn.place, turn.role, turn.text) for turn in read(io.BytesIO(text.encode()), "text")]


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("user: {}", "assistant: {}"),
        ("User: {}", "AI: {}"),
        ("HUMAN:{}", "Assistant:{}"),
        ("用户：{}", "AI：{}"),
        ("用户:{}", "助手：{}"),
        ("**User:** {}", "**Assistant:** {}"),
        ("**用户**：{}", "**AI**：{}"),
        ("[2026-03-02 09:00] user: {}", "[2026-03-02 09:01] assistant: {}"),
        ("user (2026-03-02 09:00): {}", "assistant (2026-03-02 09:01): {}"),
        ("You: {}", "ChatGPT: {}"),
        ("我：{}", "Claude：{}"),
        ("问：{}", "答：{}"),
        ("## User\n\n{}", "## Assistant\n\n{}"),
        ("### 用户：\n{}", "### AI：\n{}"),
        ("# **Human** (2026-03-02 09:00)\n{}", "# **Claude**\n{}"),
    ],
)
def test_speakers(user: str, assistant: str) -> None:
    text = "\n".join(
        [user.format("以后都用 pnpm"), assistant.format("Noted."), "", user.format("thanks")]
    )
    assert [(role, words) for _place, role, words in said(text)] == [
        ("user", "以后都用 pnpm"),
        ("assistant", "Noted."),
        ("user", "thanks"),
    ]
    assert detect(io.BytesIO(text.encode())).name == "text"


def test_a_turn_goes_on_to_the_next_label() -> None:
    text = "Notes of today\n\nuser: a\nb\n\nc\nassistant: d\n"
    assert said(text) == [("3", "user", "a\nb\n\nc"), ("7", "assistant", "d")]


def test_time_of_a_turn() -> None:
    (turn,) = read(io.StringIO("[2026-03-02T09:00:00+08:00] user: a"))
    assert turn == Turn("user", "a", datetime(2026, 3, 2, 1, tzinfo=UTC), "1", None)


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_nobody_speaks_inside_a_code_block(fence: str) -> None:
    code = f"{fence}yaml\nuser: postgres\nassistant: x\n{fence}"
    text = f"user: look\n{code}\nassistant: {fence}\nuser: b\n{fence}\nuser: c"
    assert said(text) == [
        ("1", "user", f"look\n{code}"),
        ("6", "assistant", f"{fence}\nuser: b\n{fence}"),
        ("9", "user", "c"),
    ]


def test_a_code_block_without_end_swallows_nobody() -> None:
    text = "user: ```\nassistant: b\n```py\nuser: c\n"
    assert said(text) == [
        ("1", "user", "```"),
        ("2", "assistant", "b\n```py"),
        ("4", "user", "c"),
    ]


def test_many_code_blocks_without_end() -> None:
    text = "user: a\n" + "```py\n" * 20_000 + "user: b\n"
    assert [place for place, _role, _words in said(text)] == ["1", "20002"]


def test_labels_and_headings_do_not_mix() -> None:
    assert said("## User\nuser: root\n## Assistant\nok") == [
        ("1", "user", "user: root"),
        ("3", "assistant", "ok"),
    ]
    assert said("user: a\n## User\nb\n") == [("1", "user", "a\n## User\nb")]


def test_doubtful_words_speak_only_where_no_plain_one_does() -> None:
    text = "user: a\nassistant: b\nGemini: c\nme: d\nuser: e"
    assert said(text) == [
        ("1", "user", "a"),
        ("2", "assistant", "b\nGemini: c\nme: d"),
        ("5", "user", "e"),
    ]


@pytest.mark.parametrize(
    "line", ["  user: x", "user x", "users: x", "[todo] user: x", "the user: x", "## User guide"]
)
def test_lines_that_open_no_turn(line: str) -> None:
    assert said(f"user: a\n{line}") == [("1", "user", f"a\n{line}")]


def test_empty_turns_are_left_out() -> None:
    assert said("user:\nassistant: \nuser: a\n") == [("3", "user", "a")]


def test_bad_lines_are_reported() -> None:
    problems: list[TranscriptProblem] = []
    stream = io.BytesIO(b"user: a\n\xff\xfe\xff\nassistant: b\n")
    turns = list(read(stream, report=problems.append))
    assert [turn.text for turn in turns] == ["a", "b"]
    assert [problem.place for problem in problems] == ["2"]


def test_utf16_with_mark(write: Write) -> None:
    path = write("a.txt", "用户：你好\r\nAI：好\r\n".encode("utf-16"))
    assert [turn.text for turn in read(path)] == ["你好", "好"]


@given(st.text())
def test_any_text_reads_without_failing(text: str) -> None:
    turns = list(read(io.StringIO("user: x\n" + text), "text"))
    places = [turn.place for turn in turns]
    assert len(set(places)) == len(places)
    for turn in turns:
        turn.text.encode()


@given(st.binary())
def test_any_bytes_end_in_turns_or_a_format_error(data: bytes) -> None:
    for name in TRANSCRIPTS:
        with suppress(FormatError):
            turns = list(read(io.BytesIO(data), name))
            assert all(turn.text.strip() for turn in turns)


# Sources


def test_sources_of_all_kinds(write: Write) -> None:
    text = "用户：以后都用 pnpm\nAI：好\n"
    path = write("a.txt", text)
    expected = list(read(path))
    assert len(expected) == 2
    assert list(read(io.StringIO(text))) == expected
    assert list(read(io.BytesIO(text.encode()))) == expected
    with path.open("rb") as stream:
        assert detect(stream).name == "text"
        assert list(read(stream)) == expected
    with path.open(encoding="utf-8") as file:
        assert list(read(file)) == expected


def test_a_pipe_cannot_seek_and_is_read() -> None:
    out, into = os.pipe()
    os.write(into, b"user: a\nassistant: b\n")
    os.close(into)
    with os.fdopen(out, "rb") as stream:
        assert [turn.text for turn in read(stream)] == ["a", "b"]


@pytest.mark.parametrize(
    "text", ["just a note\n", "{}", '{"a": 1}\n{"b": 2}\n', "\x89PNG\x00\x01user: a"]
)
def test_unknown_shape_names_the_known_ones(write: Write, text: str) -> None:
    path = write("a.txt", text)
    with pytest.raises(FormatError) as caught:
        detect(path)
    assert str(path) in str(caught.value)
    assert all(each.title in str(caught.value) for each in TRANSCRIPTS.values())


def test_empty_source() -> None:
    with pytest.raises(FormatError, match="input: is empty"):
        list(read(io.BytesIO(b"")))


def test_unmarked_utf16(write: Write) -> None:
    with pytest.raises(FormatError, match="without a byte order mark"):
        list(read(write("a.txt", "user: a".encode("utf-16-le"))))


def test_unknown_shape_name(write: Write) -> None:
    with pytest.raises(FormatError, match="no shape 'x'"):
        list(read(write("a.txt", "user: a"), "x"))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such file"):
        list(read(tmp_path / "none.jsonl"))
