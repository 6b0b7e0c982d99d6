"""Laws that hold after any sequence of operations, by machine and by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omp_core.errors import InvalidValueError
from omp_core.rules.themes import (
    BookInputs,
    ThemeState,
    assimilate,
    diff,
    dissolve,
    empty_state,
    forget,
    mark,
    merge,
    move,
    pin,
    propose_parts,
    rebuild,
    rename,
    split,
    unpin,
)
from omp_core.rules.themes.neighbours import nearest
from omp_core.rules.themes.patch import apply, from_json, to_json

AUTOMATIC = ("assimilate", "rebuild")
OPERATIONS = (
    *AUTOMATIC,
    "assimilate",
    "assimilate",
    "forget",
    "split",
    "merge",
    "move",
    "gather",
    "rename",
    "pin",
    "unpin",
    "dissolve",
    "together",
    "apart",
    "unmark",
)
steps = st.lists(
    st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 999), st.integers(0, 999)),
    min_size=1,
    max_size=14,
)
worlds = st.tuples(st.integers(0, 30), st.sampled_from([0.4, 0.9, 1.3]), st.integers(2, 6))
many_examples = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def perform(
    world: Any, state: ThemeState, inputs: BookInputs, step: tuple[str, int, int]
) -> ThemeState:
    """Do one operation, chosen by numbers; one that cannot be is left out."""
    name, a, b = step
    themes = state.book.themes
    owned = sorted(state.owners)
    if name == "assimilate":
        start = a % len(world.ids)
        chosen = world.ids[start : start + 1 + b % 12]
        return assimilate(state, world.items(chosen), inputs)[0]
    if name == "rebuild":
        return rebuild(state, world.items(owned), inputs)[0]
    if not themes:
        return state
    theme, other = themes[a % len(themes)], themes[b % len(themes)]
    record, partner = owned[a % len(owned)], owned[b % len(owned)]
    try:
        if name == "forget":
            return forget(state, owned[a % len(owned) :][: 1 + b % 3], inputs)[0]
        if name == "split":
            parts = propose_parts(state, theme.id, 2 + b % 2, inputs)
            return split(state, theme.id, parts.groups, inputs)
        if name == "merge":
            return merge(state, [theme.id, other.id], inputs)
        if name == "move":
            return move(state, world.items([record]), other.id, inputs)
        if name == "gather":
            return move(state, world.items([record, partner]), None, inputs, label="mine")
        if name == "rename":
            return rename(state, theme.id, f"label {b}" if b % 3 else None, inputs)
        if name == "pin":
            return pin(state, theme.id, inputs)
        if name == "unpin":
            return unpin(state, theme.id, inputs)
        if name == "dissolve":
            return dissolve(state, theme.id, inputs)
        one, two = world.items([record, partner])
        kinds: dict[str, Any] = {"together": "together", "apart": "apart", "unmark": None}
        return mark(state, one, two, kinds[name], inputs)
    except InvalidValueError:
        return state


def check_laws(world: Any, state: ThemeState, inputs: BookInputs) -> None:
    themes = state.book.themes
    members = [member for theme in themes for member in theme.members]
    assert len(set(members)) == len(members), "a record is in two themes"
    assert len({theme.id for theme in themes}) == len(themes)
    assert all(theme.members and theme.label for theme in themes)
    for theme, centroid in zip(themes, state.centroids, strict=True):
        expected = world.vectors(theme.members).mean(axis=0)
        np.testing.assert_allclose(centroid, expected, atol=1e-5)
        assert theme.pinned or theme.size <= inputs.settings.split_above
    owners = state.owners
    for a, b in state.book.cannot_link:
        assert a not in owners or owners[a] != owners.get(b)
    for a, b in state.book.must_link:
        assert a not in owners or b not in owners or owners[a] == owners[b]
    assert list(themes) == sorted(themes, key=lambda theme: (theme.created_at, theme.id))
    ids = [theme.id for theme in themes]
    group = np.zeros(len(ids), np.int64)
    exact = nearest(state.units, ids, group, inputs.settings.neighbours)
    assert [theme.neighbours for theme in themes] == exact


def keep_pins(before: ThemeState, after: ThemeState) -> None:
    for theme in before.book.themes:
        if theme.pinned:
            now = after.theme(theme.id)
            assert now.members[: theme.size] == theme.members
            assert now.pinned
            assert (now.label == theme.label) or not theme.label_by_human


@many_examples
@given(worlds, steps)
def test_any_sequence_keeps_the_laws(
    make_world: Callable[..., Any], shape: tuple[int, float, int], sequence: list[Any]
) -> None:
    seed, spread, topics = shape
    world = make_world(30, topics, seed=seed, spread=spread)
    inputs = world.inputs(split_above=6)
    state, _report = assimilate(empty_state(world.dim), world.items(world.ids[:18]), inputs)
    check_laws(world, state, inputs)
    for number, step in enumerate(sequence):
        inputs = replace(inputs, now=inputs.now + timedelta(minutes=1 + number))
        after = perform(world, state, inputs, step)
        check_laws(world, after, inputs)
        if step[0] in AUTOMATIC:
            keep_pins(state, after)
            assert set(state.owners) <= set(after.owners), "an automatic pass lost a record"
        state = after


@many_examples
@given(worlds, steps)
def test_undo_restores_the_book_and_redo_the_change(
    make_world: Callable[..., Any], shape: tuple[int, float, int], sequence: list[Any]
) -> None:
    seed, spread, topics = shape
    world = make_world(24, topics, seed=seed, spread=spread)
    inputs = world.inputs(split_above=6)
    state, _report = assimilate(empty_state(world.dim), world.items(world.ids[:18]), inputs)
    for number, step in enumerate(sequence):
        inputs = replace(inputs, now=inputs.now + timedelta(minutes=1 + number))
        after = perform(world, state, inputs, step)
        patch = from_json(*to_json(diff(state.book, after.book)))
        later = replace(inputs, now=inputs.now + timedelta(days=1))
        assert apply(after, patch.inverse, later).book == state.book
        assert apply(state, patch, later).book == after.book
        state = after


@many_examples
@given(worlds, steps, st.integers(0, 13))
def test_a_late_undo_keeps_the_laws_and_loses_no_record(
    make_world: Callable[..., Any], shape: tuple[int, float, int], sequence: list[Any], which: int
) -> None:
    seed, spread, topics = shape
    world = make_world(30, topics, seed=seed, spread=spread)
    inputs = world.inputs(split_above=6)
    state, _report = assimilate(empty_state(world.dim), world.items(world.ids[:18]), inputs)
    patches = []
    for step in sequence:
        after = perform(world, state, inputs, step)
        patches.append((step[0], diff(state.book, after.book)))
        state = after
    name, patch = patches[which % len(patches)]
    undone = apply(state, patch.inverse, inputs)
    check_laws(world, undone, inputs)
    if name not in ("assimilate", "gather", "forget"):
        assert set(undone.owners) == set(state.owners)


@settings(max_examples=25, deadline=None)
@given(worlds, st.randoms(use_true_random=False))
def test_rebuild_is_the_same_whatever_the_order(
    make_world: Callable[..., Any], shape: tuple[int, float, int], order: Any
) -> None:
    seed, spread, topics = shape
    world = make_world(40, topics, seed=seed, spread=spread)
    inputs = world.inputs()
    state = world.grown()
    shuffled = world.items()
    order.shuffle(shuffled)
    first, report = rebuild(state, world.items(), inputs)
    second, again = rebuild(state, shuffled, inputs)
    assert first.book == second.book
    assert report == again
