from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.language.sentences import estimate_tokens, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我用 pytest。你呢？好！", ["我用 pytest。", "你呢？", "好！"]),
        ("First one. Second one! Third?", ["First one.", "Second one!", "Third?"]),
        ("他说：“先测试。”然后发布。", ["他说：“先测试。”", "然后发布。"]),
        ("Uses v1.2.3 of app.py. See src/a.b.", ["Uses v1.2.3 of app.py.", "See src/a.b."]),
        ("Use tools, e.g. Ruff, vs. Flake8. Done.", ["Use tools, e.g. Ruff, vs. Flake8.", "Done."]),
        ("Dr. Li met J. Doe. Fine.", ["Dr. Li met J. Doe.", "Fine."]),
        ("1. first\n2. second", ["1. first", "2. second"]),
        ("- one\n\n- two", ["- one", "- two"]),
        ("Wait... then go. 好。Ok.", ["Wait... then go.", "好。", "Ok."]),
        ("用 Redis.缓存十分钟", ["用 Redis.", "缓存十分钟"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(st.sampled_from('aB中 。.!?！…”")1\n\u2028e.g'), max_size=60))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    parts = sentences(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(part and part == part.strip() for part in parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("中文", 2), ("abcd", 1), ("abcde", 2), ("中文 abc", 3), ("a", 1)],
)
def test_estimate_tokens(text: str, expected: int) -> None:
    assert estimate_tokens(text) == expected


@given(st.text(max_size=50), st.text(max_size=50))
def test_estimate_grows_with_the_text(left: str, right: str) -> None:
    both = estimate_tokens(left + right)
    assert both >= max(estimate_tokens(left), estimate_tokens(right))
    assert both <= estimate_tokens(left) + estimate_tokens(right)
