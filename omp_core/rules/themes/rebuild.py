"""All themes from scratch, under what people pinned, and what moved."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.model import Scope
from omp_core.rules.themes.book import Theme, ThemeState, theme_scope
from omp_core.rules.themes.cluster import connected
from omp_core.rules.themes.draft import BookDraft
from omp_core.rules.themes.grouping import Fixed, group
from omp_core.rules.themes.inputs import BookInputs, ThemeItem


@dataclass(frozen=True, slots=True)
class ThemeMove:
    """A record that changed its theme; `source` is None for one that had none."""

    record: str
    source: str | None
    target: str


@dataclass(frozen=True, slots=True)
class Rebuild:
    """What a rebuild did; ids of themes and records.

    A theme counts as kept when its id lives on. `waiting` records have no vector yet and
    stayed where they were; `dropped` ones are gone from the memory.
    """

    kept: tuple[str, ...]
    created: tuple[str, ...]
    removed: tuple[str, ...]
    pinned: tuple[str, ...]
    moved: tuple[ThemeMove, ...]
    waiting: tuple[str, ...]
    dropped: tuple[str, ...]


def rebuild(
    state: ThemeState,
    items: Sequence[ThemeItem],
    inputs: BookInputs,
    *,
    keep: Collection[str] = (),
    scopes: Collection[Scope] | None = None,
) -> tuple[ThemeState, Rebuild]:
    """Group all records anew. `items` are all records that belong in themes; with `scopes`
    only the themes of those scopes are formed anew.

    Members in `keep` are none of ours to judge: they stay in their themes as they are.

    Pinned themes keep their members and take in what attaches while they have room; links
    hold. A new theme takes over id, label and age of the old one that it shares most members
    with. Equal input gives an equal book, whatever the order of the items. Marks on records
    that are gone are dropped.

    Raises UsageError when vectors do not carry enough meaning for automatic themes.
    """
    if not inputs.automatic:
        raise UsageError(
            _("Themes cannot be rebuilt: this embedding model finds near-duplicates only.")
        )
    if scopes is not None:
        keep = [
            *keep,
            *(m for theme in state.book.themes if theme.scope not in scopes for m in theme.members),
        ]
        items = [item for item in items if theme_scope(item.scope) in scopes]
    known = {item.id: theme_scope(item.scope) for item in sorted(items, key=lambda i: i.id)}
    kept = frozenset(keep) - known.keys()
    state, inputs = _framed(state, known, kept, inputs)
    draft = BookDraft(state, inputs)
    for theme in state.book.themes:
        if not kept.issuperset(theme.members):
            draft.refresh(theme.id)
    dropped = _drop_unknown(draft, known, kept)
    live = known.keys() | kept
    draft.must = {pair for pair in draft.must if live >= set(pair)}
    draft.cannot = {pair for pair in draft.cannot if live >= set(pair)}
    waiting: list[str] = []
    for scope in sorted(set(known.values()), key=repr):
        members = [record_id for record_id, mine in known.items() if mine == scope]
        waiting += _rebuild_scope(draft, scope, members, kept)
    after = draft.finish()
    return after, _report(state, after, waiting, dropped)


def _framed(
    state: ThemeState, known: Mapping[str, Scope], kept: Collection[str], inputs: BookInputs
) -> tuple[ThemeState, BookInputs]:
    """Measure anew what the records of each scope have in common, and see them so."""
    if inputs.frames is None:
        return state, inputs
    members: dict[Scope, list[str]] = {}
    for record_id, scope in known.items():
        members.setdefault(scope, []).append(record_id)
    frames, vectors = inputs.frames.framed(members, state.book.frames)
    book = replace(state.book, frames=frames)
    return ThemeState(book, state.centroids), replace(inputs, vectors=vectors)


def _drop_unknown(draft: BookDraft, known: dict[str, Scope], kept: frozenset[str]) -> list[str]:
    dropped: list[str] = []
    for theme in list(draft.themes.values()):
        gone = [m for m in theme.members if known.get(m) != theme.scope and m not in kept]
        if gone:
            draft.without(theme.id, gone)
            dropped += [m for m in gone if m not in known]
    return dropped


def _rebuild_scope(
    draft: BookDraft, scope: Scope, members: list[str], kept: frozenset[str]
) -> list[str]:
    """Regroup the records of one scope; returns those that wait for a vector."""
    pinned = [t for t in draft.themes.values() if t.scope == scope and t.pinned]
    pinned = [_with_partners(draft, theme, members) for theme in pinned]
    loose = [t for t in draft.themes.values() if t.scope == scope and not t.pinned]
    held = {member for theme in pinned for member in theme.members}
    free = [member for member in members if member not in held]
    vectors = draft.inputs.vectors.vectors(free)
    present = vectors.any(axis=1)
    waiting = [free[at] for at in np.flatnonzero(~present)]
    free = [free[at] for at in np.flatnonzero(present)]
    vectors = vectors[present]
    groups = group(
        vectors,
        draft.inputs.calibrate,
        draft.inputs.settings,
        fixed=[_fixed(draft, theme, free) for theme in pinned],
        must=_must_groups(draft, free),
        cannot=draft.links_within(free, draft.cannot),
    )
    for theme, joining in zip(pinned, groups, strict=False):
        if joining:
            draft.put(replace(theme, members=(*theme.members, *(free[at] for at in joining))))
    fresh = [tuple(free[at] for at in rows) for rows in groups[len(pinned) :]]
    _take_over(draft, scope, loose, fresh, kept.union(waiting))
    return waiting


def _with_partners(draft: BookDraft, theme: Theme, members: Sequence[str]) -> Theme:
    """Return the pinned theme with the records that a must-link ties to it."""
    belonging = set(theme.members)
    known = set(members)
    joined: list[str] = []
    reached = list(theme.members)
    while reached and draft.must:
        for partner in sorted(draft.must_partners(reached.pop()) & known - belonging):
            owner = draft.owners.get(partner)
            if owner is None or not draft.theme(owner).pinned:
                belonging.add(partner)
                joined.append(partner)
                reached.append(partner)
    if not joined:
        return theme
    for member in joined:
        owner = draft.owners.get(member)
        if owner is not None:
            draft.without(owner, [member])
    draft.put(replace(theme, members=(*theme.members, *joined)))
    return draft.theme(theme.id)


def _fixed(draft: BookDraft, theme: Theme, free: Sequence[str]) -> Fixed:
    vectors: NDArray[np.float32] = draft.inputs.vectors.vectors(theme.members)
    at = {member: row for row, member in enumerate(free)}
    members = set(theme.members)
    blocked = {
        at[b] for pair in draft.cannot for a, b in (pair, pair[::-1]) if a in members and b in at
    }
    return Fixed(vectors.sum(axis=0), theme.size, frozenset(blocked))


def _must_groups(draft: BookDraft, free: Sequence[str]) -> list[list[int]]:
    links = draft.links_within(free, draft.must)
    rows = sorted({row for pair in links for row in pair})
    if not rows:
        return []
    at = {row: number for number, row in enumerate(rows)}
    linked = np.eye(len(rows), dtype=np.bool_)
    for a, b in links:
        linked[at[a], at[b]] = linked[at[b], at[a]] = True
    return [[rows[number] for number in numbers] for numbers in connected(linked)]


def _take_over(
    draft: BookDraft,
    scope: Scope,
    loose: Sequence[Theme],
    fresh: Sequence[tuple[str, ...]],
    waiting: frozenset[str],
) -> None:
    """Write the new groups into the draft, each under the id of its nearest predecessor."""
    before = {member: theme.id for theme in loose for member in theme.members}
    shared: dict[tuple[str, int], int] = {}
    for number, members in enumerate(fresh):
        for member in members:
            if member in before:
                pair = before[member], number
                shared[pair] = shared.get(pair, 0) + 1
    heir: dict[int, str] = {}
    used: set[str] = set()
    for (theme_id, number), _count in sorted(
        shared.items(), key=lambda entry: (-entry[1], entry[0])
    ):
        if number not in heir and theme_id not in used:
            heir[number] = theme_id
            used.add(theme_id)
    old = {theme.id: theme for theme in loose}
    for theme in loose:
        stay = tuple(member for member in theme.members if member in waiting)
        if theme.id not in used and stay:
            draft.put(replace(theme, members=stay))
        elif theme.id not in used:
            draft.drop(theme.id)
    for number, members in enumerate(fresh):
        if number not in heir:
            draft.found(members, scope)
            continue
        theme = old[heir[number]]
        room = draft.inputs.settings.split_above - len(members)
        staying = [m for m in theme.members if m in waiting][: max(room, 0)]
        merged = (*members, *staying)
        if set(merged) != set(theme.members):
            draft.put(replace(theme, members=_in_old_order(theme, merged)))


def _in_old_order(theme: Theme, members: Sequence[str]) -> tuple[str, ...]:
    place = {member: at for at, member in enumerate(theme.members)}
    return tuple(sorted(members, key=lambda member: (place.get(member, len(place)), member)))


def _report(
    before: ThemeState, after: ThemeState, waiting: Sequence[str], dropped: Sequence[str]
) -> Rebuild:
    moved = tuple(
        ThemeMove(record, before.owners.get(record), target)
        for record, target in after.owners.items()
        if before.owners.get(record) != target
    )
    old, new = before.rows, after.rows
    return Rebuild(
        kept=tuple(theme_id for theme_id in old if theme_id in new),
        created=tuple(theme_id for theme_id in new if theme_id not in old),
        removed=tuple(theme_id for theme_id in old if theme_id not in new),
        pinned=tuple(theme.id for theme in after.book.themes if theme.pinned),
        moved=moved,
        waiting=tuple(waiting),
        dropped=tuple(dropped),
    )
