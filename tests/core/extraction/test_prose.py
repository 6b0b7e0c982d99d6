"""Telling a person's own words from what is quoted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omp_core.extraction.prose import passages


def spoken(text: str) -> list[str]:
    return [one.text for one in passages(text) if not one.quoted]


def quoted(text: str) -> list[str]:
    return [one.text for one in passages(text) if one.quoted]


def test_code_logs_and_quotes_are_blocks() -> None:
    text = (
        "看下这个\n```py\nalways = 1\n```\n还有这个\n"
        "2026-03-02 02:00:11 WARN slow\nERROR: x\n"
        "> 以后都用 npm\n改完告诉我"
    )
    assert spoken(text) == ["看下这个", "还有这个", "改完告诉我"]
    assert len(quoted(text)) == 2


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    assert spoken("look\n```\nwe always deploy on Friday") == ["look"]


def test_a_long_quotation_is_cut_out_of_what_rules_see() -> None:
    (one,) = passages('someone wrote: "We decided to rewrite everything in Elixir" and I sighed')
    assert "Elixir" in one.text
    assert "Elixir" not in one.plain


def test_a_short_quoted_word_stays() -> None:
    (one,) = passages('"slot" means a bookable interval, "booking" is the paid thing')
    assert '"slot"' in one.plain


def test_small_letters_end_sentences_too() -> None:
    assert spoken("fix both. accessibility matters, e.g. on mobile. ok") == [
        "fix both.",
        "accessibility matters, e.g. on mobile.",
        "ok",
    ]


@given(st.text(max_size=200))
def test_nothing_said_is_lost(text: str) -> None:
    found = "".join("".join(one.text.split()) for one in passages(text) if not one.quoted)
    said = "".join(text.split())
    assert all(character in said for character in found)
    if not any(one.quoted for one in passages(text)):
        assert found == said
