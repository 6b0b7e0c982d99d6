"""Records: reading, paging, and the commit of a batch under compare-and-swap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import apsw
import numpy as np

from omp_core.errors import VersionConflictError
from omp_core.i18n import _
from omp_core.model import Act, JournalEntry, Order, Query, Record, Scope
from omp_core.store.protocol import (
    Batch,
    NoneAlike,
    NoTwin,
    Put,
    Removal,
    Room,
    Shift,
    Shifted,
)
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.connection import fetch_all, fetch_one, fetch_value
from omp_core.store.sqlite.failures import speaking
from omp_core.store.sqlite.filters import ORDERS, UNREAD_SINCE, Where, where
from omp_core.store.sqlite.keywords import Words, words_of, write_words
from omp_core.store.sqlite.sql_statements import (
    INSERT,
    SAME_SCOPE,
    Part,
    index_anew,
    marks,
    number_of,
    returned,
    scope_params,
    slices,
    write_act,
    write_entries,
    write_vector,
)
from omp_core.store.sqlite.survey import survey

_COUNTERS = {"last_accessed", "access_count", "arrived_at"}
_UPDATE = (
    "UPDATE records SET content_hash = :content_hash, open_disputes = :open_disputes, "
    "tier_since = CASE WHEN tier = :tier THEN tier_since ELSE :tier_since END, "
    + ", ".join(
        f"{name} = :{name}"
        for name in (part.strip() for part in rows.COLUMNS.split(","))
        if name not in _COUNTERS
    )
    + " WHERE workspace = :workspace AND id = :id AND version = :expected RETURNING pk"
)
_TWIN = (
    f"{SAME_SCOPE} AND r.content_hash = ? AND +r.status = 'active'"
    " AND (r.expires_at IS NULL OR r.expires_at > ?)"
)
_IN_TIER = (
    "workspace = '' AND status = 'active' AND tier = ? AND (expires_at IS NULL OR expires_at > ?)"
)
_LATER = (
    "SELECT v.vec FROM records r JOIN vectors v ON v.model = ? AND v.pk = r.pk"
    f" WHERE r.pk > ? AND {SAME_SCOPE}"
)
_HAS_TWIN = f"SELECT 1 FROM records r WHERE {_TWIN}"


class RecordPart(Part):
    """Reads and writes records."""

    def get(self, record_id: str) -> Record | None:
        return self.get_many([record_id]).get(record_id)

    def get_many(self, record_ids: Sequence[str]) -> dict[str, Record]:
        found: dict[str, Record] = {}
        with self._connections.reading() as connection:
            for some in slices(record_ids):
                tail = f"FROM records r WHERE r.workspace IN ('', ?) AND r.id IN ({marks(some)})"
                for record in self._records(connection, tail, (self._workspace, *some)):
                    found[record.id] = record
        return found

    def twin(self, content_hash: str, scope: Scope, now: datetime) -> Record | None:
        with self._connections.reading() as connection:
            found = self._records(
                connection,
                f"FROM records r WHERE {_TWIN} LIMIT 1",
                _twin_params(content_hash, scope, now),
            )
        return found[0] if found else None

    def mark(self) -> int:
        with self._connections.reading() as connection:
            return number_of(connection, "SELECT coalesce(max(pk), 0) FROM records")

    def page(
        self,
        query: Query,
        now: datetime,
        *,
        order: Order = "updated",
        descending: bool = True,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[Record, ...]:
        condition = where(query, self._workspace, now)
        direction = "DESC" if descending else "ASC"
        by = f"ORDER BY {ORDERS[order]} {direction}, r.pk {direction}"
        tail = (
            f"FROM records r JOIN (SELECT r.pk AS chosen FROM records r"
            f" WHERE {condition.sql} {by} LIMIT ? OFFSET ?) ON r.pk = chosen {by}"
        )
        with self._connections.reading() as connection:
            return tuple(self._records(connection, tail, (*condition.params, limit, offset)))

    def count(self, query: Query, now: datetime) -> int:
        condition = where(query, self._workspace, now)
        with self._connections.reading() as connection:
            return number_of(
                connection,
                f"SELECT count(*) FROM records r WHERE {condition.sql}",
                condition.params,
            )

    def iterate(self, query: Query, now: datetime) -> Iterator[Record]:
        condition = where(query, self._workspace, now)
        for some in slices(self._keys(condition)):
            with self._connections.reading() as connection:
                found = self._rescued(connection, some, condition)
            yield from found

    def _keys(self, condition: Where) -> Sequence[int]:
        """Return the keys of all matches, or of all rows where damage hides which match.

        They are looked up once: asked page by page, each page would sort all that match.
        """
        sql = f"SELECT r.pk FROM records r WHERE {condition.sql} ORDER BY r.pk"
        with self._connections.reading() as connection:
            try:
                return [pk for (pk,) in fetch_all(connection, sql, condition.params)]
            except apsw.CorruptError:
                last = "SELECT seq FROM sqlite_sequence WHERE name = 'records'"
                return range(1, int(fetch_value(connection, last) or 0) + 1)

    def _rescued(
        self, connection: apsw.Connection, pks: Sequence[int], condition: Where
    ) -> list[Record]:
        """Return the records with these keys; those on damaged pages are noted and left out."""
        tail = f"FROM records r WHERE r.pk IN ({marks(pks)}) AND {condition.sql} ORDER BY r.pk"
        try:
            return self._records(connection, tail, (*pks, *condition.params))
        except apsw.CorruptError as error:
            if len(pks) == 1:
                self._illegible.note("records", pks[0], str(error))
                return []
        middle = len(pks) // 2
        halves = (pks[:middle], pks[middle:])
        return [one for half in halves for one in self._rescued(connection, half, condition)]

    def survey(self) -> None:
        with self._connections.reading() as connection:
            survey(connection, self._illegible)

    def commit(self, batch: Batch) -> tuple[Shifted, ...]:
        with speaking(self._connections.path):
            # what can be made ready before is: meanwhile nobody else can write
            made = [(put, rows.to_row(put.record)) for put in batch.puts]
            ready = [(put, row, _words(row) if put.expected is None else None) for put, row in made]
        with self._connections.writing() as connection:
            for condition in batch.conditions:
                _require(connection, condition, batch.act.at)
            for put, row, words in ready:
                self._put(connection, put, row, words)
            for removal in batch.removals:
                self._remove(connection, removal)
            write_act(connection, batch.act)
            write_entries(connection, batch.entries)
            shifted = [_shift(connection, shift, batch.act) for shift in batch.shifts]
            for room in batch.room:
                for shift in _overflow(connection, room, batch.act.at):
                    shifted.append(_shift(connection, shift, batch.act))
            write_entries(connection, [_shift_entry(one, batch.act) for one in shifted])
        return tuple(shifted)

    def touch(self, record_ids: Sequence[str], at: datetime) -> None:
        if not record_ids:
            return
        with self._connections.writing(durable=False) as connection:
            connection.executemany(
                "UPDATE records SET access_count = access_count + 1, last_accessed = ?"
                " WHERE workspace IN ('', ?) AND id = ?",
                [(rows.to_micros(at), self._workspace, record_id) for record_id in record_ids],
            )

    def _put(
        self, connection: apsw.Connection, put: Put, row: dict[str, Any], words: Words | None
    ) -> None:
        """Write a record; `words` are those of its text, for a new one."""
        parameters = {**row, "workspace": "", "file": None, "expected": put.expected}
        text_changed = False
        if put.expected is None:
            pk = returned(connection, INSERT, parameters)
        else:
            text_changed = (
                fetch_value(
                    connection,
                    "SELECT content_hash FROM records WHERE workspace = '' AND id = ?",
                    (put.record.id,),
                )
                != row["content_hash"]
            )
            pk = returned(connection, _UPDATE, parameters)
        if pk is None:
            raise VersionConflictError(
                _("record {id} changed since it was read; read it again").format(id=put.record.id)
            )
        if words is not None:
            write_words(connection, pk, words)
        elif text_changed:
            index_anew(connection, pk, _words(row))
        if put.vector is not None:
            write_vector(connection, pk, put.vector)

    def _remove(self, connection: apsw.Connection, removal: Removal) -> None:
        pk = returned(
            connection,
            "DELETE FROM records WHERE workspace = '' AND id = ? AND version = ? RETURNING pk",
            (removal.id, removal.expected),
        )
        if pk is None:
            raise VersionConflictError(
                _("record {id} changed since it was read; read it again").format(id=removal.id)
            )
        connection.execute("DELETE FROM keywords WHERE rowid = ?", (pk,))


def _words(row: dict[str, Any]) -> Words:
    return words_of(row["content"], row["created_at"])


def _overflow(connection: apsw.Connection, room: Room, now: datetime) -> list[Shift]:
    """Return the moves that bring a tier within its capacity, found by index.

    Locked records stay where they are; a tier that is full of them stays over its capacity.
    """
    held = (str(room.tier), rows.to_micros(now))
    count = number_of(connection, f"SELECT count(*) FROM records WHERE {_IN_TIER}", held)
    if count <= room.capacity:
        return []
    by = "tier_since" if room.first == "oldest" else UNREAD_SINCE.replace("r.", "")
    leaving = fetch_all(
        connection,
        f"SELECT id FROM records WHERE {_IN_TIER} AND NOT locked ORDER BY {by}, id LIMIT ?",
        (*held, count - room.capacity),
    )
    return [Shift(one, room.tier, room.into, "full") for (one,) in leaving]


def _shift(connection: apsw.Connection, shift: Shift, act: Act) -> Shifted:
    """Move a record between tiers; neither its version nor its stamps change."""
    row = fetch_one(
        connection,
        "UPDATE records SET tier = ?, tier_since = ? WHERE workspace = '' AND id = ?"
        " AND tier = ? AND status = 'active' RETURNING content, version",
        (str(shift.into), rows.to_micros(act.at), shift.id, str(shift.tier)),
    )
    if row is None:
        raise VersionConflictError(
            _("record {id} was moved meanwhile; read it again").format(id=shift.id)
        )
    return Shifted(shift, row[0], row[1])


def _shift_entry(shifted: Shifted, act: Act) -> JournalEntry:
    shift = shifted.shift
    return JournalEntry(
        act.id,
        shift.reason,
        "system",
        act.at,
        shift.id,
        shifted.version,
        {"tier": str(shift.tier)},
        {"tier": str(shift.into)},
    )


def _twin_params(content_hash: str, scope: Scope, now: datetime) -> tuple[Any, ...]:
    return (*scope_params(scope), content_hash, rows.to_micros(now))


def _require(connection: apsw.Connection, condition: NoTwin | NoneAlike, now: datetime) -> None:
    """Raise VersionConflictError when the condition does not hold inside the transaction."""
    if isinstance(condition, NoTwin):
        params = _twin_params(condition.content_hash, condition.scope, now)
        held = fetch_one(connection, _HAS_TWIN, params) is None
    else:
        vector = condition.vector
        params = (vector.model_id, condition.mark, *scope_params(condition.scope))
        held = all(
            float(np.frombuffer(blob, np.float32) @ vector.values) < condition.floor
            for (blob,) in fetch_all(connection, _LATER, params)
        )
    if not held:
        raise VersionConflictError(
            _("another process has just stored something that bears on this")
        )
