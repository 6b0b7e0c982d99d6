"""Searching through the one door: both languages, filters, floors, and the journal of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from core.services.conftest import Clock, Open

from omp_core.embed.hashing import HashingEmbedder
from omp_core.embed.protocol import Embedder
from omp_core.errors import EmbeddingError, InvalidValueError, SettingsError
from omp_core.memory import Memory
from omp_core.model import Category, Importance, Query, Scope, SearchLevel, SearchMode, Status, Tier
from omp_core.project.workspace import init_workspace
from omp_core.settings import SearchSettings, Settings

NOTES = (
    "用户偏好 pytest，不用 unittest",
    "项目的存储层选了 PostgreSQL 16，连接池用 asyncpg",
    "周二晚上服务宕机，原因是磁盘写满导致日志线程阻塞",
    "用户养了两只猫",
    "Never force-push to main; always open a pull request",
    "The customer can spend at most forty thousand euros, excluding hosting",
    "Moving from webpack to Vite cut bundling from 90 s to 12 s",
    "He likes pour-over coffee",
)
ALL_MODES = list(SearchMode)
EVER = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def notes(memory: Memory) -> Any:
    for content in NOTES:
        memory.add(content)
    return memory


def texts(answer: Any) -> list[str]:
    return [hit.record.content for hit in answer.hits]


def parts_of(hit: Any) -> dict[str, float]:
    return {part.name: part.value for part in hit.parts}


def journal(memory: Memory) -> Any:
    return memory._availability.store().searches(EVER)


# what is found


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("测试框架 pytest", NOTES[0]),
        ("连接池是哪个库", NOTES[1]),
        ("磁盘写满", NOTES[2]),
        ("用户的猫", NOTES[3]),
        ("force push rule", NOTES[4]),
        ("webpack", NOTES[6]),
        ("coffee", NOTES[7]),
    ],
)
@pytest.mark.parametrize("mode", ALL_MODES)
def test_the_memory_asked_for_comes_first_in_both_languages(
    notes: Any, text: str, first: Any, mode: SearchMode
) -> None:
    assert texts(notes.search(text, mode=mode))[0] == first


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("what does the cat owner keep at home", NOTES[3]),
        ("the user prefers pytest", NOTES[0]),
        ("客户最多能花多少钱", NOTES[5]),
        ("手冲咖啡", NOTES[7]),
    ],
)
def test_a_question_finds_a_memory_in_the_other_language(notes: Any, text: str, first: Any) -> None:
    assert texts(notes.search(text))[0] == first


def test_words_that_are_nowhere_find_nothing_by_keyword(notes: Any) -> None:
    answer = notes.search("xyzzy qwrt", mode=SearchMode.KEYWORD)
    assert answer.hits == ()
    assert (answer.total, answer.cut) == (0, 0)


@pytest.mark.parametrize("mode", ALL_MODES)
def test_a_strict_floor_lets_words_that_mean_nothing_find_nothing(
    open_memory: Open, notes: Any, mode: SearchMode
) -> None:
    strict = open_memory(settings=Settings(search=SearchSettings(found_floor=0.72)))
    assert strict.search("xyzzy qwrt", mode=mode).hits == ()


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("text", ["asdfghjkl zxqvkwp", "犇骉羴鱻"])
@pytest.mark.parametrize("level", SearchLevel)
def test_words_that_mean_nothing_find_nothing(
    notes: Any, mode: SearchMode, text: str, level: SearchLevel
) -> None:
    answer = notes.search(text, mode=mode, level=level)
    assert (answer.hits, answer.themes, answer.degraded) == ((), (), None)
    assert not journal(notes)[-1].hit


def test_a_name_that_means_nothing_to_the_model_is_found_by_its_words(notes: Any) -> None:
    notes.add("The build machine is called zxqvkwp")
    assert texts(notes.search("asdfghjkl zxqvkwp")) == ["The build machine is called zxqvkwp"]


@pytest.mark.parametrize("mode", ALL_MODES)
def test_what_has_nothing_to_do_with_the_query_is_left_out(notes: Any, mode: SearchMode) -> None:
    found = texts(notes.search("webpack bundling", mode=mode))
    assert NOTES[6] in found
    assert NOTES[3] not in found
    assert len(found) < len(NOTES)


def test_a_typed_identifier_is_found_whatever_it_means(memory: Memory) -> None:
    memory.add("Set OMP_DEBUG_HTTP=1 to see the requests")
    memory.add("The requests go through a proxy")
    for mode in ALL_MODES:
        assert "OMP_DEBUG_HTTP" in texts(memory.search("omp_debug_http", mode=mode))[0]


def test_the_parts_of_the_score_are_shown_with_each_hit(notes: Any) -> None:
    seed = notes.search("磁盘写满").hits[0]
    parts = parts_of(seed)
    assert parts["keyword"] == parts["semantic"] == 1.0
    assert seed.score == pytest.approx(sum(part.value * part.weight for part in seed.parts))
    assert seed.words == ("磁盘写满",)
    assert 0.2 < seed.similarity <= 1.0


def test_of_two_that_say_the_same_the_one_changed_last_comes_first(
    memory: Memory, clock: Clock
) -> None:
    for user in ("ana", "bob"):
        memory.add("Deploys go out on Tuesdays", scope=Scope(user_id=user))
        clock.forward(days=30)
    first, second = (hit.record for hit in memory.search("deploys", browse=True).hits)
    assert (first.scope.user_id, second.scope.user_id) == ("bob", "ana")
    memory.update(second.id, {"tags": ["checked"]})
    assert memory.search("deploys").hits[0].record.id == second.id


def test_of_two_that_say_the_same_the_important_one_comes_first(memory: Memory) -> None:
    for user, importance in (("ana", "low"), ("bob", "high"), ("eve", "medium")):
        memory.add("Deploys go out", scope=Scope(user_id=user), importance=Importance(importance))
    found = [hit.record.scope.user_id for hit in memory.search("deploys").hits]
    assert found == ["bob", "eve", "ana"]


def test_project_facts_are_found_beside_the_users_own(tmp_path: Path, open_memory: Open) -> None:
    init_workspace(tmp_path)
    (tmp_path / "_omp" / "memory" / "project.yaml").write_text("build:\n  tool: pnpm\n")
    memory = open_memory()
    memory.add("User keeps pnpm up to date")
    homes = {hit.record.home for hit in memory.search("pnpm").hits}
    assert homes == {"project", "user"}


# what is let through


def test_scopes_are_matched_exactly_and_in_any_combination(memory: Memory) -> None:
    text = "Deploys go out on Tuesdays"
    for scope in (Scope(), Scope(user_id="ana"), Scope(user_id="ana", app_id="shop")):
        memory.add(text, scope=scope)
    for scope, found in (
        (Scope(), 3),
        (Scope(user_id="ana"), 2),
        (Scope(app_id="shop"), 1),
        (Scope(user_id="bob"), 0),
    ):
        for mode in ALL_MODES:
            answer = memory.search("deploy on tuesday", mode=mode, query=Query(scope))
            assert answer.total == found
            assert all(scope.user_id in (None, hit.record.scope.user_id) for hit in answer.hits)


def test_metadata_category_and_tier_filter_the_hits(memory: Memory) -> None:
    memory.add("Deploys go out on Tuesdays", metadata={"ticket": 7})
    memory.add("Deploys wait for a green pipeline", metadata={"ticket": 8}, tier=Tier.WORKING)
    memory.add("Deploys are announced", category=Category.DECISION)
    for query, found in (
        (Query(metadata={"ticket": 7}), {"Deploys go out on Tuesdays"}),
        (Query(metadata={"ticket": 9}), set()),
        (Query(tiers=frozenset({Tier.WORKING})), {"Deploys wait for a green pipeline"}),
        (Query(categories=frozenset({Category.DECISION})), {"Deploys are announced"}),
    ):
        for mode in ALL_MODES:
            assert set(texts(memory.search("deploys", mode=mode, query=query))) == found


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.CANDIDATE, Status.SUPERSEDED])
@pytest.mark.parametrize("mode", ALL_MODES)
def test_what_is_not_active_is_found_only_when_asked_for(
    memory: Memory, status: Any, mode: SearchMode
) -> None:
    record_id = memory.add("The cache is Redis 7").id
    memory.add("The cache is warmed at night")
    memory.set_status([record_id], status)
    assert texts(memory.search("redis cache", mode=mode)) != []
    assert "The cache is Redis 7" not in texts(memory.search("redis cache", mode=mode))
    asked = memory.search("redis cache", mode=mode, query=Query(statuses=frozenset({status})))
    assert texts(asked) == ["The cache is Redis 7"]


@pytest.mark.parametrize("mode", ALL_MODES)
def test_what_has_expired_is_found_only_when_asked_for(
    memory: Memory, clock: Clock, mode: SearchMode
) -> None:
    memory.add("Use tabs in this session", ttl_seconds=60)
    assert memory.search("tabs", mode=mode).total == 1
    clock.forward(seconds=60)
    assert memory.search("tabs", mode=mode).total == 0
    assert memory.search("tabs", mode=mode, query=Query(include_expired=True)).total == 1


# the limit


def test_the_limit_cuts_the_list_and_the_answer_says_how_many_it_cut(memory: Memory) -> None:
    for number in range(7):
        memory.add(f"Deploy rule {number}: announce it in channel {number}")
    whole = memory.search("deploy rule", browse=True)
    cut = memory.search("deploy rule", limit=3, browse=True)
    assert (whole.total, whole.cut) == (7, 0)
    assert (cut.total, cut.cut) == (7, 4)
    assert cut.hits == whole.hits[:3]


def test_the_limit_of_the_settings_holds_unless_another_is_given(open_memory: Open) -> None:
    memory = open_memory(settings=Settings(search=SearchSettings(limit=2)))
    for number in range(4):
        memory.add(f"Deploy rule {number}")
    assert len(memory.search("deploy rule").hits) == 2
    assert len(memory.search("deploy rule", limit=4).hits) == 4


@pytest.mark.parametrize(("text", "limit"), [("", 5), (" \n", 5), ("pytest", 0)])
def test_an_empty_text_or_limit_is_refused(memory: Memory, text: str, limit: int) -> None:
    with pytest.raises(InvalidValueError, match=r"query|limit"):
        memory.search(text, limit=limit)
    assert journal(memory) == ()


@pytest.mark.parametrize("text", ['"', "(a OR b)", "NEAR(x", "* -x", "a\x00b", "\ud800", "!?"])
def test_any_text_can_be_searched(notes: Any, text: str) -> None:
    for mode in ALL_MODES:
        notes.search(text, mode=mode)


# the journal


def test_a_search_is_journalled_with_what_it_found(open_memory: Open, clock: Clock) -> None:
    memory = open_memory("agent:codex")
    memory.add("磁盘写满会阻塞日志线程", scope=Scope(user_id="ana"))
    clock.forward(hours=1)
    answer = memory.search("磁盘写满", query=Query(Scope(user_id="ana")))
    (entry,) = journal(memory)
    assert entry.at == clock.at
    assert entry.actor == "agent:codex"
    assert (entry.query, entry.mode, entry.scope) == ("磁盘写满", "hybrid", Scope(user_id="ana"))
    assert entry.result_ids == tuple(hit.record.id for hit in answer.hits)
    assert entry.best_score == answer.hits[0].score
    assert entry.latency_ms == answer.latency_ms > 0
    assert entry.hit


def test_a_search_hits_only_with_something_relevant_enough(notes: Any) -> None:
    notes.search("xyzzy qwrt")
    notes.search("webpack bundling")
    weak = notes.search("the user wants coffee, tea, juice and a cake", mode=SearchMode.KEYWORD)
    assert weak.hits
    assert [entry.hit for entry in journal(notes)] == [False, True, False]


def test_the_hit_floor_is_a_setting(open_memory: Open) -> None:
    lenient = open_memory(settings=Settings(search=SearchSettings(relevance_floor=0.0)))
    lenient.add("He likes pour-over coffee")
    lenient.search("the user wants coffee, tea, juice and a cake", mode=SearchMode.KEYWORD)
    lenient.search("xyzzy qwrt", mode=SearchMode.KEYWORD)
    assert [entry.hit for entry in journal(lenient)] == [True, False]


def test_secrets_in_a_query_do_not_reach_the_journal(notes: Any) -> None:
    notes.search("coffee with AKIAIOSFODNN7EXAMPLE")
    (entry,) = journal(notes)
    assert "AKIA" not in entry.query
    assert "coffee" in entry.query


def test_hits_count_as_read_and_what_the_limit_cut_does_not(memory: Memory, clock: Clock) -> None:
    ids = [memory.add("Deploys go out", scope=Scope(user_id=user)).id for user in ("a", "b", "c")]
    clock.forward(hours=1)
    (hit,) = memory.search("deploys", limit=1).hits
    for record_id in ids:
        read = memory.get(record_id)
        assert read.access_count == (record_id == hit.record.id)
        assert read.last_accessed == (clock.at if record_id == hit.record.id else None)
        assert read.version == 1


def test_browsing_is_neither_journalled_nor_counted_as_read(memory: Memory) -> None:
    record_id = memory.add("Deploys go out on Tuesdays", tier=Tier.LONG_TERM).id
    before = memory.get(record_id), memory.change_stamp()
    assert memory.search("deploys", browse=True).total == 1
    assert (memory.get(record_id), memory.change_stamp()) == before
    assert journal(memory) == ()


def test_a_long_term_memory_that_is_found_is_lifted_to_short_term(memory: Memory) -> None:
    record_id = memory.add("Deploys go out on Tuesdays", tier=Tier.LONG_TERM).id
    memory.search("deploys")
    lifted = memory.get(record_id)
    assert lifted.tier is Tier.SHORT_TERM
    assert memory.history(record_id)[0].actor == "system"


# without vectors


class Broken(HashingEmbedder):
    """A model that loads, and fails when it is used."""

    degraded = None

    def embed_query(self, text: str) -> None:
        raise EmbeddingError("the session is gone")


@pytest.mark.parametrize(
    "load", [lambda _settings: None, lambda _settings: HashingEmbedder(),
             lambda _settings: Broken()],
    ids=["none", "hashing", "broken"],
)  # fmt: skip
@pytest.mark.parametrize("mode", [SearchMode.HYBRID, SearchMode.SEMANTIC])
def test_without_vectors_the_semantic_part_is_the_keyword_part_and_it_is_said(
    open_memory: Open, load: Any, mode: SearchMode
) -> None:
    memory = open_memory(load_embedder=load)
    for content in NOTES:
        memory.add(content)
    answer = memory.search("磁盘写满", mode=mode)
    assert texts(answer)[0] == NOTES[2]
    assert answer.degraded
    assert all(hit.similarity is None for hit in answer.hits)
    if mode is SearchMode.HYBRID:
        parts = [parts_of(hit) for hit in answer.hits]
        assert all(one["semantic"] == one["keyword"] for one in parts)
    assert journal(memory)[-1].hit


def test_keyword_search_asks_for_no_model(open_memory: Open) -> None:
    def none_wanted(_settings: Settings) -> None:
        raise AssertionError("a model was loaded")

    memory = open_memory()
    memory.add(NOTES[2])
    words_only = open_memory(load_embedder=none_wanted)
    answer = words_only.search("磁盘写满", mode=SearchMode.KEYWORD)
    assert texts(answer) == [NOTES[2]]
    assert answer.degraded is None


def test_records_without_a_vector_are_embedded_before_the_search(open_memory: Open) -> None:
    bare = open_memory(load_embedder=lambda _settings: None)
    bare.add(NOTES[5])
    memory = open_memory()
    assert memory.embedding.missing() == 1
    answer = memory.search("客户最多能花多少钱")
    assert texts(answer) == [NOTES[5]]
    assert answer.degraded is None


# what is given


def test_the_vector_of_the_query_may_be_given(notes: Any, embedder: Embedder) -> None:
    given = embedder.embed_query("磁盘写满")
    with_vector = notes.search("磁盘写满", vector=given, browse=True)
    assert with_vector.hits == notes.search("磁盘写满", browse=True).hits
    assert not np.shares_memory(given, embedder.embed_query("磁盘写满"))


def test_the_weights_of_the_chosen_profile_rank(open_memory: Open) -> None:
    seed = open_memory(settings=Settings(search=SearchSettings(profile="seed")))
    seed.add(NOTES[2])
    (hit,) = seed.search("磁盘写满").hits
    assert [(part.name, part.weight) for part in hit.parts] == [
        ("keyword", 0.4),
        ("semantic", 0.4),
        ("recency", 0.1),
        ("importance", 0.1),
    ]


def test_an_unknown_profile_is_refused(open_memory: Open) -> None:
    memory = open_memory(settings=Settings(search=SearchSettings(profile="best")))
    memory.add(NOTES[2])
    with pytest.raises(SettingsError, match="'best'"):
        memory.search("磁盘写满")


def test_what_only_the_words_bring_in_is_compared_by_meaning_too(
    open_memory: Open, embedder: Embedder
) -> None:
    settings = SearchSettings(profile="seed", candidates=1)
    memory = open_memory(settings=Settings(search=settings))
    named = "SKU-4711 is out of stock"
    near = "The parts that are missing in the warehouse are counted on Mondays"
    memory.add(named)
    memory.add(near)
    of_named, of_near = embedder.embed_passages([named, near])
    vector = of_named + 2 * of_near
    vector /= np.linalg.norm(vector)
    hits = memory.search("SKU-4711", vector=vector, limit=1, browse=True)
    parts = {text: parts_of(hit) for text, hit in zip(texts(hits), hits.hits, strict=True)}
    assert hits.total == 2
    assert parts[named]["keyword"] == 1.0
    assert 0.2 < parts[named]["semantic"] < 1.0


def test_a_secret_in_a_query_or_a_scope_reaches_no_disk(open_memory: Open, tmp_path: Path) -> None:
    memory = open_memory()
    secret = "Zq9x" + "-hunter2-" + "77"
    memory.add("the cache is Redis 7")
    memory.search(f"password: {secret}", query=Query(scope=Scope(user_id=f"password: {secret}")))
    memory.close()
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert secret.encode() not in written
