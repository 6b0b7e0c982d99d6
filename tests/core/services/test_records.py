"""Adding, changing, deleting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import InvalidValueError, NotFoundError, SecretFoundError
from omp_core.memory import Memory
from omp_core.model import Category, Query, Scope, SearchMode, Status, Tier
from omp_core.store.sqlite import SqliteStore

ANA = Scope(user_id="ana")


def test_an_added_record_is_there_with_all_its_fields(memory: Memory, clock: Clock) -> None:
    receipt = memory.add(
        "用户偏好 pytest，不用 unittest",
        scope=Scope(user_id="ana", app_id="shop"),
        category=Category.PREFERENCE,
        tags=["testing", "python"],
        metadata={"ticket": 7},
        ttl_seconds=3600,
    )
    held = memory.get(receipt.id)
    assert receipt.outcome == "created"
    assert held.content == "用户偏好 pytest，不用 unittest"
    assert held.tags == {"testing", "python"}
    assert held.metadata == {"ticket": 7}
    assert held.expires_at == clock.at + timedelta(hours=1)
    assert held.version == 1
    assert held.tier is Tier.SHORT_TERM


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("x" * 1_000_000, "1,000,000"),
        ("a\x1b[2Jb", "U+001B"),
        ("a\x00b", "U+0000"),
    ],
)
def test_a_text_that_is_no_memory_is_refused_with_the_reason(
    memory: Memory, content: str, message: str
) -> None:
    with pytest.raises(InvalidValueError, match=message.replace("+", r"\+")):
        memory.add(content)
    assert memory.list(Query()).total == 0


def test_a_lone_surrogate_is_stored_as_the_replacement_character(memory: Memory) -> None:
    receipt = memory.add("before \ud800 after")
    assert memory.get(receipt.id).content == "before \ufffd after"


def test_identical_text_in_the_same_scope_is_merged_and_counted(memory: Memory) -> None:
    first = memory.add("Deploys go out on Tuesdays", scope=ANA, tags=["deploy"])
    second = memory.add("  Deploys go   out on Tuesdays\n", scope=ANA, tags=["release"])
    assert second.outcome == "merged"
    assert second.duplicate_id == first.id
    held = memory.get(first.id)
    assert held.access_count == 1
    assert held.tags == {"deploy", "release"}


def test_what_the_same_text_says_anew_reaches_the_record_that_has_it(
    memory: Memory, clock: Clock
) -> None:
    first = memory.add("Deploys go out on Tuesdays", ttl_seconds=60, metadata={"by": "ana"})
    memory.add("Deploys go out on Tuesdays", ttl_seconds=600, metadata={"by": "bo", "room": 3})
    held = memory.get(first.id)
    assert held.expires_at == clock.at + timedelta(seconds=600)
    assert held.metadata == {"by": "ana", "room": 3}
    receipt = memory.add("Deploys go out on Tuesdays", tier=Tier.IMPORTANT)
    assert receipt.outcome == "merged"
    clock.forward(days=400)
    assert memory.list(Query(tiers=frozenset({Tier.IMPORTANT}))).records == (receipt.record,)


def test_a_twin_that_is_deleted_meanwhile_loses_no_text(
    open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, other = open_memory(), open_memory("agent:other")
    first = memory.add("Deploys go out on Tuesdays")
    touch = type(memory._availability.store()).touch

    def touch_after_a_delete(store: SqliteStore, ids: list[str], at: Any) -> None:
        monkeypatch.undo()
        other.delete([first.id])
        touch(store, ids, at)

    monkeypatch.setattr(type(memory._availability.store()), "touch", touch_after_a_delete)
    assert memory.add("Deploys go out on Tuesdays").outcome == "created"
    assert memory.list(Query()).total == 1


def test_writing_to_an_id_takes_every_field_given(memory: Memory, clock: Clock) -> None:
    memory.add("Deploys go out on Tuesdays", id="deploys", tags=["deploy"], metadata={"a": 1})
    memory.add(
        "Deploys go out on Fridays",
        id="deploys",
        tags=["release"],
        metadata={"b": 2},
        category=Category.DECISION,
        ttl_seconds=60,
    )
    held = memory.get("deploys")
    assert held.content == "Deploys go out on Fridays"
    assert held.tags == {"release"}
    assert held.metadata == {"a": 1, "b": 2}
    assert held.category is Category.DECISION
    assert held.expires_at == clock.at + timedelta(seconds=60)


def test_a_record_under_a_deleted_id_fits_no_version_read_before(memory: Memory) -> None:
    memory.add("theme: light", id="theme")
    memory.delete(["theme"])
    memory.add("theme: dark", id="theme")
    receipt = memory.update("theme", {"content": "theme: sepia"}, based_on=1)
    assert receipt.outcome == "disputed"
    assert memory.get("theme").content == "theme: dark"


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e12])
def test_a_time_to_live_that_is_none_is_refused(memory: Memory, seconds: float) -> None:
    with pytest.raises(InvalidValueError, match="ttl_seconds"):
        memory.add("Uses uv", ttl_seconds=seconds)


def test_identical_text_in_another_scope_is_another_record(memory: Memory) -> None:
    first = memory.add("Deploys go out on Tuesdays", scope=ANA)
    second = memory.add("Deploys go out on Tuesdays", scope=Scope(user_id="bo"))
    assert second.outcome == "created"
    assert second.id != first.id


def test_a_text_like_another_is_named_and_not_stored_unless_forced(memory: Memory) -> None:
    first = memory.add("User prefers pytest over unittest", scope=ANA)
    second = memory.add("The user prefers pytest over unittest.", scope=ANA)
    assert second.outcome == "duplicate"
    assert second.duplicate_id == first.id
    assert second.existing == "User prefers pytest over unittest"
    assert second.similarity is not None
    assert second.similarity >= 0.85
    assert memory.list(Query()).total == 1
    forced = memory.add("The user prefers pytest over unittest.", scope=ANA, force=True)
    assert forced.outcome == "created"
    assert memory.list(Query()).total == 2


def test_a_proposed_duplicate_becomes_a_candidate(memory: Memory) -> None:
    first = memory.add("User prefers pytest over unittest", scope=ANA)
    receipt = memory.add("The user prefers pytest over unittest.", scope=ANA, propose=True)
    held = memory.get(receipt.id)
    assert held.status is Status.CANDIDATE
    assert held.metadata["proposal"]["duplicate_of"] == first.id
    assert memory.list(Query()).total == 1


@pytest.mark.parametrize(
    ("held", "incoming"),
    [
        ("The service listens on port 8080", "The service listens on port 9090"),
        ("用户偏好 pytest，不用 unittest", "用户偏好 unittest，不用 pytest"),
    ],
)
def test_a_contradiction_is_stored_beside_and_disputed(
    memory: Memory, held: Any, incoming: str
) -> None:
    first = memory.add(held, scope=ANA)
    second = memory.add(incoming, scope=ANA)
    assert second.outcome == "disputed"
    assert second.duplicate_id == first.id
    assert memory.get(first.id).content == held
    assert memory.get(second.id).content == incoming
    (waiting,) = memory.disputes()
    assert waiting.dispute.kind == "contradiction"
    assert waiting.other is not None
    assert waiting.other.id == second.id


def test_a_secret_is_refused_everywhere(memory: Memory, tmp_path: Path) -> None:
    secret = "hunter" + "2-" + "Zq9x"
    with pytest.raises(SecretFoundError) as refused:
        memory.add(f"the password for staging is {secret}")
    assert secret not in str(refused.value)
    receipt = memory.add("staging is behind the proxy")
    with pytest.raises(SecretFoundError):
        memory.update(receipt.id, {"content": f"the password for staging is {secret}"})
    with pytest.raises(SecretFoundError):
        memory.update(receipt.id, {"metadata.login": {"password": secret}})
    with pytest.raises(SecretFoundError):
        memory.add("staging is behind a proxy", scope=Scope(user_id=f"password={secret}"))
    with pytest.raises(SecretFoundError):
        memory.update(receipt.id, {"run_id": f"password={secret}"})
    with pytest.raises(SecretFoundError):
        memory.add("staging is behind a proxy", id=f"password={secret}")
    memory.close()
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert secret.encode() not in written


def test_disjoint_changes_merge_and_equal_ones_agree(memory: Memory) -> None:
    made = memory.add("Uses tabs of width 4")
    memory.update(made.id, {"importance": "high"}, based_on=1)
    merged = memory.update(made.id, {"category": "preference"}, based_on=1)
    again = memory.update(made.id, {"importance": "high"}, based_on=1)
    assert merged.outcome == "updated"
    assert again.outcome == "unchanged"
    held = memory.get(made.id)
    assert (held.importance, held.category, held.version) == ("high", "preference", 3)


def test_two_values_for_one_field_are_both_kept_across_further_writes(open_memory: Open) -> None:
    claude, codex = open_memory("agent:claude"), open_memory("agent:codex")
    made = claude.add("theme: light")
    claude.update(made.id, {"content": "theme: dark"}, based_on=1)
    lost = codex.update(made.id, {"content": "theme: auto"}, based_on=1)
    codex.update(made.id, {"importance": "high"})
    held = claude.get(made.id)
    assert lost.outcome == "disputed"
    assert held.content == "theme: dark"
    (dispute,) = held.disputes
    assert (dispute.current, dispute.incoming) == ("theme: dark", "theme: auto")
    assert (dispute.current_actor, dispute.incoming_actor) == ("agent:claude", "agent:codex")


def test_tags_merge_as_sets(memory: Memory) -> None:
    made = memory.add("Uses uv", tags=["python"])
    memory.update(made.id, {"tags": ["python", "tooling"]}, based_on=1)
    memory.update(made.id, {"tags": ["python", "package"]}, based_on=1)
    assert memory.get(made.id).tags == {"python", "tooling", "package"}


def test_metadata_merges_key_by_key(memory: Memory) -> None:
    made = memory.add("Uses uv", metadata={"a": 1, "b": 1})
    memory.update(made.id, {"metadata.a": 2}, based_on=1)
    memory.update(made.id, {"metadata": {"a": 1, "b": 2}}, based_on=1)
    held = memory.get(made.id)
    assert held.metadata == {"a": 2, "b": 2}
    assert held.disputes == ()


def test_a_whole_metadata_mapping_changes_only_what_its_writer_changed(memory: Memory) -> None:
    made = memory.add("Uses uv", metadata={"a": 1, "gone": 1, "both": 1})
    memory.update(made.id, {"metadata.new": 3, "metadata.both": 2}, based_on=1)
    receipt = memory.update(made.id, {"metadata": {"a": 5, "both": 7}}, based_on=1)
    assert memory.get(made.id).metadata == {"a": 5, "both": 2, "new": 3}
    assert [(one.field, one.incoming) for one in receipt.disputes] == [("metadata.both", 7)]


@pytest.mark.parametrize(
    "changes",
    [{"tier": "forever"}, {"colour": "red"}, {"confidence": 7}, {"content": ""}, {"version": 9}],
)
def test_a_change_that_cannot_be_is_refused_and_named(memory: Memory, changes: Any) -> None:
    made = memory.add("Uses uv")
    with pytest.raises(InvalidValueError, match=next(iter(changes))):
        memory.update(made.id, changes)
    assert memory.get(made.id).version == 1


def test_an_unknown_id_is_named(memory: Memory) -> None:
    calls: tuple[Callable[[], object], ...] = (
        lambda: memory.get("no-such-id"),
        lambda: memory.delete(["no-such-id"]),
        lambda: memory.update("no-such-id", {"tier": "working"}),
    )
    for call in calls:
        with pytest.raises(NotFoundError, match="no-such-id"):
            call()


def test_a_deleted_record_is_found_no_more_by_any_way(memory: Memory) -> None:
    made = memory.add("The cache is Redis 7")
    memory.delete([made.id])
    assert memory.list(Query(statuses=frozenset())).total == 0
    for mode in SearchMode:
        assert memory.search("redis cache", mode=mode).hits == ()


def test_an_expired_record_is_invisible_at_once(memory: Memory, clock: Clock) -> None:
    made = memory.add("Use tabs in this session", ttl_seconds=60)
    clock.forward(seconds=61)
    assert memory.list(Query()).total == 0
    assert memory.search("tabs").hits == ()
    assert memory.overview().total == 0
    assert memory.get(made.id).id == made.id


def test_a_write_that_no_read_shows_says_so(memory: Memory, clock: Clock) -> None:
    made = memory.add("Use tabs in this session", ttl_seconds=60)
    clock.forward(seconds=61)
    assert "expired" in memory.update(made.id, {"content": "Use spaces"}).note
    assert memory.update(made.id, {"expires_at": None}).note is None
    assert "archived" in memory.update(made.id, {"status": "archived"}).note


def test_likenesses_added_at_once_are_seen_by_each_other(open_memory: Open) -> None:
    """Two agents' calls in parallel are judged as if one had come after the other."""
    memories = [open_memory(f"agent:{number}") for number in range(4)]
    texts = [
        "User prefers pytest over unittest",
        "The user prefers pytest over unittest.",
        "User prefers pytest over unittest!",
        "the user prefers pytest over unittest",
    ]
    together = threading.Barrier(len(texts))

    def add(memory: Memory, text: str) -> Any:
        memory.warm()
        together.wait(timeout=30)
        return memory.add(text, scope=ANA).outcome

    with ThreadPoolExecutor() as pool:
        outcomes = list(pool.map(add, memories, texts))
    assert outcomes.count("created") == 1, outcomes
    assert memories[0].list(Query()).total == 1
