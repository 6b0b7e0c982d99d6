"""Names of third parties are taken out; what is merely capitalised stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.extraction.classify.third_parties import mask, reports


@pytest.mark.parametrize(
    ("said", "name", "masked"),
    [
        ("我同事 alice 说了要用 UTC", "alice", "团队某成员 说了要用 UTC"),
        ("李雷昨天说单测很慢", "李雷", "团队某成员昨天说单测很慢"),
        ("张伟那边反馈说时区不对", "张伟", "团队某成员那边反馈说时区不对"),
        ("小王觉得接口太多", "小王", "团队某成员觉得接口太多"),
        ("Iris 提到 Trino 的内存不够", "Iris", "团队某成员 提到 Trino 的内存不够"),
        ("Marta from sales told me it is slow", "Marta", "A team member told me it is slow"),
        ("so Ana thinks it is slow", "Ana", "so a team member thinks it is slow"),
        ("my colleague bob, who wants tabs", "bob", "A team member, who wants tabs"),
        ("My colleague Alice uses vim", "Alice", "A team member uses vim"),
        ("our manager Bob's setup is slow", "Bob", "A team member's setup is slow"),
        ("my colleague 张伟 prefers tabs", "张伟", "A team member prefers tabs"),
        ("我同事张伟喜欢用 tabs", "张伟", "团队某成员喜欢用 tabs"),
        ("我的搭档李雷在用 rust", "李雷", "团队某成员在用 rust"),
        ("我同事王小明，他用 vim", "王小明", "团队某成员，他用 vim"),
    ],
)
def test_names_are_masked(said: str, name: str, masked: str) -> None:
    found = mask(said)
    assert found.text == masked
    assert found.names == {name}
    assert reports(said)


@pytest.mark.parametrize(
    "said",
    [
        "方案说明要写清楚",
        "同事何时有空",
        "朋友在 GitHub",
        "my team lead runs it",
        "周五说好的发版",
        "由于我觉得慢",
        "The API says 404",
        "Docker says no",
        "PostgreSQL wants a password",
        "Monday said the calendar",
        "我们觉得可以",
        "金额问题要修",
    ],
)
def test_what_is_no_name_stays(said: str) -> None:
    assert mask(said).text == said
    assert mask(said).names == frozenset()


def test_a_name_met_before_is_masked_without_a_verb() -> None:
    assert mask("Ana's branch first", {"Ana"}).text == "A team member's branch first"
    assert "Ana" in mask("Anaconda is installed", {"Ana"}).text


@given(
    st.sampled_from(["李雷", "韩梅梅", "小张", "Marta", "Iris"]),
    st.sampled_from(["说", "觉得", "提到"]),
    st.text(alphabet="要用缓存和队列abc ", max_size=20),
)
def test_masking_is_idempotent_and_leaves_no_name(name: str, verb: str, rest: str) -> None:
    once = mask(f"{name} {verb}{rest}")
    assert name not in once.text
    assert mask(once.text).text == once.text


@given(st.text(max_size=120))
def test_any_text_can_be_masked(text: str) -> None:
    once = mask(text)
    assert all(name not in once.text for name in once.names if name.isascii())
