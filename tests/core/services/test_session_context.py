"""What an agent is given when a session starts, and what is done about a slow home."""

from __future__ import annotations

import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import InvalidValueError, StoreUnavailableError
from omp_core.memory import Memory
from omp_core.model import Category, Importance, Query, Scope, Status, Tier
from omp_core.project import documents
from omp_core.project.workspace import Workspace, init_workspace
from omp_core.settings import DocumentSettings, Settings, StoreSettings
from omp_core.store.sqlite import SqliteStore

SETTINGS = Settings(user_id="ana", app_id="shop")
LIMIT_S = 1.5
"""Long enough for a busy machine to read the home that is not held."""
LIMITED = Settings(
    user_id="ana", app_id="shop", documents=DocumentSettings(context_timeout_s=LIMIT_S)
)
ANA = Scope(user_id="ana")
Says = Callable[[str, str], None]


@pytest.fixture
def memory(tmp_path: Path, open_memory: Open) -> Any:
    return open_memory(settings=SETTINGS)


@pytest.fixture
def project(tmp_path: Path) -> Says:
    init_workspace(tmp_path)
    workspace = Workspace(tmp_path)

    def says(file: str, text: str) -> None:
        (workspace.memory / file).write_text(textwrap.dedent(text).strip() + "\n", "utf-8")

    says("project.yaml", "name: shop\ntech_stack:\n  database: PostgreSQL\n")
    says(
        "decisions.yaml",
        """
        decisions:
          - {id: dec-1, date: 2026-01-01, title: 缓存, choice: Redis}
          - {id: dec-2, date: 2026-02-01, title: Queue, choice: RabbitMQ}
        """,
    )
    says("changelog.yaml", "changelog: [{id: chg-1, date: 2026-02-02, summary: v2 is out}]")
    return says


def remember(memory: Memory, text: str, **fields: Any) -> Any:
    given: dict[str, Any] = {"scope": ANA, "category": Category.PREFERENCE, "force": True} | fields
    return memory.add(text, **given)


def texts(records: Any) -> list[str]:
    return [record.content for record in records]


def test_the_projects_facts_come_first_and_then_the_persons(project: Says, memory: Memory) -> None:
    remember(memory, "用户偏好 pytest")
    told = memory.session_context(user_id="ana", app_id="shop")
    assert texts(told.project) == [
        "name: shop",
        "tech_stack.database: PostgreSQL",
        "Queue: RabbitMQ",
        "缓存: Redis",
    ]
    assert texts(told.user) == ["用户偏好 pytest"]
    assert told.degraded == ()


def test_the_important_comes_first_and_only_what_makes_a_profile(
    memory: Memory, clock: Clock
) -> None:
    for number, (importance, category) in enumerate(
        [
            (Importance.LOW, Category.PREFERENCE),
            (Importance.HIGH, Category.IDENTITY),
            (Importance.MEDIUM, Category.ENVIRONMENT),
            (Importance.HIGH, Category.PREFERENCE),
            (Importance.HIGH, Category.DECISION),
            (Importance.HIGH, Category.EPISODE),
        ]
    ):
        clock.forward(minutes=1)
        remember(memory, f"{number} {importance} {category}", importance=importance,
                 category=category)  # fmt: skip
    told = memory.session_context(user_id="ana")
    assert texts(told.user) == [
        "3 high preference",
        "1 high identity",
        "2 medium environment",
        "0 low preference",
    ]


def test_ten_are_given_unless_asked_otherwise_and_the_rest_is_counted(memory: Memory) -> None:
    for number in range(13):
        remember(memory, f"likes thing number {number}")
    told = memory.session_context(user_id="ana")
    assert (len(told.user), told.user_left) == (10, 3)
    told = memory.session_context(user_id="ana", limit=2)
    assert (len(told.user), told.user_left) == (2, 11)
    wrong_ones: tuple[dict[str, Any], ...] = ({"limit": 0}, {"max_tokens": 0})
    for wrong in wrong_ones:
        with pytest.raises(InvalidValueError, match="less than 1"):
            memory.session_context(user_id="ana", **wrong)


@pytest.mark.parametrize("nobody", [None, ""])
def test_without_a_user_only_what_belongs_to_nobody_is_given(memory: Memory, nobody: Any) -> None:
    remember(memory, "of nobody", scope=Scope())
    remember(memory, "of ana")
    remember(memory, "of bo", scope=Scope(user_id="bo"))
    assert texts(memory.session_context(user_id=nobody).user) == ["of nobody"]
    assert texts(memory.session_context(user_id="ana").user) == ["of ana"]


def test_other_projects_agents_and_sessions_are_left_out(memory: Memory) -> None:
    remember(memory, "everywhere")
    remember(memory, "in shop", scope=Scope(user_id="ana", app_id="shop"))
    remember(memory, "in blog", scope=Scope(user_id="ana", app_id="blog"))
    remember(memory, "for codex", scope=Scope(user_id="ana", agent_id="codex"))
    remember(memory, "this session", scope=Scope(user_id="ana", run_id="r1"))
    everywhere = {"everywhere"}
    given = memory.session_context
    assert set(texts(given(user_id="ana").user)) == everywhere
    assert set(texts(given(user_id="ana", app_id="shop").user)) == everywhere | {"in shop"}
    assert set(texts(given(user_id="ana", agent_id="codex").user)) == everywhere | {"for codex"}


def test_what_is_not_on_a_read_path_is_not_given(memory: Memory, clock: Clock) -> None:
    remember(memory, "it holds for now", ttl_seconds=60)
    archived = remember(memory, "archived")
    memory.set_status([archived.id], Status.ARCHIVED)
    remember(memory, "we are not sure of it", status=Status.CANDIDATE)
    clock.forward(minutes=2)
    assert memory.session_context(user_id="ana").user == ()


def test_a_budget_cuts_both_parts_and_leaves_the_person_half(project: Says, memory: Memory) -> None:
    for number in range(10):
        remember(memory, f"用户喜欢第{number}件事情")
    everything = memory.session_context(user_id="ana")
    assert everything.tokens > 60
    told = memory.session_context(user_id="ana", max_tokens=60)
    assert told.tokens <= 60
    assert told.project
    assert len(told.user) >= 2
    assert told.project_left == len(everything.project) - len(told.project)
    assert told.user_left == 10 - len(told.user)
    alone = memory.session_context(user_id="bo", max_tokens=everything.tokens)
    assert alone.project == everything.project


# accesses


def test_what_is_given_counts_as_read(project: Says, memory: Memory, clock: Clock) -> None:
    given = remember(memory, "likes tea", tier=Tier.LONG_TERM)
    kept_back = remember(memory, "likes coffee", importance=Importance.LOW)
    clock.forward(days=9)
    memory.session_context(user_id="ana", limit=1)
    memory.session_context(user_id="ana", limit=1)
    memory.close()  # which lets the reads be counted; the next call opens the store again
    held = memory.get(given.id)
    assert (held.access_count, held.last_accessed) == (2, clock.at)
    assert held.tier is Tier.SHORT_TERM
    assert memory.get(kept_back.id).access_count == 0


def test_a_store_that_is_locked_for_writing_holds_nobody_up(
    tmp_path: Path, open_memory: Open
) -> None:
    memory = open_memory(
        settings=Settings(store=StoreSettings(busy_timeout_s=60.0), user_id="ana", app_id="shop")
    )
    made = remember(memory, "likes tea")
    other = apsw.Connection(str(tmp_path / "store.db"))
    other.execute("BEGIN IMMEDIATE")
    told = memory.session_context(user_id="ana")
    again = memory.session_context(user_id="ana")
    assert texts(told.user) == texts(again.user) == ["likes tea"]
    assert told.degraded == ()
    assert memory.get(made.id).access_count == 0
    other.execute("ROLLBACK")
    other.close()
    memory.close()
    assert memory.get(made.id).access_count == 2


def test_closing_does_not_wait_for_ever_for_a_locked_store(
    tmp_path: Path, open_memory: Open
) -> None:
    memory = open_memory(settings=LIMITED)
    made = remember(memory, "likes tea")
    other = apsw.Connection(str(tmp_path / "store.db"))
    other.execute("BEGIN IMMEDIATE")
    memory.session_context(user_id="ana")
    memory.close()
    other.execute("ROLLBACK")
    other.close()
    assert open_memory().get(made.id).content == "likes tea"


# a home that is slow or broken


class Held:
    """Lets a call begin and holds it until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.let_go = threading.Event()

    def hold(self) -> None:
        self.begun.set()
        self.let_go.wait()


@pytest.fixture
def held() -> Iterator[Any]:
    """Something to hold a call by; it is let go at the end whatever happens."""
    held = Held()
    yield held
    held.let_go.set()


def test_a_store_that_does_not_open_is_reported_and_not_waited_for(
    project: Says, open_memory: Open, held: Any
) -> None:
    with open_memory(settings=LIMITED) as before:
        remember(before, "likes tea")

    def slow(path: Path, workspace: str, _settings: Settings) -> Any:
        held.hold()
        return SqliteStore(path, workspace=workspace)

    memory = open_memory(settings=LIMITED, open_store=slow)
    told = memory.session_context(user_id="ana")
    assert held.begun.is_set()
    assert "name: shop" in texts(told.project)
    assert told.user == ()
    assert [(one.home, f"{LIMIT_S} s" in one.reason) for one in told.degraded] == [("user", True)]
    again = memory.session_context(user_id="ana")
    assert [one.home for one in again.degraded] == ["user"]
    held.let_go.set()
    assert memory.list(Query()).total > 0  # waits for the store to open
    memory.close()  # waits for what came too late
    assert texts(memory.session_context(user_id="ana").user) == ["likes tea"]


def test_documents_that_are_not_read_in_time_are_reported(
    project: Says, open_memory: Open, monkeypatch: pytest.MonkeyPatch, held: Any
) -> None:
    memory = open_memory(settings=LIMITED)
    remember(memory, "likes tea")
    read = documents.read_document

    def slow(workspace: Workspace, file: Path, most: int) -> Any:
        held.hold()
        return read(workspace, file, most)

    monkeypatch.setattr(documents, "read_document", slow)
    told = memory.session_context(user_id="ana")
    held.let_go.set()
    assert texts(told.user) == ["likes tea"]
    assert told.project == ()
    assert [one.home for one in told.degraded] == ["project"]


def test_both_homes_are_asked_at_the_same_time(
    project: Says, open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits for the other to have begun, so that one after the other would never end."""
    store_begun, documents_begun = threading.Event(), threading.Event()
    read = documents.read_document

    def opening(path: Path, workspace: str, _settings: Settings) -> Any:
        store_begun.set()
        assert documents_begun.wait(60)
        return SqliteStore(path, workspace=workspace)

    def reading(workspace: Workspace, file: Path, most: int) -> Any:
        documents_begun.set()
        assert store_begun.wait(60)
        return read(workspace, file, most)

    monkeypatch.setattr(documents, "read_document", reading)
    patient = Settings(documents=DocumentSettings(context_timeout_s=120))
    told = open_memory(settings=patient, open_store=opening).session_context(user_id="ana")
    assert told.degraded == ()
    assert "name: shop" in texts(told.project)


def test_a_store_that_is_down_is_reported_with_its_reason(project: Says, open_memory: Open) -> None:
    def failing(*_args: Any) -> None:
        raise StoreUnavailableError("the disk is on fire")

    told = open_memory(settings=SETTINGS, open_store=failing).session_context(user_id="ana")
    assert [(one.home, one.reason) for one in told.degraded] == [("user", "the disk is on fire")]
    assert "name: shop" in texts(told.project)


def test_a_damaged_document_is_named_and_the_others_are_given(
    project: Says, memory: Memory
) -> None:
    project("project.yaml", "a: 1\nb: [1\n")
    told = memory.session_context(user_id="ana")
    assert texts(told.project) == ["Queue: RabbitMQ", "缓存: Redis"]
    (missing,) = told.degraded
    assert missing.home == "project"
    assert missing.reason.startswith("project.yaml:")


def test_without_a_project_the_persons_memory_is_given_alone(memory: Memory) -> None:
    remember(memory, "likes tea")
    told = memory.session_context(user_id="ana", app_id="shop")
    assert (told.project, texts(told.user), told.degraded) == ((), ["likes tea"], ())
