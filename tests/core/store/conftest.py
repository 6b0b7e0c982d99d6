"""Stores and records to fill them with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from omp_core.model import Act, Record
from omp_core.store.protocol import Batch, Put, Vector
from omp_core.store.sqlite import SqliteStore

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)

Fill = Callable[..., None]


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "store.db")
    yield opened
    opened.close()


@pytest.fixture
def make_record() -> Callable[..., Record]:
    """Make records with telling defaults; the number is id, text and age in minutes."""

    def make(number: int, **fields: Any) -> Record:
        at = NOW + timedelta(minutes=number)
        record = Record(f"r{number}", f"fact number {number}", at, at)
        return replace(record, **fields)

    return make


@pytest.fixture
def fill() -> Fill:
    """Put records into a store as one act, with vectors where they are given."""
    acts = iter(range(1_000_000))

    def put(
        store: SqliteStore,
        *records: Record,
        expected: int | None = None,
        vectors: dict[str, Vector] | None = None,
    ) -> None:
        act = Act(f"act{id(store)}-{next(acts)}", "add", "user", NOW, "", len(records))
        store.commit(
            Batch(
                act,
                tuple(Put(one, expected, (vectors or {}).get(one.id)) for one in records),
            )
        )

    return put
