"""Search through themes, their members and episodes, within a token budget."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from omp_core.embed.hashing import HashingEmbedder
from omp_core.embed.protocol import Embedder
from omp_core.errors import EmbeddingError, InvalidValueError, StoreUnavailableError
from omp_core.language.sentences import estimate_tokens
from omp_core.memory import Memory
from omp_core.model import (
    Home,
    Query,
    Scope,
    SearchAnswer,
    SearchLevel,
    SearchMode,
    Status,
    Tier,
)
from omp_core.project.workspace import Workspace, init_workspace
from omp_core.settings import SearchSettings, Settings, ThemeSettings

GIVEN: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[2] / "data" / "themes.json").read_text("utf-8")
)
ANA = Scope(user_id="ana", app_id="shop")
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
EVER = datetime(2000, 1, 1, tzinfo=UTC)
WINDOW = "每周三下午是发布窗口"
"""Of the theme on deploying; it shares no word with a question about rollbacks."""

Open = Callable[..., Memory]
THEME, ALL = SearchLevel.THEME, SearchLevel.ALL


@pytest.fixture(scope="session")
def grouped(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    """A folder with a store whose records are in the given themes, called as in the file."""
    folder = tmp_path_factory.mktemp("grouped")
    with Memory.open(
        workspace=folder,
        store=folder / "store.db",
        settings=Settings(),
        clock=lambda: START,
        load_embedder=lambda _settings: embedder,
    ) as memory:
        for label, contents in GIVEN.items():
            ids = [memory.add(text, scope=ANA, force=True).id for text in contents]
            memory.themes.move(ids, None, label=label)
    return folder


@pytest.fixture
def themed(grouped: Path, tmp_path: Path, open_memory: Open) -> Memory:
    """A memory of that store, on a copy of its own."""
    shutil.copytree(grouped, tmp_path, dirs_exist_ok=True)
    memory = open_memory()
    memory._availability.embedder()
    return memory


@pytest.fixture
def project(tmp_path: Path) -> Callable[[str, str], None]:
    """A project of which documents are written by file name."""
    init_workspace(tmp_path)

    def says(file: str, text: str) -> None:
        place = Workspace(tmp_path).memory / file
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")

    return says


def texts(answer: SearchAnswer, *levels: str) -> list[str]:
    return [hit.record.content for hit in answer.hits if not levels or hit.level in levels]


def ids(answer: SearchAnswer) -> list[str]:
    return [hit.record.id for hit in answer.hits]


def labels(answer: SearchAnswer) -> list[str]:
    return [theme.label for theme in answer.themes]


def id_of(memory: Memory, text: str) -> str:
    return next(one.id for one in memory.list(limit=100).records if one.content == text)


def spent(answer: SearchAnswer) -> int:
    return sum(map(estimate_tokens, (*labels(answer), *texts(answer))))


# themes


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("unit tests in docker", "testing"),
        ("怎么测试", "testing"),
        ("rollback a deploy", "deploy"),
        ("发布窗口是什么时候", "deploy"),
        ("what does the user do in his free time", "person"),
        ("用户的猫", "person"),
        ("dark mode of the frontend", "frontend"),
    ],
)
def test_the_theme_that_is_asked_about_comes_first_in_both_languages(
    themed: Memory, text: str, label: str
) -> None:
    answer = themed.search(text, level="theme")
    assert answer.level is THEME
    assert answer.hits == ()
    assert answer.themes[0].label == label
    assert answer.themes[0].members == len(GIVEN[label])
    assert answer.degraded is None


def test_themes_come_nearest_first_and_far_ones_are_left_out(open_memory: Open) -> None:
    lenient = open_memory(settings=Settings(search=SearchSettings(theme_floor=0.0)))
    lenient._availability.embedder()
    for label, contents in GIVEN.items():
        made = [lenient.add(text, force=True).id for text in contents]
        lenient.themes.move(made, None, label=label)
    every = lenient.search("rollback a deploy", level=THEME)
    nearness = [theme.similarity for theme in every.themes]
    assert len(nearness) == len(GIVEN)
    assert nearness == sorted(nearness, reverse=True)
    assert (every.themes[0].label, every.themes[0].words) == ("deploy", 0.5)
    two = lenient.search("rollback a deploy", level=THEME, limit=2)
    assert two.themes == every.themes[:2]
    assert (two.total, two.cut) == (4, 2)
    usual = open_memory().search("rollback a deploy", level=THEME)
    assert usual.themes == tuple(one for one in every.themes if one.similarity >= 0.5)
    assert len(usual.themes) < 4


def test_records_are_placed_before_themes_are_searched(open_memory: Open) -> None:
    bare = open_memory(load_embedder=lambda _settings: None)
    for text in GIVEN["deploy"]:
        bare.add(text)
    answer = open_memory().search("how do we roll back a deploy?", level=THEME)
    assert sum(theme.members for theme in answer.themes) >= 2


# through all levels


def test_themes_come_before_records_and_those_best_first(themed: Memory) -> None:
    answer = themed.search("rollback a deploy", level=ALL, limit=6)
    assert answer.level is ALL
    assert labels(answer) == ["deploy"]
    assert texts(answer)[0] == "Rollback is done by redeploying the previous tag"
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)
    assert len(set(ids(answer))) == len(answer.hits) == 6
    assert answer.tokens == spent(answer)


def test_a_member_that_does_not_match_itself_comes_in_by_its_theme(themed: Memory) -> None:
    answer = themed.search("rollback a deploy", level=ALL, limit=6)
    (theme,) = answer.themes
    members = [hit for hit in answer.hits if hit.theme == theme.id]
    assert WINDOW in texts(answer, "theme")
    assert set(texts(answer)) == {hit.record.content for hit in members} == set(GIVEN["deploy"])
    (pulled,) = [hit for hit in answer.hits if hit.record.content == WINDOW]
    assert pulled.score == pytest.approx(sum(part.value * part.weight for part in pulled.parts))


def test_unexpanded_there_is_only_what_matches_itself(themed: Memory) -> None:
    answer = themed.search("rollback a deploy", level=ALL, expand=False, browse=True)
    records = themed.search("rollback a deploy", browse=True)
    assert labels(answer) == ["deploy"]
    assert texts(answer) == texts(records)
    assert texts(answer, "theme", "episode") == []
    assert [hit.score for hit in answer.hits] == [hit.score for hit in records.hits]
    assert answer.total == records.total
    deploying = {hit.record.content for hit in answer.hits if hit.theme is not None}
    assert deploying == set(GIVEN["deploy"]) & set(texts(records))


def test_matches_have_half_of_the_places_though_a_theme_has_many_members(open_memory: Open) -> None:
    memory = open_memory()
    memory._availability.embedder()
    far = [memory.add(f"The deploy of {name} is announced", force=True).id for name in "abcdefg"]
    memory.themes.move(far, None, label="deploys")
    best = memory.add("Rollback a deploy with the rollback script").id
    memory.themes.move([best], None, label="scripts")
    answer = memory.search("rollback a deploy", level=ALL, limit=4)
    assert answer.hits[0].record.id == best
    assert len(answer.hits) == 4
    (one,) = memory.search("rollback a deploy", level=ALL, limit=1).hits
    assert one.record.id == best


def test_a_theme_that_is_hardly_on_the_topic_brings_no_members_in(themed: Memory) -> None:
    answer = themed.search("周五几点开会", level=ALL)
    assert 0.5 <= (answer.themes[0].similarity or 0.0) < 0.62
    assert texts(answer, "theme") == []


def test_words_alone_search_through_all_levels_too(themed: Memory) -> None:
    answer = themed.search("rollback deploy", level=ALL, mode=SearchMode.KEYWORD)
    assert labels(answer) == ["deploy"]
    assert answer.themes[0].similarity is None
    assert answer.degraded is None
    assert set(texts(answer, "semantic")) == {
        "Rollback is done by redeploying the previous tag",
        "Never deploy on Friday evening",
    }
    assert {part.name for hit in answer.hits for part in hit.parts} == {"keyword"}
    meaning = themed.search("rollback deploy", level=ALL, mode=SearchMode.SEMANTIC)
    assert {part.name for hit in meaning.hits for part in hit.parts} == {"semantic"}
    assert labels(meaning)[0] == "deploy"


# variants of one fact


@pytest.mark.parametrize(
    ("text", "variants", "other"),
    [
        (
            "which editor theme does the user prefer",
            (
                "The user prefers the dark theme in the editor",
                "The user prefers a dark theme in the editor",
                "User prefers the dark theme in editor",
                "In the editor the user prefers the dark theme",
            ),
            "The user reads mail in the evening",
        ),
        (
            "用户喜欢什么编辑器主题",
            (
                "用户在编辑器里偏好深色主题",
                "用户偏好在编辑器里用深色主题",
                "编辑器里用户偏好深色主题",
            ),
            "用户晚上看邮件",
        ),
    ],
)
def test_of_several_variants_of_a_fact_one_is_told(
    memory: Memory, text: str, variants: tuple[str, ...], other: str
) -> None:
    for content in (*variants, other):
        memory.add(content, force=True)
    plain = memory.search(text, browse=True)
    assert set(variants) <= set(texts(plain))
    answer = memory.search(text, level=ALL)
    assert len(set(texts(answer)) & set(variants)) == 1
    assert texts(answer)[0] == texts(plain)[0]
    assert answer.total >= plain.total


def test_what_differs_in_a_number_is_no_variant(memory: Memory) -> None:
    facts = [f"The orders service listens on port {port}" for port in (8080, 9090, 7070)]
    for content in facts:
        memory.add(content, force=True)
    assert set(texts(memory.search("port of orders", level=ALL))) == set(facts)


@pytest.mark.parametrize("load", [None, lambda _settings: None])
def test_equal_texts_of_several_people_are_told_once(open_memory: Open, load: Any) -> None:
    memory = open_memory() if load is None else open_memory(load_embedder=load)
    for user in ("ana", "bob", "eve"):
        memory.add("Deploys go out on Tuesdays", scope=Scope(user_id=user))
    assert texts(memory.search("deploys", level=ALL)) == ["Deploys go out on Tuesdays"]
    assert len(texts(memory.search("deploys"))) == 3


# episodes

SESSIONS = """
date: 2026-02-24
sessions:
  - id: session-001
    end: "10:30"
    summary: 复盘重复退款
    key_actions: [统计出 14 笔重复退款]
    decisions: [退款改动必须两人评审]
  - id: session-ab12cd34
    end: "16:00"
    summary: Looked into the slow checkout with two colleagues
    decisions: []
"""


STRICT = Settings(
    app_id="shop",
    user_id="ana",
    search=SearchSettings(shown_floor=0.75),
    themes=ThemeSettings(attach_from=0.99),
)
CHECKOUT = "Looked into the slow checkout with two colleagues"


@pytest.fixture
def strict(open_memory: Open) -> Memory:
    """A memory in which only what is really about the query matches, and no theme helps."""
    return open_memory(settings=STRICT)


def test_a_record_brings_the_episode_in_that_it_comes_from(
    project: Callable[[str, str], None], strict: Memory
) -> None:
    project("sessions/2026-02-24.yaml", SESSIONS)
    carts = "Carts live in Redis for seven days"
    strict.add(carts, episode="session-ab12cd34")
    answer = strict.search("where do carts live", level=ALL)
    assert [(hit.record.content, hit.level) for hit in answer.hits] == [
        (carts, "semantic"),
        (CHECKOUT, "episode"),
    ]
    assert 0.0 < answer.hits[1].score < answer.hits[0].score
    assert (answer.total, answer.cut) == (2, 0)
    alone = strict.search("where do carts live", level=ALL, expand=False)
    assert (texts(alone), alone.total) == ([carts], 1)


def test_a_decision_of_a_session_leads_to_the_session(
    project: Callable[[str, str], None], strict: Memory
) -> None:
    project("sessions/2026-02-24.yaml", SESSIONS)
    answer = strict.search("两人评审", level=ALL)
    assert [(hit.record.content, hit.level) for hit in answer.hits] == [
        ("退款改动必须两人评审", "semantic"),
        ("复盘重复退款: 统计出 14 笔重复退款", "episode"),
    ]


def test_an_episode_is_told_once_and_if_it_matches_as_a_match(
    project: Callable[[str, str], None], strict: Memory
) -> None:
    project("sessions/2026-02-24.yaml", SESSIONS)
    for content in ("Carts live in Redis for seven days", "Carts of guests live for a day"):
        strict.add(content, episode="session-ab12cd34", force=True)
    away = strict.search("where do carts live", level=ALL)
    assert texts(away, "episode") == [CHECKOUT]
    assert len(away.hits) == 3
    both = strict.search("carts, and the slow checkout with two colleagues", level=ALL)
    assert CHECKOUT in texts(both, "semantic")
    assert texts(both, "episode") == []


def test_of_episodes_of_one_name_the_nearest_in_time_is_meant(
    project: Callable[[str, str], None], strict: Memory
) -> None:
    for day, about in (("2026-01-10", "winter"), ("2026-02-27", "carnival"), ("2025-03-01", "old")):
        project(
            f"sessions/{day}.yaml",
            f"date: {day}\nsessions:\n  - {{id: session-001, summary: Planned the {about} sale}}\n",
        )
    strict.add("Carts live in Redis for seven days", episode="session-001")
    strict.add("Carts live a day for guests", episode="conversation 7", force=True)
    answer = strict.search("where do carts live", level=ALL)
    assert texts(answer, "episode") == ["Planned the carnival sale"]


def test_filters_hold_for_episodes_and_scopes_as_far_as_they_belong_to_anybody(
    project: Callable[[str, str], None], strict: Memory
) -> None:
    project("sessions/2026-02-24.yaml", SESSIONS)
    for scope in (ANA, Scope(user_id="ana", app_id="blog")):
        strict.add("Carts live in Redis", scope=scope, episode="session-ab12cd34", force=True)

    def told(query: Query) -> list[str]:
        return texts(strict.search("carts live in redis", level=ALL, query=query), "episode")

    assert told(Query(ANA)) == told(Query(Scope(user_id="ana"))) == [CHECKOUT]
    assert told(Query(Scope(app_id="blog"))) == []
    assert told(Query(ANA, home=Home.USER)) == []
    assert told(Query(ANA, tiers=frozenset({Tier.SHORT_TERM}))) == []
    alone = frozenset(record.id for record in strict.list(Query(ANA)).records)
    assert told(Query(ANA, ids=alone)) == []


# the budget


@pytest.mark.parametrize("level", list(SearchLevel))
@pytest.mark.parametrize("text", ["rollback a deploy", "用户的猫"])
def test_a_budget_is_kept_exactly_and_what_is_left_out_is_counted(
    themed: Memory, level: SearchLevel, text: str
) -> None:
    whole = themed.search(text, level=level, browse=True)
    assert whole.over_budget == 0
    assert whole.tokens == spent(whole) > 0
    for budget in range(1, whole.tokens + 1):
        cut = themed.search(text, level=level, token_budget=budget, browse=True)
        assert cut.tokens == spent(cut) <= budget
        assert cut.total == cut.cut + len(cut.themes if level is THEME else cut.hits)
        if budget < whole.tokens:
            assert cut.over_budget > 0
        if level is SearchLevel.SEMANTIC:
            assert [hit for hit in whole.hits if hit in cut.hits] == list(cut.hits)
            assert len(cut.hits) + cut.over_budget == len(whole.hits)
    assert replace(cut, latency_ms=0.0) == replace(whole, latency_ms=0.0)


def test_a_short_text_is_told_where_a_longer_and_better_one_does_not_fit(memory: Memory) -> None:
    long = "Rollback a deploy by deploying the tag before it, then wait and look at the graphs"
    memory.add(long)
    memory.add("A deploy is quick")
    assert texts(memory.search("rollback a deploy", browse=True)) == [long, "A deploy is quick"]
    cut = memory.search("rollback a deploy", token_budget=estimate_tokens(long) - 1)
    assert texts(cut) == ["A deploy is quick"]
    assert (cut.total, cut.over_budget, cut.cut) == (2, 1, 1)


def test_the_budget_pays_for_themes_first_and_episodes_last(
    project: Callable[[str, str], None], strict: Memory
) -> None:
    project("sessions/2026-02-24.yaml", SESSIONS)
    record = "Carts live in Redis for seven days"
    made = strict.add(record, episode="session-ab12cd34").id
    strict.themes.move([made], None, label="carts")

    def told(budget: int) -> tuple[list[str], list[str]]:
        answer = strict.search("carts live in redis", level=ALL, token_budget=budget)
        return labels(answer), texts(answer)

    first, second, last = map(estimate_tokens, ("carts", record, CHECKOUT))
    assert told(first) == (["carts"], [])
    assert told(first + second) == (["carts"], [record])
    assert told(first + second + last - 1) == (["carts"], [record])
    assert told(first + second + last) == (["carts"], [record, CHECKOUT])


@pytest.mark.parametrize("level", list(SearchLevel))
def test_a_budget_of_nothing_is_refused(themed: Memory, level: SearchLevel) -> None:
    with pytest.raises(InvalidValueError, match="token_budget"):
        themed.search("deploy", level=level, token_budget=0)
    with pytest.raises(InvalidValueError, match="query"):
        themed.search(" ", level=level)


# what is let through


def test_themes_of_others_are_out_of_sight(themed: Memory) -> None:
    for scope in (Scope(user_id="bob"), Scope(user_id="ana", app_id="blog")):
        assert themed.search("rollback a deploy", level=THEME, query=Query(scope)).themes == ()
        answer = themed.search("rollback a deploy", level=ALL, query=Query(scope))
        assert (answer.themes, answer.hits, answer.total) == ((), (), 0)
    seen = themed.search("rollback a deploy", level=THEME, query=Query(Scope(app_id="shop")))
    assert labels(seen) == ["deploy"]


def test_filters_hold_for_members(themed: Memory) -> None:
    kept = [id_of(themed, text) for text in (WINDOW, GIVEN["deploy"][0])]
    themed.update(kept[0], {"metadata.ticket": 7, "agent_id": "codex"}, based_on=1)
    themed.update(kept[1], {"metadata.ticket": 8, "agent_id": "codex"}, based_on=1)
    for query, members in (
        (Query(metadata={"ticket": 7}), 1),
        (Query(Scope(agent_id="codex")), 2),
        (Query(ids=frozenset(kept)), 2),
        (Query(metadata={"ticket": 9}), 0),
        (Query(home=Home.PROJECT), 0),
    ):
        shown = themed.search("rollback a deploy", level=THEME, query=query)
        assert [theme.members for theme in shown.themes] == [members] * (members > 0)
        answer = themed.search("rollback a deploy", level=ALL, query=query)
        assert set(ids(answer)) <= set(kept)
        assert len(answer.hits) == members


def test_what_is_not_active_is_in_no_answer(themed: Memory, clock: Any) -> None:
    gone = {WINDOW: Status.ARCHIVED, GIVEN["deploy"][0]: Status.CANDIDATE}
    gone[GIVEN["deploy"][2]] = Status.SUPERSEDED
    for text, status in gone.items():
        themed.set_status([id_of(themed, text)], status)
    short = themed.add("A deploy is rolled back until noon", scope=ANA, ttl_seconds=60).id
    themed.themes.move([short], themed.search("deploy", level=THEME).themes[0].id)
    before = themed.search("rollback a deploy", level=ALL)
    assert short in ids(before)
    assert before.themes[0].members == 4
    clock.forward(minutes=2)
    after = themed.search("rollback a deploy", level=ALL, limit=20)
    assert after.themes[0].members == 3
    assert short not in ids(after)
    assert not gone.keys() & set(texts(after))


def test_the_theme_of_deleted_records_is_gone(themed: Memory, open_memory: Open) -> None:
    reading = open_memory()
    assert labels(reading.search("rollback a deploy", level=THEME)) == ["deploy"]
    other = open_memory("agent:codex", load_embedder=lambda _settings: None)
    other.delete([id_of(themed, text) for text in GIVEN["deploy"]])
    for memory in (reading, themed):
        assert "deploy" not in labels(memory.search("rollback a deploy", level=THEME))
        answer = memory.search("rollback a deploy", level=ALL)
        assert "deploy" not in labels(answer)
        assert not set(texts(answer)) & set(GIVEN["deploy"])
    other.undo()
    back = themed.search("rollback a deploy", level=ALL)
    assert set(GIVEN["deploy"]) & {hit.record.content for hit in back.hits if hit.theme}


# what is missing


class Broken(HashingEmbedder):
    """A model that loads, and fails when it is used."""

    degraded = None
    model_id = "broken"

    def embed_query(self, text: str) -> Any:
        raise EmbeddingError("the session is gone")

    def embed_passages(self, texts: Any) -> Any:
        raise EmbeddingError("the session is gone")


@pytest.mark.parametrize(
    "load",
    [lambda _settings: None, lambda _settings: HashingEmbedder()],
    ids=["none", "hashing"],
)
def test_without_vectors_themes_are_found_by_their_labels_and_that_is_said(
    themed: Memory, open_memory: Open, load: Any
) -> None:
    themed.close()
    memory = open_memory(load_embedder=load)
    answer = memory.search("which deploy", level=THEME)
    assert labels(answer) == ["deploy"]
    assert (answer.themes[0].similarity, answer.themes[0].words) == (None, 1.0)
    assert "labels" in (answer.degraded or "")
    assert memory.search("怎么回滚", level=THEME).themes == ()
    through = memory.search("deploy", level=ALL, limit=6)
    assert labels(through) == ["deploy"]
    assert "labels" in (through.degraded or "")
    assert set(texts(through)) == set(GIVEN["deploy"])
    assert WINDOW in texts(through, "theme")


def test_a_model_that_fails_is_no_obstacle(themed: Memory, open_memory: Open) -> None:
    themed.close()
    memory = open_memory(load_embedder=lambda _settings: Broken())
    answer = memory.search("deploy", level=ALL)
    assert "Never deploy on Friday evening" in texts(answer)
    assert answer.degraded
    assert memory.search("deploy", level=THEME).degraded


def test_a_damaged_book_is_no_obstacle_and_is_named(
    project: Callable[[str, str], None], themed: Memory
) -> None:
    project("themes/index.yaml", "themes: [\n")
    answer = themed.search("rollback a deploy", level=ALL)
    assert texts(answer)[0] == "Rollback is done by redeploying the previous tag"
    assert answer.themes == ()
    assert "index.yaml" in (answer.degraded or "")
    assert themed.search("rollback a deploy", level=THEME).themes == ()


@pytest.mark.parametrize("limit", ["search.neighbourhood._PLACED_AT_ONCE",
                                   "themes.assimilation._LOOKED_THROUGH"])  # fmt: skip
def test_too_many_new_records_wait_and_that_is_said(
    open_memory: Open, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    bare = open_memory(load_embedder=lambda _settings: None)
    for text in GIVEN["deploy"]:
        bare.add(text)
    memory = open_memory()
    with monkeypatch.context() as patch:
        patch.setattr(f"omp_core.services.{limit}", 5)
        for _time in range(2):
            answer = memory.search("rollback a deploy", level=ALL)
            assert answer.themes == ()
            assert answer.hits
            assert "6 records" in (answer.degraded or "")
        assert len(memory.themes.list().rows) > 0
        answer = memory.search("rollback a deploy", level=ALL)
        assert (len(answer.themes) > 0, answer.degraded) == (True, None)


def test_while_the_store_is_down_the_projects_themes_answer(
    project: Callable[[str, str], None], open_memory: Open
) -> None:
    project("project.yaml", "deploy:\n  tool: Fabric rolls a deploy back\n  day: Tuesday\n")
    memory = open_memory()
    memory.add("Rollback is done by redeploying", force=True)
    memory.search("deploy", level=THEME)

    def failing(*_args: object) -> Any:
        raise StoreUnavailableError("the disk is on fire")

    down = open_memory(open_store=failing)
    answer = down.search("deploy rollback", level=ALL)
    assert {hit.record.home for hit in answer.hits} == {Home.PROJECT}
    assert answer.degraded == "the disk is on fire"


# the journal


@pytest.mark.parametrize("level", [THEME, ALL])
def test_a_search_is_journalled_once(themed: Memory, level: SearchLevel) -> None:
    answer = themed.search("rollback a deploy", level=level, query=Query(ANA))
    (entry,) = themed._availability.store().searches(EVER)
    assert (entry.query, entry.mode, entry.scope) == ("rollback a deploy", "hybrid", ANA)
    found = [theme.id for theme in answer.themes] if level is THEME else ids(answer)
    assert entry.result_ids == tuple(found)
    assert entry.hit
    assert 0.0 < entry.best_score <= 1.0
    assert entry.latency_ms == answer.latency_ms


def test_what_is_told_counts_as_read_and_nothing_else(themed: Memory) -> None:
    themed.search("rollback a deploy", level=THEME)
    assert all(record.access_count == 0 for record in themed.list(limit=100).records)
    answer = themed.search("rollback a deploy", level=ALL, limit=6, token_budget=40)
    assert 0 < len(answer.hits) < 6
    for record in themed.list(limit=100).records:
        assert record.access_count == (record.id in ids(answer))


@pytest.mark.parametrize("level", [THEME, ALL])
def test_browsing_leaves_no_trace(themed: Memory, level: SearchLevel) -> None:
    themed.themes.follow()
    before = themed.change_stamp()
    answer = themed.search("rollback a deploy", level=level, browse=True)
    assert answer.themes
    assert themed.change_stamp() == before
    assert themed._availability.store().searches(EVER) == ()
