"""The words of acts: made when shown, in the reader's language; older ones as they were kept."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest
from core.services.conftest import Open

from omp_core.formats import own
from omp_core.model import Act, Record
from omp_core.services.acts import sentence, worded
from omp_core.store.sqlite import SqliteStore
from omp_core.store.sqlite.schema import MIGRATIONS

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_an_act_is_worded_in_the_language_of_who_reads_it(
    open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    first = memory.add("Deploys go out on Tuesdays").id
    memory.delete([first])
    assert memory.acts()[0].summary == "deleted 1 record"
    monkeypatch.setattr(
        "omp_core.services.acts.ngettext", lambda one, many, n: f"<{one if n == 1 else many}>"
    )
    assert memory.acts()[0].summary == "<deleted 1 record>"
    assert memory.acts()[0].values == {"count": 1}


def test_the_words_of_an_undo_are_made_of_those_of_the_act(open_memory: Open) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    memory.delete([memory.add("Deploys go out on Tuesdays").id])
    memory.undo()
    memory.redo()
    told = [act.summary for act in memory.acts(limit=2)]
    assert told == ["redid: deleted 1 record", "undid: deleted 1 record"]


def test_an_act_of_an_older_journal_keeps_its_words(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    with apsw.Connection(str(file)) as connection:
        first = MIGRATIONS[0]
        assert isinstance(first, str)
        connection.execute(first)
        connection.execute("PRAGMA user_version = 1")
        connection.execute(
            "INSERT INTO meta VALUES ('store_id', 'x');"
            "INSERT INTO acts (id, kind, actor, at, summary, records)"
            " VALUES ('a1', 'delete', 'user', 0, 'deleted 3 records', 3)"
        )
    store = SqliteStore(file, workspace="")
    try:
        (act,) = store.acts(limit=5)
    finally:
        store.close()
    assert worded(act).summary == "deleted 3 records"


def test_an_act_of_an_unknown_kind_is_named_by_its_kind() -> None:
    assert worded(Act("a1", "levitate", "user", NOW, "")).summary == "levitate"
    assert sentence("update", {"fields": ["tier", "tags"], "text": "x"}) == (
        "changed tier, tags of “x”"
    )


def test_an_import_is_one_act_whatever_its_size(open_memory: Open, tmp_path: Path) -> None:
    memory = open_memory(load_embedder=lambda _settings: None)
    records = [
        Record(f"r{number}", f"Service {number} listens on port {9000 + number}", NOW, NOW)
        for number in range(1200)
    ]
    file = tmp_path / "all.jsonl"
    with file.open("w", encoding="utf-8") as out:
        own.write(records, out, NOW)
    report = memory.import_file(file)
    assert report.count("added") == 1200
    (act,) = memory.acts()
    assert report.act_ids == (act.id,)
    assert act.summary == "imported 1200 records from omp-tui"
    memory.undo()
    assert list(memory.export()) == []
