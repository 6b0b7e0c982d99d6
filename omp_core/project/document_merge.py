"""Bringing together what a person changed in a file and what we want to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from omp_core.model import Json
from omp_core.project.paths import BOOKKEEPING, IDENTITY_KEYS, Item, KeyPath, format_path
from omp_core.project.yaml.splice import same


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A value that both sides changed, each to something else. The file keeps `current`.

    A side that removed the value has None, as has a base without it.
    """

    path: str
    base: Json
    current: Json
    incoming: Json


class _Nothing:
    """The value of a key that is not there."""


_NOTHING = _Nothing()


def merge(base: Json, current: Json, incoming: Json) -> tuple[Json, list[FieldConflict]]:
    """Merge two changes of one base, field by field.

    What only one side changed is taken; equal changes are one; lists are merged by the id of
    their items or, where both only appended, one after the other. Returns the merged value, in
    which every conflict holds the current side, and the conflicts.
    """
    conflicts: list[FieldConflict] = []
    merged = _merge((), base, current, incoming, conflicts)
    return (None if isinstance(merged, _Nothing) else merged), conflicts


def _merge(
    path: KeyPath, base: Json, current: Json, incoming: Json, conflicts: list[FieldConflict]
) -> Json:
    if _equal(base, incoming) or _equal(current, incoming):
        return current
    if _equal(base, current):
        return incoming
    if isinstance(current, dict) and isinstance(incoming, dict):
        return _merge_maps(
            path, base if isinstance(base, dict) else {}, current, incoming, conflicts
        )
    if all(isinstance(side, list) for side in (base, current, incoming)):
        merged = _merge_lists(path, base, current, incoming, conflicts)
        if merged is not None:
            return merged
    sides = (None if isinstance(side, _Nothing) else side for side in (base, current, incoming))
    conflicts.append(FieldConflict(format_path(path), *sides))
    return current


def _merge_maps(
    path: KeyPath,
    base: Mapping[str, Json],
    current: Mapping[str, Json],
    incoming: Mapping[str, Json],
    conflicts: list[FieldConflict],
) -> dict[str, Json]:
    merged = {}
    for key in {**current, **incoming}:
        if not path and key in BOOKKEEPING:
            merged[key] = current.get(key, incoming.get(key))
            continue
        old, ours, theirs = (side.get(key, _NOTHING) for side in (base, current, incoming))
        value = _merge((*path, key), old, ours, theirs, conflicts)
        if not isinstance(value, _Nothing):
            merged[key] = value
    return merged


def _merge_lists(
    path: KeyPath,
    base: list[Json],
    current: list[Json],
    incoming: list[Json],
    conflicts: list[FieldConflict],
) -> list[Json] | None:
    named = [_by_identity(side) for side in (base, current, incoming)]
    if all(side is not None for side in named):
        sides = [side or {} for side in named]
        merged = []
        for name in {**sides[1], **sides[2]}:
            old, ours, theirs = (side.get(name, _NOTHING) for side in sides)
            value = _merge((*path, Item(name)), old, ours, theirs, conflicts)
            if not isinstance(value, _Nothing):
                merged.append(value)
        return merged
    length = len(base)
    if _equal(current[:length], base) and _equal(incoming[:length], base):
        tail = [item for item in incoming[length:] if not any(same(item, c) for c in current)]
        return [*current, *tail]
    return None


def _by_identity(items: Sequence[Json]) -> dict[str, Json] | None:
    """The items by their id, key, name or title; None unless each has one of its own."""
    named: dict[str, Json] = {}
    for item in items:
        name = item_identity(item)
        if name is None or name in named:
            return None
        named[name] = item
    return named


def item_identity(item: Json) -> str | None:
    """Return the id, key, name or title of a map, or None."""
    if not isinstance(item, dict):
        return None
    found = (item.get(key) for key in IDENTITY_KEYS)
    return next((str(name) for name in found if isinstance(name, str | int) and name), None)


def _equal(one: Json, other: Json) -> bool:
    if isinstance(one, _Nothing) or isinstance(other, _Nothing):
        return one is other
    return same(one, other)
