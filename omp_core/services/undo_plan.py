"""Undo down to an act: which acts have to be taken back, and which brought again.

What an act does is in force or taken back. Undo and redo, also those that are parts of a larger
one, switch it from the one to the other. The state at a moment is got back by switching every act
that is not as it was then, those first that were switched last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from omp_core.model import Act
from omp_core.services.acts import all_worded
from omp_core.views import UndoPlan

if TYPE_CHECKING:
    from omp_core.store.protocol import Store

LASTING = frozenset({"mirror", "purge", "refuse", "denied"})
"""Kinds of acts that are not taken back with others: what happened to documents outside this
program, rows that had expired, texts that were kept for review."""


def plan_down_to(store: Store, acts: Sequence[Act]) -> UndoPlan:
    """Return what gets back the state before the last of these acts.

    The acts come newest first and without a gap.
    """
    switched: dict[str, tuple[Act, bool]] = {}
    stay: list[Act] = []
    for event in _events(store, acts):
        root = root_of(store, event)
        if root is None or root.kind in LASTING:
            stay += [root] if root is event else []
        else:
            # the place is that of the last event, the state that before the first
            was_in_force = root is not event and event.kind == "undo"
            switched[root.id] = (switched.get(root.id, (root, False))[0], was_in_force)
    steps = (root for root, before in switched.values() if (root.undone_by is None) != before)
    return UndoPlan(tuple(all_worded(steps)), tuple(all_worded(stay)))


def root_of(store: Store, act: Act) -> Act | None:
    """Return the act that undo and redo of it are about in the end, itself if it is neither."""
    found: Act | None = act
    while found is not None and found.undoes is not None:
        found = store.act(found.undoes)
    return found


def switches(store: Store, act: Act) -> tuple[Act, ...]:
    """Return the undos and redos that are parts of an act, newest first."""
    return tuple(part for part in store.caused_by(act.id) if part.undoes is not None)


def _events(store: Store, acts: Sequence[Act]) -> Iterator[Act]:
    """Yield the acts that do or switch something themselves, larger ones part by part."""
    for act in acts:
        if parts := switches(store, act):
            yield from _events(store, parts)
        elif act.records or act.undoes:
            yield act
