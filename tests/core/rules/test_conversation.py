"""Turns of one conversation help each other, and only talk changes its places."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from omp_core.language.tokens import held_words, query_tokens
from omp_core.model import Importance
from omp_core.rules.ranking import (
    Adjacent,
    Conversation,
    ConversationQuery,
    Ranked,
    Traits,
    asked_days,
    coherence,
    date_words,
    index_tokens,
    says,
    speaker_of,
    talk_scores,
    with_conversations,
)
from omp_core.settings import ConversationWeights

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WEIGHTS = ConversationWeights()


def turn(name: str, *, told: float = 0.5, speaker: str | None = None) -> Traits:
    group = ("ana", None)
    return Traits(name, "text", "latin", NOW, Importance.MEDIUM, group, "e", told, speaker)


def talk(
    turns: Any,
    keyword: Any,
    *,
    about: Any = "",
    vectors: NDArray[np.float32] | None = None,
    weights: Any = WEIGHTS,
) -> dict[str, float]:
    rows = np.zeros((len(turns), 2), np.float32) if vectors is None else vectors
    question = ConversationQuery(
        np.array([1, 0], np.float32), frozenset(query_tokens(about) if about else ()), NOW, 30.0
    )
    return talk_scores([Conversation(turns, rows)], keyword, question, weights)


def test_the_neighbours_of_a_turn_that_answers_come_next() -> None:
    turns = [turn(name) for name in "abcdefg"]
    scores = talk(turns, {"d": 1.0})
    assert sorted(scores, key=scores.__getitem__, reverse=True)[0] == "d"
    assert scores["c"] == pytest.approx(scores["e"])
    assert scores["b"] == pytest.approx(scores["f"])
    assert scores["d"] > scores["c"] > scores["b"] > scores["a"] == pytest.approx(scores["g"])


def test_meaning_counts_relative_to_the_nearest_turn() -> None:
    vectors = np.array([[1, 0], [0, 1], [-1, 0], [0, -1], [0, 1], [0.5, 0.5]], np.float32)
    scores = talk([turn(name) for name in "abcdef"], {}, vectors=vectors)
    assert max(scores, key=scores.__getitem__) == "a"


def test_what_a_turn_says_counts_only_where_several_speak() -> None:
    alone = talk([turn("a", told=0.0, speaker="Ana"), turn("b", told=1.0, speaker="Ana")], {})
    assert alone["a"] == pytest.approx(alone["b"])
    both = talk([turn("a", told=0.0, speaker="Ana"), turn("b", told=1.0, speaker="Bob")], {})
    assert both["b"] > both["a"]


def test_the_only_speaker_whom_the_query_names_is_preferred() -> None:
    turns = [turn("a", speaker="Ana"), turn("b", speaker="Bob")]
    asked = talk(turns, {}, about="what did Bob buy")
    assert asked["b"] > asked["a"]
    for about in ("what was bought", "did Ana or Bob buy it"):
        scores = talk(turns, {}, about=about)
        assert scores["a"] == pytest.approx(scores["b"])


def ranked(name: str, score: float) -> Ranked:
    return Ranked(turn(name), (("keyword", score, 1.0),), score)


@given(
    st.lists(st.floats(0, 1), max_size=8),
    st.sets(st.integers(0, 7)),
    st.dictionaries(st.integers(0, 12), st.floats(0, 3), max_size=8),
)
def test_notes_keep_their_places_and_scores_never_rise_down_the_list(
    scores: Any, members: Any, extra: Any
) -> None:
    listed = [ranked(str(at), score) for at, score in enumerate(sorted(scores, reverse=True))]
    talked = {str(at): value for at, value in extra.items() if at in members or at >= 8}
    held = frozenset(str(at) for at in members)
    turns = {name: turn(name) for name in talked}
    placed = with_conversations(listed, talked, turns, held)
    for before, after in zip(listed, placed, strict=False):
        if before.id not in held:
            assert after == before
        assert after.score == before.score
    assert {one.id for one in listed} <= {one.id for one in placed}
    assert len({one.id for one in placed}) == len(placed)
    values = [one.score for one in placed]
    assert values == sorted(values, reverse=True)
    for one in placed:
        assert one.score == pytest.approx(sum(part.value * part.weight for part in one.parts))


def test_the_conversation_is_a_part_of_its_own() -> None:
    listed = [ranked("a", 0.9), ranked("note", 0.8), ranked("b", 0.5)]
    turns = {"a": turn("a"), "b": turn("b"), "c": turn("c")}
    placed = with_conversations(
        listed, {"b": 2.0, "c": 1.0, "a": 0.5}, turns, frozenset({"a", "b"})
    )
    assert [one.id for one in placed] == ["b", "note", "c", "a"]
    assert placed[0].part("conversation") == pytest.approx(0.4)
    assert placed[2].part("conversation") == pytest.approx(0.5)
    assert placed[3].part("conversation") < 0


def pairs(alike: float, count: int = 200, episodes: int = 10) -> Adjacent:
    """Pairs whose neighbours share a direction by that much."""
    chance = np.random.default_rng(1)
    first = chance.normal(size=(count, 32))
    second = alike * first + (1 - alike) * chance.normal(size=(count, 32))
    rows = [one / np.linalg.norm(one, axis=1, keepdims=True) for one in (first, second)]
    names = [str(at * episodes // count) for at in range(count)]
    return Adjacent(names, rows[0].astype(np.float32), rows[1].astype(np.float32))


def test_neighbours_that_speak_of_the_same_are_coherent_and_chance_is_not() -> None:
    assert coherence(pairs(0.5)) > 1.0
    assert abs(coherence(pairs(0.0))) < WEIGHTS.coherent_from
    assert coherence(pairs(0.5)) == coherence(pairs(0.5))


def test_one_episode_or_none_proves_nothing() -> None:
    assert coherence(pairs(0.9, episodes=1)) == 0.0
    assert coherence(Adjacent([], np.zeros((0, 1), np.float32), np.zeros((0, 1), np.float32))) == 0


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ana: hello there", "Ana"),
        ("张三：你好", "张三"),
        ("Dr. No: hello", None),
        ("http://example.org", None),
        ("at 12:30 we met", None),
        ("Of all that was ever said this is the longest: it goes on", None),
        ("no label", None),
    ],
)
def test_the_label_of_a_turn_is_its_speaker(text: str, label: str) -> None:
    assert speaker_of(text) == label


def test_a_longer_turn_says_more_a_question_less_and_a_time_a_little_more() -> None:
    assert says("Ana: ok") == 0.0
    statement = "Ana: I bought a red bicycle in the shop near the station"
    assert 0.0 < says("Ana: I bought a bicycle today") < 1.0
    assert says(statement + "?") < says(statement) < says(statement + " yesterday")
    assert says("Ana: ok [a photo of a very long list of many things on a table]") == 0.0
    assert says("安娜：我在车站旁边的商店里买了一辆红色的自行车") > says("安娜：好的")


@given(st.text(max_size=200))
def test_how_much_any_text_says_lies_between_0_and_1(text: str) -> None:
    assert 0.0 <= says(text) <= 1.0


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("what did we say on May 8th", ("@05-08",)),
        ("8 May 2023 or 12 June", ("@05-08", "@06-12")),
        ("5月8日我们聊了什么", ("@05-08",)),
        ("what happened in May 2023", ()),
        ("nothing of the kind, 5 8", ()),
    ],
)
def test_a_day_that_a_query_names_is_a_word_of_the_records_of_that_day(
    text: str, days: tuple[str, ...]
) -> None:
    assert asked_days(text) == days
    for day in days:
        at = datetime(2023, int(day[1:3]), int(day[4:]), 23, tzinfo=UTC)
        assert day in index_tokens("", at)
        assert day not in index_tokens("", at + timedelta(days=1))


def test_a_record_is_found_by_its_date_in_both_languages() -> None:
    at = datetime(2023, 5, 8, 23, 30, tzinfo=UTC)
    assert date_words(at) == "8 May 2023 2023年5月8日"
    assert date_words(at + timedelta(hours=1)).startswith("9 May")
    assert {"2023", "8", "5", "月", "support"} <= set(index_tokens("support group", at))


@pytest.mark.parametrize(
    ("text", "query", "words"),
    [
        ("Deployments go out; deployed twice", "deploy", ("Deployments", "deployed")),
        ("周二晚上服务宕机，原因是磁盘写满", "磁盘写满", ("磁盘写满",)),
        ("Set OMP_DEBUG_HTTP=1", "debug http", ("OMP_DEBUG_HTTP",)),
        ("nothing of it", "xyzzy", ()),
    ],
)
def test_the_words_that_hit_are_told_as_the_text_spells_them(
    text: str, query: str, words: Any
) -> None:
    assert held_words(text, frozenset(query_tokens(query))) == words


@given(st.text(max_size=60), st.text(max_size=20))
def test_a_word_that_hits_is_in_the_text(text: str, query: str) -> None:
    for word in held_words(text, frozenset(query_tokens(query))):
        assert word in text
