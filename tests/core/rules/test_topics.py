"""What the cue words of a text say about its topic, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.language.tokens import tokens
from omp_core.rules.topics import CueTable, Topic, shipped_cues, topic_likeness, topics_of

STORE = Topic("store", "code", ("backup", "tables"), ("数据库", "库", "备份"), (), (), "db", "库")
FOOD = Topic("food", "life", ("dinner", "tables"), ("晚饭", "库尔勒香梨"), (), (), "food", "吃")
TABLE = CueTable((STORE, FOOD), {"dinner": 0.5})


def topics(text: str, table: CueTable = TABLE) -> dict[int, float]:
    return dict(table.topics_of(frozenset(tokens(text))))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the Backup failed", {0: 1.0}),
        ("backups", {0: 1.0}),
        ("a table", {0: 0.5, 1: 0.5}),
        ("dinner is late", {1: 0.5}),
        ("数据库今晚备份", {0: 3.0}),  # 库 lies within 数据库
        ("库里没有", {0: 0.7}),
        ("库尔勒香梨很甜", {1: 1.5}),
        ("nothing of the kind", {}),
    ],
)
def test_the_cues_of_a_text_speak_for_its_topics(text: str, found: dict[int, float]) -> None:
    assert topics(text) == pytest.approx(found)


def test_texts_of_two_languages_meet_in_a_topic() -> None:
    assert topic_likeness(topics("the backup"), topics("每晚备份")) == pytest.approx(1.0)
    assert topic_likeness(topics("the backup"), topics("晚饭")) == 0.0
    assert 0.0 < topic_likeness(topics("the backup"), topics("a table")) < 1.0


@given(st.text(max_size=60), st.text(max_size=60))
def test_likeness_is_symmetric_bounded_and_whole_with_oneself(one: str, other: str) -> None:
    mine, theirs = (topics_of(frozenset(tokens(text))) for text in (one, other))
    assert topic_likeness(mine, theirs) == pytest.approx(topic_likeness(theirs, mine))
    assert 0.0 <= topic_likeness(mine, theirs) <= 1.0
    assert topic_likeness(mine, mine) == pytest.approx(1.0 if mine else 0.0)


@given(st.text(alphabet="数据库尔勒香梨备份晚饭 backuptblesdinr", max_size=30))
def test_a_text_on_a_topic_holds_a_sign_of_it(text: str) -> None:
    for number in topics(text):
        assert not TABLE.signs_of({number: 1.0}).isdisjoint(tokens(text))


def test_every_cue_of_the_shipped_table_is_found_among_its_own_tokens() -> None:
    table = shipped_cues()
    for number, topic in enumerate(table.topics):
        for cue in (*topic.zh, *topic.en):
            assert number in topics(cue, table), cue
