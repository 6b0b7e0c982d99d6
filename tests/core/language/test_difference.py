"""The differing words of two texts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.language.difference import difference
from omp_core.language.tokens import words

TEXTS = st.text(alphabet="ab 用户偏好.,-_\n1é", max_size=40)


def marked(left: str, right: str) -> tuple[str, str]:
    found = difference(left, right)
    first, second = (
        "".join(f"[{one.text}]" if one.differs else one.text for one in side)
        for side in (found.left, found.right)
    )
    return first, second


@pytest.mark.parametrize(
    ("left", "right", "shown"),
    [
        ("用户偏好深色模式", "用户偏好自动切换", ("用户偏好[深色模式]", "用户偏好[自动切换]")),
        (
            "默认 50 条，最多 200 条",
            "默认 100 条，最多 200 条",
            ("默认 [50] 条，最多 200 条", "默认 [100] 条，最多 200 条"),
        ),
        ("uses npm here", "uses pnpm here", ("uses [npm] here", "uses [pnpm] here")),
        ("port 8080, host a", "port 9090; host a", ("port [8080, ]host a", "port [9090; ]host a")),
        ("same", "same", ("same", "same")),
        ("", "new", ("", "[new]")),
        ("keep", "keep and add", ("keep", "keep[ and add]")),
    ],
)
def test_only_what_differs_is_marked(left: str, right: str, shown: Any) -> None:
    assert marked(left, right) == shown


@given(TEXTS, TEXTS)
def test_the_pieces_are_the_texts_and_what_is_not_marked_is_common(left: str, right: str) -> None:
    found = difference(left, right)
    for text, side in ((left, found.left), (right, found.right)):
        assert "".join(one.text for one in side) == text
        assert all(one.differs != other.differs for one, other in pairwise(side))
    assert (left == right) == (not any(one.differs for one in (*found.left, *found.right)))


@given(TEXTS)
def test_words_are_the_text(text: str) -> None:
    assert "".join(words(text)) == text


def test_long_texts_cost_little_and_lose_nothing() -> None:
    left = " ".join(f"word{number}" for number in range(20_000))
    right = " ".join(f"word{number * 7 % 19_001}" for number in range(20_000))
    found = difference(left, right)
    assert "".join(one.text for one in found.left) == left
    assert "".join(one.text for one in found.right) == right
