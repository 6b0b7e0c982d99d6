"""The orchestrator's specification, step by step under its own headings.

Deviations, each made by the design: a `version` without an `id` is refused, since a number alone
names no memory; the providers chroma, lancedb and qdrant are refused with the names of those that
there are; summaries of less than some length are not held to threefold compression.
"""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from omp_core.errors import InvalidValueError, SettingsError, UsageError
from omp_core.memory import Memory
from omp_core.model import Tier
from omp_core.orchestrator import act
from omp_core.settings import Settings


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 2, 2, 10, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with Memory.open(
        workspace=tmp_path,
        store=tmp_path / "store.db",
        settings=Settings(),
        clock=clock,
        load_embedder=lambda _settings: None,
    ) as opened:
        yield opened


def fill(memory: Memory, tier: Tier, count: int) -> None:
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
    for number in range(count):
        first, second = words[number % 10], words[number // 10 % 10]
        memory.add(f"{first} {second} {tier} topic {number * 7919}", tier=tier, force=True)


def test_step_one_add_a_memory(memory: Memory) -> None:
    """使用流程, 第一步：添加记忆"""
    told = act(
        memory,
        {
            "action": "add",
            "content": "用户喜欢喝咖啡，不加糖，每周三下午喝奶茶",
            "type": "long-term",
            "persist": True,
        },
    )
    assert (told["success"], told["type"], told["version"]) == (True, "long-term", 1)
    told = act(
        memory,
        {
            "action": "add",
            "content": "用户是项目负责人，最终决策权在用户",
            "type": "important",
            "persist": True,
        },
    )
    assert memory.get(str(told["id"])).tier is Tier.IMPORTANT


def test_faq_one_the_type_is_short_term_unless_said(memory: Memory) -> None:
    """FAQ, Q1：日常使用只需指定 type（默认 short-term）"""
    told = act(memory, {"action": "add", "content": "The lift is out of order"})
    assert told["type"] == "short-term"


def test_what_is_not_persisted_ends_by_itself(memory: Memory) -> None:
    told = act(memory, {"action": "add", "content": "Room 4 is taken today", "persist": False})
    record = memory.get(str(told["id"]))
    assert record.expires_at is not None
    assert record.expires_at - record.created_at == timedelta(hours=24)


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_step_two_search(memory: Memory, mode: str) -> None:
    """使用流程, 第二步：检索记忆；FAQ, Q2：没有向量数据库时降级"""
    act(memory, {"action": "add", "content": "用户喜好：喝咖啡不加糖", "type": "long-term"})
    told = act(memory, {"action": "search", "query": "用户喜好", "limit": 3, "searchMode": mode})
    (found,) = told["results"]
    assert found["content"] == "用户喜好：喝咖啡不加糖"
    assert ("degraded" in told) == (mode != "keyword")


def test_a_search_may_be_held_to_a_type(memory: Memory) -> None:
    """示例一, 3：typeFilter"""
    act(memory, {"action": "add", "content": "最近讨论：部署窗口", "type": "working"})
    act(memory, {"action": "add", "content": "最近讨论：数据库选型", "type": "long-term"})
    told = act(
        memory,
        {
            "action": "search",
            "query": "最近讨论",
            "typeFilter": "working",
            "limit": 5,
            "searchMode": "keyword",
        },
    )
    assert [one["type"] for one in told["results"]] == ["working"]


def test_step_three_summarize(memory: Memory) -> None:
    """使用流程, 第三步：生成摘要"""
    for number in range(8):
        memory.add(
            f"Decision {number}: the service {'abcdefgh'[number]}-api runs on port {4000 + number} "
            "because the old one was taken. Thanks a lot for looking into it, really."
        )
    told = act(memory, {"action": "summarize", "typeFilter": "short-term", "maxTokens": 500})
    assert set(told["quality"]) >= {"retention", "compression", "readability", "accuracy"}
    assert told["records"] == 8


def test_step_four_health(memory: Memory) -> None:
    """使用流程, 第四步：检查健康度；示例三：18/20 和 87/100 各告警一次"""
    fill(memory, Tier.WORKING, 18)
    fill(memory, Tier.SHORT_TERM, 88)
    told = act(memory, {"action": "health"})
    capacity = told["capacity"]
    assert capacity["working"] == {"used": 18, "limit": 20, "utilization": 0.9}
    assert capacity["short_term"]["used"] == 88
    assert capacity["long_term"]["limit"] is None
    levels = [alert["level"] for alert in told["alerts"]]
    assert levels.count("warning") == 2
    assert set(told) >= {"capacity", "distribution", "hit_rate", "staleness", "alerts"}


def test_step_five_save_and_load(memory: Memory, tmp_path: Path) -> None:
    """使用流程, 第五步：持久化与加载"""
    file = str(tmp_path / "my-memory.json")
    added = act(memory, {"action": "add", "content": "Backups go to the vault"})
    assert act(memory, {"action": "save", "persistPath": file})["saved"] == 1
    memory.delete([str(added["id"])])
    assert act(memory, {"action": "load", "persistPath": file})["loaded"] == 1
    assert memory.get(str(added["id"])).content == "Backups go to the vault"


def test_example_two_both_versions_of_a_field_stay_until_a_person_chooses(memory: Memory) -> None:
    """示例二：多 Agent 共享记忆"""
    first = act(memory, {"action": "add", "content": "用户偏好浅色模式", "type": "long-term"})
    named = {"action": "add", "id": first["id"], "version": 1, "type": "long-term"}
    agent_a = act(memory, {**named, "content": "用户偏好深色模式"})
    assert agent_a["version"] == 2
    agent_b = act(memory, {**named, "content": "用户偏好自动切换"})
    (conflict,) = agent_b["conflict"]
    assert (conflict["current"], conflict["incoming"]) == ("用户偏好深色模式", "用户偏好自动切换")
    assert conflict["choices"] == ["current", "incoming", "both"]
    settled = act(
        memory,
        {
            "action": "resolve",
            "id": first["id"],
            "dispute": conflict["dispute"],
            "choice": "incoming",
        },
    )
    assert memory.get(str(first["id"])).content == "用户偏好自动切换"
    assert settled["version"] > agent_b["version"]


def test_a_version_without_an_id_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidValueError, match="id"):
        act(memory, {"action": "add", "content": "用户偏好深色模式", "version": 3})


def test_seven_configure(memory: Memory, tmp_path: Path) -> None:
    """7. 模块化扩展接口"""
    told = act(memory, {"action": "configure", "semantic": {"provider": "none", "path": "./.x"}})
    assert told["configured"] == {"semantic.provider": "none"}
    assert "provider: none" in (tmp_path / "config/omp-tui/config.yaml").read_text("utf-8")
    with pytest.raises(SettingsError, match=r"semantic\.provider"):
        act(memory, {"action": "configure", "semantic": {"provider": "faiss"}})


def test_input_format(memory: Memory) -> None:
    """输入格式：input, options, callback_url"""
    told = act(
        memory,
        {
            "input": json.dumps({"action": "add", "content": "The canteen closes at two"}),
            "options": {"type": "working"},
        },
    )
    assert told["type"] == "working"
    for wrong in ({"action": "fly"}, {}, {"input": "no JSON"}, {"action": "add"}):
        with pytest.raises(InvalidValueError):
            act(memory, wrong)


@pytest.mark.parametrize(
    "url", ["http://example.org/x", "https://example.org/x", "file:///etc/passwd", "https://["]
)
def test_a_callback_that_nobody_allowed_stops_the_action(memory: Memory, url: str) -> None:
    with pytest.raises(UsageError, match="callback_url"):
        act(memory, {"action": "add", "content": "Said to nobody", "callback_url": url})
    assert memory.list().total == 0


def test_an_allowed_callback_is_told_the_result(tmp_path: Path) -> None:
    heard: list[Any] = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(503 if len(heard) == 1 else 204)
            self.end_headers()

        def log_message(self, *_given: object) -> None:
            """Say nothing on standard error."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings = msgspec.structs.replace(
        Settings(),
        network=msgspec.structs.replace(
            Settings().network, callback_hosts=("127.0.0.1",), callback_pause_s=0.01
        ),
    )
    try:
        with Memory.open(
            workspace=tmp_path,
            store=tmp_path / "store.db",
            settings=settings,
            load_embedder=lambda _settings: None,
        ) as memory:
            url = f"http://127.0.0.1:{server.server_port}/done"
            told = act(memory, {"action": "add", "content": "Heard twice", "callback_url": url})
    finally:
        server.shutdown()
        server.server_close()
    assert told["callback"] == {"delivered": True, "status": 204, "tries": 2}
    assert [one["id"] for one in heard] == [told["id"]] * 2
