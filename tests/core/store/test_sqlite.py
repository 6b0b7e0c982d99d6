"""Records, filters, keyword search and the journal in the SQLite store."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
from core.store.conftest import Fill

from omp_core.errors import (
    InvalidValueError,
    StoreDamagedError,
    StoreTooNewError,
    StoreUnavailableError,
    VersionConflictError,
)
from omp_core.language.normal import content_hash
from omp_core.language.tokens import query_tokens
from omp_core.model import (
    Act,
    Category,
    Home,
    Query,
    Record,
    Scope,
    SearchLog,
    SearchMode,
    Stamp,
    Status,
    Tier,
)
from omp_core.store.protocol import Batch, NoTwin, Removal
from omp_core.store.sqlite import SqliteStore


def ids(records: Any) -> list[str]:
    return [record.id for record in records]


def test_a_record_comes_back_as_it_was(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    record = make_record(
        1,
        content="用户偏好深色主题 🎨 [bold]x[/]",
        tier=Tier.IMPORTANT,
        scope=Scope("ana", None, "shop", "run-1"),
        category=Category.PREFERENCE,
        confidence=0.75,
        tags=frozenset({"ui", "主题"}),
        metadata={"nested": {"list": [1, None, True]}, "text": "a"},
        expires_at=now + timedelta(days=3, microseconds=1),
        status=Status.CANDIDATE,
        stamps={"content": Stamp(1, "agent:claude", now)},
        access_count=4,
        last_accessed=now - timedelta(days=1),
    )
    fill(store, record)
    assert store.get("r1") == record


def test_a_write_based_on_an_old_version_changes_nothing(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill
) -> None:
    fill(store, make_record(1))
    fill(store, make_record(1, version=2, content="second"), expected=1)
    for stale in (make_record(1, version=2, content="third"), make_record(9)):
        with pytest.raises(VersionConflictError):
            fill(store, make_record(5), stale, expected=1)
    assert store.get("r1").content == "second"
    assert store.get("r5") is None


def test_counters_change_without_a_version(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1))
    store.touch(["r1"], now)
    fill(store, make_record(1, version=2, content="second"), expected=1)
    held = store.get("r1")
    assert (held.access_count, held.last_accessed, held.version) == (1, now, 2)


def test_a_twin_condition_holds_inside_the_transaction(
    store: SqliteStore, make_record: Callable[..., Record], now: datetime
) -> None:
    record = make_record(1, scope=Scope("ana"))
    condition = NoTwin(content_hash(record.content), Scope("ana"))
    from omp_core.store.protocol import Put

    def batch(act_id: Any, one: Any) -> Any:
        return Batch(
            Act(act_id, "add", "user", now, "", 1), (Put(one, None),), (), (), (condition,)
        )

    store.commit(batch("a", record))
    with pytest.raises(VersionConflictError):
        store.commit(batch("b", make_record(2, content=record.content, scope=Scope("ana"))))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(), ["r1", "r2", "r3", "r4"]),
        (Query(tiers=frozenset({Tier.WORKING})), ["r2"]),
        (Query(scope=Scope(user_id="ana")), ["r1", "r2"]),
        (Query(scope=Scope(user_id="ana", app_id="shop")), ["r2"]),
        (Query(tag="ui"), ["r3"]),
        (Query(metadata={"n": 1}), ["r3"]),
        (Query(metadata={"n": 1, "flag": True}), ["r3"]),
        (Query(metadata={"n": "1"}), []),
        (Query(metadata={"flag": 1}), []),
        (Query(metadata={"category": "preference", "user_id": "ana"}), ["r1"]),
        (Query(metadata={"deep": {"a": [1]}}), ["r3"]),
        (Query(statuses=frozenset({Status.ARCHIVED})), ["r5"]),
        (Query(include_expired=True), ["r1", "r2", "r3", "r4", "r6"]),
        (Query(only_expired=True), ["r6"]),
        (Query(statuses=frozenset(), include_expired=True), ["r1", "r2", "r3", "r4", "r5", "r6"]),
        (Query(home=Home.PROJECT), []),
        (Query(disputed=True), []),
        (Query(ids=frozenset({"r4", "r2", "r5", "r6", "r9"})), ["r2", "r4"]),
        (Query(scope=Scope(user_id="ana"), ids=frozenset({"r1", "r3"})), ["r1"]),
        (Query(metadata={"user_id": None}, ids=frozenset({"r1", "r3"})), ["r3"]),
        (Query(ids=frozenset()), []),
    ],
)
def test_filters_are_exact_and_joined_by_and(
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
    query: Query,
    expected: Any,
) -> None:
    fill(
        store,
        make_record(1, scope=Scope(user_id="ana"), category=Category.PREFERENCE),
        make_record(2, scope=Scope(user_id="ana", app_id="shop"), tier=Tier.WORKING),
        make_record(3, tags=frozenset({"ui"}), metadata={"n": 1, "flag": True, "deep": {"a": [1]}}),
        make_record(4, category=Category.DECISION),
        make_record(5, status=Status.ARCHIVED),
        make_record(6, expires_at=now),
    )
    found = store.page(query, now, order="created", descending=False)
    assert ids(found) == expected
    assert store.count(query, now) == len(expected)
    assert sorted(ids(store.iterate(query, now))) == expected


def test_pages_follow_one_another_without_gaps(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, *(make_record(number) for number in range(25)))
    seen: list[Any] = []
    for offset in range(0, 30, 10):
        seen += ids(store.page(Query(), now, offset=offset, limit=10))
    assert seen == [f"r{number}" for number in reversed(range(25))]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("主题", "r1"),
        ("深色主题", "r1"),
        ("pytest", "r2"),
        ("user_id", "r3"),
        ("getUserName", "r4"),
        ("name", "r4"),
        ("deploying", "r5"),
    ],
)
def test_words_of_both_languages_are_found(
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
    query: str,
    expected: Any,
) -> None:
    texts = [
        "用户偏好深色主题",
        "用pytest写测试",
        "the column user_id is indexed",
        "call getUserName() first",
        "deploys happen on Tuesday",
    ]
    fill(store, *(make_record(number, content=text) for number, text in enumerate(texts, 1)))
    found = store.keyword(query_tokens(query), Query(), now, 10)
    assert found[0].id == expected


def test_a_changed_text_is_found_by_its_new_words_only(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1, content="cache is redis"))
    fill(store, make_record(1, version=2, content="cache is memcached"), expected=1)
    assert store.keyword(["redis"], Query(), now, 10) == []
    assert store.keyword(["memcached"], Query(), now, 10)[0].id == "r1"


def test_words_cannot_be_taken_for_search_syntax(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1, content='say "NEAR" OR * to -anyone: ^col'))
    for text in ['"', "NEAR(", "a OR b", "*", "col:x", "-", "^", "'; DROP TABLE records; --"]:
        store.keyword(query_tokens(text), Query(), now, 10)
    assert store.count(Query(), now) == 1


def test_iterating_gives_each_match_once_while_others_write(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, *(make_record(number) for number in range(1200)))
    seen: list[Any] = []
    for record in store.iterate(Query(), now):
        if not seen:
            gone = make_record(1100, status=Status.ARCHIVED, version=2)
            fill(store, gone, expected=1)
            fill(store, make_record(5000))
        seen.append(record.id)
    assert [number for number in range(1200) if f"r{number}" not in seen] == [1100]
    assert len(seen) == len(set(seen))


def test_a_query_may_be_as_long_as_a_document(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1, content="a telling word"))
    terms = [*(f"word{number}" for number in range(40_000)), "telling"]
    assert [one.id for one in store.keyword(terms, Query(), now, 10)] == ["r1"]


def test_a_removed_record_leaves_nothing_behind(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, make_record(1))
    store.commit(Batch(Act("gone", "delete", "user", now, "", 1), (), (Removal("r1", 1),)))
    assert store.keyword(["fact"], Query(), now, 10) == []
    with store.connections.reading() as connection:
        for table in ("records", "vectors"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


def test_the_change_stamp_moves_with_another_process_s_write(
    tmp_path: Path, store: SqliteStore, make_record: Callable[..., Record], fill: Fill
) -> None:
    before = store.change_stamp()
    other = SqliteStore(tmp_path / "store.db")
    fill(other, make_record(1))
    other.close()
    assert store.change_stamp() != before
    assert store.change_stamp() == store.change_stamp()


def test_searches_are_kept_with_their_outcome_and_dropped_when_old(
    store: SqliteStore, now: datetime
) -> None:
    logged = SearchLog(
        now, "agent:codex", "主题", SearchMode.HYBRID, Scope("ana"), ("r1",), 0.9, 1.5, True
    )
    store.log_search(logged)
    assert store.searches(now - timedelta(days=1)) == (logged,)
    assert store.drop_searches(before=now + timedelta(seconds=1)) == 1
    assert store.searches(now - timedelta(days=1)) == ()


def test_threads_use_one_store(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    failures = []

    def work(start: int) -> None:
        try:
            for number in range(start, start + 10):
                fill(store, make_record(number))
                store.page(Query(), now)
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(start,)) for start in (0, 100, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.count(Query(), now) == 30


def test_closing_breaks_no_thread_that_is_at_work(store: SqliteStore) -> None:
    inside, closed = threading.Event(), threading.Event()
    failures = []

    def work() -> None:
        try:
            with store.connections.writing() as connection:
                inside.set()
                closed.wait(30)
                connection.execute("INSERT INTO meta VALUES ('written', 1)")
        except BaseException as error:
            failures.append(error)
            raise

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait(30)
    store.close()
    closed.set()
    thread.join()
    assert failures == []
    with store.connections.reading() as connection:
        found = connection.execute("SELECT value FROM meta WHERE key = 'written'").fetchall()
    assert found == [(1,)]


def test_what_the_database_cannot_hold_is_refused_by_name(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    with pytest.raises(InvalidValueError, match=r"U\+DCFF"):
        fill(store, make_record(1, tags=frozenset({"half \udcff"})))
    with pytest.raises(InvalidValueError, match=r"U\+D800"):
        store.get("\ud800")
    with pytest.raises(InvalidValueError, match="too large"):
        store.count(Query(metadata={"size": 10**20}), now)
    assert store.count(Query(), now) == 0


def test_the_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "store.db"
    SqliteStore(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_place_that_the_system_refuses_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="--store"):
        SqliteStore(tmp_path / ("s" * 300))


def test_a_store_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    SqliteStore(path).close()
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNewError, match="99"):
        SqliteStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_damaged_file_is_never_opened_as_an_empty_store(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(content)
    with pytest.raises(StoreDamagedError, match="restore"):
        SqliteStore(path)
    assert path.read_bytes() == content


def test_a_store_held_by_another_process_for_too_long_is_named(
    tmp_path: Path, make_record: Callable[..., Record], fill: Fill
) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path, busy_timeout_s=0.05)
    blocker = apsw.Connection(str(path))
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailableError, match="another process"):
        fill(store, make_record(1))
    blocker.execute("ROLLBACK")
    blocker.close()
    fill(store, make_record(1))
    store.close()


def test_a_full_disk_loses_nothing_and_is_named(
    tmp_path: Path, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    store = SqliteStore(tmp_path / "store.db")
    fill(store, make_record(1))
    with store.connections.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreUnavailableError, match="disk is full"):
            fill(store, make_record(2, content="x " * 50_000))
        connection.execute("PRAGMA max_page_count = 1000000")
    assert ids(store.iterate(Query(), now)) == ["r1"]
    fill(store, make_record(3))
    store.close()
