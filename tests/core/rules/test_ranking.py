"""The score of a hit and its parts, coverage of a query, and what is noise."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omp_core.errors import SettingsError
from omp_core.language.tokens import query_terms, tokens
from omp_core.model import Importance, SearchMode
from omp_core.rules.ranking import (
    UNKNOWN_SIMILARITY,
    Evidence,
    Ranked,
    Traits,
    chosen_profile,
    coverage,
    rank,
    recency,
    relevance,
    wants,
    worth_showing,
)
from omp_core.settings import RankingProfile, SearchSettings

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SETTINGS = SearchSettings(profile="seed")
share = st.floats(0, 1)


def record(number: int = 0, *, days: float = 0, **fields: Any) -> Traits:
    at = NOW - timedelta(days=days)
    given = {"importance": Importance.MEDIUM, "group": (None, None), "script": "latin"}
    return Traits(f"{number:03d}", "text", updated_at=at, **(given | fields))


def evidence(number: int = 0, **known: Any) -> Evidence:
    given: dict[str, Any] = {
        "traits": record(number),
        "bm25": None,
        "coverage": 0.0,
        "z": None,
        "similarity": None,
    }
    return Evidence(**(given | known))


@st.composite
def candidates(draw: st.DrawFn) -> list[Evidence]:
    found = []
    for number in range(draw(st.integers(0, 8))):
        by_words = draw(st.booleans())
        found.append(
            Evidence(
                record(
                    number,
                    days=draw(st.floats(0, 1000)),
                    importance=draw(st.sampled_from(Importance)),
                ),
                draw(st.floats(0, 30)) if by_words else None,
                draw(share) if by_words else 0.0,
                draw(st.none() | st.floats(-4, 9)),
                draw(st.none() | share),
            )
        )
    return found


def ranked(
    found: list[Evidence],
    mode: SearchMode = SearchMode.HYBRID,
    settings: Any = SETTINGS,
    vectors: bool = True,
) -> Any:
    return rank(found, mode, "latin", settings, NOW, semantic_available=vectors)


def parts_of(found: list[Ranked]) -> dict[str, dict[str, float]]:
    return {one.id: {part.name: part.value for part in one.parts} for one in found}


def only(**part: float) -> SearchSettings:
    none: dict[str, Any] = {"keyword": 0.0, "semantic": 0.0, "recency": 0.0, "importance": 0.0}
    return SearchSettings(profile="mine", profiles={"mine": RankingProfile(**(none | part))})


# the score


@given(candidates(), st.sampled_from(SearchMode), st.booleans())
def test_hits_are_ordered_by_score_and_equal_ones_by_id(
    found: list[Evidence], mode: SearchMode, vectors: bool
) -> None:
    hits = ranked(found, mode, vectors=vectors)
    assert [hit.id for hit in hits] == [
        hit.id for hit in sorted(hits, key=lambda hit: (-hit.score, hit.id))
    ]
    assert {hit.id for hit in hits} == {one.id for one in found}


@given(candidates(), st.sampled_from(SearchMode), st.booleans())
def test_all_parts_and_the_seed_score_lie_between_0_and_1(
    found: list[Evidence], mode: SearchMode, vectors: bool
) -> None:
    for hit in ranked(found, mode, vectors=vectors):
        for value in (*(part.value for part in hit.parts), hit.score):
            assert 0.0 <= value <= 1.0 + 1e-9


PROFILES = st.builds(
    RankingProfile, keyword=share, semantic=share, recency=share, importance=share, crossed=share
)


@given(candidates(), PROFILES, st.sampled_from(SearchMode))
def test_the_score_is_the_weighted_sum_of_the_parts_shown(
    found: list[Evidence], chosen: Any, mode: SearchMode
) -> None:
    settings = SearchSettings(profile="mine", profiles={"mine": chosen})
    for hit in ranked(found, mode, settings=settings):
        assert hit.score == pytest.approx(sum(part.value * part.weight for part in hit.parts))


def test_words_cannot_cross_languages_so_meaning_stands_in_for_them() -> None:
    settings = SearchSettings(profile="auto")
    same, other = record(1), record(2, script="cjk")
    found = ranked([evidence(traits=same, z=2.0), evidence(traits=other, z=2.0)], settings=settings)
    parts = parts_of(found)
    assert parts["002"]["keyword"] == pytest.approx(0.4 * parts["002"]["semantic"])
    assert parts["001"]["keyword"] == 0.0
    seed = parts_of(ranked([evidence(traits=other, z=2.0)]))
    assert seed["002"]["keyword"] == 0.0


@given(candidates(), st.sampled_from(SearchMode), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(
    found: list[Evidence], mode: SearchMode, chance: random.Random
) -> None:
    mixed = list(found)
    chance.shuffle(mixed)
    assert ranked(mixed, mode) == ranked(found, mode)


@given(candidates())
def test_each_pure_mode_scores_by_its_own_part(found: list[Evidence]) -> None:
    for mode in (SearchMode.KEYWORD, SearchMode.SEMANTIC):
        for hit in ranked(found, mode):
            (part,) = hit.parts
            assert (part.name, part.value, part.weight) == (mode.value, hit.score, 1.0)


@given(candidates())
def test_without_vectors_the_semantic_part_is_the_keyword_part(found: list[Evidence]) -> None:
    for hit in ranked(found, vectors=False):
        assert hit.part("semantic") == hit.part("keyword")


def test_a_record_that_has_no_vector_yet_is_ranked_by_its_words() -> None:
    waiting = evidence(1, bm25=9.0, coverage=1.0)
    others = [evidence(2, z=3.0), evidence(3, z=1.0)]
    parts = parts_of(ranked([waiting, *others]))
    assert parts["001"]["semantic"] == parts["001"]["keyword"] == 1.0
    assert parts["002"]["semantic"] == 1.0
    assert parts["003"]["semantic"] == pytest.approx(1 / 3)


@given(st.lists(st.floats(-4, 9), min_size=1, max_size=8))
def test_the_semantic_part_keeps_the_order_of_what_lies_above_the_unrelated(zs: Any) -> None:
    found = [evidence(number, z=z) for number, z in enumerate(zs)]
    parts = {hit.id: hit.part("semantic") for hit in ranked(found)}
    by_z = sorted(found, key=lambda one: one.z)
    values = [parts[one.id] for one in by_z]
    assert values == sorted(values)
    assert values[-1] == (1.0 if max(zs) > 0 else 0.0)
    assert all(parts[one.id] == 0.0 for one in found if one.z <= 0)


def test_two_that_are_nearly_alike_lie_close_together() -> None:
    parts = [hit.part("semantic") for hit in ranked([evidence(1, z=6.0), evidence(2, z=5.7)])]
    assert parts == [1.0, pytest.approx(0.95)]


def test_the_best_words_count_less_when_they_cover_only_some_of_the_query() -> None:
    covers = [evidence(number, bm25=8.0, coverage=number / 4) for number in range(5)]
    keyword = {hit.id: hit.part("keyword") for hit in ranked(covers)}
    values = [keyword[one.id] for one in covers]
    assert values == sorted(set(values))
    assert (values[0], values[-1]) == (0.0, 1.0)
    assert 0.5 < values[2] < 1.0


def test_a_memory_that_only_shares_words_does_not_beat_one_that_means_the_query() -> None:
    shares = evidence(1, bm25=8.0, coverage=0.25, z=0.5, similarity=0.4)
    means = evidence(2, z=3.0, similarity=0.8)
    assert [hit.id for hit in ranked([shares, means])] == ["002", "001"]


@pytest.mark.parametrize(
    ("settings", "first"),
    [
        (only(keyword=1.0), "001"),
        (only(semantic=1.0), "002"),
        (only(recency=1.0), "003"),
        (only(importance=1.0), "004"),
    ],
)
def test_a_weight_brings_what_it_stands_for_to_the_front(settings: Any, first: Any) -> None:
    found = [
        Evidence(record(1, days=9), 9.0, 1.0, 0.0),
        Evidence(record(2, days=9), 1.0, 0.5, 5.0),
        Evidence(record(3, days=0), None, 0.0, 0.0),
        Evidence(record(4, days=9, importance=Importance.HIGH), None, 0.0, 0.0),
    ]
    assert ranked(found, settings=settings)[0].id == first


def test_an_unknown_profile_is_refused_with_the_known_ones() -> None:
    settings = SearchSettings(profile="seeds", profiles={"mine": only(keyword=1).profiles["mine"]})
    with pytest.raises(SettingsError, match=r"'seeds'.*auto, mine, seed"):
        ranked([evidence()], settings=settings)


def test_own_weights_may_take_a_shipped_name() -> None:
    mine = RankingProfile(keyword=1.0, semantic=0.0, recency=0.0, importance=0.0)
    assert chosen_profile(SearchSettings(profile="seed", profiles={"seed": mine})) == mine


def test_the_seeds_profile_is_the_seeds_formula() -> None:
    seed = chosen_profile(SETTINGS)
    assert (seed.keyword, seed.semantic, seed.recency, seed.importance) == (0.4, 0.4, 0.1, 0.1)
    assert (seed.crossed, seed.conversation) == (0.0, None)


def test_recency_halves_with_each_half_life_since_the_last_change() -> None:
    assert recency(NOW - timedelta(days=60), NOW, 30.0) == pytest.approx(0.25)
    assert recency(NOW, NOW, 30.0) == 1.0
    assert recency(NOW + timedelta(days=3), NOW, 30.0) == 1.0


# coverage


@pytest.mark.parametrize(
    ("query", "content", "expected"),
    [
        ("deploy window", "The deployment window is Tuesday", 1.0),
        ("deploy window", "A window manager", 0.5),
        ("how do we roll back a release", "roll back with just", 2 / 3),
        ("测试框架", "用户喜欢的测试框架是 pytest", 1.0),
        ("测试框架", "单元测试覆盖率是 78%", 0.5),
        ("连接池是哪个库", "连接池用 asyncpg", 3 / 5),
        ("测试框架", "试一试新的架子", 0.0),
        ("pytest 测试", "pytest 的配置", 0.5),
        ("user_id", "the id of the user", 1.0),
        ("什么", "这是什么", 1.0),
        ("xyzzy qwrt", "The cache is Redis", 0.0),
        ("!?", "anything!?", 0.0),
    ],
)
def test_coverage_is_the_share_of_what_is_asked_for(
    query: str, content: str, expected: Any
) -> None:
    held = set(tokens(content))
    assert coverage(wants(query_terms(query)), held) == pytest.approx(expected)


@given(st.text(max_size=60))
def test_a_text_covers_all_that_it_asks_for_itself(text: str) -> None:
    wanted = wants(query_terms(text))
    assert coverage(wanted, set(tokens(text))) == (1.0 if wanted else 0.0)


@given(
    st.text(alphabet="测试框架的是 abcd_", max_size=20),
    st.text(alphabet="测试框架的是 abcd_", max_size=20),
    st.text(alphabet="测试框架的是 abcd_", max_size=20),
)
def test_more_text_never_covers_less(query: str, content: str, more: Any) -> None:
    wanted = wants(query_terms(query))
    less = coverage(wanted, set(tokens(content)))
    assert 0.0 <= less <= coverage(wanted, set(tokens(content)) | set(tokens(more))) <= 1.0


# relevance


@given(share, share)
def test_relevance_is_at_least_either_witness_and_rises_with_both(
    covered: float, similarity: float
) -> None:
    both = relevance(evidence(coverage=covered, similarity=similarity))
    assert max(covered, similarity) - 1e-9 <= both <= 1.0
    assert relevance(evidence(coverage=1.0, similarity=similarity)) == 1.0
    assert relevance(evidence(coverage=0.0, similarity=similarity)) == pytest.approx(similarity)


def test_without_a_vector_words_count_as_if_the_topic_were_the_same() -> None:
    assert relevance(evidence(coverage=0.5)) == pytest.approx(1 - 0.5 * (1 - UNKNOWN_SIMILARITY))
    assert relevance(evidence(coverage=0.0)) == 0.0


def test_by_words_alone_a_search_is_a_hit_when_half_of_the_query_is_covered() -> None:
    floor = SETTINGS.relevance_floor
    assert relevance(evidence(coverage=1 / 2)) >= floor
    assert relevance(evidence(coverage=1 / 3)) < floor


def test_noise_is_not_shown() -> None:
    good = evidence(1, coverage=0.5, similarity=0.7)
    noise = evidence(2, coverage=0.0, similarity=SETTINGS.shown_floor - 0.01)
    assert set(worth_showing([good, noise], SETTINGS)) == {"001"}


def test_where_no_word_is_known_something_near_is_not_enough() -> None:
    strict = SearchSettings(found_floor=0.4)
    near = evidence(1, similarity=strict.found_floor - 0.01)
    alike = evidence(2, similarity=strict.found_floor)
    shares = evidence(3, coverage=0.1, similarity=0.1)
    assert worth_showing([near], strict) == {}
    assert set(worth_showing([near, alike], strict)) == {"001", "002"}
    assert set(worth_showing([near, shares], strict)) == {"001"}
    assert worth_showing([], strict) == {}


@given(candidates())
def test_what_is_shown_is_above_the_floor_and_told_with_its_relevance(
    found: list[Evidence],
) -> None:
    shown = worth_showing(found, SETTINGS)
    for one in found:
        value = relevance(one)
        assert shown.get(one.id, value) == value
        if one.id in shown:
            assert value >= SETTINGS.shown_floor
        elif any(other.coverage > 0 for other in found):
            assert value < SETTINGS.shown_floor


def test_no_candidates_no_hits() -> None:
    assert ranked([]) == []
