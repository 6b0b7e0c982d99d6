"""The mirror of a project's documents: read-only records beside those of the user home."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from omp_core.errors import StoreError
from omp_core.i18n import _
from omp_core.model import Act, Record
from omp_core.store.sqlite import rows
from omp_core.store.sqlite.connection import fetch_all
from omp_core.store.sqlite.keywords import words_of, write_words
from omp_core.store.sqlite.sql_statements import INSERT, Part, returned, write_act


class MirrorPart(Part):
    """Keeps the records of the workspace's documents."""

    def mirror_digests(self) -> dict[str, str]:
        with self._connections.reading() as connection:
            return dict(
                fetch_all(
                    connection,
                    "SELECT file, digest FROM mirror_files WHERE workspace = ?",
                    (self._workspace,),
                )
            )

    def mirror(self, file: str, digest: str | None, records: Sequence[Record], act: Act) -> None:
        if not self._workspace:
            raise StoreError(_("project documents are mirrored only in a workspace"))
        wanted = {record.id: rows.to_row(record) for record in records}
        with self._connections.writing() as connection:
            held = {
                record_id: (pk, content_hash)
                for pk, record_id, content_hash in fetch_all(
                    connection,
                    "SELECT pk, id, content_hash FROM records WHERE workspace = ? AND file = ?",
                    (self._workspace, file),
                )
            }
            facts = {(record_id, content_hash) for record_id, (_pk, content_hash) in held.items()}
            told = facts != {(one, row["content_hash"]) for one, row in wanted.items()}
            for record_id, (pk, content_hash) in held.items():
                # an unchanged text keeps its row, and with it vector and counters
                if wanted.get(record_id, {}).get("content_hash") != content_hash:
                    connection.execute("DELETE FROM records WHERE pk = ?", (pk,))
                    connection.execute("DELETE FROM keywords WHERE rowid = ?", (pk,))
                else:
                    row = wanted.pop(record_id)
                    connection.execute(
                        "UPDATE records SET metadata = :metadata, updated_at = :updated_at,"
                        " tags = :tags WHERE pk = :pk",
                        {**{key: row[key] for key in ("metadata", "updated_at", "tags")}, "pk": pk},
                    )
            for row in wanted.values():
                parameters = {**row, "workspace": self._workspace, "file": file}
                parameters["arrived_at"] = rows.to_micros(act.at)
                pk = returned(connection, INSERT, parameters)
                if pk is not None:
                    write_words(connection, pk, words_of(row["content"], row["created_at"]))
            _remember_digest(connection, self._workspace, file, digest)
            if told and self._connections.path is not None:  # one in memory has no past to tell
                write_act(connection, act)


def _remember_digest(
    connection: apsw.Connection, workspace: str, file: str, digest: str | None
) -> None:
    if digest is None:
        connection.execute(
            "DELETE FROM mirror_files WHERE workspace = ? AND file = ?", (workspace, file)
        )
    else:
        connection.execute(
            "INSERT INTO mirror_files VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET digest = excluded.digest",
            (workspace, file, digest),
        )
