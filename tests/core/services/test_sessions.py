"""Session files: one entry a conversation, whichever way and however often it is read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from omp_core.memory import Memory
from omp_core.model import Turn
from omp_core.project.writers import SessionEntry

Open = Callable[..., Memory]
Role = Literal["user", "assistant", "tool"]
START = datetime(2026, 2, 27, 10, 0, tzinfo=UTC)
SAYINGS: tuple[tuple[Role, str], ...] = (
    ("user", "我们决定用 monorepo，因为共享依赖多"),
    ("user", "We decided to use Postgres instead of MySQL for the orders"),
    ("user", "不对，不是 Postgres，是 SQLite"),
    ("user", "Morning! How are things?"),
    ("user", "I always squash commits before a merge"),
    ("user", "v1.0.0 今天发布了"),
    ("assistant", "已创建迁移脚本 0012_partition.sql，本地执行通过。"),
    ("assistant", "Added the retry with back-off to the uploader."),
    ("assistant", "I can look at it again."),
)


def talk(
    said: list[tuple[Role, str]], session: str | None, *, timed: bool = True, first: int = 0
) -> list[Turn]:
    return [
        Turn(
            role,
            text,
            START + timedelta(minutes=first + place) if timed else None,
            str(place + 1),
            session,
        )
        for place, (role, text) in enumerate(said)
    ]


def sessions(memory: Memory) -> list[dict[str, Any]]:
    assert memory.workspace is not None
    found: list[dict[str, Any]] = []
    for file in sorted(memory.workspace.memory.glob("sessions/*.yaml")):
        found += YAML(typ="safe", pure=True).load(file.read_text("utf-8")).get("sessions") or []
    return found


@pytest.fixture
def fresh(open_memory: Open, tmp_path: Path) -> Callable[[], Memory]:
    numbers = count()

    def one() -> Memory:
        folder = tmp_path / f"project-{next(numbers)}"
        folder.mkdir()
        memory = open_memory(workspace=folder, store=folder / "store.db")
        memory.init_workspace(folder)
        return memory

    return one


said = st.lists(st.sampled_from(SAYINGS), min_size=1, max_size=6)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(said=said, session=st.sampled_from(["s1", None]), timed=st.booleans())
def test_turn_by_turn_is_as_at_once(
    fresh: Callable[[], Memory], said: list[tuple[Role, str]], session: str | None, timed: bool
) -> None:
    turns = talk(said, session, timed=timed)
    once, growing = fresh(), fresh()
    once.extraction.extract(turns)
    for end in range(1, len(turns) + 1):
        growing.extraction.extract(turns[:end])
    assert sessions(growing) == sessions(once)


def test_parts_of_a_conversation_of_one_id_are_one_entry(fresh: Callable[[], Memory]) -> None:
    memory = fresh()
    turns = talk([SAYINGS[0], SAYINGS[6], SAYINGS[5], SAYINGS[7]], "s1")
    memory.extraction.extract(turns[:2])
    memory.extraction.extract(turns[2:])
    (entry,) = sessions(memory)
    assert (entry["start"], entry["end"]) == ("10:00", "10:03")
    assert entry["decisions"] == ["我们决定用 monorepo，因为共享依赖多"]
    assert len(entry["key_actions"]) == 2
    assert "monorepo" in entry["summary"]
    assert "v1.0.0" in entry["summary"]


@pytest.mark.parametrize("timed", [True, False])
def test_conversations_without_an_id_are_numbered(fresh: Callable[[], Memory], timed: bool) -> None:
    memory = fresh()
    memory.extraction.extract(talk([SAYINGS[0]], None, timed=timed))
    memory.extraction.extract(talk([SAYINGS[5]], None, timed=timed, first=90))
    assert [one["id"] for one in sessions(memory)] == ["session-001", "session-002"]
    assert "monorepo" in sessions(memory)[0]["summary"]
    assert "v1.0.0" in sessions(memory)[1]["summary"]


def test_a_summary_that_a_person_wrote_stays(fresh: Callable[[], Memory]) -> None:
    memory = fresh()
    turns = talk([SAYINGS[0], SAYINGS[5]], "s1")
    memory.extraction.extract(turns[:1])
    assert memory.workspace is not None
    (file,) = memory.workspace.memory.glob("sessions/*.yaml")
    entry = sessions(memory)[0]
    text = file.read_text("utf-8").replace(f"summary: {entry['summary']}", "summary: 我的话")
    file.write_text(text, "utf-8")
    memory.extraction.extract(turns)
    (entry,) = sessions(memory)
    assert entry["summary"] == "我的话"
    assert entry["end"] == "10:01"


def test_undo_takes_back_what_a_later_reading_added(fresh: Callable[[], Memory]) -> None:
    memory = fresh()
    turns = talk([SAYINGS[0], SAYINGS[5]], None)
    memory.extraction.extract(turns[:1])
    before = sessions(memory)
    done = memory.extraction.extract(turns)
    assert sessions(memory) != before
    for act_id in done.act_ids:
        memory.undo(act_id)
    assert sessions(memory) == before


def test_a_record_links_to_its_session(fresh: Callable[[], Memory]) -> None:
    memory = fresh()
    memory.extraction.extract(talk([SAYINGS[0], SAYINGS[4]], None))
    (record,) = [one for one in memory.export() if "squash" in one.content]
    assert record.episode == "sessions/2026-02-27.yaml#sessions[session-001]"


def test_a_session_told_by_hand_is_added_to(fresh: Callable[[], Memory]) -> None:
    memory = fresh()
    documents = memory.documents
    documents.add_session(SessionEntry("one", START, START, ["a"], id="s1"))
    documents.add_session(SessionEntry("two", None, START + timedelta(hours=1), ["b"], ["c"], "s1"))
    (entry,) = sessions(memory)
    assert entry["summary"] == "two"
    assert (entry["start"], entry["end"]) == ("10:00", "11:00")
    assert (entry["key_actions"], entry["decisions"]) == (["a", "b"], ["c"])


def test_a_conversation_without_times_takes_those_given(fresh: Callable[[], Memory]) -> None:
    memory = fresh()
    memory.extraction.extract(
        talk([SAYINGS[0], SAYINGS[6]], None, timed=False),
        session="told",
        start=START,
        end=START + timedelta(minutes=90),
    )
    (entry,) = sessions(memory)
    assert (entry["start"], entry["end"]) == ("10:00", "11:30")
