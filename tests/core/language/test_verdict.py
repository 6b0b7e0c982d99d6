from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.embed.protocol import Embedder
from omp_core.language.compare import compare
from omp_core.language.verdict import Verdict, fuller, judge
from omp_core.settings import DuplicateSettings

SETTINGS = DuplicateSettings()
PAIRS = json.loads(
    (Path(__file__).parents[2] / "data" / "similarity_pairs.json").read_text("utf-8")
)
MERGED: tuple[Verdict, ...] = ("exact", "same", "merge")

SAME = """
用户偏好 pytest，不用 unittest | 用户偏好pytest，不使用unittest。
提交信息要写中文 | 提交信息必须写中文
构建时间从 90 秒降到 12 秒 | 构建时间由90秒降到了12秒
用户不喜欢香菜 | 用户讨厌香菜
我们用 k8s 部署 | 我们使用 Kubernetes 部署
数据库是 Postgres | 数据库是 PostgreSQL
User prefers pytest over unittest | User prefers pytest, not unittest
前端用 Vue | 前端用 Vue 3 和 Vite
Do not contact the user on weekends | The user must not be contacted on weekends
缓存 10 分钟过期 | 缓存过期时间为十分钟
The timeout is 1.5 minutes | The timeout is 90 seconds
每天下午三点备份 | 每天 15:00 备份
Logs are kept for two weeks | Logs are retained for 14 days
He has two cats | User has 2 cats
项目里不能用 eval | 禁止在项目里使用 eval
代码里别写裸 SQL | 代码里不要写裸 SQL
配置文件放在 config 目录 | 配置文件存放在 config 目录下
User is learning to play the cello | The user learns to play the cello
回滚不超过 5 分钟 | 回滚要在 5 分钟内
差不多每周都开会 | 每周都开会
The user can't stand noise | The user cannot stand noise
"""

OPPOSED = """
number | 端口是 8080 | 端口是 9090
number | Python 3.11 | Python 3.12
number | 评审需要两个人同意 | 评审需要三个人同意
number | The limit is 30 days | The limit is 30 hours
number | 构建从 90 秒降到 12 秒 | 构建从 12 秒降到 90 秒
time | 备份在上午十点 | 备份在晚上十点
time | Meetings start at 10 am | Meetings start at 10 pm
weekday | 每周三下午发版 | 每周五下午发版
negation | 可以在周五发布 | 不可以在周五发布
negation | 合并前要跑测试 | 合并前不用跑测试
negation | User likes dark themes | User does not like dark themes
name | 项目名叫“天枢” | 项目名叫“天璇”
name | The project is called "Atlas" | The project is called "Borealis"
correction | 用户偏好 pytest，不用 unittest | 用户偏好 unittest，不用 pytest
correction | pytest, not unittest | unittest, not pytest
correction | User prefers pytest over unittest | User prefers unittest over pytest
name | 项目使用 PostgreSQL 作为数据库 | 项目使用 MySQL 作为数据库
role | We moved from MySQL to PostgreSQL | We moved from PostgreSQL to MySQL
name | 用户住在成都 | 用户住在杭州
name | 用户喜欢喝乌龙茶 | 用户喜欢喝绿茶
name | 接口返回的时间都是 UTC | 接口返回的时间都是本地时间
name | The main branch is trunk | The main branch is master
opposite | The editor uses a dark theme | The editor uses a light theme
opposite | 编辑器用深色主题 | 编辑器用浅色主题
opposite | 开启缓存 | 关闭缓存
opposite | Use tabs for indentation | Use spaces for indentation
version | 项目用 Node v18.2.0 | 项目用 Node v20.1.0
date | 用户的生日是 3 月 1 日 | 用户的生日是 3 月 2 日
"""

APART = """
2024-03-01 部署失败，原因是磁盘写满 | 2024-03-02 部署失败，原因是磁盘写满
Met the client on March 3, 2024 | Met the client on March 8, 2024
Released v1.2.0 to production | Released v1.3.0 to production
fixed #12 in the parser | fixed #13 in the parser
第三次演练成功 | 第四次演练成功
Decision: use Redis for sessions because it is fast | Decision: use Kafka for events as it lasts
The API does not support XML | The API supports JSON streaming
不要把密钥提交到仓库 | 不要直接推送到 main 分支
"""


def rows(table: str) -> list[tuple[str, ...]]:
    return [
        tuple(part.strip() for part in line.split(" | ")) for line in table.strip().splitlines()
    ]


@pytest.mark.parametrize(("a", "b"), rows(SAME))
def test_another_wording_is_no_other_fact(a: str, b: str) -> None:
    assert compare(a, b).alike
    assert judge(a, b, 0.9, SETTINGS) == "merge"
    assert judge(a, b, 0.96, SETTINGS) == "same"
    assert judge(a, b, 0.79, SETTINGS) == "related"


@pytest.mark.parametrize(("kind", "a", "b"), rows(OPPOSED))
def test_contradictions(kind: str, a: str, b: str) -> None:
    found = compare(a, b)
    assert found.contradicts
    assert found.respect == kind
    assert found.left != found.right
    assert judge(a, b, 0.99, SETTINGS) == "contradiction"
    assert judge(a, b, 0.8, SETTINGS) == "contradiction"
    assert judge(a, b, 0.7, SETTINGS) == "related"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("uses Vue", "uses React now"),
        ("用户使用 tabs 缩进", "用户改用 spaces 了"),
        ("用户喜欢 Vue", "用户现在用 React"),
        ("We host on AWS", "We no longer host on AWS"),
    ],
)
def test_words_of_replacement_contradict_at_less_similarity(a: str, b: str) -> None:
    for similarity in (0.5, 0.7, 0.99):
        assert judge(a, b, similarity, SETTINGS) == "contradiction"
    assert judge(a, b, 0.49, SETTINGS) == "unrelated"


@pytest.mark.parametrize(("a", "b"), rows(APART))
def test_two_facts_from_one_template_are_neither_merged_nor_opposed(a: str, b: str) -> None:
    assert judge(a, b, 0.8, SETTINGS) == "related"
    if not compare(a, b).alike:
        assert judge(a, b, 0.99, SETTINGS) == "related"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("日志不写到标准输出", "日志按天切分"),
        ("The user does not eat meat", "The user plays chess"),
        ("Use ruff", "Do not use ruff in notebooks that hold teaching material for beginners"),
    ],
)
def test_a_bare_not_is_no_contradiction(a: str, b: str) -> None:
    assert judge(a, b, 0.8, SETTINGS) != "contradiction"


@pytest.mark.parametrize(
    ("left", "right", "similarity", "verdict"),
    [
        ("用户住在成都", " 用户住在成都\n", 0.0, "exact"),
        ("cafe\u0301", "café", 0.0, "exact"),
        ("a b c", "a b c d", 0.95, "same"),
        ("a b c", "a b c d", 0.9499, "merge"),
        ("a b c", "a b c d", 0.8, "merge"),
        ("a b c", "a b c d", 0.7999, "related"),
        ("a b c d", "a e f g", 0.85, "merge"),
        ("a b c d", "a e f g", 0.8499, "related"),
        ("a b c", "a b c d", 0.62, "related"),
        ("a b c", "a b c d", 0.6199, "unrelated"),
    ],
)
def test_bands(left: str, right: str, similarity: float, verdict: str) -> None:
    assert judge(left, right, similarity, SETTINGS) == verdict


def test_the_bands_follow_the_settings() -> None:
    strict = DuplicateSettings(propose_from=0.97, same_from=0.99)
    assert judge("a b c", "a b c d", 0.91, strict) == "related"
    assert judge("a b c", "a b c d", 0.98, strict) == "merge"


def test_across_languages_numbers_and_names_still_tell() -> None:
    assert judge("端口是 8080", "The port is 9090", 0.9, SETTINGS) == "contradiction"
    zh, en = "用户偏好 pytest，不用 unittest", "User prefers pytest over unittest"
    assert judge(zh, en, 0.9, SETTINGS) == "merge"
    assert judge("每天凌晨两点同步", "Sync runs every day at 2 am", 0.9, SETTINGS) == "merge"
    assert judge("不要在周末联系他", "Contact him at weekends", 0.9, SETTINGS) == "contradiction"


@pytest.mark.parametrize("kind", ["conflict", "neardup", "translation", "paraphrase"])
def test_known_pairs_in_the_duplicate_band(kind: str) -> None:
    verdicts = [
        judge(pair["a"], pair["b"], 0.9, SETTINGS) for pair in PAIRS if pair["kind"] == kind
    ]
    merged = sum(verdict in MERGED for verdict in verdicts)
    if kind == "conflict":
        assert verdicts == ["contradiction"] * len(verdicts)
    if kind in ("neardup", "translation"):
        assert merged == len(verdicts)
    if kind == "paraphrase":
        assert "contradiction" not in verdicts


def test_known_pairs_with_the_offline_model(embedder: Embedder) -> None:
    left = embedder.embed_passages([pair["a"] for pair in PAIRS])
    right = embedder.embed_passages([pair["b"] for pair in PAIRS])
    scores = embedder.calibrate((left * right).sum(axis=1))
    verdicts: dict[str, list[Verdict]] = {}
    for pair, score in zip(PAIRS, scores, strict=True):
        verdict = judge(pair["a"], pair["b"], float(score), SETTINGS)
        verdicts.setdefault(pair["kind"], []).append(verdict)
    near = verdicts["neardup"]
    assert sum(verdict in ("same", "merge") for verdict in near) >= 0.8 * len(near)
    assert verdicts["conflict"] == ["contradiction"] * 5
    for kind in ("unrelated", "sametopic", "paraphrase"):
        assert set(verdicts[kind]) <= {"related", "unrelated"}


@given(st.sampled_from(PAIRS), st.integers(1, 999), st.integers(1, 999))
def test_texts_that_differ_in_a_number_never_merge(
    pair: dict[str, str], one: int, other: int
) -> None:
    a, b = f"{pair['a']}，限额 {one}", f"{pair['a']}，限额 {other}"
    verdict = judge(a, b, 0.99, SETTINGS)
    assert verdict == ("exact" if one == other else "contradiction")


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.sampled_from([text for pair in PAIRS for text in (pair["a"], pair["b"])]),
)


@given(TEXTS)
def test_a_text_differs_from_itself_in_nothing(text: str) -> None:
    assert compare(text, text).same
    assert judge(text, f" {text} ", 0.0, SETTINGS) == "exact"
    assert fuller(text, text) == text


@given(TEXTS, TEXTS, st.floats(0, 1))
def test_the_order_of_the_texts_does_not_matter(a: str, b: str, similarity: float) -> None:
    forth, back = compare(a, b), compare(b, a)
    assert (forth.respect, forth.left, forth.right) == (back.respect, back.right, back.left)
    assert (forth.same_subject, forth.frame) == (back.same_subject, back.frame)
    assert judge(a, b, similarity, SETTINGS) == judge(b, a, similarity, SETTINGS)
    assert fuller(a, b) == fuller(b, a)
    assert fuller(a, b) in (a, b)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("前端用 Vue 3 和 Vite", "前端用 Vue"),
        ("User prefers pytest over unittest for new code", "The user really does prefer pytest"),
        ("端口 8080", "端口端口端口端口"),
        ("用户居住在成都市", "用户住在成都"),
    ],
)
def test_fuller(more: str, less: str) -> None:
    assert fuller(more, less) == more
    assert fuller(less, more) == more


def test_long_texts_are_judged_quickly_enough() -> None:
    words = [chr(97 + n % 26) * (n % 7 + 1) for n in range(3000)]
    random.Random(3).shuffle(words)
    a, b = " ".join(words), " ".join(reversed(words))
    assert judge(a, b, 0.9, SETTINGS) in MERGED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Step 3 of the release failed", "Step 4 of the release failed"),
        ("Worker pool 0 uses 3 threads", "Worker pool 1 uses 4 threads"),
        ("agent remembers fact number 5", "agent remembers fact number 6"),
        ("服务器 1 的内存是 8G", "服务器 2 的内存是 16G"),
        ("节点 3 负责写", "节点 4 负责写"),
    ],
)
def test_numbered_things_are_told_apart_and_contradict_nothing(one: Any, other: Any) -> None:
    assert judge(one, other, 0.95, SETTINGS) == "related"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The service listens on port 8080", "The service listens on port 9090"),
        ("The project uses Node 20", "The project uses Node 22"),
        ("连接池上限是 20", "连接池上限是 50"),
    ],
)
def test_another_amount_of_the_same_thing_is_a_contradiction(one: Any, other: Any) -> None:
    assert judge(one, other, 0.95, SETTINGS) == "contradiction"
