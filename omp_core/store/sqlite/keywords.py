"""What a search by words reads: the full-text index, and the traits beside each record."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

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


class Words(NamedTuple):
    """What is indexed of a text: its words and its date, and the traits beside the record."""

    tokens: str
    distinct: str
    script: str
    says: float
    speaker: str | None


def words_of(content: str, created_at: int) -> Words:
    """Return what is indexed of a text of that moment, in microseconds."""
    words = index_tokens(content, from_micros(created_at))
    return Words(
        " ".join(words),
        " ".join(dict.fromkeys(words)),
        script(content),
        says(content),
        speaker_of(content),
    )


def write_words(connection: apsw.Connection, pk: int, words: Words) -> None:
    """Index a record under its words; nothing may be indexed under this key yet."""
    connection.execute("INSERT INTO keywords (rowid, tokens) VALUES (?, ?)", (pk, words.tokens))
    connection.execute(
        "INSERT INTO traits (pk, words, script, says, speaker) VALUES (?, ?, ?, ?, ?)",
        (pk, *words[1:]),
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
            write_words(connection, int(pk), words_of(bytes(content).decode(), int(created_at)))
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
