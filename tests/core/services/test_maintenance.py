"""Maintenance and the seed's daily patrol."""

from __future__ import annotations

import stat
from typing import Any

import pytest
from core.services.conftest import Clock, Open

from omp_core.memory import Memory
from omp_core.model import Importance, Query, SearchMode, Status, Tier
from omp_core.store.protocol import Batch
from omp_core.store.sqlite import SqliteStore

ALL = Query(statuses=frozenset(), include_expired=True)


def fill(memory: Memory, tier: Tier, number: int, word: str = "fact") -> list[str]:
    return [
        memory.add(f"{word} number {one} of tier {tier}", tier=tier, force=True).id
        for one in range(number)
    ]


def used(memory: Memory) -> dict[str, int]:
    return {use.tier: use.used for use in memory.overview().tiers}


def test_a_write_that_overflows_working_memory_promotes_the_oldest(
    open_memory: Open, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    for number in range(25):
        memory.add(f"step {number}", tier=Tier.WORKING)
        clock.forward(seconds=1)
    assert used(memory) == {"working": 20, "short-term": 5, "long-term": 0, "important": 0}
    promoted = memory.list(Query(tiers=frozenset({Tier.SHORT_TERM}))).records
    assert {record.content for record in promoted} == {f"step {number}" for number in range(5)}


def test_what_makes_room_by_itself_is_in_the_cleanup_log(open_memory: Open, clock: Clock) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    for number in range(22):
        memory.add(f"step {number}", tier=Tier.WORKING)
        clock.forward(seconds=1)
    log = memory._session.store_path.with_name("memory-cleanup.log")
    lines = log.read_text().splitlines()
    assert [line.split("(full) ")[1] for line in lines] == ["step 0", "step 1"]
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_log_that_cannot_be_written_fails_no_add_and_no_read(
    open_memory: Open, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    memory._session.store_path.with_name("memory-cleanup.log").mkdir()
    for number in range(21):
        assert memory.add(f"step {number}", tier=Tier.WORKING).outcome == "created"
    assert used(memory)["working"] == 20


def test_maintenance_that_meets_a_writer_plans_anew(
    open_memory: Open, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, other = open_memory(load_embedder=lambda _settings: None), open_memory("agent:other")
    unread = memory.add("short-term, soon unread").id
    clock.forward(days=8)
    commit = type(memory._availability.store()).commit

    def commit_after_a_write(store: SqliteStore, batch: Batch) -> Any:
        monkeypatch.undo()
        other.update(unread, {"importance": "high"})
        return commit(store, batch)

    monkeypatch.setattr(type(memory._availability.store()), "commit", commit_after_a_write)
    report = memory.maintain()
    assert [move.id for move in report.moved] == [unread]
    held = memory.get(unread)
    assert (held.tier, held.importance) == (Tier.LONG_TERM, Importance.HIGH)


def test_a_purge_leaves_what_somebody_prolongs_meanwhile(
    open_memory: Open, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, other = open_memory(), open_memory("agent:other")
    kept = memory.add("the guest network is open", ttl_seconds=3600).id
    memory.add("lunch comes late today", ttl_seconds=3600)
    clock.forward(hours=2)
    commit = type(memory._availability.store()).commit

    def commit_after_a_write(store: SqliteStore, batch: Batch) -> Any:
        monkeypatch.undo()
        other.update(kept, {"expires_at": None})
        return commit(store, batch)

    monkeypatch.setattr(type(memory._availability.store()), "commit", commit_after_a_write)
    memory.purge()
    assert [record.id for record in memory.list(ALL).records] == [kept]
    assert (
        "(expired) lunch comes late today"
        in memory._session.store_path.with_name("memory-cleanup.log").read_text()
    )


def test_maintenance_moves_archives_logs_and_is_quiet_the_second_time(
    open_memory: Open, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    unread = memory.add("short-term, soon unread").id
    important = memory.add("never cleaned", tier=Tier.IMPORTANT, ttl_seconds=60).id
    expiring = memory.add("long-term, expires", tier=Tier.LONG_TERM, ttl_seconds=3600).id
    faded = memory.add("long-term, fades", tier=Tier.LONG_TERM, confidence=0.8).id
    clock.forward(days=8)
    dry = memory.maintain(dry_run=True)
    assert {move.id for move in dry.moved} == {unread, expiring}
    assert memory.get(unread).tier is Tier.SHORT_TERM
    first = memory.maintain()
    assert {move.id: move.reason for move in first.moved} == {
        unread: "unread",
        expiring: "expired",
    }
    assert memory.get(unread).tier is Tier.LONG_TERM
    assert memory.get(expiring).status is Status.ARCHIVED
    assert memory.maintain().moved == ()
    clock.forward(days=100)
    later = memory.maintain()
    assert (later.moved, later.proposals) == ((), 2)
    assert {proposal.record.id for proposal in memory.proposals()} == {unread, faded}
    assert memory.get(faded).status is Status.ACTIVE
    assert memory.get(important).status is Status.ACTIVE
    assert memory.maintain().moved == ()
    log = memory._session.store_path.with_name("memory-cleanup.log").read_text()
    for record_id, reason in ((unread, "unread"), (expiring, "expired")):
        assert any(record_id in line and reason in line for line in log.splitlines())
    memory.undo(first.act_ids[0])
    assert memory.get(expiring).status is Status.ACTIVE


def test_well_remembered_records_are_asked_about_and_not_archived(
    open_memory: Open, clock: Clock
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    kept = memory.add("often read", tier=Tier.LONG_TERM, importance=Importance.HIGH).id
    for _read in range(8):
        memory._availability.store().touch([kept], clock.at)
    clock.forward(days=200)
    assert memory.maintain().moved == ()
    (proposal,) = memory.proposals()
    assert proposal.record.id == kept
    assert proposal.unread_days == 200


def test_reading_a_long_term_record_lifts_it(open_memory: Open, clock: Clock) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    held = memory.add("the cache is Redis 7", tier=Tier.LONG_TERM).id
    short = fill(memory, Tier.SHORT_TERM, 100)
    clock.forward(hours=1)
    memory._availability.store().touch(short[1:], clock.at)
    memory.get(held, access=True)
    assert memory.get(held).tier is Tier.SHORT_TERM
    assert memory.get(short[0]).tier is Tier.LONG_TERM
    assert used(memory)["short-term"] == 100
    assert memory.get(held).access_count == 1


def test_reading_changes_no_version_that_a_writer_is_based_on(open_memory: Open) -> None:
    agent, reader = open_memory("agent:a"), open_memory("agent:b")
    made = agent.add("the cache is Redis 7", tier=Tier.LONG_TERM)
    reader.get(made.id, access=True)
    assert agent.update(made.id, {"content": "the cache is Redis 8"}, based_on=1).outcome == (
        "updated"
    )


def test_the_daily_patrol(open_memory: Open, clock: Clock) -> None:
    """The orchestrator seed's third example: alerts, their cures, and quiet afterwards."""
    memory = open_memory(load_embedder=lambda _settings: None)
    fill(memory, Tier.LONG_TERM, 23, "stale")
    clock.forward(days=45)
    fill(memory, Tier.LONG_TERM, 53, "fresh")
    fill(memory, Tier.IMPORTANT, 15)
    fill(memory, Tier.SHORT_TERM, 87)
    fill(memory, Tier.WORKING, 18)
    for number in range(10):
        found = "fact" if number < 2 else "zzqx vvkw"
        memory.search(found, query=Query(tiers=frozenset({Tier.IMPORTANT})))
    report = memory.health()
    alerts = {alert.id: alert for alert in report.view.alerts}
    assert {alert.id: alert.level for alert in report.view.alerts} == {
        "working-full": "warning",
        "short-term-full": "warning",
        "hit-rate-low": "warning",
        "stale": "info",
    }
    assert alerts["working-full"].number == 5
    memory.fix("working-full")
    memory.fix("short-term-full")
    after = used(memory)
    assert after["working"] <= 15
    assert after["short-term"] <= 85
    raised = {alert.id for alert in memory.health().view.alerts}
    assert not raised & {"working-full", "short-term-full"}
    assert memory.fix("hit-rate-low").outcome == "unchanged"
    memory.fix("stale")
    assert "stale" not in {alert.id for alert in memory.health().view.alerts}


def test_two_agents_share_a_preference(open_memory: Open) -> None:
    """The orchestrator seed's second example, with the version numbers it states."""
    a, b = open_memory("agent:a"), open_memory("agent:b")
    made = a.add("用户偏好主题色", tier=Tier.LONG_TERM)
    a.update(made.id, {"metadata.n": 1})
    a.update(made.id, {"metadata.n": 2})
    seen = {
        agent: agent.search("用户偏好 主题色", mode=SearchMode.KEYWORD, browse=True)
        .hits[0]
        .record.version
        for agent in (a, b)
    }
    assert set(seen.values()) == {3}
    first = a.add("用户偏好深色模式", tier=Tier.LONG_TERM, id=made.id, version=3)
    assert (first.outcome, first.record.version) == ("updated", 4)
    second = b.add("用户偏好自动切换", tier=Tier.LONG_TERM, id=made.id, version=3)
    assert second.outcome == "disputed"
    (waiting,) = a.disputes()
    assert (waiting.dispute.current, waiting.dispute.incoming) == (
        "用户偏好深色模式",
        "用户偏好自动切换",
    )
    settled = a.resolve(made.id, waiting.dispute.id, "both")
    contents = {record.content for record in a.list(Query()).records}
    assert contents == {"用户偏好深色模式", "用户偏好自动切换"}
    assert settled.record.disputes == ()


def test_expired_rows_are_removed_by_purge_but_never_important_ones(
    memory: Memory, clock: Clock
) -> None:
    gone = memory.add("the guest network is open", ttl_seconds=3600).id
    kept = memory.add("the vault has to be sealed again", ttl_seconds=3600, tier=Tier.IMPORTANT).id
    clock.forward(hours=2)
    memory.purge()
    assert {record.id for record in memory.list(ALL).records} == {kept}
    assert memory.purge().outcome == "unchanged"
    assert gone != kept
