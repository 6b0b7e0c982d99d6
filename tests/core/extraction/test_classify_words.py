"""Signals, exclusions, clauses, rewriting and corrections of single sentences."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.extraction.classify import clauses
from omp_core.extraction.classify.agent_words import acceptance, is_proposal, proposed, result_kind
from omp_core.extraction.classify.corrections import StatedCorrection, correction, replaced, settled
from omp_core.extraction.classify.cues_en import EN_CUES
from omp_core.extraction.classify.cues_zh import ZH_CUES
from omp_core.extraction.classify.exclusions import exclusion, is_question, is_recap
from omp_core.extraction.classify.general_statements import general_statement
from omp_core.extraction.classify.kinds import PRIORITY, Cue, Exclusion, Kind
from omp_core.extraction.classify.restatement import atomic
from omp_core.extraction.classify.scope_words import leading_kind
from omp_core.extraction.classify.signals import evidence, signals
from omp_core.extraction.classify.slots import slots


@pytest.mark.parametrize("cue", [*ZH_CUES, *EN_CUES], ids=lambda cue: cue.pattern[:40])
def test_every_cue_compiles_and_has_a_weight(cue: Cue) -> None:
    assert re.compile(cue.pattern).search("") is None
    assert 0.0 < cue.weight < 1.0
    assert cue.kind in PRIORITY


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        # the examples of the two seeds
        ("我喜欢用 Vim", Kind.PREFERENCE),
        ("我总是用 pytest", Kind.PREFERENCE),
        ("以后都这样写注释", Kind.DIRECTIVE),
        ("资深 Go 工程师，我是做支付的", Kind.IDENTITY),
        ("项目使用 React", Kind.SLOT),
        ("选择 YAML 格式", Kind.DECISION),
        ("v1.0 发布了", Kind.MILESTONE),
        ("之前试过 Redis 队列，吞吐不够", Kind.LESSON),
        ("svc 指的是订单服务", Kind.CONCEPT),
        ("I always use pytest", Kind.PREFERENCE),
        ("we decided to use YAML", Kind.DECISION),
        ("the staging url is https://stg.example.net", Kind.CONFIG),
    ],
)
def test_the_seeds_examples_are_seen(said: str, kind: Kind) -> None:
    assert leading_kind(signals(said)) is kind


def test_signals_come_by_priority_and_overlapping_ones_count_once() -> None:
    found = signals("记住，预发环境是 https://stg.example.net，以后都用它")
    assert [one.priority for one in found] == sorted(one.priority for one in found)
    for kind in Kind:
        mine = sorted(
            (one.start, one.end) for one in found if one.kind is kind and one.end > one.start
        )
        assert all(end <= start for (_s, end), (start, _e) in pairwise(mine))


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=5))
def test_evidence_grows_with_each_signal_and_stays_below_one(weights: list[float]) -> None:
    from omp_core.extraction.classify.kinds import Signal

    found = [Signal(Kind.NORM, weight, n, n + 1) for n, weight in enumerate(weights)]
    whole = evidence(found, Kind.NORM)
    assert max(weights) <= whole + 1e-9
    assert whole < 1.0
    assert evidence(found, Kind.SLOT) == 0.0


@pytest.mark.parametrize(
    "said",
    [
        "这项目用啥数据库",
        "要不要加缓存",
        "do we use Redis",
        "what about tests",
        "是不是该用锁",
        "行吗",
    ],
)
def test_questions_without_a_mark(said: str) -> None:
    assert is_question(said)


@pytest.mark.parametrize(
    "said",
    [
        "你能不能每次改完都跑一遍 ruff",
        "can you keep showing me the diff",
        "文件里是啥就是啥",
        "do that then",
        "我怎么都行",
    ],
)
def test_what_only_looks_like_a_question(said: str) -> None:
    assert not is_question(said)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("这次不 squash", Exclusion.ONE_TIME),
        ("for now keep two machines", Exclusion.ONE_TIME),
        ("如果以后上 k8s 就用 Helm", Exclusion.HYPOTHETICAL),
        ("如果改了表结构，必须更新文档", None),
        ("maybe Redis", Exclusion.HYPOTHETICAL),
        ("I love this error", Exclusion.EMOTION),
        ("I like it when you show the diff", None),
        ("帮我改一下", Exclusion.TASK),
        ("本次迭代的目标是银联", None),
        ("我们用 Redis", None),
    ],
)
def test_exclusions(said: str, why: Exclusion | None) -> None:
    assert exclusion(said) is why


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("数据库是 PostgreSQL 15，消息队列走的 RocketMQ", 2),
        ("lint 用 golangci-lint，版本锁 1.57，升上去会炸", 1),
        ("包管理用 uv，别给我生成 requirements.txt", 1),
        ("预发环境是 https://a.example.net ，线上是 https://b.example.net", 2),
        ("the web app is on Next.js 14, the API is a Fastify service", 2),
        ("we send mail with Postmark, not SendGrid", 1),
        ("发版只能周二和周四，周五禁止上线，这是公司红线", 1),
    ],
)
def test_a_sentence_is_cut_into_its_facts(said: str, parts: int) -> None:
    assert len(clauses.facts(said)) == parts


@given(st.text(alphabet="ab，,；;（）() \u4e2d\u6587", max_size=60))
def test_clauses_give_the_sentence_back(said: str) -> None:
    found = clauses.clauses(said)
    assert all(one.strip() for one in found)
    if said.strip():
        assert "".join(found).strip() == said.strip()


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("对了，以后都用 pnpm 哈", "以后都用 pnpm"),
        ("记住：一个 MR 只干一件事", "一个 MR 只干一件事"),
        ("讨论了项目结构之后，决定用 monorepo", "决定用 monorepo"),
        ("please remember that we ship on Tuesdays", "we ship on Tuesdays"),
        ("oh btw, we use Biome by the way", "we use Biome"),
        ("好的", "好的"),
        ("right-click opens the menu", "right-click opens the menu"),
        ("那就用 Redis 吧", "就用 Redis"),
    ],
)
def test_talk_becomes_a_statement(said: str, text: str) -> None:
    assert atomic(said) == text


@given(st.text(max_size=100))
def test_a_statement_is_left_as_it_is(text: str) -> None:
    once = atomic(text)
    assert atomic(once) == once
    assert bool(re.search(r"[^\W_]", once)) == bool(re.search(r"[^\W_]", text))


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("端口不是 8080，是 8090", StatedCorrection("8080", "8090")),
        ("三点和备份撞了，改成四点半", StatedCorrection("三点", "四点半")),
        ("it's 4000, not 3000", StatedCorrection("3000", "4000")),
        ("刚才说错了，用英文", StatedCorrection()),
        ("scratch that, end of April", StatedCorrection()),
        ("我从没说过我喜欢 Vue", StatedCorrection(retracts=True)),
        ("forget what I said about tabs", StatedCorrection(retracts=True)),
        ("我们用 Redis", None),
    ],
)
def test_corrections(said: str, change: StatedCorrection | None) -> None:
    assert correction(said) == change


def test_a_value_is_replaced_whole_only() -> None:
    change = StatedCorrection("80", "81")
    assert replaced("port 80 is taken", change) == "port 81 is taken"
    assert replaced("port 8080 is taken", change) is None
    assert settled("服务端口不是 8080，是 8090，前者被占") == "服务端口是 8090，前者被占"


def test_slots_name_key_and_value() -> None:
    (one,) = slots("数据库是 PostgreSQL 15")
    assert (one.key, one.value, one.single) == ("tech_stack.database", "PostgreSQL 15", True)
    assert slots("数据库挂了") == []
    assert slots("the database is down") == []


@pytest.mark.parametrize(
    "said",
    [
        "热更新走 HybridCLR",
        "主键全部用 UUIDv7",
        "saves are JSON, compressed with zstd",
        "we tag releases as vYYYY.MM.patch",
    ],
)
def test_general_statements(said: str) -> None:
    assert general_statement(said) > 0.7


@pytest.mark.parametrize(
    "said",
    [
        "行情接口今天又超时了",
        "这个接口走 HTTP",
        "把第二列去掉",
        "the page is empty",
        "this file is JSON",
        "add a map that is sorted",
        "it runs on Linux",
    ],
)
def test_what_happened_or_is_pointed_at_is_no_general_statement(said: str) -> None:
    assert general_statement(said) == 0.0


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("v0.9.0 已部署到生产环境", Kind.DEPLOYMENT),
        ("harbor-api v18 is deployed to production", Kind.DEPLOYMENT),
        ("已升级到 Go 1.23", Kind.SLOT),
        ("部署失败了，v0.9.0 没有上线", Kind.DEPLOYMENT),
        ("v0.9.0 的 tag 已经推送", None),
        ("改好了，测试通过", None),
        ("要现在部署到生产环境吗？", None),
        ("昨天已经把 v0.8.0 部署到生产环境", None),
    ],
)
def test_results_of_an_agent(said: str, kind: Kind | None) -> None:
    assert result_kind(said) is kind


def test_proposals_and_answers() -> None:
    assert is_proposal("我建议用 buildkit")
    assert proposed("我建议用 buildkit。") == "用 buildkit"
    assert proposed("I'd go with release_command since it runs once") == (
        "release_command since it runs once"
    )
    assert not is_proposal("errgroup 更合适")
    assert acceptance("好的，就这样") == "strong"
    assert acceptance("sounds good, do that") == "strong"
    assert acceptance("ok") == "weak"
    assert acceptance("好的吗？") is None
    assert acceptance("先看日志") is None
    assert is_recap("上次已经部署了")
