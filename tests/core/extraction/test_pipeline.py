"""What becomes of each kind of sentence, and why."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omp_core.extraction.classify.kinds import Route, ScopeKind
from omp_core.extraction.pipeline import extract
from omp_core.extraction.report import ExtractionReport, Reason, Stage, explain
from omp_core.model import Category, Source, Temporality
from omp_core.settings import ConfidenceSettings, Settings

Says = Callable[..., ExtractionReport]


@pytest.mark.parametrize(
    ("said", "reason", "stage"),
    [
        ("我们这个项目 CI 用的是什么？", Reason.QUESTION, Stage.SIGNALS),
        ("do we always squash", Reason.QUESTION, Stage.SIGNALS),
        ("这次用 tabs 缩进", Reason.ONE_TIME, Stage.SCOPE),
        ("just this once use tabs, I always use spaces", Reason.ONE_TIME, Stage.SCOPE),
        ("也许以后可以都换成 Rust", Reason.HYPOTHETICAL, Stage.SCOPE),
        ("maybe we should always use Redis", Reason.HYPOTHETICAL, Stage.SCOPE),
        ("我永远讨厌这个 bug", Reason.EMOTION, Stage.SCOPE),
        ("I really hate this error message", Reason.EMOTION, Stage.SCOPE),
        ("帮我写一个以后都能用的脚本", Reason.TASK, Stage.SCOPE),
        ("好的", Reason.TRIVIAL, Stage.ROT),
        ("thanks!", Reason.TRIVIAL, Stage.ROT),
        ("这个按钮往左边挪一点点", Reason.NO_SIGNAL, Stage.SIGNALS),
        ("> we always use fallback path /data/tmp", Reason.QUOTED, Stage.QUOTATION),
        ("```\n以后都用 npm\n```", Reason.QUOTED, Stage.QUOTATION),
        ("2026-03-02 02:00:11 WARN we always use UTC", Reason.QUOTED, Stage.QUOTATION),
    ],
)
def test_what_is_not_kept_says_why(says: Says, said: str, reason: Reason, stage: Stage) -> None:
    report = says(said)
    assert report.facts == ()
    (verdict,) = report.sentences
    assert (verdict.verdict, verdict.reason, verdict.stage) == ("dropped", reason, stage)
    assert explain(verdict.reason)


@pytest.mark.parametrize(
    ("said", "route", "category", "scope"),
    [
        ("我习惯用 pytest，不用 unittest", Route.USER, Category.PREFERENCE, ScopeKind.PERSONAL),
        ("from now on use pnpm", Route.USER, Category.PREFERENCE, ScopeKind.PERSONAL),
        ("我是后端工程师", Route.USER, Category.IDENTITY, ScopeKind.PERSONAL),
        (
            "my laptop is a ThinkPad with Fedora",
            Route.USER,
            Category.ENVIRONMENT,
            ScopeKind.PERSONAL,
        ),
        ("项目的数据库是 PostgreSQL 15", Route.PROJECT, Category.ENVIRONMENT, ScopeKind.PROJECT),
        ("we deploy with Argo CD", Route.PROJECT, Category.ENVIRONMENT, ScopeKind.PROJECT),
        ("我们决定用 monorepo", Route.DECISIONS, Category.DECISION, ScopeKind.PROJECT),
        ("v1.2.0 is out", Route.CHANGELOG, Category.EPISODE, ScopeKind.PROJECT),
        ("项目里 `svc` 指的是订单服务", Route.PROJECT, Category.CONCEPT, ScopeKind.PROJECT),
        ("我们试过 Redis 队列，吞吐不够", Route.PROJECT, Category.ANTI_PATTERN, ScopeKind.PROJECT),
        ("本次迭代的目标是降低延迟", Route.USER, Category.FACT, ScopeKind.PROJECT),
    ],
)
def test_each_kind_goes_where_it_belongs(
    says: Says, said: str, route: Route, category: Category, scope: ScopeKind
) -> None:
    (fact,) = says(said).facts
    assert (fact.route, fact.category, fact.scope) == (route, category, scope)
    assert fact.status == "stored"


def test_several_facts_of_one_sentence_are_kept_apart(says: Says) -> None:
    report = says("我习惯用 tabs，喜欢简洁的代码，项目用的是 Python 3.11")
    assert [fact.text for fact in report.facts] == [
        "我习惯用 tabs",
        "喜欢简洁的代码",
        "项目用的是 Python 3.11",
    ]


def test_asked_for_is_surest(says: Says) -> None:
    asked, stated = (
        says("记住：提交信息用英文").facts[0],
        says("提交信息都用英文").facts[0],
    )
    assert asked.confidence > stated.confidence
    assert asked.confidence >= Settings().confidence.explicit_from
    assert asked.text == "提交信息用英文"


def test_half_sure_waits_for_a_person(says: Says) -> None:
    (fact,) = says("别用三元表达式嵌套").facts
    assert fact.status == "candidate"
    assert 0.4 <= fact.confidence < 0.7


def test_thresholds_come_from_settings(says: Says) -> None:
    strict = Settings(confidence=ConfidenceSettings(drop_below=0.65, store_from=0.99))
    assert says("别用三元表达式嵌套", settings=strict).facts == ()
    assert says("我习惯用 pytest", settings=strict).facts[0].status == "candidate"


def test_repeating_raises_confidence_and_keeps_one(says: Says) -> None:
    once = says("别用三元表达式嵌套")
    twice = says("别用三元表达式嵌套", "别用三元表达式嵌套啊")
    (fact,) = twice.facts
    assert fact.confidence > once.facts[0].confidence
    assert fact.status == "stored"
    assert [one.verdict for one in twice.sentences] == ["stored", "merged"]


def test_texts_that_differ_in_a_number_are_no_repetition(says: Says) -> None:
    report = says("NOAA 的接口每小时限 1000 次", "NOAA 的接口每小时限 2000 次")
    assert len(report.facts) == 2


def test_a_correction_replaces_what_it_corrects(says: Says) -> None:
    report = says("服务端口是 8080", "啊不对，服务端口不是 8080，是 8090")
    (fact,) = report.facts
    assert fact.text == "服务端口是 8090"
    assert fact.values == (("services.main.port", 8090),)
    assert fact.supersedes == (report.withdrawn[0][0],)
    assert report.sentences[0].reason is Reason.CORRECTED


def test_a_correction_that_is_no_sentence_of_its_own_gets_its_subject(says: Says) -> None:
    report = says(("A", "I created fly.toml for the API with port 3000."), "it's 4000, not 3000")
    (fact,) = report.facts
    assert "port 4000" in fact.text
    assert "API" in fact.text


def test_the_later_value_of_a_single_property_wins(says: Says) -> None:
    report = says("数据库是 PostgreSQL 15", "数据库是 MySQL 8，升级完了再说")
    assert [fact.text for fact in report.facts if fact.key_path == "tech_stack.database"] == [
        report.facts[-1].text
    ]


def test_what_is_taken_back_is_gone(says: Says) -> None:
    report = says("我喜欢用 Vue 写前端", "我从来没说过我喜欢 Vue")
    assert report.facts == ()
    assert [one.reason for one in report.sentences] == [Reason.RETRACTED, Reason.RETRACTS]


def test_an_agent_counts_only_with_results(says: Says) -> None:
    report = says(
        ("A", "我可以采用策略模式，也可以都用函数。"),
        ("A", "已成功部署到生产环境，版本 v1.4.0，地址 https://app.example.net 。"),
        ("A", "部署失败了：镜像拉取超时。"),
        ("A", "上次已经把 v1.3.0 部署到了预发环境。"),
    )
    fact, failed = report.facts
    assert dict(failed.values) == {"deployment.main.status": "failed"}
    assert fact.source is Source.SYSTEM
    assert fact.confidence < 0.9
    assert dict(fact.values) == {
        "deployment.production.version": "v1.4.0",
        "deployment.production.url": "https://app.example.net",
        "deployment.production.status": "active",
    }
    assert {one.reason for one in report.sentences if one.verdict == "dropped"} == {Reason.AGENT}


@pytest.mark.parametrize("answer", ["好的，就这样", "sounds good, go with that", "听你的"])
def test_a_proposal_that_is_taken_up_is_an_inferred_decision(says: Says, answer: str) -> None:
    report = says(("A", "两种都行。我建议用 buildkit，kaniko 已经停止维护。"), answer)
    (fact,) = report.facts
    assert fact.route is Route.DECISIONS
    assert fact.source is Source.INFERRED
    assert "buildkit" in fact.text
    assert 0.7 <= fact.confidence < 0.9
    assert report.sentences[-1].reason is Reason.CONFIRMED


def test_a_bare_yes_to_a_proposal_only_asks(says: Says) -> None:
    (fact,) = says(("A", "I'd suggest Vitest for the unit tests."), "ok").facts
    assert fact.status == "candidate"


def test_an_ignored_proposal_and_another_session_decide_nothing(says: Says) -> None:
    assert says(("A", "我建议用 buildkit。"), "先看下日志").facts == ()


def test_a_decision_knows_its_question_and_alternatives(says: Says) -> None:
    (fact,) = says(("A", "OneSignal or FCM?"), "let's go with FCM because it is free").facts
    assert fact.decision is not None
    assert fact.decision.choice == "FCM"
    assert fact.decision.rationale == "it is free"
    assert fact.decision.alternatives == ("OneSignal",)
    assert fact.decision.context == "OneSignal or FCM?"


def test_third_parties_are_masked_everywhere_and_only_proposed(says: Says) -> None:
    report = says("我同事 alice 说 report 模块的单测特别慢", "alice 的分支必须先合")
    assert "alice" not in repr(report)
    assert report.facts[0].status == "candidate"
    assert report.facts[0].text.startswith("团队某成员")


def test_a_secret_blocks_its_sentence_and_no_other(says: Says) -> None:
    key = "sk-" + "proj-" + "a1B2c3D4e5" * 4
    report = says(f"我习惯用 pytest。我的 api key 是 {key}，记住它。")
    assert [one.verdict for one in report.sentences] == ["stored", "blocked"]
    assert key not in repr(report)


def test_contextual_facts_end(says: Says) -> None:
    (fact,) = says("this sprint is about getting churn down").facts
    assert fact.temporality is Temporality.CONTEXTUAL
    assert fact.at is not None
    assert fact.expires_at == fact.at + timedelta(days=30)


def test_a_memory_that_says_the_same_makes_it_a_proposal(says: Says) -> None:
    def similar(_fact: object) -> tuple[str, float]:
        return "r1", 0.9

    report = says("我习惯用 pytest，不用 unittest", similar=similar)
    (fact,) = report.facts
    assert (fact.status, fact.similar_to, fact.similarity) == ("candidate", "r1", 0.9)
    assert report.sentences[0].reason is Reason.KNOWN


def test_progress_is_told_turn_by_turn_from_a_stream(says: Says, labelled: Any) -> None:
    turns = labelled("heldout").turns
    seen: list[int] = []
    report = extract(iter(turns), Settings(), turns[0].at or _now(), progress=seen.append)
    assert seen == list(range(1, len(turns) + 1))
    assert report.turns == len(turns)


def _now() -> Any:
    from datetime import UTC, datetime

    return datetime(2026, 6, 3, tzinfo=UTC)


@pytest.mark.parametrize("name", ["zh", "en", "mixed"])
def test_the_same_transcript_gives_the_same_hashes_all_distinct(labelled: Any, name: str) -> None:
    turns = labelled(name).turns
    first = extract(turns, Settings(), _now())
    second = extract(turns, Settings(), _now() + timedelta(days=3))
    hashes = [fact.source_hash for fact in first.facts]
    assert hashes == [fact.source_hash for fact in second.facts]
    assert len(set(hashes)) == len(hashes)


@given(cut=st.integers(1, 289))
@settings(max_examples=8, deadline=None)
def test_a_longer_transcript_loses_no_fact_but_what_it_withdraws(cut: int) -> None:
    turns = _zh()
    part = {fact.source_hash for fact in extract(turns[:cut], Settings(), _now()).facts}
    whole = extract(turns, Settings(), _now())
    gone = {source for source, _at in whole.withdrawn}
    assert part <= {fact.source_hash for fact in whole.facts} | gone


def _zh() -> Any:
    from pathlib import Path

    from omp_core.transcripts.registry import read

    file = Path(__file__).parents[2] / "data" / "transcripts" / "zh.claude.jsonl"
    return tuple(read(file))


@given(st.lists(st.tuples(st.sampled_from("UA"), st.text(max_size=80)), max_size=6))
@settings(max_examples=60, deadline=None)
def test_anything_said_is_judged_without_failing(said: list[tuple[str, str]]) -> None:
    from omp_core.model import Turn

    turns = [
        Turn("user" if role == "U" else "assistant", text, None, str(number))
        for number, (role, text) in enumerate(said)
    ]
    report = extract(turns, Settings(), _now())
    assert report.turns == len(turns)
    assert {one.place for one in report.sentences} <= {turn.place for turn in turns}
