"""What a search by words reads: the full-text index, and the traits beside each record."""

from __future__ import annotations

import logging
from typing import Any

import apsw

from omp_core.language.language import script
from omp_core.model import Importance
from omp_core.rules.ranking import Traits, index_tokens, says, speaker_of
from omp_core.store.sqlite.rows import from_micros

_log = logging.getLogger(__name__)

TRAITS = (
    "r.id, t.words, t.script, r.updated_at, r.importance, r.user_id, r.app_id, r.episode,"
    " t.says, t.speaker"
)


def write_words(connection: apsw.Connection, pk: int, content: str, created_at: int) -> None:
    """Index a text under its words and its date; nothing may be indexed under this key yet."""
    words = index_tokens(content, from_micros(created_at))
    connection.execute("INSERT INTO keywords (rowid, tokens) VALUES (?, ?)", (pk, " ".join(words)))
    connection.execute(
        "INSERT INTO traits (pk, words, script, says, speaker) VALUES (?, ?, ?, ?, ?)",
        (
            pk,
            " ".join(dict.fromkeys(words)),
            script(content),
            says(content),
            speaker_of(content),
        ),
    )


def forget_words(connection: apsw.Connection, pk: int) -> None:
    connection.execute("DELETE FROM keywords WHERE rowid = ?", (pk,))
    connection.execute("DELETE FROM traits WHERE pk = ?", (pk,))


def rebuild_words(connection: apsw.Connection) -> None:
    """Index every record anew, inside the caller's transaction.

    A text that is damaged on the disk is left out; it is no obstacle to the rest.
    """
    connection.execute("INSERT INTO keywords (keywords) VALUES ('delete-all')")
    connection.execute("DELETE FROM traits")
    records = connection.execute("SELECT pk, CAST(content AS BLOB), created_at FROM records")
    for pk, content, created_at in records:
        try:
            write_words(connection, int(pk), bytes(content).decode(), int(created_at))
        except (ValueError, TypeError, OverflowError) as error:
            _log.warning("record #%s is not found by its words: %s", pk, type(error).__name__)


def traits_of(row: tuple[Any, ...]) -> Traits:
    """Return the traits of a row with TRAITS."""
    record_id, words, of_script, updated_at, importance, user_id, app_id, episode, told, who = row
    return Traits(
        record_id,
        words,
        of_script,
        from_micros(updated_at),
        Importance(importance),
        (user_id, app_id),
        episode,
        told,
        who,
    )
