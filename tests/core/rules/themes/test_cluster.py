from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omp_core.errors import InvalidValueError
from omp_core.rules.themes.cluster import connected, cut, into, parts_under_cap, silhouette
from omp_core.rules.themes.grouping import Fixed, group
from omp_core.rules.themes.inputs import pair_similarities
from omp_core.settings import ThemeSettings


def test_connected_finds_components_through_chains() -> None:
    linked = np.eye(5, dtype=np.bool_)
    for a, b in ((0, 1), (1, 4), (2, 3)):
        linked[a, b] = linked[b, a] = True
    assert connected(linked) == [[0, 1, 4], [2, 3]]


def test_two_topics_in_one_theme_are_told_apart(make_world: Callable[..., Any]) -> None:
    world = make_world(16, 2, spread=0.5)
    inputs = world.inputs()
    parts = parts_under_cap(world.rows, inputs.calibrate, inputs.settings)
    assert {frozenset(part) for part in parts} == {
        frozenset(range(0, 16, 2)),
        frozenset(range(1, 16, 2)),
    }


def test_loosely_related_members_do_not_shatter(make_world: Callable[..., Any]) -> None:
    """Members alike to their centroid but hardly to each other: the usual case in real text."""
    world = make_world(11, 1, spread=1.7, seed=3)
    inputs = world.inputs()
    alike = pair_similarities(world.rows, inputs.calibrate)
    upper = np.triu_indices(11, 1)
    assert (alike[upper] >= inputs.settings.cluster_edge).mean() < 0.5
    parts = parts_under_cap(world.rows, inputs.calibrate, inputs.settings)
    assert len(parts) <= 3
    assert all(len(part) <= 10 for part in parts)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 500),
    st.integers(2, 26),
    st.integers(2, 12),
    st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), max_size=4),
)
def test_parts_cover_fit_and_honour_links(
    make_world: Callable[..., Any], seed: int, count: int, cap: int, pairs: list[tuple[int, int]]
) -> None:
    world = make_world(count, 3, seed=seed, spread=0.9)
    inputs = world.inputs()
    pairs = [(a % count, b % count) for a, b in pairs if a % count != b % count]
    must, cannot = pairs[::2], pairs[1::2]
    together = connected(
        np.array(
            [
                [a == b or (a, b) in must or (b, a) in must for b in range(count)]
                for a in range(count)
            ]
        )
    )
    cannot = [(a, b) for a, b in cannot if not any(a in g and b in g for g in together)]
    parts = parts_under_cap(
        world.rows, inputs.calibrate, ThemeSettings(split_above=cap), must=must, cannot=cannot
    )
    assert sorted(row for part in parts for row in part) == list(range(count))
    home = {row: number for number, part in enumerate(parts) for row in part}
    assert all(home[a] == home[b] for a, b in must)
    assert all(home[a] != home[b] for a, b in cannot)
    longest = max(len(g) for g in together)
    assert all(len(part) <= max(cap, longest) for part in parts)
    assert parts == sorted(parts, key=lambda part: (-len(part), part[0]))


def test_a_cut_leaves_a_quarter_on_either_side(make_world: Callable[..., Any]) -> None:
    world = make_world(12, 1, spread=0.3)
    rows = world.rows.copy()
    rows[5] = -rows[5]
    halves = cut(rows, range(12))
    assert [len(half) for half in halves] == [9, 3]
    assert 5 in halves[1]


def test_into_finds_the_topics_and_refuses_what_links_forbid(
    make_world: Callable[..., Any],
) -> None:
    world = make_world(15, 3, spread=0.6)
    inputs = world.inputs()
    groups = into(world.rows, inputs.calibrate, 3)
    assert {frozenset(group) for group in groups} == {
        frozenset(range(start, 15, 3)) for start in range(3)
    }
    with pytest.raises(InvalidValueError, match="16 parts"):
        into(world.rows, inputs.calibrate, 16)
    chain = [(row, row + 1) for row in range(14)]
    with pytest.raises(InvalidValueError, match="must-links"):
        into(world.rows, inputs.calibrate, 2, must=chain)
    triangle = [(0, 1), (1, 2), (0, 2)]
    with pytest.raises(InvalidValueError, match="cannot-links"):
        into(world.rows, inputs.calibrate, 2, cannot=triangle)


def test_silhouette_agrees_with_its_definition() -> None:
    similarities = np.array(
        [[1, 0.9, 0.2, 0.1], [0.9, 1, 0.3, 0.2], [0.2, 0.3, 1, 0.8], [0.1, 0.2, 0.8, 1]], np.float32
    )
    # a = 0.1, 0.1, 0.2, 0.2; b = 0.85, 0.75, 0.75, 0.85
    expected = np.mean([0.75 / 0.85, 0.65 / 0.75, 0.55 / 0.75, 0.65 / 0.85])
    assert silhouette(similarities, [[0, 1], [2, 3]]) == pytest.approx(expected, abs=1e-6)
    assert silhouette(similarities, [[0, 1, 2, 3]]) == 0.0


def test_grouping_finds_topics_under_the_cap(make_world: Callable[..., Any]) -> None:
    world = make_world(60, 10, spread=0.7, dim=64)
    inputs = world.inputs()
    groups = group(world.rows, inputs.calibrate, inputs.settings)
    assert sorted(row for rows in groups for row in rows) == list(range(60))
    assert all(len(rows) <= 10 for rows in groups)
    assert {frozenset(rows) for rows in groups} == {
        frozenset(range(start, 60, 10)) for start in range(10)
    }


def test_fixed_groups_take_in_single_records_while_they_have_room(
    make_world: Callable[..., Any],
) -> None:
    world = make_world(8, 1, spread=0.3)
    inputs = world.inputs(split_above=6)
    full = Fixed(world.rows[:6].sum(axis=0), 6)
    joining, *free = group(world.rows[6:], inputs.calibrate, inputs.settings, fixed=[full])
    assert joining == []
    assert sum(map(len, free)) == 2
    roomy = Fixed(world.rows[:5].sum(axis=0), 5, frozenset({1}))
    joining, *free = group(world.rows[6:], inputs.calibrate, inputs.settings, fixed=[roomy])
    assert joining == [0]
    assert free == [[1]]
