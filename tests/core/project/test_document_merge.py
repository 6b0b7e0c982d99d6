"""Three-way merge of what a person changed in the file and what we want to change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omp_core.project.document_merge import FieldConflict, merge
from omp_core.project.yaml.splice import same

keys = st.sampled_from(["a", "b", "c"])
leaves = st.one_of(st.integers(0, 3), st.none(), st.booleans())
entries = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from(["x", "y", "z"]), "v": leaves}),
    max_size=3,
    unique_by=lambda entry: str(entry["id"]),
)
documents = st.dictionaries(
    keys, st.recursive(leaves | entries, lambda v: st.dictionaries(keys, v), max_leaves=5)
)


@settings(deadline=None)
@given(documents, documents)
def test_one_side_alone_changes_freely(base: Any, changed: Any) -> None:
    assert merge(base, base, changed) == (changed, [])
    assert merge(base, changed, base) == (changed, [])
    assert merge(base, changed, changed) == (changed, [])


@settings(deadline=None)
@given(documents, documents, documents)
def test_nothing_a_person_wrote_is_lost(base: Any, current: Any, incoming: Any) -> None:
    merged, conflicts = merge(base, current, incoming)
    told = {conflict.path for conflict in conflicts}
    for key in {*base, *current, *incoming}:
        sides = [document.get(key, "gone") for document in (base, current, incoming)]
        mine = [path for path in told if path.startswith(key)]
        after = merged.get(key, "gone")
        scalar = not any(isinstance(side, dict | list) for side in sides)
        was, theirs, ours = sides
        if scalar and not (same(theirs, was) or same(theirs, ours) or same(ours, was)):
            assert mine == [key]
            assert same(after, theirs)
        elif scalar:
            assert not mine
            assert same(after, ours if same(theirs, was) else theirs)


def test_both_values_of_a_conflict_come_back_and_the_file_keeps_the_persons() -> None:
    base = {"a": {"url": "old", "port": 1}, "b": 1}
    merged, conflicts = merge(
        base, {"a": {"url": "theirs", "port": 1}, "b": 1}, {"a": {"url": "ours", "port": 2}, "b": 1}
    )
    assert merged == {"a": {"url": "theirs", "port": 2}, "b": 1}
    assert conflicts == [FieldConflict("a.url", "old", "theirs", "ours")]


@pytest.mark.parametrize(
    ("base", "current", "incoming", "merged"),
    [
        ([1], [1, 2], [1, 3], [1, 2, 3]),
        ([1], [1, 2], [1, 2], [1, 2]),
        (
            [{"id": "x", "v": 1}],
            [{"id": "y", "v": 0}, {"id": "x", "v": 2}],
            [{"id": "x", "v": 1, "w": 1}, {"id": "z"}],
            [{"id": "y", "v": 0}, {"id": "x", "v": 2, "w": 1}, {"id": "z"}],
        ),
        (
            [{"id": "x"}, {"id": "y"}],
            [{"id": "x"}],
            [{"id": "x"}, {"id": "y"}, {"id": "z"}],
            [{"id": "x"}, {"id": "z"}],
        ),
    ],
)
def test_lists_grow_on_both_sides(base: Any, current: Any, incoming: Any, merged: Any) -> None:
    assert merge({"l": base}, {"l": current}, {"l": incoming}) == ({"l": merged}, [])


def test_a_list_that_both_rewrote_is_a_conflict() -> None:
    merged, conflicts = merge({"l": [1, 2]}, {"l": [2]}, {"l": [1]})
    assert merged == {"l": [2]}
    assert [conflict.path for conflict in conflicts] == ["l"]


def test_removed_here_and_changed_there_is_a_conflict() -> None:
    assert merge({"a": 1}, {}, {"a": 2})[1] == [FieldConflict("a", 1, None, 2)]
    assert merge({"a": 1}, {"a": 2}, {})[1] == [FieldConflict("a", 1, 2, None)]


def test_bookkeeping_never_conflicts() -> None:
    merged, conflicts = merge(
        {"last_updated": "1", "_meta": {"x": 1}},
        {"last_updated": "2", "_meta": {"x": 2}},
        {"last_updated": "3", "_meta": {"x": 3}, "a": 1},
    )
    assert merged == {"last_updated": "2", "_meta": {"x": 2}, "a": 1}
    assert conflicts == []
