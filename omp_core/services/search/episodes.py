"""The episodes that records come from: the mirrored entries of `sessions/<date>.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from omp_core.model import Query, Record, Scope
from omp_core.store.protocol import Store

_MIRRORED = "project:"
_FOLDER = "sessions/"


def episodes_of(
    store: Store, records: Sequence[Record], query: Query, now: datetime
) -> list[Record]:
    """Return the episodes that records link to, each once, in the order of the records.

    A link is the place of an entry (`sessions/<date>.yaml#sessions[<id>]`) or its id alone;
    of entries of one id in several files, the one nearest in time to the record is meant. The
    query holds for episodes too, except that an entry which belongs to nobody in particular
    belongs to every scope.
    """
    linked = [record for record in records if record.episode]
    if not linked:
        return []
    files = [name for name in store.mirror_digests() if name.startswith(_FOLDER)]
    places = {record.id: _places(record.episode or "", files) for record in linked}
    wanted = frozenset(place for one in places.values() for place in one)
    if query.ids is not None:
        wanted &= query.ids
    if not wanted:
        return []
    let_through = replace(query, scope=Scope(), ids=wanted)
    entries = {
        entry.id: entry
        for entry in store.page(let_through, now, limit=len(wanted))
        if _is_open_to(entry.scope, query.scope)
    }
    found: dict[str, Record] = {}
    for record in linked:
        held = [entries[place] for place in places[record.id] if place in entries]
        if held:
            nearest = min(held, key=lambda entry: (_apart(entry, record), entry.id))
            found.setdefault(nearest.id, nearest)
    return list(found.values())


def _places(link: str, files: Sequence[str]) -> list[str]:
    """Return the ids that the mirrored entry of a link may have."""
    from omp_core.project.paths import Item, format_path

    if "#" in link:
        return [link if link.startswith(_MIRRORED) else _MIRRORED + link]
    path = format_path(("sessions", Item(link)))
    return [f"{_MIRRORED}{file}#{path}" for file in files]


def _apart(entry: Record, record: Record) -> float:
    return abs((entry.updated_at - record.created_at).total_seconds())


def _is_open_to(scope: Scope, wanted: Scope) -> bool:
    return all(
        held is None or asked in (None, held)
        for held, asked in (
            (scope.user_id, wanted.user_id),
            (scope.agent_id, wanted.agent_id),
            (scope.app_id, wanted.app_id),
            (scope.run_id, wanted.run_id),
        )
    )
