from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.language.quantities import quantities, with_digits


def read(text: str) -> list[tuple[str, str]]:
    return [(found.kind, found.value) for found in quantities(with_digits(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("每天凌晨两点同步", [("time", "120")]),
        ("下午三点半", [("time", "930")]),
        ("3:30 pm", [("time", "930")]),
        ("at 2 am", [("time", "120")]),
        ("at 02:00", [("time", "120")]),
        ("夜里 2:00", [("time", "120?")]),
        ("每周三下午发版", [("weekday", "3")]),
        ("Releases go out on Wednesdays", [("weekday", "3")]),
        ("每周三次", [("number", "3")]),
        ("from 90 s to 12s", [("number", "90 s"), ("number", "12 s")]),
        ("1.5 minutes, 百分之三十", [("number", "90 s"), ("number", "30 %")]),
        ("8G 内存和 2GB", [("number", "8388608 kb"), ("number", "2097152 kb")]),
        ("10k users, 1,200 次", [("number", "10000"), ("number", "1200")]),
        ("二十五分钟", [("number", "1500 s")]),
        ("一百零二台机器", [("number", "102")]),
        ("一个月", [("number", "1 month")]),
        ("2024-03-01 发布 v1.2.3", [("date", "2024-3-1"), ("version", "1.2.3")]),
        ("March 3rd, 2024", [("date", "2024-3-3")]),
        ("2024年3月1日", [("date", "2024-3-1")]),
        ("3月1日", [("date", "-3-1")]),
        ("since 2023", [("date", "2023--")]),
        ("2000 requests", [("number", "2000")]),
        ("第三次故障 #12", [("label", "3"), ("label", "12")]),
        ("192.168.1.5:80", [("version", "192.168.1.5"), ("number", "80")]),
        ("A10 k8s UTC+8 python3 v", []),
        ("一起统一一个人，十分好，千万别", []),
        ("we may march on", []),
        ("2024-13-45", []),
    ],
)
def test_quantities(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("90 秒", "1.5 minutes", True),
        ("下午三点", "三点", True),
        ("下午三点", "上午三点", False),
        ("十点", "10", True),
        ("2024-03-01", "3月1日", True),
        ("2024-03-01", "2023-03-01", False),
        ("30 天", "30", True),
        ("30 天", "30 小时", False),
        ("周末", "周六", True),
        ("周末", "周五", False),
        ("v1.2", "1.2", False),
    ],
)
def test_matching(left: str, right: str, same: bool) -> None:
    (one,), (other,) = quantities(with_digits(left)), quantities(with_digits(right))
    assert one.matches(other) is same
    assert other.matches(one) is same


@given(
    st.text(
        st.one_of(
            st.sampled_from("0123456789一二两十百万点半年月日号周第#:.-,/ vVsampmMarchMayk%"),
            st.characters(exclude_categories=()),
        ),
        max_size=40,
    )
)
def test_any_text_is_read(text: str) -> None:
    text = with_digits(text)
    found = quantities(text)
    spans = [(one.start, one.end) for one in found]
    assert spans == sorted(spans)
    assert all(start < end for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert all(one.matches(one) for one in found)
