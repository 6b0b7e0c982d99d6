"""The map and the parting of a theme: laws of pure functions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_tui.dialogs.themes.parts import SplitParts, named_apart
from omp_tui.panes.themes.map import Plotted, map_lines, places

coordinates = st.floats(-5, 5, allow_nan=False, width=32)
points = st.lists(st.tuples(coordinates, coordinates), max_size=60)


@given(points, st.integers(1, 90), st.integers(1, 30))
def test_every_point_lies_on_the_map(plane: Any, width: int, height: int) -> None:
    cells = places(plane, width, height)
    assert len(cells) == len(plane)
    assert all(0 <= x < width and 0 <= y < height for x, y in cells)
    lines = map_lines(Plotted(tuple(plane), 0 if plane else None), width, height)
    assert len(lines) == height
    assert all(line.cell_length == width for line in lines)
    assert sum(line.plain.count("◆") for line in lines) == bool(plane)


def test_near_on_the_plane_is_near_on_the_map_in_both_directions() -> None:
    left, right, up = places([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], 60, 20)
    assert right[0] - left[0] == pytest.approx(2 * (left[1] - up[1]), abs=2)


groups = st.integers(2, 12).flatmap(
    lambda count: st.lists(st.integers(0, 3), min_size=count, max_size=count)
)


@given(groups, st.sets(st.integers(0, 11)), st.integers(-3, 3))
def test_moving_members_loses_and_doubles_none(parts: Any, chosen: Any, by: int) -> None:
    members = [f"m{at}" for at in range(len(parts))]
    before = SplitParts(
        tuple(
            tuple(one for one, part in zip(members, parts, strict=True) if part == at)
            for at in range(4)
        )
    )
    names = {f"m{one}" for one in chosen}
    after = before.moved(names, by)
    assert sorted(one for group in after.groups for one in group) == sorted(members)
    for one in members:
        was, now = before.part_of(one), after.part_of(one)
        assert now == (min(max(was + by, 0), 3) if one in names else was)
    assert after is before or after.by_hand
    joined = after.with_another().with_one_less()
    assert sorted(one for group in joined.groups for one in group) == sorted(members)
    assert len(joined.groups) == len(after.groups)


def test_two_parts_stay_however_often_one_is_taken_away() -> None:
    parting = SplitParts((("a",), ("b",)))
    assert parting.with_one_less() is parting


def test_chosen_members_are_apart_from_the_others() -> None:
    assert named_apart(["a", "b", "c"], {"b"}).groups == (("a", "c"), ("b",))
