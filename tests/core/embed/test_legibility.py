"""Words that mean nothing are told by how a model's vocabulary cuts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.embed.legibility import legible
from omp_core.embed.packaged import PackagedEmbedder

KNOWN = {"where", "does", "deploy", "happen", "friday"}


def pieces(word: str) -> tuple[int, int]:
    """Known words are one piece, others one a letter; 犇 and 骉 are unknown."""
    if word in KNOWN:
        return 1, 0
    return len(word), sum(letter in "犇骉" for letter in word)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("where does deploy happen", True),
        ("zxqvkw plmrt", False),
        ("where zxqvkw", False),
        ("where deploy zxqv", True),
        ("db k8s", True),
        ("部署在哪里", True),
        ("犇骉犇", False),
        ("犇骉在哪里", True),
        ("zxqvkw 部署", True),
        ("8080 ?", True),
    ],
)
def test_a_text_is_legible_when_its_words_are_known(text: str, found: bool) -> None:
    assert legible(text, pieces) is found


@given(st.text(max_size=40))
def test_any_text_is_judged(text: str) -> None:
    assert legible(text, pieces) in (True, False)


@pytest.fixture(scope="module")
def offline() -> PackagedEmbedder:
    return PackagedEmbedder()


@pytest.mark.parametrize("text", ["asdfghjkl qwerty", "plqfduxude", "犇骉羴鱻麤", "\ud800 zxqvkw"])
def test_the_offline_model_makes_nothing_of_letters_at_random(
    offline: PackagedEmbedder, text: str
) -> None:
    assert not offline.legible(text)


@pytest.mark.parametrize(
    "text",
    ["what broke last week", "why does memory keep growing", "客户的预算是多少", "db", "部署"],
)
def test_the_offline_model_reads_questions(offline: PackagedEmbedder, text: str) -> None:
    assert offline.legible(text)
