"""Which project facts and user records speak of the same thing, and who is right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.model import DisputeKind, Home, JournalEntry, Record, Stamp
from omp_core.rules.sync import (
    Claim,
    ClaimKind,
    ClaimSide,
    Statement,
    claimed,
    compare,
    decide,
    earlier,
    keywords,
    replacement,
    statement_of,
    subject,
)
from omp_core.settings import CrossHomeSettings, Settings

SETTINGS = Settings()
RULES = CrossHomeSettings()
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def statement(text: str) -> Statement:
    """`a.b: value` as under keys, `Title|choice` as a decision, else as prose."""
    if "|" in text:
        title, choice = text.split("|")
        return Statement(f"{title}: {choice}", title, choice)
    label, colon, value = text.partition(": ")
    return (
        Statement(text, label, value) if colon and " " not in label else Statement(text, "", text)
    )


def found(fact: str, said: str, similarity: float | None = 0.8) -> list[tuple[str, str, str]]:
    """What differs: kind, the user's value, the project's."""
    claims = compare(said, statement(fact), similarity, SETTINGS)
    return [(str(one.kind), one.user_value, one.project_value) for one in claims if not one.agrees]


@pytest.mark.parametrize(
    ("fact", "said", "differs"),
    [
        # addresses
        (
            "deployment.web.url: https://new.example.com",
            "网站部署在 https://old.example.com/",
            ("url", "https://old.example.com/", "https://new.example.com"),
        ),
        (
            "deployment.vercel.url: https://web-b.vercel.app",
            "Deployed at https://web-a.vercel.app.",
            ("url", "https://web-a.vercel.app", "https://web-b.vercel.app"),
        ),
        (
            "deployment.checkout.staging: https://b.example.com",
            "checkout 预发环境：https://a.example.com，需要 VPN",
            ("url", "https://a.example.com", "https://b.example.com"),
        ),
        # technologies
        (
            "tech_stack.database: PostgreSQL 16",
            "项目数据库用 MySQL 8",
            ("technology", "MySQL", "PostgreSQL"),
        ),
        ("主数据库|PostgreSQL", "We use MySQL as database", ("technology", "MySQL", "PostgreSQL")),
        ("techStack.packageManager: pnpm", "依赖用 npm 安装", ("technology", "npm", "pnpm")),
        (
            "tech_stack.tests: pytest, Vitest",
            "测试用 unittest",
            ("technology", "unittest", "pytest"),
        ),
        (
            "商品搜索|Postgres 全文检索",
            "商品搜索用 Elasticsearch",
            ("technology", "Elasticsearch", "Postgres"),
        ),
        (
            "tech_stack.backend: Python, FastAPI",
            "The backend is written in Go",
            ("technology", "Go", "Python"),
        ),
        ("tech_stack.package_manager: npm", "以后都不用 npm", ("technology", "", "npm")),
        (
            "tech_stack.package_manager: npm",
            "We moved from npm to pnpm",
            ("technology", "pnpm", "npm"),
        ),
        # values
        ("services.api.port: 8080", "The API listens on port 9090", ("value", "9090", "8080")),
        ("services.api.port: 8080", "API 服务端口是 9090", ("value", "9090", "8080")),
        ("服务.接口.端口: 8080", "The API listens on port 9090", ("value", "9090", "8080")),
        ("services.payments.port: 8080", "支付服务的端口是 9090", ("value", "9090", "8080")),
        ("services.api.timeout: 30s", "API 超时 60 秒", ("value", "60 秒", "30s")),
        (
            "limits.rate_per_minute: 600",
            "The API allows 300 requests per minute",
            ("value", "300", "600"),
        ),
        ("conventions.indent: 2 spaces", "项目用 4 空格缩进", ("value", "4", "2")),
        (
            "tech_stack.backend: Python 3.12, FastAPI",
            "项目用 Python 3.11",
            ("value", "3.11", "3.12"),
        ),
        ("windows.refund_days: 180", "退款期限 90 天", ("value", "90 天", "180")),
        ("The API listens on port 8080", "The API listens on port 9090", ("value", "9090", "8080")),
    ],
)
def test_two_sides_of_one_thing_are_found(fact: str, said: Any, differs: Any) -> None:
    similarity = 0.9 if " " in fact and "|" not in fact and fact[0].isupper() else 0.8
    assert found(fact, said, similarity)[0] == differs


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        # the same, said otherwise
        ("deployment.web.url: https://shop.example.com", "网站：http://Shop.example.com/"),
        ("tech_stack.database: PostgreSQL 16", "数据库是 Postgres"),
        ("tech_stack.tests: pytest, Vitest", "用户偏好 pytest，不用 unittest"),
        ("tech_stack.python: 3.12", "Runs on Python 3.12.4"),
        ("services.api.timeout: 30s", "接口超时 30 秒"),
        ("services.api.port: 8080", "The API listens on port 8080 behind the proxy"),
        # another service, environment, property, role
        ("deployment.staging.url: https://s.example.com", "Production runs at https://example.com"),
        ("deployment.docs.url: https://docs.example.com", "网站在 https://example.com"),
        ("deployment.docs.url: https://docs.example.com", "Production is https://example.com"),
        ("deployment.api.url: https://api.example.com", "文档在 https://docs.example.com"),
        ("deployment.web.url: https://staging.example.com", "线上：https://www.example.com"),
        (
            "deployment.storefront.url: https://shop.example",
            "Staging lives at https://staging.shop.example and is wiped every Sunday",
        ),
        ("services.api.port: 8080", "PostgreSQL listens on port 5432"),
        ("services.api.port: 8080", "The web app listens on port 3000"),
        ("services.api.port: 8080", "API 超时 30 秒"),
        ("services.payments.port: 8080", "The checkout service listens on port 9090"),
        ("services.svc1.port: 8001", "Service svc2 listens on port 8002"),
        ("tech_stack.database: PostgreSQL", "Unit tests run on SQLite in memory"),
        ("tech_stack.frontend: React", "后端从 Django 迁移到 FastAPI"),
        ("tech_stack.database: PostgreSQL", "The cache is Redis 7"),
        ("tech_stack.backend: Python 3.12", "前端构建用 Node 20"),
        # what is no value of that key
        ("limits.rate_per_minute: 600", "Rate limits use a window of 60 seconds"),
        ("project.summary: 网店，服务 3 家书店", "本地端口：API 8000，店面 5173"),
        ("services.api.port: 8080", "API 端口的 issue #9090 已关闭"),
        ("deployment.web.status: active", "The website is at https://example.com"),
        ("limits.bundle_kb: 200", "The bundle is 184 kB gzipped; CI stops a build above 200 kB"),
    ],
)
def test_what_agrees_or_speaks_of_something_else_is_no_difference(fact: str, said: Any) -> None:
    assert found(fact, said) == []


@pytest.mark.parametrize(
    ("fact", "said", "agrees"),
    [
        ("deployment.api.status: active", "The api deployment failed yesterday", False),
        ("deployment.api.status: active", "API 部署失败了", False),
        ("deployment.storefront.status: active", "storefront 已下线", False),
        ("deployment.web-shop.status: failed", "The web shop is live now", False),
        ("deployment.api.status: active", "The api is up and running", True),
        ("deployment.api.status: active", "The OpenAPI file fails the build", None),
        ("deployment.api.status: active", "API 地址是 a.example，旧地址 api-old 季末下线", None),
        (
            "deployment.api.status: active",
            "The api docs say what to do when a payment failed",
            None,
        ),
    ],
)
def test_a_status_is_what_closely_follows_the_name(
    fact: str, said: str, agrees: bool | None
) -> None:
    claims = [one for one in compare(said, statement(fact), None, SETTINGS)
              if one.kind is ClaimKind.STATUS]  # fmt: skip
    assert [one.agrees for one in claims] == ([] if agrees is None else [agrees])


@given(st.sampled_from(["services.api.port: 8080", "tech_stack.database: MySQL", "主数据库|MySQL",
                        "deployment.web.url: https://a.example.com"]),
       st.text(max_size=60), st.none() | st.floats(0, 1))  # fmt: skip
def test_any_text_can_be_compared(fact: str, said: Any, similarity: float) -> None:
    for claim in compare(said, statement(fact), similarity, SETTINGS):
        assert claim.agrees or claim.user_value != claim.project_value


@given(st.sampled_from(["The API listens on port 9090", "用 MySQL", "https://a.example.com"]))
def test_a_text_never_differs_from_itself(text: str) -> None:
    assert found(text, text, 1.0) == []
    (claim,) = compare(text, statement(text), None, SETTINGS)
    assert (claim.kind, claim.sure) == (ClaimKind.SAME, True)


def test_nearly_the_same_is_a_duplicate_only_without_a_difference() -> None:
    prose = "Releases go out every Tuesday at noon"
    alike = "Releases go out every Tuesday, at noon."
    kinds = [one.kind for one in compare(alike, statement(prose), 0.97, SETTINGS)]
    assert kinds == [ClaimKind.SAME]
    assert compare(alike, statement(prose), 0.94, SETTINGS) == ()
    other = compare("Releases go out every Friday at noon", statement(prose), 0.97, SETTINGS)
    assert [one.agrees for one in other] == [False]


@pytest.mark.parametrize(
    ("said", "alone"),
    [
        ("API 服务端口是 9090。", True),
        ("The API listens on port 9090.", True),
        ("API 服务端口是 9090，数据库在 5432", False),
        ("用户喜欢深色；API 服务端口是 9090", False),
        ("The API listens on port 9090. It runs in Docker.", False),
    ],
)
def test_a_text_that_says_more_is_known(said: Any, alone: Any) -> None:
    (one,) = compare(said, statement("services.api.port: 8080"), 0.8, SETTINGS)
    assert (one.user_value, one.alone) == ("9090", alone)


def test_likeness_of_two_languages_is_no_certainty() -> None:
    by_words = compare("API 服务端口是 9090", statement("services.api.port: 8080"), 0.8, SETTINGS)
    by_likeness = compare("支付端口是 9090", statement("services.payments.port: 1"), 0.8, SETTINGS)
    assert [one.sure for one in by_words] == [True]
    assert [one.sure for one in by_likeness] == [False]
    assert compare("支付端口是 9090", statement("services.payments.port: 1"), 0.5, SETTINGS) == ()


# reading


def test_key_paths_and_sentences_are_read_alike() -> None:
    for text in ("services.stagingApi.port", "services.staging_api.port", "预发环境的接口端口",
                 "the ports of the APIs on staging"):  # fmt: skip
        about = subject(text)
        assert about.environments == {"staging"}, text
        assert about.parts == {"backend"}, text
        assert about.properties == {"port"}, text


def test_the_longer_word_counts() -> None:
    assert subject("测试环境").environments == {"test"}
    assert subject("测试环境").parts == frozenset()
    assert subject("测试框架").parts == {"testing"}
    assert subject("镜像仓库").parts == {"registry"}


def test_a_fact_is_looked_for_in_both_languages() -> None:
    words = keywords(subject("services.checkout.port"))
    assert {"port", "端口", "checkout"} <= set(words)


@pytest.mark.parametrize(
    ("content", "metadata", "label", "value"),
    [
        ("a.b: c: d", {"file": "project.yaml"}, "a.b", "c: d"),
        (
            "Ports: the API listens on 80",
            {"file": "context.md"},
            "",
            "Ports: the API listens on 80",
        ),
        ("two words: no key", {"file": "project.yaml"}, "", "two words: no key"),
        (
            "DB: pg — because (instead of my)",
            {"file": "decisions.yaml", "title": "DB", "choice": "pg"},
            "DB",
            "pg",
        ),
    ],
)
def test_a_mirrored_record_says_its_value_under_its_keys(
    content: str, metadata: Any, label: str, value: str
) -> None:
    read = statement_of(Record("project:x", content, NOW, NOW, metadata=metadata))
    assert (read.label, read.value) == (label, value)


# deciding


def claim(kind: ClaimKind, *, sure: bool = True, alone: bool = True) -> Claim:
    return Claim(kind, "port", "9090", "8080", kind is ClaimKind.SAME, sure, alone)


sides = st.builds(
    ClaimSide,
    st.integers(0, 100).map(lambda hours: NOW + timedelta(hours=hours)),
    st.integers(0, 10).map(lambda tenths: tenths / 10),
    st.booleans(),
)


@pytest.mark.parametrize(
    ("kind", "user", "project", "outcome", "prefers", "reason"),
    [
        (
            ClaimKind.URL,
            ClaimSide(NOW + timedelta(days=9), 1),
            ClaimSide(NOW, 0.1),
            "ask",
            "project",
            "url",
        ),
        (
            ClaimKind.TECHNOLOGY,
            ClaimSide(NOW, 0),
            ClaimSide(NOW + timedelta(9), 1),
            "ask",
            None,
            "technology",
        ),
        (
            ClaimKind.VALUE,
            ClaimSide(NOW, 1),
            ClaimSide(NOW + timedelta(hours=25), 0.1),
            "project",
            "project",
            "newer",
        ),
        (
            ClaimKind.VALUE,
            ClaimSide(NOW, 1),
            ClaimSide(NOW + timedelta(hours=24), 1),
            "ask",
            None,
            "undecided",
        ),
        (
            ClaimKind.VALUE,
            ClaimSide(NOW + timedelta(hours=25), 1),
            ClaimSide(NOW, 1),
            "ask",
            "user",
            "newer",
        ),
        (ClaimKind.VALUE, ClaimSide(NOW, 0.6), ClaimSide(NOW, 1), "project", "project", "surer"),
        (ClaimKind.VALUE, ClaimSide(NOW, 0.6), ClaimSide(NOW, 0.9), "ask", None, "undecided"),
        (ClaimKind.VALUE, ClaimSide(NOW, 1), ClaimSide(NOW, 0.6), "ask", "user", "surer"),
        (
            ClaimKind.VALUE,
            ClaimSide(NOW, 1),
            ClaimSide(NOW + timedelta(9), 1, exact=False),
            "ask",
            None,
            "undecided",
        ),
        (
            ClaimKind.VALUE,
            ClaimSide(NOW + timedelta(9), 1),
            ClaimSide(NOW, 1, exact=False),
            "ask",
            "user",
            "newer",
        ),
        (ClaimKind.SAME, ClaimSide(NOW, 1), ClaimSide(NOW, 1), "duplicate", "project", "same"),
    ],
)
def test_the_table_of_the_rules(
    kind: ClaimKind, user: ClaimSide, project: ClaimSide, outcome: Any, prefers: Any, reason: str
) -> None:
    made = decide(claim(kind), user, project, RULES, replaceable=True)
    assert (made.outcome, made.prefers, made.reason) == (outcome, prefers, reason)


@given(st.sampled_from(list(ClaimKind)), st.booleans(), st.booleans(), sides, sides, st.booleans())
def test_only_the_users_side_is_changed_by_rule_and_only_when_it_may_be(
    kind: ClaimKind,
    sure: bool,
    alone: bool,
    user: ClaimSide,
    project: ClaimSide,
    replaceable: bool,
) -> None:
    about = claim(kind, sure=sure, alone=alone)
    made = decide(about, user, project, RULES, replaceable=replaceable)
    if made.outcome in ("project", "duplicate"):
        assert replaceable
        assert sure
        assert alone or kind is ClaimKind.SAME
        assert made.prefers is Home.PROJECT
        assert kind in (ClaimKind.VALUE, ClaimKind.SAME)


@given(sides, sides)
def test_the_preferred_home_does_not_depend_on_whose_side_is_whose(one: Any, other: Any) -> None:
    here = decide(claim(ClaimKind.VALUE), one, other, RULES, replaceable=True)
    there = decide(claim(ClaimKind.VALUE), other, one, RULES, replaceable=True)
    turned = {Home.USER: Home.PROJECT, Home.PROJECT: Home.USER, None: None}
    assert turned[here.prefers] is there.prefers


# putting a document right


@pytest.mark.parametrize(
    ("fact", "said", "held", "wanted"),
    [
        ("services.api.port: 8080", "The API listens on port 9090", 8080, 9090),
        ("services.api.port: 8080", "The API listens on port 9090", "8080", "9090"),
        ("services.api.port: 8080", "9090", 8080, 9090),
        ("services.api.port: 8080", "https://x.example.com", 8080, None),
        ("services.api.port: 8080", "The API listens on port 9090", 7000, None),
        ("services.api.port: 8080", "The API listens on port 9090", {"at": 8080}, None),
        ("services.api.timeout: 30", "API 超时 2 分钟", 30, None),
        (
            "tech_stack.tests: jest, pytest",
            "测试用 unittest",
            ["jest", "pytest"],
            ["jest", "unittest"],
        ),
        ("tech_stack.tests: pytest", "测试不用 pytest", "pytest", None),
        (
            "deployment.web.url: https://a.b.example",
            "网站 https://c.d.example",
            "https://a.b.example",
            "https://c.d.example",
        ),
    ],
)
def test_the_value_that_the_document_would_have_to_hold(
    fact: str, said: Any, held: Any, wanted: Any
) -> None:
    disputed = "API port 1" if "api" in fact else said
    made = claimed(said, disputed, statement(fact), SETTINGS)
    assert (None if made is None else replacement(held, made)) == wanted


# what was made of it before


def entry(kind: str, version: int, before: dict[str, Any], after: dict[str, Any]) -> JournalEntry:
    return JournalEntry("act", kind, "user", NOW, "r", version, before, after)


def disputed(incoming: str = "port: 80", current: str = "port 90") -> dict[str, Any]:
    return {
        "disputes": [
            {
                "id": "d1",
                "kind": str(DisputeKind.CROSS_HOME),
                "other_id": "project:f",
                "incoming": incoming,
                "current": current,
            }
        ]
    }


def record(content: str = "port 90", stamped: int = 1) -> Record:
    return Record("r", content, NOW, NOW, stamps={"content": Stamp(stamped, "user", NOW)})


FACT = Record("project:f", "port: 80", NOW, NOW)
SETTLED = entry("resolve", 3, disputed(), {"disputes": []})
OPENED = entry("sync", 2, {"disputes": []}, disputed())
DECIDED = entry(
    "sync",
    2,
    {"status": "active", "superseded_by": None},
    {"status": "superseded", "superseded_by": "project:f"},
)
TAKEN_BACK = entry(
    "undo",
    3,
    {"status": "superseded", "superseded_by": "project:f"},
    {"status": "active", "superseded_by": None},
)


@pytest.mark.parametrize(
    ("history", "held", "expected"),
    [
        ([SETTLED, OPENED], record(), "settled"),
        ([SETTLED, OPENED], record("port 70", stamped=4), None),
        ([SETTLED, OPENED], record("port 70", stamped=3), "settled"),
        ([SETTLED, OPENED], record("port 90", stamped=9), "settled"),
        ([entry("undo", 3, disputed(), {"disputes": []}), OPENED], record(), None),
        ([entry("sync", 3, disputed(), {"disputes": []}), OPENED], record(), None),
        ([entry("resolve", 3, disputed("port: 81"), {"disputes": []})], record(), None),
        ([entry("resolve", 3, disputed(), disputed())], record(), None),
        ([TAKEN_BACK, DECIDED], record(), "taken-back"),
        ([TAKEN_BACK, DECIDED], record("port 70", stamped=4), None),
        ([DECIDED], record(), None),
        ([entry("update", 2, {"importance": "low"}, {"importance": "high"})], record(), None),
        ([], record(), None),
    ],
)
def test_what_a_person_made_of_it_counts_while_neither_side_changed(
    history: Any, held: Any, expected: Any
) -> None:
    assert earlier(history, held, FACT) == expected
