"""A look at every record for rows that cannot be read, without making records of them.

A hundred thousand take about half a second: their texts are checked a thousand at once.
"""

from __future__ import annotations

import apsw
import msgspec

from omp_core.model import Dispute, Json, Stamp
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.legible import ILLEGIBLE, Illegible, read
from omp_core.store.sqlite.sql_statements import RECORD_COLUMNS

_AT_ONCE = 1000
_JSON: dict[str, type] = {
    "tags": frozenset[str],
    "metadata": dict[str, Json],
    "stamps": dict[str, Stamp],
    "disputes": tuple[Dispute, ...],
}
_DECODERS = [msgspec.json.Decoder(list[kind]) for kind in _JSON.values()]  # type: ignore[valid-type]


def survey(connection: apsw.Connection, noted: Illegible) -> None:
    """Note every record that cannot be read; what was noted of records before is forgotten."""
    words = " AND ".join(
        f"r.{name} IN ({', '.join(repr(str(one)) for one in kind)})"
        for name, kind in rows.WORDS.items()
    )
    texts = " || char(10) || ".join(f"coalesce({name}, '')" for name in RECORD_COLUMNS.split(", "))
    lists = ", ".join(f"CAST('[' || group_concat(r.{name}) || ']' AS BLOB)" for name in _JSON)
    # one that cannot be read spoils its slice, which is then read row by row
    sql = (
        f"SELECT r.pk / {_AT_ONCE} AS slice, min({words}),"
        f" CAST(group_concat({texts}, char(10)) AS BLOB), {lists} FROM records r GROUP BY slice"
    )
    noted.forget("records")
    spoilt = [
        number
        for number, known_words, raw, *values in connection.execute(sql)
        if not (known_words and _is_sound(raw, values))
    ]
    for number in spoilt:
        first = number * _AT_ONCE
        read(
            connection, RECORD_COLUMNS, "FROM records r WHERE r.pk BETWEEN ? AND ?",
            (first, first + _AT_ONCE - 1), rows.from_row,
            table="records", key="r.pk", noted=noted,
        )  # fmt: skip


def _is_sound(texts: bytes, values: list[bytes]) -> bool:
    try:
        texts.decode()
        for decoder, value in zip(_DECODERS, values, strict=True):
            decoder.decode(value)
    except ILLEGIBLE:
        return False
    return True
