"""Summaries, and the seed's long session."""

from __future__ import annotations

import pytest
from core.services.conftest import Clock, Open

from omp_core.errors import InvalidValueError
from omp_core.language.sentences import estimate_tokens
from omp_core.memory import Memory
from omp_core.model import Query, Status, Tier

ROUND = (
    "好的，我看看。嗯，先跑一遍再说。你稍等一下，我把日志打开看看有没有什么奇怪的地方。"
    "{fact}。然后我又把文件翻了一遍，没有发现别的问题，辛苦了，我们接着往下走吧。"
)
FACTS = [
    "决定用 pnpm 9 代替 npm，原因是安装速度快",
    "2026-03-02 部署到 staging 成功，版本号 1.4.0",
    "教训：迁移脚本没有加锁导致订单表死锁，以后先停写再迁移",
    "待办：周五前把退款接口的契约测试补上，优先级高",
    "决定缓存过期时间统一为 10 分钟",
    "线上故障原因是磁盘写满，已经清理到 62%",
]


def fill(memory: Memory, clock: Clock) -> list[str]:
    ids = []
    for number in range(30):
        fact = FACTS[number % len(FACTS)] if number < 18 else "没什么特别的事情"
        receipt = memory.add(
            f"第 {number} 轮：" + ROUND.format(fact=fact), tier=Tier.SHORT_TERM, force=True
        )
        ids.append(receipt.id)
        clock.forward(minutes=5)
    return ids


def test_a_long_session_is_compressed_and_the_originals_give_way(
    open_memory: Open, clock: Clock
) -> None:
    """The orchestrator seed's first example: less of short-term memory, facts kept."""
    memory = open_memory(load_embedder=lambda _settings: None)
    ids = fill(memory, clock)
    before = sum(estimate_tokens(memory.get(one).content) for one in ids)
    made = memory.summarize(Tier.SHORT_TERM, max_tokens=500)
    quality = made.summary.quality
    assert quality.passed, quality
    assert estimate_tokens(made.summary.text) <= 500
    receipt = memory.apply_summary(made)
    short_term = memory.list(Query(tiers=frozenset({Tier.SHORT_TERM})))
    assert [record.id for record in short_term.records] == [receipt.id]
    after = estimate_tokens(short_term.records[0].content)
    assert after <= before * 0.3
    archived = memory.get(ids[0])
    assert (archived.status, archived.superseded_by) == (Status.ARCHIVED, receipt.id)
    memory.undo()
    assert memory.list(Query(tiers=frozenset({Tier.SHORT_TERM}))).total == 30


def test_a_record_that_changed_meanwhile_is_not_archived(open_memory: Open, clock: Clock) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    ids = fill(memory, clock)
    made = memory.summarize()
    memory.update(ids[3], {"content": "决定改用 bun"})
    memory.apply_summary(made)
    assert memory.get(ids[3]).status is Status.ACTIVE


def test_nothing_to_say_replaces_nothing(memory: Memory) -> None:
    made = memory.summarize()
    assert made.summary.text == ""
    with pytest.raises(InvalidValueError):
        memory.apply_summary(made)
    with pytest.raises(InvalidValueError):
        memory.summarize(max_tokens=0)
