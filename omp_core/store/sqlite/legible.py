"""Rows as values. A row that cannot be read is left out and noted, and the rest goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import apsw

from omp_core.i18n import _
from omp_core.model import Unseen
from omp_core.store.sqlite.connection import Params, fetch_all

ILLEGIBLE = (ValueError, TypeError, OverflowError)
"""What text that is no UTF-8, JSON that is none, and words of no known kind raise."""

_Value = TypeVar("_Value")


class Illegible:
    """The rows of a store that could not be read, by table and number."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, int], Unseen] = {}
        self._lock = threading.Lock()

    def note(self, table: str, row: int, reason: str, record_id: str | None = None) -> None:
        """Note a row that cannot be read."""
        with self._lock:
            self._rows[table, row] = Unseen(f"{table}#{row}", reason, record_id)

    def forget(self, table: str) -> None:
        """Forget what was noted of a table; it is about to be read whole."""
        with self._lock:
            for key in [key for key in self._rows if key[0] == table]:
                del self._rows[key]

    def all(self) -> tuple[Unseen, ...]:
        """Return what was noted, in the order of tables and rows."""
        with self._lock:
            return tuple(unseen for _key, unseen in sorted(self._rows.items()))


def read(
    connection: apsw.Connection,
    columns: str,
    tail: str,
    params: Params,
    make: Callable[[tuple[Any, ...]], _Value],
    *,
    table: str,
    key: str,
    noted: Illegible,
) -> list[_Value]:
    """Return what `make` makes of each row of `SELECT columns tail`.

    `key` is the column with the row's number in `table`. Rows that cannot be read are noted.
    """
    try:
        return [make(row) for row in fetch_all(connection, f"SELECT {columns} {tail}", params)]
    except ILLEGIBLE:
        pass  # one of them cannot be read; now each is taken by itself
    raw = ", ".join(
        f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
        for name in columns.split(", ")
    )
    found: list[_Value] = []
    for *cells, row in fetch_all(connection, f"SELECT {raw}, {key} {tail}", params):
        try:
            found.append(make(tuple(map(_decoded, cells))))
        except ILLEGIBLE as error:
            noted.note(table, row, reason_of(error), _id_of(columns, cells))
    return found


def reason_of(error: Exception) -> str:
    """Return in words why a row cannot be read; nothing of its content."""
    if isinstance(error, UnicodeDecodeError):
        return _("a text in it is no UTF-8: it was damaged on the disk")
    return _("a value in it is none of ours ({kind}): it was damaged on the disk").format(
        kind=type(error).__name__
    )


def _decoded(cell: Any) -> Any:
    return cell.decode() if isinstance(cell, bytes) else cell


def _id_of(columns: str, cells: Sequence[Any]) -> str | None:
    names = [name.rpartition(".")[2] for name in columns.split(", ")]
    for name in ("id", "record_id"):
        if name in names:
            cell = cells[names.index(name)]
            try:
                return str(_decoded(cell))
            except UnicodeDecodeError:
                return None
    return None
