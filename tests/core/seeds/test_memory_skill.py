"""The specification of the memory skill, step by step under its own headings.

Deviations, each made by the design: what a person says once of their taste, in so many words, is
stored (the extraction specification calls it explicit); a thing that changed is updated without a
question where words of replacement or correction say so, and a choice that merely differs is kept
beside the other in an open dispute until a person answers; deleting on a denial ("I never said so")
is the agent's to do with `delete_memory`. Steps that only tell an agent how to word its answer bind
no program: the cited-memories line, the questions in its replies.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from omp_core.errors import SecretFoundError
from omp_core.model import Category, Home, Importance, Query, Scope, Status

ANA = Scope(user_id="ana")


def facts(project: Any, *said: str) -> list[tuple[str, str]]:
    report = project.says(*said, dry_run=True).report
    return [(str(one.category), one.status) for one in report.facts]


# 速查表


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("我喜欢先写测试", [("preference", "stored")]),
        ("我习惯用 vim", [("preference", "stored")]),
        ("我总是用 2 空格缩进", [("preference", "stored")]),
        ("记住这个：合并前必须跑 make check", [("decision", "stored")]),
        ("这次帮我用 tabs 缩进", []),
    ],
)
def test_the_quick_table(project: Any, said: str, expected: list[tuple[str, str]]) -> None:
    """速查表"""
    assert facts(project, said) == expected


def test_what_is_to_be_forgotten_is_forgotten(project: Any) -> None:
    """速查表: 忘掉/删除我之前说的 X → search_memories, delete_memory"""
    project.memory.add("用户偏好深色主题", scope=ANA)
    (found,) = project.memory.search("深色主题", query=Query(scope=ANA)).hits
    project.memory.delete([found.record.id])
    assert not project.memory.search("深色主题", query=Query(scope=ANA)).hits


# 新会话冷启动


def test_a_cold_start_reads_the_core_of_one_person(project: Any) -> None:
    """新会话冷启动"""
    add = project.memory.add
    add("用户偏好 pytest", scope=ANA, category=Category.PREFERENCE, importance=Importance.LOW)
    add("资深 Go 工程师", scope=ANA, category=Category.IDENTITY, importance=Importance.HIGH)
    add("Mac M1", scope=ANA, category=Category.ENVIRONMENT)
    add("上次定了迁移方案 A", scope=ANA, category=Category.EPISODE)
    add("别人偏好 nose", scope=Scope(user_id="ben"), category=Category.PREFERENCE)
    add("谁也不属于", category=Category.PREFERENCE)
    told = project.memory.session_context(user_id="ana", limit=10).user
    assert [one.content for one in told] == ["资深 Go 工程师", "Mac M1", "用户偏好 pytest"]
    nobody = project.memory.session_context(user_id=None, limit=10).user
    assert [one.content for one in nobody] == ["谁也不属于"]


# 何时检索记忆


def test_a_search_finds_what_was_said_of_it(modelled: Any) -> None:
    """何时检索记忆: 代码风格、偏好; 真实对话示例 1"""
    modelled.memory.add("用户喜欢 pandas 风格，偏好链式调用", scope=ANA)
    modelled.memory.add("每周五开复盘会", scope=ANA)
    found = modelled.memory.search("代码风格 偏好", query=Query(scope=ANA)).hits
    assert found[0].record.content == "用户喜欢 pandas 风格，偏好链式调用"


def test_nothing_found_is_an_answer(project: Any) -> None:
    """检索无结果时的处理"""
    assert not project.memory.search("排序偏好", query=Query(scope=ANA)).hits


# 何时保存记忆


@pytest.mark.parametrize(
    "said",
    ["我总是先写测试", "我从不用三元表达式嵌套", "我坚决不用 var", "我的项目用 Python 3.11"],
)
def test_what_has_to_be_kept(project: Any, said: str) -> None:
    """必须保存: 绝对化表达, 长期事实"""
    assert [status for _category, status in facts(project, said)] == ["stored"]


@pytest.mark.parametrize(
    "said",
    [
        "这次帮我用 tabs",
        "今天先用 npm 装一下",
        "我永远讨厌这个 Bug",
        "用户问怎么写测试？",
        "今天修了 auth 的 bug",
        "烦死了",
        "Python 3.11 发布于何时？",
    ],
)
def test_what_is_not_kept(project: Any, said: str) -> None:
    """不保存; 反例"""
    assert facts(project, said) == []


def test_a_key_is_refused(project: Any) -> None:
    """反例: 用户 API key 是 sk-xxx"""
    with pytest.raises(SecretFoundError):
        project.memory.add("用户 API key 是 sk-A8fK2mQ9xLw7RtYz3BvN5cJ1dF4gH6sP")


def test_third_parties_lose_their_names(project: Any) -> None:
    """不保存: 第三方隐私"""
    report = project.says("我同事 alice 说接口要加限流", dry_run=True).report
    assert "alice" not in " ".join(one.text for one in report.facts)
    assert [one.status for one in report.facts] == ["candidate"]


def test_several_preferences_are_several_memories(project: Any) -> None:
    """用户一次给出多条偏好"""
    report = project.says("我习惯用 tabs，喜欢简洁代码，项目用 Python", dry_run=True).report
    assert len(report.facts) == 3


# 更新、去重与矛盾处理


def test_a_fuller_text_is_proposed_to_be_merged(modelled: Any) -> None:
    """信息一致但更详细 → 补充细节; 去重决策"""
    first = modelled.memory.add("用户喜欢简洁代码", scope=ANA)
    told = modelled.memory.add("用户喜欢简洁代码，希望单行函数也保持简洁", scope=ANA)
    assert (told.outcome, told.duplicate_id) == ("duplicate", first.id)
    merged = modelled.memory.update(
        first.id, {"content": "用户喜欢简洁代码，希望单行函数也保持简洁"}, based_on=1
    )
    assert (merged.outcome, merged.record.version) == ("updated", 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [("用户使用 tabs 缩进", "用户改用 spaces 了"), ("用户喜欢 Vue", "用户现在用 React")],
)
def test_what_changed_or_contradicts_is_asked(modelled: Any, old: str, new: str) -> None:
    """信息发生变化; 信息相互矛盾 → 先问再改"""
    modelled.memory.add(old, scope=ANA)
    told = modelled.memory.add(new, scope=ANA)
    assert told.disputes
    (waiting,) = modelled.memory.disputes()
    modelled.memory.resolve(waiting.record.id, waiting.dispute.id, "incoming")
    active = modelled.memory.list(Query(home=Home.USER)).records
    assert [one.content for one in active] == [new]


def test_a_correction_by_word_of_mouth(project: Any) -> None:
    """用户口头纠正记忆: 我之前说的不是 X，是 Y"""
    record = project.memory.add("用户使用 tabs 缩进", scope=ANA)
    project.says("我之前说的不是 tabs，是 spaces")
    assert project.memory.get(record.id).content == "用户使用 spaces 缩进"


def test_an_upgrade_brings_the_fact_up_to_date(project: Any) -> None:
    """真实对话示例 2: 从 Python 3.10 升级到 3.12"""
    project.writes("project.yaml", "tech_stack:\n  python: '3.10'\n")
    project.says("我的项目已经从 Python 3.10 升级到 3.12 了")
    assert project.read()["tech_stack"] == {"python": "3.12"}


def test_another_respect_is_stored_by_force(modelled: Any) -> None:
    """去重决策: 是新维度 → force=True; 查重只在同一作用域内"""
    text = "用户偏好 pytest 写单元测试"
    modelled.memory.add(text, scope=ANA)
    assert modelled.memory.add(f"{text}。", scope=ANA).outcome == "duplicate"
    assert modelled.memory.add(f"{text}。", scope=ANA, force=True).outcome == "created"
    assert modelled.memory.add(text, scope=Scope(user_id="ben")).outcome == "created"


# 作用域选择指南


def test_scopes_are_exact(project: Any) -> None:
    """作用域选择指南"""
    for scope in (ANA, Scope(user_id="ana", app_id="acme_shop"), Scope(run_id="r1"), Scope()):
        project.memory.add("这个项目用 tabs 缩进", scope=scope)
    assert project.memory.list(Query(home=Home.USER)).total == 4
    only = project.memory.list(Query(scope=Scope(app_id="acme_shop"), home=Home.USER)).records
    assert [one.scope for one in only] == [Scope(user_id="ana", app_id="acme_shop")]


# metadata 约定


@pytest.mark.parametrize(
    ("said", "category"),
    [
        ("我偏好 pytest，不用 unittest", "preference"),
        ("我是资深 Go 工程师", "identity"),
        ("我的电脑是 Mac M1", "environment"),
        ("我们决定用 PostgreSQL", "decision"),
        ("之前试过 Redis 队列，吞吐不够，行不通", "anti_pattern"),
        ("项目里 `svc` 指订单服务", "concept"),
    ],
)
def test_the_categories(project: Any, said: str, category: str) -> None:
    """metadata 约定: category 对照"""
    assert [one for one, _status in facts(project, said)] == [category]


def test_a_filter_is_an_exact_and(project: Any) -> None:
    """metadata 约定: metadata_filter"""
    project.memory.add("用户偏好 pytest", category=Category.PREFERENCE, importance=Importance.HIGH)
    project.memory.add("用户偏好 ruff", category=Category.PREFERENCE)
    either = Query(metadata={"category": "preference OR decision"})
    assert project.memory.list(either).total == 0
    both = {"category": "preference", "importance": "high"}
    assert [one.content for one in project.memory.list(Query(metadata=both)).records] == [
        "用户偏好 pytest"
    ]


# 何时设置 TTL


def test_what_has_expired_is_invisible_and_purged(project: Any) -> None:
    """何时设置 TTL"""
    record = project.memory.add("本周用分支 x", scope=ANA, ttl_seconds=3600)
    assert project.memory.list(Query(home=Home.USER)).total == 1
    project.forward(hours=2)
    assert project.memory.list(Query(home=Home.USER)).total == 0
    assert not project.memory.search("分支", query=Query(scope=ANA)).hits
    expired = Query(include_expired=True, statuses=frozenset(Status))
    assert [one.id for one in project.memory.export(expired)] == [record.id]
    project.memory.purge()
    assert list(project.memory.export(expired)) == []


# 异常情况与日常运维


def test_an_export_comes_back(project: Any, tmp_path: Any) -> None:
    """记忆库变大后的整理; 常用工具速查: export_memories, import_memories"""
    record = project.memory.add("用户偏好 pytest", scope=ANA)
    file = tmp_path / "backup.json"
    assert project.memory.save(file) == 1
    project.memory.delete([record.id])
    project.memory.load(file)
    assert project.memory.get(record.id).content == "用户偏好 pytest"


def test_an_old_memory_says_its_age(project: Any) -> None:
    """如何利用检索到的记忆: 记忆时间较久（>30天）"""
    project.memory.add("用户偏好 pytest", scope=ANA)
    project.forward(days=31)
    (hit,) = project.memory.search("pytest", query=Query(scope=ANA)).hits
    assert project.now - hit.record.updated_at == timedelta(days=31)
