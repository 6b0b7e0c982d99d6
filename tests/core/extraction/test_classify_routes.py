"""Where facts go, under which key, how sure and for how long."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.extraction.classify import confidence as confidences
from omp_core.extraction.classify.decisions import TITLE_CHARS, decision_fields, names_choice
from omp_core.extraction.classify.kinds import Kind, Level, Route, ScopeKind
from omp_core.extraction.classify.routes import category, route, values
from omp_core.extraction.classify.scope_words import scope_kind
from omp_core.extraction.classify.signals import signals
from omp_core.extraction.classify.slots import slots
from omp_core.extraction.classify.temporality import CONTEXTUAL_DAYS, expiry, temporality
from omp_core.model import Category, Temporality
from omp_core.project.paths import parse_path
from omp_core.settings import ConfidenceSettings


def test_routes_and_categories_of_the_kinds() -> None:
    table = {
        (Kind.DECISION, ScopeKind.PROJECT): (Route.DECISIONS, Category.DECISION),
        (Kind.MILESTONE, ScopeKind.PROJECT): (Route.CHANGELOG, Category.EPISODE),
        (Kind.CONFIG, ScopeKind.PROJECT): (Route.PROJECT, Category.ENVIRONMENT),
        (Kind.CONCEPT, ScopeKind.PROJECT): (Route.PROJECT, Category.CONCEPT),
        (Kind.LESSON, ScopeKind.PROJECT): (Route.PROJECT, Category.ANTI_PATTERN),
        (Kind.LESSON, ScopeKind.UNIVERSAL): (Route.USER, Category.ANTI_PATTERN),
        (Kind.PREFERENCE, ScopeKind.PERSONAL): (Route.USER, Category.PREFERENCE),
        (Kind.IDENTITY, ScopeKind.PERSONAL): (Route.USER, Category.IDENTITY),
        (Kind.ENVIRONMENT, ScopeKind.PERSONAL): (Route.USER, Category.ENVIRONMENT),
        (Kind.GOAL, ScopeKind.PROJECT): (Route.USER, Category.FACT),
    }
    for (kind, scope), (where, what) in table.items():
        assert route(kind, scope, Temporality.PERMANENT) is where
        assert category(kind, where, scope) is what


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (
            Kind.CONFIG,
            "预发环境是 https://stg.example.net",
            {"deployment.staging.url": "https://stg.example.net"},
        ),
        (
            Kind.CONFIG,
            "Grafana is at https://g.example.net",
            {"services.grafana.url": "https://g.example.net"},
        ),
        (Kind.CONFIG, "web listens on 3000", {"services.web.port": 3000}),
        (Kind.SLOT, "数据库是 PostgreSQL 15", {"tech_stack.database": "PostgreSQL 15"}),
        (
            Kind.SLOT,
            "lint 用 golangci-lint，版本锁 1.57",
            {"tech_stack.lint": "lint 用 golangci-lint，版本锁 1.57"},
        ),
        (Kind.SLOT, "已升级到 Go 1.23", {"tech_stack.go": "Go 1.23"}),
        (
            Kind.DEPLOYMENT,
            "harbor-web v31 is live at https://w.example.net",
            {
                "deployment.harbor-web.version": "v31",
                "deployment.harbor-web.url": "https://w.example.net",
                "deployment.harbor-web.status": "active",
            },
        ),
        (
            Kind.CONCEPT,
            "「长款」就是渠道有我们没有",
            {"glossary.长款": "「长款」就是渠道有我们没有"},
        ),
    ],
)
def test_key_paths(kind: Kind, text: str, expected: dict[str, object]) -> None:
    assert dict(values(kind, text)) == expected


@given(st.sampled_from(list(Kind)), st.text(min_size=1, max_size=60))
def test_every_key_is_a_path_and_the_text_is_kept(kind: Kind, text: str) -> None:
    pairs = values(kind, text)
    assert pairs
    for path, _value in pairs:
        assert len(parse_path(path)) >= 1


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_two_rules_never_share_a_key(one: str, other: str) -> None:
    from omp_core.language.normal import content_hash

    if content_hash(one)[:4] != content_hash(other)[:4]:
        assert values(Kind.LESSON, one)[0][0] != values(Kind.LESSON, other)[0][0]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("决定用 YAML，因为人类可读", ("YAML", "人类可读")),
        ("归档方案定了：差异表按月分区，老的导到 OSS", ("差异表按月分区，老的导到 OSS", "")),
        ("就定 2000 吧，5000 内存扛不住", ("2000", "5000 内存扛不住")),
        ("Kafka 有人要推，我没同意，我们继续用 RocketMQ，团队熟", ("RocketMQ", "团队熟")),
        ("let's go with Bazel because CMake was slow", ("Bazel", "CMake was slow")),
    ],
)
def test_choice_and_rationale(text: str, fields: tuple[str, str]) -> None:
    found = decision_fields(text)
    assert (found.choice, found.rationale) == fields


def test_alternatives_come_from_the_talk_before() -> None:
    found = decision_fields("决定用 YAML", ["用 YAML 还是 JSON？"])
    assert found.alternatives == ("JSON",)
    assert found.context == "用 YAML 还是 JSON？"
    options = decision_fields("we chose Svelte", ["1. Svelte\n2. React\n3. Vue"])
    assert options.alternatives == ("React", "Vue")
    assert names_choice("agreed, a postgres table", "a table in Postgres is enough")
    assert not names_choice("yes please", "a table in Postgres is enough")


@given(st.text(min_size=1, max_size=300))
def test_a_decision_always_has_a_short_title_and_a_choice(text: str) -> None:
    found = decision_fields(text)
    assert len(found.title) <= TITLE_CHARS
    if text.strip(" ，,。.吧了"):
        assert found.choice


def test_levels_follow_the_settings() -> None:
    settings = ConfidenceSettings()
    assert [confidences.level(value, settings) for value in (0.95, 0.9, 0.8, 0.7, 0.5, 0.39)] == [
        Level.EXPLICIT,
        Level.EXPLICIT,
        Level.INFERRED,
        Level.INFERRED,
        Level.UNCERTAIN,
        Level.NOISE,
    ]


def sure(text: str, kind: Kind) -> float:
    return confidences.confidence(signals(text), kind, text)


def test_what_raises_and_lowers_confidence() -> None:
    assert sure("我习惯用 pytest", Kind.PREFERENCE) >= 0.9
    assert sure("记住，我习惯用 pytest", Kind.PREFERENCE) > sure("我习惯用 pytest", Kind.PREFERENCE)
    assert sure("我有点习惯用 pytest", Kind.PREFERENCE) < sure("我习惯用 pytest", Kind.PREFERENCE)
    assert sure("这个函数必须返回切片", Kind.NORM) < 0.4
    assert sure("the database is down", Kind.SLOT) < 0.4
    assert sure("所有接口必须返回切片", Kind.NORM) >= 0.7


@given(st.text(max_size=80), st.sampled_from(list(Kind)))
def test_confidence_is_a_probability(text: str, kind: Kind) -> None:
    assert 0.0 <= sure(text, kind) <= confidences.ASKED


def test_scope_of_rules_is_read_from_what_they_are_about() -> None:
    assert scope_kind(Kind.NORM, "所有接口必须带版本号") is ScopeKind.PROJECT
    assert scope_kind(Kind.NORM, "一个提交只干一件事", asked=True) is ScopeKind.PROJECT
    assert scope_kind(Kind.LESSON, "Go plugin 我踩过坑") is ScopeKind.UNIVERSAL
    assert scope_kind(Kind.LESSON, "我们在 Redis 上踩过坑") is ScopeKind.PROJECT


def test_temporality_and_expiry() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert temporality("这个迭代先做银联") is Temporality.CONTEXTUAL
    assert temporality("we keep it until the end of June") is Temporality.CONTEXTUAL
    assert temporality("这次用 tabs") is Temporality.EPHEMERAL
    assert temporality("我习惯用 tabs") is Temporality.PERMANENT
    assert expiry(Temporality.PERMANENT, now) is None
    assert expiry(Temporality.CONTEXTUAL, now) == now + timedelta(days=CONTEXTUAL_DAYS)


@pytest.mark.parametrize(
    "text",
    [
        "The database host is now db2.internal",
        "The cache size is 512 MB",
        "数据库地址是 db2.internal",
        "缓存容量是 512 MB",
    ],
)
def test_a_compound_noun_is_another_property(text: str) -> None:
    assert not [slot for slot in slots(text) if slot.single]
