"""Exact nearest neighbours: the matrix always says what the database says."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omp_core.errors import VersionConflictError
from omp_core.language.normal import content_hash
from omp_core.model import Act, Query, Record, Scope, Tier
from omp_core.store.protocol import Batch, NoneAlike, Put, Removal, Vector
from omp_core.store.sqlite import SqliteStore
from omp_core.store.sqlite import vectors as vector_module

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
MODEL = "test/8"


def unit(seed: int, dim: int = 8) -> np.ndarray:
    values = np.random.default_rng(seed).normal(size=dim).astype(np.float32)
    return values / np.linalg.norm(values)


def vector(seed: int) -> Vector:
    return Vector(MODEL, "cjk" if seed % 2 else "latin", unit(seed))


def commit(store: SqliteStore, act: str, *, puts: Any = (), removals: Any = ()) -> None:
    store.commit(Batch(Act(act, "x", "user", NOW, "", 1), tuple(puts), tuple(removals)))


def record(number: int, version: int = 1, **fields: Any) -> Record:
    return Record(f"r{number}", f"text {number} {version}", NOW, NOW, version=version, **fields)


def brute_force(vectors: dict[str, np.ndarray], query: np.ndarray) -> list[str]:
    return sorted(vectors, key=lambda one: (-float(vectors[one] @ query), one))


def check(store: SqliteStore, expected: dict[str, np.ndarray], limit: int = 5) -> None:
    query = unit(10_001)
    found = store.nearest(MODEL, query, Query(), NOW, limit)
    assert [one.id for one in found] == brute_force(expected, query)[:limit]
    for one in found:
        assert one.score == pytest.approx(float(expected[one.id] @ query), abs=1e-5)


@given(st.lists(st.tuples(st.sampled_from("aucdo"), st.integers(0, 9)), max_size=30))
@settings(max_examples=40, deadline=None)
def test_any_sequence_of_writes_gives_what_a_full_scan_gives(
    tmp_path_factory: pytest.TempPathFactory, steps: Any
) -> None:
    path = tmp_path_factory.mktemp("vectors") / "s.db"
    writer, reader = SqliteStore(path), SqliteStore(path)
    versions: dict[str, int] = {}
    expected: dict[str, np.ndarray] = {}
    for turn, (step, number) in enumerate(steps):
        name, act = f"r{number}", f"act{turn}"
        seed = turn * 10 + number
        if step == "a" and name not in versions:
            versions[name] = 1
            expected[name] = unit(seed)
            commit(writer, act, puts=[Put(record(number), None, vector(seed))])
        elif step in "uc" and name in versions:
            versions[name] += 1
            # a new text without a vector takes the old one away
            new = record(number, versions[name])
            given_vector = vector(seed) if step == "u" else None
            commit(writer, act, puts=[Put(new, versions[name] - 1, given_vector)])
            expected.pop(name, None)
            if step == "u":
                expected[name] = unit(seed)
        elif step == "d" and name in versions:
            commit(writer, act, removals=[Removal(name, versions.pop(name))])
            expected.pop(name, None)
        elif step == "o":
            reader.close()
            reader = SqliteStore(path)
        if turn % 3 == 0:
            check(reader, expected)
    check(reader, expected)
    check(writer, expected)
    writer.close()
    reader.close()


def test_the_cache_file_is_used_and_a_stale_or_damaged_one_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_module, "_REWRITE_AT_LEAST", 50)
    path = tmp_path / "s.db"
    store = SqliteStore(path)
    expected = {f"r{number}": unit(number) for number in range(120)}
    commit(store, "a", puts=[Put(record(n), None, vector(n)) for n in range(120)])
    check(store, expected)
    store.close()
    (cache,) = tmp_path.glob("*.vectors")

    store = SqliteStore(path)
    check(store, expected)
    commit(store, "b", puts=[Put(record(200), None, vector(200))])
    expected["r200"] = unit(200)
    check(store, expected)
    store.close()

    for damage in (b"", b"{}", cache.read_bytes()[:5000], b"\xff" * 9000):
        cache.write_bytes(damage)
        store = SqliteStore(path)
        check(store, expected)
        store.close()


def test_a_filter_that_lets_few_through_still_finds_them(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    puts = [Put(record(n), None, vector(n)) for n in range(400)]
    chosen = {f"r{n}": unit(n) for n in range(400, 403)}
    puts += [Put(record(n, tier=Tier.WORKING), None, vector(n)) for n in range(400, 403)]
    commit(store, "a", puts=puts)
    query = unit(10_001)
    found = store.nearest(MODEL, query, Query(tiers=frozenset({Tier.WORKING})), NOW, 5)
    assert [one.id for one in found] == brute_force(chosen, query)
    store.close()


def test_vectors_of_another_model_are_another_matrix(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    commit(store, "a", puts=[Put(record(1), None, vector(1))])
    assert store.nearest("other/16", unit(1, 16), Query(), NOW, 5) == []
    assert store.without_vector("other/16", 10) == [("r1", "text 1 1")]
    store.close()


def test_a_vector_of_a_text_that_changed_meanwhile_is_not_stored(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    commit(store, "a", puts=[Put(record(1), None)])
    commit(store, "b", puts=[Put(record(1, 2), 1)])
    store.put_vectors([("r1", content_hash("text 1 1"), vector(1))])
    assert store.vectors(MODEL, ["r1"]) == {}
    store.put_vectors([("r1", content_hash("text 1 2"), vector(2))])
    assert np.allclose(store.vectors(MODEL, ["r1"])["r1"], unit(2))
    store.close()


def clustered(count: int, dim: int) -> np.ndarray:
    """Return unit vectors in clusters of 20, as texts on the same things have them."""
    chance = np.random.default_rng(7)
    centres = np.repeat(chance.normal(size=(count // 20, dim)), 20, axis=0)
    rows = centres + 0.6 * chance.normal(size=(count, dim))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows, np.float32)


def test_a_look_at_signs_first_finds_what_is_near(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_module, "_ROUGH_FROM", 100)
    monkeypatch.setattr(vector_module, "_REWRITE_AT_LEAST", 1500)
    store, rows = SqliteStore(tmp_path / "s.db"), clustered(3000, 128)

    def put(start: int, end: int) -> None:
        puts = [
            Put(record(n), None, Vector("test/128", "latin", rows[n])) for n in range(start, end)
        ]
        commit(store, f"act{start}", puts=puts)

    put(0, 2000)  # becomes the base, the rest the tail
    store.alike(Vector("test/128", "latin", rows[0]), Scope(), NOW, floor=0.5, limit=5)
    put(2000, 3000)
    for number in (0, 777, 1999, 2000, 2999):
        asked = Vector("test/128", "latin", rows[number])
        found = store.alike(asked, Scope(), NOW, floor=0.5, limit=5)
        cosines = rows @ rows[number]
        best = [f"r{n}" for n in np.argsort(-cosines)[:5] if cosines[n] >= 0.5]
        assert len(best) >= 3
        assert [one.id for one in found] == best
        assert [one.content for one in found] == [f"text {one[1:]} 1" for one in best]
    store.close()


def test_only_a_near_addition_of_the_same_scope_sends_a_write_back(tmp_path: Path) -> None:
    store, ana = SqliteStore(tmp_path / "s.db"), Scope(user_id="ana")
    commit(store, "a", puts=[Put(record(1, scope=ana), None, vector(1))])
    mark = store.mark()
    condition = NoneAlike(mark, ana, vector(2), 0.9)

    def attempt(name: str) -> None:
        put = Put(record(100 + len(name), scope=ana), None, vector(2))
        store.commit(Batch(Act(name, "x", "user", NOW, "", 1), (put,), conditions=(condition,)))

    near = Vector(MODEL, "latin", unit(2))
    commit(store, "far", puts=[Put(record(2, scope=ana), None, Vector(MODEL, "cjk", -unit(2)))])
    commit(store, "other scope", puts=[Put(record(3), None, near)])
    attempt("one")
    with pytest.raises(VersionConflictError):
        attempt("three")  # what was written last is near now
    assert store.get("r105") is None
    store.close()
