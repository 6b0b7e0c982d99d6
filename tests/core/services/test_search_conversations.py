"""Searching recorded talk: turns help each other, notes keep their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
from core.services.conftest import Clock, Open

from omp_core.memory import Memory
from omp_core.model import Act, Query, Record, Scope, SearchMode
from omp_core.settings import SearchSettings, Settings
from omp_core.store.protocol import Batch, Put
from omp_core.store.sqlite import SqliteStore
from omp_core.store.sqlite.keywords import rebuild_words

TALK = {
    "bike": (
        "Ana: I bought a red bicycle from the shop by the station",
        "Bob: Nice bicycle! Was it expensive?",
        "Ana: Four hundred, and it came with a lock and a bell",
        "Bob: I ride my bicycle to work every day too",
    ),
    "cat": (
        "Ana: Our cat had kittens last night",
        "Bob: Kittens! How many did the cat have?",
        "Ana: Three, all of them grey, the cat is very proud",
        "Bob: My cat would be jealous of the kittens",
    ),
    "bread": (
        "Ana: I baked bread in the oven today",
        "Bob: Bread with rye flour or wheat?",
        "Ana: Rye flour, the oven has to be very hot for bread",
        "Bob: My oven burns every bread",
    ),
}
NOTE = "The bicycle shed is locked at eight in the evening"


def said(talk: Mapping[str, Sequence[str]], start: datetime, app_id: str = "talk") -> list[Record]:
    return [
        Record(
            f"{name}-{at}",
            text,
            start + timedelta(days=day, minutes=at),
            start + timedelta(days=day, minutes=at),
            scope=Scope(app_id=app_id),
            episode=name,
        )
        for day, (name, turns) in enumerate(talk.items())
        for at, text in enumerate(turns)
    ]


@pytest.fixture
def talked(memory: Memory, clock: Clock) -> Any:
    records = said(TALK, clock.at - timedelta(days=30))
    act = Act("talk", "import", "user", clock.at, "", len(records))
    memory._availability.store().commit(Batch(act, tuple(Put(one, None) for one in records)))
    memory.add(NOTE)
    memory.embedding.embed_missing()
    return memory


def places(answer: Any) -> list[str]:
    return [hit.record.id for hit in answer.hits]


def test_a_turn_that_shares_no_word_is_brought_in_by_its_conversation(talked: Any) -> None:
    answer = talked.search("what did the bicycle cost", limit=5)
    price = next(hit for hit in answer.hits if hit.record.id == "bike-2")
    fits = {part.name: part.value for part in price.parts}
    assert fits["conversation"] > 0.0
    assert all(
        hit.score == pytest.approx(sum(part.value * part.weight for part in hit.parts))
        for hit in answer.hits
    )


def test_a_note_keeps_the_place_that_its_own_score_gives_it(talked: Any, open_memory: Open) -> None:
    alone = open_memory(
        settings=Settings(
            search=SearchSettings(
                profile="alone",
                profiles={"alone": _without_conversation()},
            )
        )
    )
    query = "when is the bicycle shed locked"
    own = [hit.record.content == NOTE for hit in alone.search(query, browse=True).hits]
    both = [hit.record.content == NOTE for hit in talked.search(query, browse=True).hits]
    assert own.index(True) == both.index(True)


def _without_conversation() -> Any:
    import msgspec

    from omp_core.settings import SHIPPED_PROFILES

    return msgspec.structs.replace(SHIPPED_PROFILES["auto"], conversation=None)


@pytest.mark.parametrize("mode", [SearchMode.KEYWORD, SearchMode.SEMANTIC])
def test_the_pure_modes_know_no_conversations(talked: Any, mode: SearchMode) -> None:
    hits = talked.search("bicycle", mode=mode).hits
    assert {part.name for hit in hits for part in hit.parts} == {mode.value}


def test_only_turns_that_the_query_lets_through_come_in(talked: Any) -> None:
    answer = talked.search("bicycle", query=Query(Scope(app_id="talk"), ids=frozenset({"bike-0"})))
    assert places(answer) == ["bike-0"]


def test_a_record_is_found_by_the_date_it_was_said_on(talked: Any, clock: Clock) -> None:
    first = clock.at - timedelta(days=30)
    answer = talked.search(f"{first.year}年{first.month}月{first.day}日", mode=SearchMode.KEYWORD)
    assert set(places(answer)[:4]) == {f"bike-{at}" for at in range(4)}


def test_every_record_can_be_indexed_anew_and_a_damaged_text_is_no_obstacle(
    tmp_path: Path, clock: Clock
) -> None:
    file = tmp_path / "old.db"
    store = SqliteStore(file)
    records = said(TALK, clock.at)
    act = Act("talk", "import", "user", clock.at, "", len(records))
    store.commit(Batch(act, tuple(Put(one, None) for one in records)))
    wanted = store.traits([one.id for one in records])
    store.close()
    with apsw.Connection(str(file)) as old:
        old.execute("UPDATE records SET content = CAST(x'ff' AS TEXT) WHERE id = 'cat-0'")
        old.execute("DELETE FROM traits")
        rebuild_words(old)
    again = SqliteStore(file)
    try:
        assert again.traits([one.id for one in records]) == {
            name: one for name, one in wanted.items() if name != "cat-0"
        }
        found = again.keyword(["bicycl", str(clock.at.year)], Query(), clock.at, 5)
        assert {one.id for one in found} >= {"bike-0", "bike-1", "bike-3"}
    finally:
        again.close()


def test_a_changed_text_has_the_traits_of_the_new_one(memory: Memory) -> None:
    record_id = memory.add("The cache is Redis").id
    memory.update(record_id, {"content": "Ana: The cache is Valkey"})
    traits = memory._availability.store().traits([record_id])[record_id]
    assert traits.speaker == "Ana"
    assert "valkey" in traits.tokens
    assert "redis" not in traits.tokens
    memory.delete([record_id])
    assert memory._availability.store().traits([record_id]) == {}
