"""Values as they are typed, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.language.typed_values import meant, typed

scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=30)
values = st.recursive(
    scalars | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(values)
def test_what_is_shown_reads_as_the_same_value(value: str) -> None:
    back = meant(typed(value))
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3.10", "3.10"),
        ("3.1", 3.1),
        ("007", "007"),
        ("true", True),
        ("yes", "yes"),
        ("null", None),
        ('["a", 1]', ["a", 1]),
        ("[a, b]", "[a, b]"),
        ('"50"', "50"),
        ("", ""),
        ("12:30", "12:30"),
        ("https://a.example", "https://a.example"),
    ],
)
def test_a_typed_line_is_read_as_json_where_it_is_some(text: str, value: str) -> None:
    assert meant(text) == value
    assert type(meant(text)) is type(value)


def test_texts_that_look_like_something_else_are_quoted() -> None:
    assert typed("50") == '"50"'
    assert typed("no Unicode \ud800") == meant("no Unicode \ud800") == "no Unicode \ud800"
    assert typed("true") == '"true"'
    assert typed("plain words, with a comma") == "plain words, with a comma"
    assert typed(["api-1", "api-2"]) == '["api-1", "api-2"]'
