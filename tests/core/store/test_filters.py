"""Filtering by ids, alone and together with other filters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from core.store.conftest import Fill

from omp_core.model import Query, Record, Scope, Status
from omp_core.store.sqlite import SqliteStore


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(ids=frozenset({"r4", "r2", "r5", "r6", "r9"})), ["r2", "r4"]),
        (Query(scope=Scope(user_id="ana"), ids=frozenset({"r1", "r3"})), ["r1"]),
        (Query(metadata={"user_id": None}, ids=frozenset({"r1", "r3"})), ["r3"]),
        (Query(statuses=frozenset({Status.ARCHIVED}), ids=frozenset({"r4", "r5"})), ["r5"]),
        (Query(include_expired=True, ids=frozenset({"r6"})), ["r6"]),
        (Query(ids=frozenset()), []),
    ],
)
def test_only_these_records_are_let_through(
    store: SqliteStore,
    make_record: Callable[..., Record],
    fill: Fill,
    now: datetime,
    query: Query,
    expected: Any,
) -> None:
    fill(
        store,
        make_record(1, content="deploy one", scope=Scope(user_id="ana")),
        make_record(2, content="deploy two", scope=Scope(user_id="ana", app_id="shop")),
        make_record(3, content="deploy three"),
        make_record(4, content="deploy four"),
        make_record(5, content="deploy five", status=Status.ARCHIVED),
        make_record(6, content="deploy six", expires_at=now),
    )
    assert [one.id for one in store.page(query, now, order="created", descending=False)] == expected
    assert store.count(query, now) == len(expected)
    assert sorted(one.id for one in store.iterate(query, now)) == expected
    assert sorted(one.id for one in store.keyword(["deploy"], query, now, 9)) == expected


def test_very_many_ids_are_no_obstacle(
    store: SqliteStore, make_record: Callable[..., Record], fill: Fill, now: datetime
) -> None:
    fill(store, *(make_record(number) for number in range(3)))
    many = Query(ids=frozenset(f"r{number}" for number in range(2, 100_000)))
    assert [one.id for one in store.page(many, now)] == ["r2"]
