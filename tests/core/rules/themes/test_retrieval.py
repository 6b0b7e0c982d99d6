from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from omp_core.rules.themes import diverse, empty_state, nearest_themes, within_budget


def test_the_nearest_themes_come_first(make_world: Callable[..., Any]) -> None:
    world = make_world(30, 5, spread=0.5)
    ground = world.ground()
    state = world.grown()
    found = nearest_themes(state, world.rows[3], ground.calibrate, 3)
    assert found[0][0].id == state.owners["r003"]
    similarities = [similarity for _theme, similarity in found]
    assert similarities == sorted(similarities, reverse=True)
    assert nearest_themes(empty_state(world.dim), world.rows[3], ground.calibrate, 3) == ()


def test_variants_of_one_fact_are_passed_over(make_world: Callable[..., Any]) -> None:
    world = make_world(6, 3, spread=0.01)
    ground = world.ground()
    scores = [0.9, 0.5, 0.4, 0.8, 0.3, 0.2]
    assert diverse(world.rows, scores, ground.calibrate, limit=5, too_alike=0.85) == [0, 1, 2]
    assert diverse(world.rows, scores, ground.calibrate, limit=2, too_alike=0.85) == [0, 1]
    blind = replace(world, rows=np.zeros_like(world.rows))
    assert len(diverse(blind.rows, scores, ground.calibrate, limit=9, too_alike=0.85)) == 6


@given(st.lists(st.integers(0, 50)), st.integers(0, 200))
def test_a_budget_is_kept_and_nothing_that_fits_is_left_out(costs: list[int], budget: int) -> None:
    kept = within_budget(costs, budget)
    left = budget - sum(costs[place] for place in kept)
    assert left >= 0
    for place in set(range(len(costs))) - set(kept):
        before = sum(costs[k] for k in kept if k < place)
        assert costs[place] > budget - before
