"""SQL statements that several parts of the store use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import apsw
import numpy as np

from omp_core.errors import VersionConflictError
from omp_core.i18n import _
from omp_core.model import Act, JournalEntry, Record, Scope
from omp_core.store.protocol import Vector
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.connection import Connections, Params, fetch_value
from omp_core.store.sqlite.keywords import Words, forget_words, write_words
from omp_core.store.sqlite.legible import Illegible, read

_PAGE = 500

INSERT = (
    "INSERT INTO records (workspace, file, content_hash, open_disputes, tier_since, "
    + rows.COLUMNS
    + ") VALUES (:workspace, :file, :content_hash, :open_disputes, :tier_since, "
    + ", ".join(f":{name.strip()}" for name in rows.COLUMNS.split(","))
    + ") ON CONFLICT DO NOTHING RETURNING pk"
)
RECORD_COLUMNS = ", ".join(f"r.{name.strip()}" for name in rows.COLUMNS.split(","))


SAME_SCOPE = (
    "+r.workspace = '' AND +r.user_id IS ? AND r.agent_id IS ? AND +r.app_id IS ? AND r.run_id IS ?"
)
"""Exactly this scope. The plus keeps SQLite from walking all records of a user to find a few."""


class Part:
    """A part of the store: what it works on. The parts share nothing else."""

    _connections: Connections
    _workspace: str
    _illegible: Illegible

    def _records(self, connection: apsw.Connection, tail: str, params: Params) -> list[Record]:
        """Return the records of `SELECT RECORD_COLUMNS tail`, with `records r` in it."""
        return read(
            connection, RECORD_COLUMNS, tail, params, rows.from_row,
            table="records", key="r.pk", noted=self._illegible,
        )  # fmt: skip


def index_anew(connection: apsw.Connection, pk: int, words: Words) -> None:
    """Index another text of a record. What was indexed of it before, and its vectors, goes."""
    forget_words(connection, pk)
    connection.execute("DELETE FROM vectors WHERE pk = ?", (pk,))
    write_words(connection, pk, words)


def write_vector(connection: apsw.Connection, pk: int, vector: Vector) -> None:
    # a revision is never given twice, not even after its vector is gone
    rev = fetch_value(
        connection, "UPDATE meta SET value = value + 1 WHERE key = 'vector_rev' RETURNING value"
    )
    connection.execute(
        "INSERT INTO vectors (model, pk, rev, script, vec) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET rev = excluded.rev, script = excluded.script,"
        " vec = excluded.vec",
        (vector.model_id, pk, rev, vector.script, vector.values.astype(np.float32).tobytes()),
    )


_INSERT_ACT = f"INSERT INTO acts ({rows.ACT_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?)"


def write_act(connection: apsw.Connection, act: Act) -> None:
    connection.execute(_INSERT_ACT, rows.act_row(act))
    if act.undoes is not None:
        undone = returned(
            connection,
            "UPDATE acts SET undone_by = ? WHERE id = ? AND undone_by IS NULL RETURNING seq",
            (act.id, act.undoes),
        )
        if undone is None:
            raise VersionConflictError(_("act {act} was undone meanwhile").format(act=act.undoes))
        if act.kind == "redo":
            # what the undo had taken back is in force again, and can be undone again
            connection.execute(
                "UPDATE acts SET undone_by = NULL WHERE undone_by = ?", (act.undoes,)
            )


def write_entries(connection: apsw.Connection, entries: Sequence[JournalEntry]) -> None:
    connection.executemany(
        "INSERT INTO journal (act_id, kind, actor, at, record_id, version, before, after)"
        " VALUES (?,?,?,?,?,?,?,?)",
        [rows.entry_row(entry) for entry in entries],
    )


def scope_params(scope: Scope) -> tuple[str | None, ...]:
    """Return the parameters of SAME_SCOPE."""
    return scope.user_id, scope.agent_id, scope.app_id, scope.run_id


def slices(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), _PAGE):
        yield values[start : start + _PAGE]


def marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def number_of(connection: apsw.Connection, sql: str, params: tuple[Any, ...] = ()) -> int:
    return int(fetch_value(connection, sql, params))


def returned(connection: apsw.Connection, sql: str, params: Any) -> int | None:
    value = fetch_value(connection, sql, params)
    return None if value is None else int(value)
