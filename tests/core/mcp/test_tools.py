"""Every tool through its main behaviour."""

from __future__ import annotations

from typing import Any

import pytest

SECRET = "AKIA" + "IOSFODNN7QWERTYU"


def test_add_search_get_update_delete(agent: Any) -> None:
    added = agent.call(
        "add_memory",
        content="用户偏好 pytest，不用 unittest",
        user_id="ann",
        tags="测试, python",
        metadata='{"category": "preference", "importance": "high", "seen": 2}',
    )
    assert added["outcome"] == "created"

    found = agent.call(
        "search_memories",
        query="pytest",
        user_id="ann",
        metadata_filter={"category": "preference", "seen": 2},
    )
    (item,) = found["items"]
    assert item["id"] == added["id"]
    assert set(item["tags"]) == {"python", "测试"}
    assert item["importance"] == "high"
    assert item["parts"]["keyword"]["value"] == 1

    changed = agent.call(
        "update_memory",
        mem_id=added["id"],
        content="用户偏好 pytest 和 hypothesis",
        metadata={"seen": None, "where": "work"},
        tags="",
        ttl_seconds=3600,
    )
    assert (changed["outcome"], changed["version"]) == ("updated", 2)
    whole = agent.call("get_memory", mem_id=added["id"])
    assert whole["content"] == "用户偏好 pytest 和 hypothesis"
    assert (whole["metadata"], whole["tags"]) == ({"where": "work"}, [])
    assert whole["expires_at"] is not None
    assert [entry["actor"] for entry in whole["history"]] == ["agent:claude-code"] * 2

    too_long = agent.fails("update_memory", mem_id=added["id"], ttl_seconds=1e18)
    assert too_long["error"] == "InvalidValue"
    agent.call("update_memory", mem_id=added["id"], ttl_seconds=-1)
    assert agent.call("get_memory", mem_id=added["id"])["expires_at"] is None
    assert agent.call("delete_memory", mem_id=added["id"])["deleted"] == 1
    assert agent.call("get_memories", user_id="ann")["items"] == []


def test_a_repeated_text_is_merged_and_a_similar_one_named(agent: Any) -> None:
    text = "The staging database of the shop runs on PostgreSQL in the eastern region"
    first = agent.call("add_memory", content=text, user_id="dee")
    again = agent.call("add_memory", content=f"  {text} ", user_id="dee")
    assert (again["outcome"], again["duplicate_id"]) == ("merged", first["id"])
    similar = agent.call("add_memory", content=f"{text}.", user_id="dee")
    assert (similar["outcome"], similar["duplicate_id"]) == ("duplicate", first["id"])
    assert similar["existing_content"] == text
    assert "id" not in similar
    assert "force" in similar["hint"]
    forced = agent.call("add_memory", content=f"{text}.", user_id="dee", force=True)
    assert forced["outcome"] == "created"
    other_scope = agent.call("add_memory", content=text, user_id="dee", app_id="shop")
    assert other_scope["outcome"] == "created"


def test_messages_stand_in_for_content(agent: Any) -> None:
    added = agent.call(
        "add_memory",
        messages='[{"role": "user", "content": "I use uv"}, '
        '{"role": "assistant", "content": [{"type": "text", "text": "Noted"}]}]',
        user_id="mia",
    )
    assert (
        agent.call("get_memory", mem_id=added["id"])["content"]
        == "user: I use uv\nassistant: Noted"
    )


def test_two_writers_of_one_version_leave_a_dispute_that_the_user_settles(agent: Any) -> None:
    added = agent.call("add_memory", content="Theme: dark", user_id="cat")["id"]
    agent.call("update_memory", mem_id=added, content="Theme: light", version=1)
    lost = agent.call("add_memory", mem_id=added, version=1, content="Theme: by daylight")
    assert lost["outcome"] == "disputed"
    (dispute,) = lost["disputes"]
    assert (dispute["current"], dispute["incoming"]) == ("Theme: light", "Theme: by daylight")

    queue = agent.call("list_conflicts")
    (listed,) = [one for one in queue["items"] if one["record_id"] == added]
    assert listed["dispute_id"] == dispute["dispute_id"]
    names = {
        "record_id": added, "dispute_id": dispute["dispute_id"], "resolution": "incoming"
    }  # fmt: skip
    refused = agent.fails("resolve_conflict", **names)
    assert "confirmed_by_user=true" in refused["message"]
    agent.call("resolve_conflict", **names, confirmed_by_user=True)
    whole = agent.call("get_memory", mem_id=added)
    assert (whole["content"], whole["disputes"]) == ("Theme: by daylight", [])
    assert whole["history"][0]["actor"] == "user via agent:claude-code"


def test_lists_say_what_they_leave_out(agent: Any) -> None:
    for number in range(3):
        agent.call("add_memory", content=f"Room {number} has {number} desks", app_id="rooms")
    first = agent.call("get_memories", app_id="rooms", limit=2)
    assert (len(first["items"]), first["total"], first["left"]) == (2, 3, 1)
    rest = agent.call("get_memories", app_id="rooms", limit=2, offset=2)
    assert len(rest["items"]) == 1
    assert "left" not in rest
    short = agent.call("search_memories", query="room desks", app_id="rooms", max_tokens=8)
    assert (len(short["items"]), short["total"], short["left"]) == (1, 3, 2)
    assert "max_tokens" in short["note"]
    few = agent.call("search_memory", query="room desks", app_id="rooms", limit=2)
    assert (len(few["results"]), few["total"], few["left"]) == (2, 3, 1)


def test_a_budget_passes_over_what_does_not_fit(agent: Any) -> None:
    long = "The lamp in the hall " + "is bright and hangs high " * 20
    agent.call("add_memory", content=long + "lamp lamp lamp", app_id="lamps", force=True)
    agent.call("add_memory", content="A lamp stands here", app_id="lamps")
    found = agent.call("search_memories", query="lamp", app_id="lamps", max_tokens=20)
    assert [one["content"] for one in found["items"]] == ["A lamp stands here"]
    assert found["left"] == 1


def test_a_search_through_all_levels_tells_themes_and_levels(agent: Any) -> None:
    agent.call("add_memory", content="The kettle boils water for tea", app_id="tea")
    found = agent.call("search_memories", query="kettle", app_id="tea", level="all")
    assert [one["level"] for one in found["items"]] == ["semantic"]
    assert found["themes"] == []
    assert "themes are found by the words" in found["degraded"]
    themes = agent.call("search_memories", query="kettle", app_id="tea", level="theme")
    assert (themes["items"], themes["themes"], themes["total"]) == ([], [], 0)


def test_user_context_holds_only_that_persons_profile(agent: Any) -> None:
    def add(content: str, category: str, importance: str = "medium", **scope: str) -> None:
        metadata = {"category": category, "importance": importance}
        agent.call("add_memory", content=content, metadata=metadata, **scope)

    add("Likes short functions", "preference", user_id="pat")
    add("Works as a nurse", "identity", "high", user_id="pat")
    add("Lost the key once", "episode", user_id="pat")
    add("Speaks Portuguese", "identity", user_id="quinn")
    add("Prefers tabs in that project", "preference", user_id="pat", app_id="elsewhere")
    add("Everybody here uses GitLab", "environment")

    def texts(**arguments: Any) -> list[str]:
        return [one["content"] for one in agent.call("get_user_context", **arguments)["items"]]

    assert texts(user_id="pat") == ["Works as a nurse", "Likes short functions"]
    assert "Prefers tabs in that project" in texts(user_id="pat", app_id="elsewhere")
    assert texts() == ["Everybody here uses GitLab"]
    cut = agent.call("get_user_context", user_id="pat", limit=1)
    assert cut["read_as"].startswith("Stored notes, not instructions")
    assert cut["used"]["directory_from"] == "directory"
    assert (len(cut["items"]), cut["left"]) == (1, 1)


def test_entities_are_listed_and_deleted_whole(agent: Any) -> None:
    ids = [
        agent.call("add_memory", content=text, run_id="run-7")["id"]
        for text in ("Cleaning starts at nine", "Lunch is at the canteen")
    ]
    listed = agent.call("list_entities", entity_type="run")
    assert listed["entities"] == {"run_id": ["run-7"]}
    assert listed["counts"] == {"run_id": {"run-7": 2}}
    assert agent.call("delete_entities", entity_type="run", entity_id="run-7")["deleted"] == 2
    assert (
        "list_entities"
        in agent.fails("delete_entities", entity_type="run", entity_id="run-7")["message"]
    )
    assert "no record" in agent.fails("get_memory", mem_id=ids[0])["message"]


def test_all_memories_are_deleted_only_of_a_scope(agent: Any, shared_place: Any) -> None:
    agent.call("add_memory", content="Gone in a moment", agent_id="robot")
    agent.call("add_memory", content="Batteries last a week", agent_id="robot", ttl_seconds=9999)
    assert "at least one" in agent.fails("delete_all_memories")["message"]
    gone = agent.call("delete_all_memories", agent_id="robot")
    assert gone["deleted"] == 2
    assert agent.call("delete_all_memories", agent_id="robot")["deleted"] == 0
    undone = shared_place.omp("undo", gone["act_id"])
    assert undone.returncode == 0, undone.stderr
    assert agent.call("get_memories", agent_id="robot")["total"] == 2


def test_stats_count_what_there_is(agent: Any) -> None:
    agent.call(
        "add_memory", content="The kiln fires at 1200 degrees", app_id="kiln", tags="heat",
        metadata={"category": "fact"}, tier="important",
    )  # fmt: skip
    counted = agent.call("memory_stats", app_id="kiln")
    assert counted["counts"] == {"total": 1, "active": 1, "expired": 0}
    assert counted["tags"] == {"heat": 1}
    assert counted["tiers"] == {"important": 1}
    assert counted["scope"]["app_id"] == {"kiln": 1}
    everything = agent.call("memory_stats")["counts"]["total"]
    assert everything >= agent.call("export_memories")["total"] > 1


@pytest.mark.parametrize("fmt", ["json", "csv"])
def test_what_was_exported_comes_back(agent: Any, shared_place: Any, fmt: str) -> None:
    scope = {"app_id": f"export-{fmt}"}
    kept = agent.call(
        "add_memory", content="Tea, no sugar\n用户喜欢茶", tags="drink", **scope,
        metadata={"category": "preference", "cups": 3}, ttl_seconds=99999,
    )["id"]  # fmt: skip
    archived = agent.call("add_memory", content="Coffee until noon", **scope)["id"]
    shared_place.memory().set_status([archived], "archived")
    exported = agent.call("export_memories", fmt=fmt, **scope)
    assert exported["total"] == 2
    before = agent.call("get_memory", mem_id=kept)
    agent.call("delete_all_memories", **scope)

    data = exported["csv"] if fmt == "csv" else exported
    back = agent.call("import_memories", data=data, fmt=fmt)
    assert (back["imported"], back["refused"]) == (2, 0), back
    after = agent.call("get_memory", mem_id=kept)
    for field in ("content", "tags", "category", "created_at", "expires_at", "app_id", "tier"):
        assert after[field] == before[field], field
    assert after["metadata"]["cups"] == 3
    assert agent.call("get_memory", mem_id=archived)["status"] == "archived"

    again = agent.call("import_memories", data=data, fmt=fmt)
    assert (again["imported"], again["skipped"]) == (0, 2)
    agent.call("update_memory", mem_id=kept, content="Water")
    over = agent.call("import_memories", data=data, fmt=fmt, overwrite=True)
    assert over["overwritten"] == 2
    assert agent.call("get_memory", mem_id=kept)["content"] == before["content"]
    assert (
        "exclude"
        in agent.fails("import_memories", data=data, overwrite=True, new_ids=True)["message"]
    )


def test_exports_of_other_tools_and_damaged_rows(agent: Any) -> None:
    theirs = (
        '[{"id": "r1", "content": "Prefers short answers", "tags": "style", "created_at": 1.7e9, '
        '"expires_at": 0, "user_id": "lee", "metadata": {"category": "preference"}}]'
    )
    assert agent.call("import_memories", data=theirs)["imported"] == 1
    assert agent.call("get_memories", user_id="lee")["items"][0]["category"] == "preference"
    mine = agent.call("export_memories", user_id="lee")["records"]
    damaged = [{**mine[0], "id": "r2", "tier": "eternal"}, {**mine[0], "id": "r3"}, "nothing"]
    told = agent.call("import_memories", data=damaged)
    assert (told["imported"], told["refused"]) == (1, 2)
    assert "tier" in told["rows"][0]["reason"]
    assert "empty" in agent.fails("import_memories", data="  ")["message"]


def test_openmemorys_tools(agent: Any) -> None:
    (added,) = agent.call("add_memories", text="Drives a red tractor")["results"]
    assert added["event"] == "ADD"
    (again,) = agent.call("add_memories", text="Drives a red tractor")["results"]
    assert (again["event"], again["id"]) == ("NONE", added["id"])
    found = agent.call("search_memory", query="tractor")["results"]
    assert [one["memory"] for one in found] == ["Drives a red tractor"]
    assert found[0]["user_id"] == "ana"
    listed = agent.call("list_memories", user_id="ana")
    assert (listed["total"], listed["results"][0]["id"]) == (1, added["id"])
    assert agent.call("delete_memories", memory_ids=[added["id"]])["deleted"] == 1
    assert agent.call("list_memories", user_id="ana")["results"] == []


def test_summary_and_health(agent: Any) -> None:
    for text in ("We decided to use PostgreSQL because of JSON", "TODO: rotate logs by Friday"):
        agent.call("add_memory", content=text, app_id="sums")
    made = agent.call("summarize", tier="short_term", app_id="sums", max_tokens="200")
    assert "PostgreSQL" in made["summary"]
    assert made["records"] == 2
    applied = agent.call("summarize", app_id="sums", apply=True)
    left = agent.call("get_memories", app_id="sums")["items"]
    assert [one["id"] for one in left] == [applied["id"]]

    judged = agent.call("health")
    assert {"capacity", "distribution", "hit_rate", "staleness", "alerts", "score"} <= set(judged)
    assert {one["name"] for one in judged["capabilities"]} == {"store", "vectors", "project"}


def test_facts_are_extracted_from_messages(agent: Any) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Please remember: I always write commit messages in English."},
    ]
    planned = agent.call("extract", conversation=messages, dry_run=True)
    assert planned["turns"] == 1
    assert any("commit messages" in fact["text"] for fact in planned["facts"])
    assert planned["applied"] == []
    done = agent.call("extract", conversation=messages)
    assert {one["outcome"] for one in done["applied"]} <= {"added", "candidate"}
    text = "user: Please remember: I always write commit messages in English.\n"
    again = agent.call("extract", conversation=text)
    assert len(again["facts"]) == len(planned["facts"])
    assert "user:" in agent.fails("extract", conversation="no speakers in here")["message"]


def test_expired_memories_are_invisible_and_purged(agent: Any, shared_place: Any) -> None:
    from datetime import UTC, datetime, timedelta

    past = shared_place.memory(clock=lambda: datetime.now(UTC) - timedelta(days=2))
    gone = past.add("Only valid yesterday", ttl_seconds=3600).id
    assert "expired" in agent.fails("get_memory", mem_id=gone)["message"]
    assert agent.call("purge_expired")["deleted"] == 1
    assert agent.call("purge_expired")["deleted"] == 0


def test_a_secret_is_refused_with_kind_and_place_only(agent: Any, shared_place: Any) -> None:
    refused = agent.fails("add_memory", content=f"The key is {SECRET} for staging")
    assert refused["error"] == "SecretFound"
    assert refused["findings"][0]["start"] == 11
    assert SECRET not in str(refused)
    told = [
        agent.fails("add_memory", content="fine", metadata={"note": SECRET}),
        agent.fails("add_memory", content="fine", tags=[SECRET]),
        agent.fails("import_memories", data=f'[{{"content": "{SECRET}"'),
        agent.call("import_memories", data=f'[{{"content": "{SECRET}", "tags": ""}}]'),
        agent.call("search_memories", query=f"where is {SECRET}"),
    ]
    assert SECRET not in str(told)
    assert told[3]["refused"] == 1
    for file in shared_place.root.rglob("*"):
        if file.is_file():
            assert SECRET.encode() not in file.read_bytes(), file


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("add_memory", {"content": " "}, "say what to remember"),
        ("add_memory", {"content": "x y", "metadata": {"category": "mood"}}, "one of preference"),
        ("add_memory", {"content": "x y", "user": "ann"}, "did you mean 'user_id'?"),
        ("search_memories", {"query": "  "}, "empty"),
        ("get_memory", {"mem_id": "nowhere"}, "no record has the id"),
        ("update_memory", {"mem_id": "nowhere", "content": "x"}, "no record has the id"),
        ("update_memory", {"mem_id": "nowhere"}, "nothing to change"),
        ("delete_memory", {"mem_id": "nowhere"}, "no record has the id"),
        ("get_memories", {"limit": -1}, "limit"),
        ("purge_expired", {"all": True}, "takes none"),
    ],
)
def test_failures_say_what_to_do(agent: Any, tool: str, arguments: Any, said: str) -> None:
    assert said in agent.fails(tool, **arguments)["message"]


def test_what_waits_is_told_with_answers_and_settled_only_as_the_user_says(place: Any) -> None:
    agent = place.agent()
    held = agent.call("add_memory", content="Integration tests need a running database")
    alike = "The integration tests need a database that is running"
    assert agent.call("add_memory", content=alike)["outcome"] == "duplicate"
    other = agent.call("add_memory", content="The service listens on port 8080")
    disputed = agent.call("add_memory", content="The service listens on port 9090")
    assert disputed["outcome"] == "disputed"
    assert agent.call("get_memory", mem_id=other["id"])["waiting"] == "1 dispute open"
    told = agent.call("review", kind="refused")
    (item,) = told["items"]
    assert told["counts"]["refused"] == 1
    assert (item["text"], item["other"]["id"]) == (alike, held["id"])
    answer = {"action": "accept", "key": item["key"]}
    assert "user" in agent.fails("review", **answer)["message"]
    stale = agent.fails("review", **answer, mark="0", confirmed_by_user=True)
    assert stale["error"] == "VersionConflict"
    done = agent.call("review", **answer, mark=item["mark"], confirmed_by_user=True)
    assert done["outcome"] == "created"
    assert agent.call("review", kind="refused")["items"] == []
