"""Several servers and commands on one store, calls side by side, and a store that is away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import apsw
import pytest

from omp_core.project.workspace import init_workspace

LIMIT_S = 60
EACH = 12


def fact(which: int, number: int) -> str:
    return f"agent {which} counted {number} sheep in field {which * 100 + number}"


def test_two_servers_and_the_command_line_lose_nothing(place: Any) -> None:
    agents = [place.agent(name=f"agent {number}") for number in range(2)]
    shared = agents[0].call("add_memory", content="shared: start", user_id="ann")["id"]
    begun = []
    for number in range(EACH):
        for which, agent in enumerate(agents):
            text = fact(which, number)
            begun.append(agent.begin("add_memory", content=text, user_id="ann", force=True))
            begun.append(
                agent.begin(
                    "update_memory", mem_id=shared, content=f"shared: {which}/{number}", version=1
                )
            )
    typed = [place.omp("add", f"typed line {n}", "--user", "ann", "--force") for n in range(3)]
    assert [one.returncode for one in typed] == [0, 0, 0], typed
    for call in begun:
        assert not call.result(LIMIT_S).is_error

    memory = place.memory()
    contents = {record.content for record in memory.export()}
    for number in range(EACH):
        for which in range(2):
            assert fact(which, number) in contents
    assert {f"typed line {n}" for n in range(3)} <= contents

    record = memory.get(shared)
    kept = {record.content, *(one.incoming for one in record.disputes)}
    kept |= {(entry.before or {}).get("content") for entry in memory.history(shared)}
    assert {f"shared: {which}/{n}" for which in range(2) for n in range(EACH)} <= kept


def test_a_call_that_waits_holds_no_other_up(place: Any) -> None:
    agent = place.agent()
    agent.call("add_memory", content="Known before the lock")
    holder = apsw.Connection(str(place.store))
    holder.set_busy_timeout(LIMIT_S * 1000)
    holder.execute("BEGIN IMMEDIATE")
    waiting = agent.begin("add_memory", content="Waits for the lock to go")
    assert agent.call("get_memories")["total"] == 1
    assert not waiting.done()
    holder.execute("ROLLBACK")
    holder.close()
    assert not waiting.result(LIMIT_S).is_error
    assert agent.call("get_memories")["total"] == 2


def test_while_the_store_is_away_writes_wait_and_reads_say_so(place: Any) -> None:
    init_workspace(place.root)
    facts = place.root / "_omp" / "memory" / "project.yaml"
    facts.write_text(facts.read_text() + "\nbuild_tool: hatchling builds the wheels\n")
    blocked = place.root / "blocked"
    blocked.write_text("a file where the store's folder should be")
    agent = place.agent(store=blocked / "store.db")

    added = agent.call("add_memory", content="Written while the store was away", user_id="ann")
    assert added["outcome"] == "pending"
    assert "store.db" in added["degraded"]
    listed = agent.call("get_memories")
    assert any("hatchling" in one["content"] for one in listed["items"])
    assert "store.db" in listed["degraded"]
    assert "store.db" in agent.call("search_memories", query="hatchling")["degraded"]
    assert agent.call("memory_stats")["pending"] == 1
    assert "store.db" in agent.call("get_user_context", user_id="ann")["degraded"]
    assert agent.fails("list_conflicts")["error"] == "StoreUnavailable"
    assert agent.fails("get_memory", mem_id="some-id")["error"] == "StoreUnavailable"
    told = agent.call("extract", conversation="user: I prefer tabs over spaces in Go code")
    assert "store.db" in told["degraded"]

    blocked.unlink()
    blocked.mkdir()
    back = agent.call("add_memory", content="Written when it was back", user_id="ann")
    while back["outcome"] == "pending":
        back = agent.call("add_memory", content="Written when it was back", user_id="ann")
    assert back["outcome"] == "created"


def test_without_a_project_a_store_that_is_away_is_an_error(place: Any) -> None:
    blocked = place.root / "blocked"
    blocked.write_text("")
    agent = place.agent(store=blocked / "store.db")
    assert "--store" in agent.fails("add_memory", content="Nowhere to go")["message"]


def expired_and_lasting(place: Any) -> Any:
    memory = place.memory(clock=lambda: datetime.now(UTC) - timedelta(days=2))
    memory.add("Valid for an hour, two days ago", ttl_seconds=3600)
    memory.add("Valid for ever")
    return memory


def test_a_server_purges_at_its_start(place: Any, until: Any) -> None:
    memory = expired_and_lasting(place)
    agent = place.agent()
    until(lambda: memory.acts(limit=1)[0].kind == "purge")
    assert memory.acts(limit=1)[0].actor == "system"
    assert [record.content for record in memory.export()] == ["Valid for ever"]
    assert agent.call("memory_stats")["counts"] == {"total": 1, "active": 1, "expired": 0}


@pytest.mark.parametrize(
    ("environment", "settings"),
    [({"OMP_AUTO_PURGE": "0"}, {}), ({}, {"store": {"auto_purge": False}})],
)
def test_the_purge_can_be_switched_off(
    place: Any, until: Any, environment: dict[str, str], settings: Any
) -> None:
    memory = expired_and_lasting(place)
    place.configure(embed={"model": "hashing"}, **settings)
    agent = place.agent(**environment)
    until(lambda: list(place.store.parent.glob("backups/*")))  # the last thing at the start
    assert agent.call("memory_stats")["counts"]["expired"] == 1
    assert "purge" not in {act.kind for act in memory.acts()}
