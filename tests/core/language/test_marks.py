"""Marks in front of a text: read into fields, taken out of it, written again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from omp_core.language.marks import marked, parted, unmarked
from omp_core.model import Record, Scope

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "left", "marks"),
    [
        (
            "[SCOPE:PERSONAL][CONF:0.9] 用户偏好: 2 空格缩进，函数式编程风格",
            "用户偏好: 2 空格缩进，函数式编程风格",
            {"scope": "PERSONAL", "conf": "0.9"},
        ),
        ("[CONF:0.5]\n[SCOPE:X] a [SCOPE:Y]", "a [SCOPE:Y]", {"conf": "0.5", "scope": "X"}),
        ("[SCOPE:PERSONAL]", "[SCOPE:PERSONAL]", {}),
        ("[note] b", "[note] b", {}),
        ("c [CONF:0.5]", "c [CONF:0.5]", {}),
    ],
)
def test_marks_are_what_stands_in_front(text: str, left: str, marks: dict[str, str]) -> None:
    assert parted(text) == (left, marks)


@given(
    st.text(min_size=1).filter(lambda text: text == text.strip()),
    st.sampled_from([Scope(), Scope(user_id="ana"), Scope(app_id="shop")]),
    st.sampled_from([0.0, 0.45, 0.9, 1.0]),
    st.sampled_from([{}, {"scope": "UNIVERSAL"}]),
)
def test_what_was_marked_comes_back_as_it_was(
    text: str, scope: Scope, confidence: float, metadata: dict[str, str]
) -> None:
    assume(not parted(text)[1])
    record = Record("1", text, NOW, NOW, scope=scope, confidence=confidence, metadata=metadata)
    assert unmarked(marked(record)) == record
