from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from omp_core.language.normal import content_hash, normalise

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)


def test_composes_and_folds_white_space() -> None:
    assert normalise("  cafe\u0301\t au\r\n\u3000lait ") == "café au lait"


def test_case_and_width_are_content() -> None:
    assert normalise("Ａ b") != normalise("a b")


@given(ANY_TEXT)
def test_idempotent(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(ANY_TEXT, ANY_TEXT)
def test_hash_is_equal_exactly_for_equal_content(left: str, right: str) -> None:
    assert (content_hash(left) == content_hash(right)) == (normalise(left) == normalise(right))
    assert len(content_hash(left)) == 64
    assert content_hash(f"  {left}\n") == content_hash(left)


def test_lone_surrogates_have_a_hash() -> None:
    assert content_hash("a\ud800") != content_hash("a\ud801")
