"""With a real model, automatic themes resemble those that people made of the same memories."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from omp_core.embed.protocol import Embedder
from omp_core.model import Scope
from omp_core.rules.themes import ThemeState, assimilate, empty_state, rebuild, terms
from omp_core.rules.themes.space import Space, calibrate, measured
from omp_core.rules.themes.topics import TopicTable, shipped_topics
from omp_core.settings import ThemeSettings

DATA = Path(__file__).parents[3] / "data"


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


@pytest.fixture(scope="session")
def model(embedder: Embedder) -> Any:
    return embedder, shipped_topics().prototypes(embedder.embed_passages)


@pytest.fixture(scope="module")
def given(make_world: Callable[..., Any], model: Any) -> Callable[..., Any]:
    """Return the records of a file in theme vectors, and the ground to group them on."""
    embedder, prototypes = model

    def read(name: str, table: TopicTable | None = None) -> Any:
        themes: dict[str, list[str]] = json.loads((DATA / name).read_text("utf-8"))
        texts = [text for group in themes.values() for text in group]
        truth = np.repeat(np.arange(len(themes)), [len(group) for group in themes.values()])
        world = make_world(len(texts))
        rows = embedder.embed_passages(texts)
        scope = Scope(user_id="ana")
        space = Space(table or shipped_topics(), prototypes)
        frames = {scope: measured(scope, rows, texts)}
        rows = space.vectors(rows, texts, [scope] * len(texts), frames)
        words = dict(zip(world.ids, texts, strict=True))
        world = replace(world, rows=rows, topics=truth, words=words)
        inputs = replace(
            world.inputs(), calibrate=calibrate, topics=space.table, settings=ThemeSettings()
        )
        return world, inputs

    return read


def rebuilt(world: Any, inputs: Any) -> ThemeState:
    return rebuild(empty_state(world.dim), world.items(), inputs)[0]


def score(state: ThemeState, world: Any) -> float:
    return adjusted_rand([state.owners[one] for one in world.ids], world.topics.tolist())


@pytest.mark.parametrize(("name", "least"), [("themes.json", 0.75), ("themes_dev.json", 0.6)])
def test_rebuilt_themes_match_those_of_people(
    given: Callable[..., Any], name: str, least: float
) -> None:
    world, inputs = given(name)
    assert score(rebuilt(world, inputs), world) >= least


def test_with_half_of_the_cues_themes_still_match(given: Callable[..., Any]) -> None:
    whole, found = shipped_topics(), []
    for seed in range(4):
        chance = random.Random(seed)

        def half(cues: Sequence[str], chance: random.Random = chance) -> tuple[str, ...]:
            return tuple(cue for cue in cues if chance.random() < 0.5)

        topics = tuple(
            msgspec.structs.replace(one, en=half(one.en), zh=half(one.zh)) for one in whole.topics
        )
        world, inputs = given("themes_dev.json", TopicTable(topics, whole.doubtful))
        found.append(score(rebuilt(world, inputs), world))
    assert np.mean(found) >= 0.35


def test_themes_grown_one_by_one_match_far_better_than_chance(given: Callable[..., Any]) -> None:
    world, inputs = given("themes.json")
    state, _report = assimilate(empty_state(world.dim), world.items(), inputs)
    assert score(state, world) > 0.6


def test_chinese_and_english_meet_in_one_theme_named_by_its_topic(
    given: Callable[..., Any],
) -> None:
    world, inputs = given("themes.json")
    testing = rebuilt(world, inputs).theme_of(world.ids[0])
    assert testing is not None
    assert testing.size >= 5
    assert testing.label.partition(" · ")[0] in ("测试", "testing")


@pytest.mark.parametrize("name", ["themes.json", "themes_dev.json"])
def test_no_word_of_one_member_becomes_a_label_unless_it_is_a_cue(
    given: Callable[..., Any], name: str
) -> None:
    world, inputs = given(name)
    table = shipped_topics()
    numbers = range(len(table.topics))
    for theme in rebuilt(world, inputs).book.themes:
        words = theme.label.partition(" · ")[2].split(", ") if " · " in theme.label else []
        texts = [world.words[member].casefold() for member in theme.members]
        for word in words:
            stem = terms.key(word)
            held = sum(word.casefold() in text or stem in text for text in texts)
            assert held > 1 or any(table.is_sure_cue(word, topic) for topic in numbers), theme
