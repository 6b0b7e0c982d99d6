"""The store goes away and comes back: nothing is lost, nothing is doubled."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import (
    NotFoundError,
    StoreDamagedError,
    StoreTooNewError,
    StoreUnavailableError,
    UsageError,
)
from omp_core.memory import Memory
from omp_core.model import Query, Scope
from omp_core.project.workspace import init_workspace
from omp_core.settings import SemanticSettings, Settings, StoreSettings
from omp_core.store.sqlite import SqliteStore

ANA = Scope(user_id="ana")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    init_workspace(tmp_path)
    return tmp_path


def contents(memory: Memory) -> list[str]:
    return sorted(record.content for record in memory.export())


def waiting(memory: Memory) -> list[str]:
    return [one.record.content for one in memory.pending.previews()]


class FolderGone:
    """The store's folder is taken away, as an unmounted disk is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.aside = folder.with_name("aside")

    def begin(self) -> None:
        self.folder.rename(self.aside)
        self.folder.write_text("not a folder")

    def end(self) -> None:
        self.folder.unlink()
        self.aside.rename(self.folder)


class Locked:
    """Another process holds the store for writing and does not let go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self) -> None:
        self.other = apsw.Connection(str(self.folder / "store.db"))
        self.other.execute("BEGIN IMMEDIATE")

    def end(self) -> None:
        self.other.execute("ROLLBACK")
        self.other.close()


@pytest.mark.parametrize("trouble", [FolderGone, Locked])
def test_a_hundred_adds_across_an_outage_are_stored_or_pending_and_then_all_stored_once(
    project: Path, open_memory: Open, clock: Clock, trouble: Callable[[Path], FolderGone | Locked]
) -> None:
    folder = project / "data"
    quick = Settings(store=StoreSettings(busy_timeout_s=0.02))
    memory = open_memory(
        store=folder / "store.db", settings=quick, load_embedder=lambda _settings: None
    )
    outage = trouble(folder)
    outcomes = []
    for number in range(100):
        if number == 40:
            outage.begin()
        if number == 60:
            outage.end()
            clock.forward(minutes=2)
        outcomes.append(memory.add(f"fact number {number}", scope=ANA).outcome)
    assert set(outcomes[:40]) == {"created"}
    assert set(outcomes[40:60]) == {"pending"}
    assert set(outcomes[60:]) == {"created"}
    assert memory.pending.count() == 20
    assert len(contents(memory)) == 80
    receipts = memory.pending.sync()
    assert {receipt.outcome for receipt in receipts} == {"created"}
    assert contents(memory) == sorted(f"fact number {number}" for number in range(100))
    assert memory.pending.count() == 0
    assert memory.pending.sync() == ()


def test_a_crash_between_store_and_file_doubles_nothing(
    project: Path, open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    from omp_core.project.pending import PendingFile

    memory = open_memory()
    away(memory, "uses pnpm")

    def crash(*_args: Any, **_named: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(PendingFile, "remove", crash)
        with pytest.raises(KeyboardInterrupt):
            memory.pending.sync()
    assert waiting(memory) == ["uses pnpm"]
    assert memory.pending.previews()[0].effect == "stored"
    memory.pending.sync()
    assert contents(memory) == ["uses pnpm"]
    assert waiting(memory) == []


def away(memory: Memory, *texts: str) -> None:
    """Keep memories as if the store had been away while they were written."""
    from omp_core.model import Record
    from omp_core.services.entries import stamp_new
    from omp_core.services.pending_queue import PendingQueue

    for number, text in enumerate(texts):
        now = memory.now()
        record = Record(f"pending-{number}", text, now, now, scope=ANA)
        PendingQueue(memory._session).keep(
            stamp_new(record, "user", now), StoreUnavailableError("away")
        )


def test_each_pending_memory_is_shown_with_what_it_would_do(project: Path, memory: Memory) -> None:
    memory.add("User prefers pytest over unittest", scope=ANA)
    memory.add("The service listens on port 8080", scope=ANA)
    memory.add("Commit messages are in English", scope=ANA)
    away(
        memory,
        "用户偏好深色主题",
        "The user prefers pytest over unittest.",
        "The service listens on port 9090",
        "Commit messages are  in English",
    )
    previews = memory.pending.previews()
    assert [one.effect for one in previews] == ["new", "duplicate", "contradiction", "same"]
    assert previews[1].other.content == "User prefers pytest over unittest"


def test_a_secret_typed_into_the_pending_file_stops_no_other_and_reaches_no_disk(
    project: Path, memory: Memory
) -> None:
    secret = "hunter" + "2-" + "Zq9x"
    file = project / "_omp" / "memory" / "user-context.yaml"
    file.write_text(
        f"_degraded: true\npending_memories:\n- text: the password for staging is {secret}\n"
        "- text: uses pnpm\n"
    )
    assert [one.outcome for one in memory.pending.sync()] == ["pending", "created"]
    (held,) = memory.pending.previews()
    receipt = memory.pending.discard([held.record.id])
    assert secret not in receipt.note
    memory.undo()
    assert "[redacted" in waiting(memory)[0]
    memory.close()
    for part in project.glob("store.db*"):
        assert secret.encode() not in part.read_bytes()


def test_a_write_to_an_id_waits_while_the_store_is_damaged(
    project: Path, open_memory: Open
) -> None:
    (project / "store.db").write_bytes(b"not a database" * 500)
    assert open_memory().add("uses pnpm", id="tool", scope=ANA).outcome == "pending"


def test_pending_memories_are_edited_merged_and_discarded(project: Path, memory: Memory) -> None:
    held = memory.add("User prefers pytest over unittest", scope=ANA)
    away(memory, "用户偏好深色", "prefers pytest, with xdist", "a passing mood")
    ids = [one.record.id for one in memory.pending.previews()]
    memory.pending.edit(ids[0], {"content": "用户偏好深色主题"})
    memory.pending.merge(ids[1], held.id, "User prefers pytest with xdist over unittest")
    memory.pending.discard([ids[2]])
    assert waiting(memory) == ["用户偏好深色主题"]
    assert memory.get(held.id).content == "User prefers pytest with xdist over unittest"
    memory.undo()
    assert sorted(waiting(memory)) == sorted(["用户偏好深色主题", "a passing mood"])
    memory.redo()
    assert waiting(memory) == ["用户偏好深色主题"]
    with pytest.raises(NotFoundError, match="no-such"):
        memory.pending.discard(["no-such"])


def test_while_the_store_is_away_reads_answer_from_the_project_and_say_so(
    project: Path, open_memory: Open, clock: Clock
) -> None:
    folder = project / "data"
    memory = open_memory(store=folder / "store.db")
    memory.add("User prefers pytest over unittest", scope=ANA)
    file = project / "_omp" / "memory" / "project.yaml"
    file.write_text("build:\n  tool: pnpm\n")
    outage = FolderGone(folder)
    outage.begin()
    page = memory.list(Query())
    answer = memory.search("pnpm")
    store = memory.capabilities()[0]
    assert [record.home for record in page.records] == ["project"] * page.total
    assert page.total >= 1
    assert answer.degraded
    assert "pnpm" in answer.hits[0].record.content
    assert not store.up
    assert store.reason
    assert store.since == clock.at
    with pytest.raises(StoreUnavailableError):
        memory.delete(["anything"])
    outage.end()
    clock.forward(seconds=90)
    assert memory.capabilities()[0].up
    assert memory.list(Query()).total == page.total + 1


def test_the_store_is_tried_again_with_growing_pauses(
    project: Path, open_memory: Open, clock: Clock
) -> None:
    tried = []

    def failing(*_args: Any) -> None:
        tried.append(clock.at)
        raise StoreUnavailableError("away")

    memory = open_memory(open_store=failing)
    for _second in range(300):
        memory.capabilities()
        clock.forward(seconds=1)
    pauses = [round((b - a).total_seconds()) for a, b in itertools.pairwise(tried)]
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_writes_during_an_outage_do_not_put_off_the_next_try(
    project: Path, open_memory: Open, clock: Clock
) -> None:
    tried = []

    def failing(*_args: Any) -> None:
        tried.append(clock.at)
        raise StoreUnavailableError("away")

    memory = open_memory(open_store=failing)
    for _second in range(300):
        with pytest.raises(StoreUnavailableError):
            memory.update("any", {"importance": "high"})
        clock.forward(seconds=1)
    pauses = [round((b - a).total_seconds()) for a, b in itertools.pairwise(tried)]
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    clock.forward(days=-3)
    memory.capabilities()
    assert len(tried) == 11


def test_a_store_that_vanished_is_not_begun_anew_by_a_process_that_had_it(
    project: Path, open_memory: Open, clock: Clock
) -> None:
    memory = open_memory()
    memory.add("uses pnpm", scope=ANA)
    files = list(project.glob("store.db*"))
    aside = project / "aside"
    aside.mkdir()
    for file in files:
        file.rename(aside / file.name)
    assert memory.add("meanwhile", scope=ANA).outcome == "pending"
    clock.forward(minutes=5)
    assert memory.add("later", scope=ANA).outcome == "pending"
    assert not memory.capabilities()[0].up
    assert not (project / "store.db").exists()
    for file in files:
        (aside / file.name).rename(file)
    clock.forward(minutes=5)
    memory.pending.sync()
    assert contents(memory) == ["later", "meanwhile", "uses pnpm"]


def test_a_damaged_store_degrades_and_is_not_touched(project: Path, open_memory: Open) -> None:
    path = project / "store.db"
    path.write_bytes(b"not a database" * 500)
    memory = open_memory()
    receipt = memory.add("uses pnpm", scope=ANA)
    assert receipt.outcome == "pending"
    assert path.read_bytes() == b"not a database" * 500
    with pytest.raises(StoreDamagedError, match=r"damaged.*restore"):
        memory.delete(["anything"])


def test_without_a_project_the_failure_is_told(tmp_path: Path, open_memory: Open) -> None:
    (tmp_path / "store.db").write_bytes(b"not a database" * 500)
    with pytest.raises(StoreDamagedError):
        open_memory().add("uses pnpm")


def limit_pages(memory: Memory, number: int) -> None:
    """Let the store grow no further, as a full disk does; 0 takes the limit away."""
    store = memory._availability.store()
    assert isinstance(store, SqliteStore)
    with store.connections.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + number if number else 1 << 30}")


def test_a_full_disk_hides_nothing_and_what_is_written_waits(
    project: Path, open_memory: Open, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    memory.add("User prefers pytest over unittest", scope=ANA)
    limit_pages(memory, 1)
    long = "a long text, " * 5000
    assert memory.add(long, scope=ANA).outcome == "pending"
    assert [one.content for one in memory.list(Query()).records] == [
        "User prefers pytest over unittest"
    ]
    assert memory.search("pytest").total == 1
    store = memory.capabilities()[0]
    assert not store.up
    assert "disk is full" in (store.reason or "")
    limit_pages(memory, 0)
    clock.forward(minutes=2)
    assert memory.capabilities()[0].up
    assert memory.pending.sync()[0].outcome == "created"
    assert memory.list(Query()).total == 2


def test_a_document_that_changes_on_a_full_disk_hides_nothing(
    project: Path, open_memory: Open
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    memory.add("User prefers pytest over unittest", scope=ANA)
    limit_pages(memory, 1)
    file = project / "_omp" / "memory" / "project.yaml"
    file.write_text("".join(f"key{number}: a value\n" for number in range(500)))
    assert [one.content for one in memory.list(Query()).records] == [
        "User prefers pytest over unittest"
    ]
    limit_pages(memory, 0)
    assert memory.list(Query()).total == 501


def test_a_store_of_a_newer_program_is_refused_the_same_way_each_time(
    project: Path, open_memory: Open, clock: Clock
) -> None:
    path = project / "store.db"
    open_memory().add("uses pnpm")
    newer = apsw.Connection(str(path))
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    memory = open_memory()
    for _try in range(3):
        with pytest.raises(StoreTooNewError, match="99"):
            memory.add("prefers tabs over spaces")
        clock.forward(seconds=0.3)
    assert memory.pending.count() == 0


def test_a_pending_file_that_is_damaged_later_is_reported(project: Path, open_memory: Open) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    assert memory.capabilities()[2].up
    stamp = memory.change_stamp()
    file = project / "_omp" / "memory" / "user-context.yaml"
    file.write_text("pending_memories: [\n")
    assert memory.change_stamp() != stamp
    assert "user-context.yaml" in str(memory.capabilities()[2].reason)
    file.unlink()
    assert memory.capabilities()[2].up


def test_a_project_that_is_gone_is_not_made_again_and_what_waits_is_beside_the_store(
    tmp_path: Path,
) -> None:
    root, store = tmp_path / "shop", tmp_path / "data" / "store.db"
    init_workspace(root)

    def away(*_arguments: Any) -> None:
        raise StoreUnavailableError("away")

    settings = Settings(semantic=SemanticSettings(provider="none"), user_id="ana")
    with Memory.open(workspace=root, store=store, settings=settings, open_store=away) as memory:
        root.rename(tmp_path / "renamed")
        receipt = memory.add("prefers tabs over spaces")
        kept = tmp_path / "data" / "store.pending" / "user-context.yaml"
        assert receipt.outcome == "pending"
        assert str(kept) in (receipt.note or "")
        assert "prefers tabs" in kept.read_text("utf-8")
        assert memory.pending.count() == 1
        with pytest.raises(UsageError, match="gone"):
            memory.documents.set_value("name", "x")
    assert not root.exists()


def test_a_sync_of_all_is_one_act_and_its_undo_puts_all_back_among_the_pending(
    project: Path, open_memory: Open
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    away(memory, "Deploys go out on Tuesdays", "The office is closed on Fridays")
    receipts = memory.pending.sync()
    assert [one.outcome for one in receipts] == ["created", "created"]
    (act,) = (one for one in memory.acts() if one.kind == "review")
    assert {one.act_id for one in receipts} == {act.id}
    assert "2 pending memories" in act.summary
    assert [one.kind for one in memory.acts() if one.actor != "system"] == ["review"]
    memory.undo()
    assert memory.pending.count() == 2
    assert all(one.effect == "new" for one in memory.pending.previews())
    memory.redo()
    assert memory.pending.count() == 0
    assert {memory.get(one.id).content for one in receipts} == {
        "Deploys go out on Tuesdays",
        "The office is closed on Fridays",
    }
