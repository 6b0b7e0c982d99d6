"""What waits for the user store: nothing lost, nothing doubled, and the seed's own form."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omp_core.errors import DocumentDamagedError, NotFoundError, SecretFoundError
from omp_core.model import (
    Category,
    Importance,
    Record,
    Scope,
    Source,
    Status,
    Temporality,
    Tier,
)
from omp_core.project.pending import PendingFile
from omp_core.project.source import SourceText
from omp_core.project.workspace import Workspace
from omp_core.project.yaml.file import YamlFile

NOW = datetime(2026, 3, 1, 9, 30, 15, 123456, tzinfo=UTC)
SEED = """\
# kept while the store was down
_degraded: true
_reason: "openmemory MCP unavailable"
pending_memories:
  - text: "用户偏好: 使用中文"
    created_at: 2026-02-02T10:30:00Z   # from the chat
  - text: "prefers tabs"
    created_at: 2026-02-02T10:31:00
"""


@pytest.fixture
def pending(tmp_path: Path) -> PendingFile:
    workspace = Workspace(tmp_path)
    workspace.memory.mkdir(parents=True)
    return PendingFile(workspace)


def memory(number: int = 1, content: str = "prefers pytest") -> Record:
    return Record(f"0195{number:04}-0000-7000-8000-000000000000", content, NOW, NOW)


FULL = Record(
    id="01950001-0000-7000-8000-000000000001",
    content="用户偏好: pytest\nno: unittest # really\n",
    created_at=NOW,
    updated_at=NOW + timedelta(hours=1),
    tier=Tier.IMPORTANT,
    scope=Scope("Ana María", "codex", "acme_shop", "run: 1"),
    category=Category.PREFERENCE,
    importance=Importance.HIGH,
    source=Source.INFERRED,
    confidence=0.75,
    temporality=Temporality.CONTEXTUAL,
    tags=frozenset({"tests", "测试"}),
    metadata={"deep": {"list": [1, None, True, "12:30"]}, "date": "2026-02-03"},
    expires_at=NOW + timedelta(days=9),
    status=Status.CANDIDATE,
    episode="sessions/2026-03-01.yaml#sessions[session-001]",
)


def test_every_field_of_a_record_comes_back(pending: PendingFile) -> None:
    pending.append([FULL, memory()], "the store is locked", now=NOW)
    assert [waiting.record for waiting in pending.memories()] == [FULL, memory()]


@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50
)
@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    st.dictionaries(st.sampled_from(["a", "b c", "é"]), st.integers() | st.none() | st.booleans()),
)
def test_any_text_comes_back(pending: PendingFile, text: str, metadata: dict[str, object]) -> None:
    record = Record("0195-x", text, NOW, NOW, metadata=metadata)
    pending.workspace.pending_file.unlink(missing_ok=True)
    try:
        pending.append([record], "down", now=NOW)
    except SecretFoundError:
        return
    assert pending.memories()[0].record == record


def test_the_file_has_the_seeds_form_and_is_private(pending: PendingFile) -> None:
    pending.append([memory()], "the store is locked", now=NOW)
    file = pending.workspace.pending_file
    assert file.read_text("utf-8") == (
        "_degraded: true\n_reason: the store is locked\npending_memories:\n"
        "  - text: prefers pytest\n    created_at: 2026-03-01T09:30:15.123456Z\n"
        '    id: "01950001-0000-7000-8000-000000000000"\n'
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_in_the_plain_form_is_read(pending: PendingFile) -> None:
    pending.workspace.pending_file.write_text(SEED, encoding="utf-8")
    first, second = pending.memories()
    assert first.text == "用户偏好: 使用中文"
    assert first.record.created_at == datetime(2026, 2, 2, 10, 30, tzinfo=UTC)
    assert second.record.created_at == datetime(2026, 2, 2, 10, 31, tzinfo=UTC)
    assert [first.id, second.id] == [waiting.id for waiting in pending.memories()]


def test_entries_without_an_id_keep_theirs_when_others_go(pending: PendingFile) -> None:
    entry = "  - {text: same, created_at: 2026-02-02}\n"
    pending.workspace.pending_file.write_text(f"pending_memories:\n{entry}{entry}  - only text\n")
    ids = [waiting.id for waiting in pending.memories()]
    assert len(set(ids)) == 3
    assert pending.remove([ids[2]], now=NOW) == 1
    assert [waiting.id for waiting in pending.memories()] == ids[:2]


def test_appending_keeps_what_is_there(pending: PendingFile) -> None:
    pending.workspace.pending_file.write_text(SEED, encoding="utf-8")
    pending.append([memory()], "still down", now=NOW)
    text = pending.workspace.pending_file.read_text("utf-8")
    assert text.startswith(SEED.replace('"openmemory MCP unavailable"', '"still down"'))
    assert len(pending.memories()) == 3


def test_the_same_memory_twice_waits_once(pending: PendingFile) -> None:
    pending.append([memory()], "down", now=NOW)
    before = pending.workspace.pending_file.read_bytes()
    pending.append([memory()], "down again", now=NOW)
    assert pending.workspace.pending_file.read_bytes() == before


def test_the_file_goes_with_the_last_memory(pending: PendingFile) -> None:
    pending.append([memory(1), memory(2)], "down", now=NOW)
    assert pending.remove([memory(1).id, "unknown"], now=NOW) == 1
    assert [waiting.id for waiting in pending.memories()] == [memory(2).id]
    assert pending.remove([memory(2).id], now=NOW) == 1
    assert not pending.workspace.pending_file.exists()
    assert pending.remove([memory(2).id], now=NOW) == 0
    assert pending.memories() == []
    pending.append([memory(3)], "down", now=NOW)
    assert len(pending.memories()) == 1


@pytest.mark.parametrize("taken", ["before", "after"])
def test_the_file_may_go_while_it_is_read(
    pending: PendingFile, taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pending.append([memory()], "away", now=NOW)
    read = YamlFile._source

    def meanwhile(file: YamlFile) -> SourceText:
        if taken == "before":
            file.file.unlink()
        source = read(file)
        file.file.unlink(missing_ok=True)
        return source

    monkeypatch.setattr(YamlFile, "_source", meanwhile)
    assert len(pending.memories()) == (taken == "after")


def test_a_crash_between_store_and_file_doubles_nothing(pending: PendingFile) -> None:
    """The store is a dict by id here: syncing again what it has already changes nothing."""
    pending.append([memory(number) for number in range(10)], "down", now=NOW)
    store: dict[str, Record] = {}
    waiting = pending.memories()
    for item in waiting[:5]:
        store[item.id] = item.record
    pending.remove([item.id for item in waiting[:3]], now=NOW)  # and here it died
    for item in pending.memories():
        store.setdefault(item.id, item.record)
        pending.remove([item.id], now=NOW)
    assert len(store) == 10
    assert pending.memories() == []


def test_a_waiting_memory_can_be_edited(pending: PendingFile) -> None:
    pending.workspace.pending_file.write_text(SEED, encoding="utf-8")
    wanted = pending.memories()[0].id
    changes = {"content": "用户偏好: 中文回答", "tags": ["lang"], "tier": "important"}
    edited = pending.edit(wanted, changes, now=NOW)
    assert edited.id == wanted
    found = pending.memories()[0].record
    assert found.id == wanted
    assert (found.content, found.tags, found.tier) == (
        "用户偏好: 中文回答",
        frozenset({"lang"}),
        Tier.IMPORTANT,
    )
    assert "# from the chat" in pending.workspace.pending_file.read_text("utf-8")
    with pytest.raises(NotFoundError):
        pending.edit("unknown", {"content": "x"}, now=NOW)


def test_what_cannot_be_read_of_an_entry_is_kept_and_said(pending: PendingFile) -> None:
    pending.workspace.pending_file.write_text(
        "pending_memories:\n- {text: a, id: x, tier: nowhere, mood: good}\n- {text: b, mood: bad}\n"
    )
    first, second = pending.memories()
    assert first.problem is not None
    assert "tier" in first.problem
    assert first.record.metadata == {"tier": "nowhere", "mood": "good"}
    assert second.problem is None
    assert second.record.metadata == {"mood": "bad"}


def test_secrets_do_not_wait_in_a_file(pending: PendingFile) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with pytest.raises(SecretFoundError):
        pending.append([memory(content=f"the token is {secret}")], "down", now=NOW)
    assert not pending.workspace.pending_file.exists()


def test_a_damaged_file_is_left_alone(pending: PendingFile) -> None:
    pending.workspace.pending_file.write_text("pending_memories: [\n")
    for attempt in (
        pending.memories,
        lambda: pending.append([memory()], "down", now=NOW),
        lambda: pending.remove(["x"], now=NOW),
    ):
        with pytest.raises(DocumentDamagedError):
            attempt()
    assert pending.workspace.pending_file.read_text() == "pending_memories: [\n"
