"""The journal as people look through it: acts and searches, and what an act changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from omp_core.availability import Availability
from omp_core.language.headline import headline
from omp_core.model import Act, JournalEntry, Json, Record
from omp_core.services.acts import worded
from omp_core.services.entries import is_reserved_id
from omp_core.views import Activity, ActivityQuery, Change, FieldChange

if TYPE_CHECKING:
    from omp_core.store.protocol import Store

_BOOKKEEPING = frozenset(
    {"id", "version", "stamps", "created_at", "updated_at", "last_accessed", "access_count"}
    | {"home", "workspace", "made", "filled"}
)
"""What changes with every write, and tells nothing."""
_EMPTY: tuple[Json, ...] = (None, "", [], {})


class Journal:
    """The part of `Memory` that looks back. While the store is away there is nothing in it."""

    def __init__(self, availability: Availability) -> None:
        self._availability = availability

    def page(
        self,
        query: ActivityQuery = ActivityQuery(),  # noqa: B008 - a frozen value
        *,
        limit: int = 50,
        before: str | None = None,
    ) -> tuple[Activity, ...]:
        """Return at most `limit` lines, the latest first, below the one with the key `before`.

        Acts are in the reader's language. What is a part of another act is not a line.
        """
        found = self._availability.read(
            lambda store: store.activity(query, limit=limit, before=before)
        )
        return tuple(
            replace(line, what=worded(line.what)) if isinstance(line.what, Act) else line
            for line in found
        )

    def count(self, query: ActivityQuery = ActivityQuery()) -> int:  # noqa: B008 - frozen
        """Return how many lines a filter lets through."""
        return self._availability.read(lambda store: store.count_activity(query))

    def actors(self) -> tuple[str, ...]:
        """Return everybody who did or searched for something, by name."""
        return self._availability.read(lambda store: store.actors())

    def changes(self, act: Act) -> tuple[Change, ...]:
        """Return what an act changed in its order, then what rules did because of it."""

        def read(store: Store) -> tuple[list[JournalEntry], dict[str, Record]]:
            found = list(reversed(store.entries(act.id)))
            for part in reversed(store.caused_by(act.id)):
                found += reversed(store.entries(part.id))
            ids = [one.record_id for one in found if not is_reserved_id(one.record_id)]
            return found, store.get_many(list(dict.fromkeys(ids)))

        entries, records = self._availability.read(read)
        changes = [_change(entry, act, records) for entry in entries]
        return tuple(sorted(changes, key=lambda change: change.by_rules))


def did(entry: JournalEntry) -> Literal["created", "changed", "deleted"]:
    """Return what an act did to a record by its journal entry."""
    if entry.before is None:
        return "created"
    return "deleted" if entry.after is None else "changed"


def changed_fields(entry: JournalEntry) -> tuple[FieldChange, ...]:
    """Return the fields that an entry tells of, without the program's own bookkeeping."""
    return tuple(_fields(entry.before or {}, entry.after or {}))


def _change(entry: JournalEntry, act: Act, records: Mapping[str, Record]) -> Change:
    before, after = entry.before or {}, entry.after or {}
    held = records.get(entry.record_id)
    text = after.get("content") or before.get("content") or (held.content if held else None)
    return Change(
        entry.record_id,
        headline(str(text)) if text is not None else entry.record_id,
        did(entry),
        changed_fields(entry),
        by_rules=entry.actor == "system" and act.actor != "system",
    )


def _fields(before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[FieldChange]:
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if name not in _BOOKKEEPING and was != now and not (was in _EMPTY and now in _EMPTY):
            yield FieldChange(name, was, now)
