from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from omp_core.rules.themes import diverse, empty_state, labelled_themes, nearest_themes


def test_the_nearest_themes_come_first(make_world: Callable[..., Any]) -> None:
    world = make_world(30, 5, spread=0.5)
    inputs = world.inputs()
    state = world.grown()
    found = nearest_themes(state, world.rows[3], inputs.calibrate, 3)
    assert found[0][0].id == state.owners["r003"]
    similarities = [similarity for _theme, similarity in found]
    assert similarities == sorted(similarities, reverse=True)
    assert nearest_themes(empty_state(world.dim), world.rows[3], inputs.calibrate, 3) == ()


def test_variants_of_one_fact_are_passed_over(make_world: Callable[..., Any]) -> None:
    world = make_world(6, 3, spread=0.01)
    inputs = world.inputs()
    scores = [0.9, 0.5, 0.4, 0.8, 0.3, 0.2]
    assert diverse(world.rows, scores, inputs.calibrate, limit=5, too_alike=0.85) == [0, 1, 2]
    assert diverse(world.rows, scores, inputs.calibrate, limit=2, too_alike=0.85) == [0, 1]
    blind = replace(world, rows=np.zeros_like(world.rows))
    assert len(diverse(blind.rows, scores, inputs.calibrate, limit=9, too_alike=0.85)) == 6


def test_variants_are_told_when_they_do_not_say_the_same(make_world: Callable[..., Any]) -> None:
    world = make_world(6, 3, spread=0.01)
    inputs = world.inputs()
    scores = [0.9, 0.5, 0.4, 0.8, 0.3, 0.2]

    def choose(limit: int, **given: Any) -> list[int]:
        return diverse(world.rows, scores, inputs.calibrate, limit=limit, too_alike=0.85, **given)

    asked: list[tuple[int, int]] = []

    def never(chosen: int, row: int) -> bool:
        asked.append((chosen, row))
        return False

    assert choose(9, same=never) == [0, 3, 1, 2, 4, 5]
    assert asked == [(0, 3), (1, 4), (2, 5)]
    assert choose(9, same=lambda chosen, row: (chosen, row) == (1, 4)) == [0, 3, 1, 2, 5]


def test_what_is_taken_already_is_not_chosen_again_nor_its_variants(
    make_world: Callable[..., Any],
) -> None:
    world = make_world(6, 3, spread=0.01)
    scores = [0.9, 0.5, 0.4, 0.8, 0.3, 0.2]
    calibrate = world.inputs().calibrate
    later = diverse(world.rows, scores, calibrate, limit=9, too_alike=0.85, taken=[3, 4])
    assert later == [2]


def test_labels_that_hold_words_of_the_query_are_found(make_world: Callable[..., Any]) -> None:
    state = make_world(30, 5, spread=0.5).grown()
    labels = ["deploy, rollback", "部署, 回滚", "tests", "deploy", "猫"]
    themes = tuple(
        replace(theme, label=label) for theme, label in zip(state.book.themes, labels, strict=False)
    )
    named = replace(state, book=replace(state.book, themes=themes))

    def found(text: str, limit: int = 9) -> list[tuple[str, float]]:
        return [(theme.label, share) for theme, share in labelled_themes(named, text, limit)]

    assert found("how do I rollback a deploy?") == [("deploy, rollback", 1.0), ("deploy", 0.5)]
    assert found("how do I rollback a deploy?", 1) == [("deploy, rollback", 1.0)]
    assert found("怎么回滚")[0] == ("部署, 回滚", 1.0)
    assert found("budget") == []
