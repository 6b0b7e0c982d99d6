"""The orchestrator's interface as one tool, called as the server calls it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import omp_core.mcp.tools  # noqa: F401 - registers them
from omp_core.errors import InvalidValueError, UsageError
from omp_core.mcp.actors import acting_as, current_actor
from omp_core.mcp.registry import TOOLS, Call
from omp_core.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(
        workspace=tmp_path,
        store=tmp_path / "store.db",
        actor=current_actor,
        load_embedder=lambda _settings: None,
    ) as memory:
        yield memory


def called(memory: Memory, **given: Any) -> dict[str, Any]:
    @contextmanager
    def for_the_user() -> Iterator[None]:
        with acting_as("user via agent:tester"):
            yield

    with acting_as("agent:tester"):
        return TOOLS["memory_action"].answer(Call(memory, for_the_user, lambda: None), given)


def test_its_actions_are_those_of_the_interface(memory: Memory, tmp_path: Path) -> None:
    added = called(memory, action="add", parameters={"content": "The gate closes at nine"})
    assert (added["action"], added["success"], added["type"]) == ("add", True, "short-term")
    found = called(memory, action="search", parameters='{"query": "gate", "searchMode": "keyword"}')
    assert [one["id"] for one in found["results"]] == [added["id"]]
    assert called(memory, action="health")["success"]
    target = tmp_path / "saved.json"
    saved = called(
        memory, action="save", parameters={"persistPath": str(target)}, confirmed_by_user=True
    )
    assert saved["saved"] == 1
    assert memory.acts()[0].actor == "agent:tester"


@pytest.mark.parametrize("action", ["configure", "save", "load", "resolve"])
def test_what_is_the_users_takes_their_yes(memory: Memory, tmp_path: Path, action: str) -> None:
    target = tmp_path / "saved.json"
    with pytest.raises(UsageError, match="confirmed_by_user=true"):
        called(memory, action=action, parameters={"persistPath": str(target)})
    assert not target.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"action": "forget"}, "forget"),
        ({"action": "add", "parameters": "[1]"}, "JSON object"),
        ({"action": "add", "parameters": {"text": "x"}}, "text"),
        ({"action": "health", "parameters": {"action": "add", "content": "x"}}, "content"),
    ],
)
def test_what_cannot_be_read_is_refused(memory: Memory, given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        called(memory, **given)
