from __future__ import annotations

import pytest

from omp_core.rules.themes.labels import label_for
from omp_core.rules.themes.terms import key, stop_words, terms

TESTING = [
    "用户偏好 pytest，不用 unittest",
    "单元测试覆盖率目前是 71%，目标 80%",
    "集成测试要在 Docker 里跑",
    "User wants plain asserts in tests",
    "Flaky tests must be marked and fixed within a week",
]
DATABASE = [
    "数据库用 PostgreSQL 16，不用 MySQL",
    "The orders table is partitioned by month",
    "数据库迁移脚本由 Alembic 生成",
    "Never run PostgreSQL migrations during business hours",
]


def test_labels_hold_what_sets_a_theme_apart_in_both_languages() -> None:
    testing, database = label_for([TESTING, DATABASE])
    assert "测试" in testing.split(", ")
    assert "tests" in testing.split(", ")
    assert database.startswith("数据库, PostgreSQL")


def test_what_all_themes_share_names_none_of_them() -> None:
    groups = [[f"The gateway talks to {name} over gRPC"] * 2 for name in ("billing", "search")]
    first, second = label_for(groups)
    assert first.startswith("billing")
    assert second.startswith("search")


def test_chinese_words_are_found_by_recurrence() -> None:
    found = terms(["支付回调要验签", "重试支付回调", "支付回调写日志"])
    assert all("支付回调" in one for one in found)


def test_a_chinese_word_is_not_cut_at_a_function_character_inside_it() -> None:
    label = label_for([["用户住在成都", "后端规则写在仓库"]])[0]
    assert "住在成都" in label


def test_english_words_keep_their_form_and_count_by_stem() -> None:
    label = label_for([["deploys happen nightly", "Deploying takes long", "one deploy a day"]])[0]
    assert label.split(", ")[0].lower() in {"deploys", "deploying", "deploy"}
    assert key("deploys") == key("Deploying")


def test_two_themes_are_not_called_the_same() -> None:
    group = ["alpha beta gamma delta epsilon"]
    first, second = label_for([group, group])
    assert first != second


@pytest.mark.parametrize("text", ["it is what it is", "好的", "🙂🙂", "", "移动版只剩支付页没调"])
def test_there_is_always_a_short_label(text: str) -> None:
    label = label_for([[text]])[0]
    assert label
    assert len(label) < 60


def test_labels_are_short_and_hold_no_stop_words_or_numbers() -> None:
    long = "The system uses a very long sentence about 12345 things, " * 20
    label = label_for([[long]])[0]
    assert len(label) < 80
    words = {word.lower() for word in label.split(", ")}
    assert not words & stop_words()
    assert "12345" not in label
