"""Make a large user store to measure with: records in two languages, journalled, with vectors.

    python tests/bench/make_store.py STORE.db --records 100000

Each text joins two facts of the demo with figures of its own, so that words are as frequent
as in real memories and no two texts are the same. Its vector lies between those of its facts.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from omp_core.demo import demo_records
from omp_core.demo.story import stable_id
from omp_core.embed import choose_embedder
from omp_core.language.language import script
from omp_core.model import Act, JournalEntry, Record, Status, Tier
from omp_core.record_json import to_json
from omp_core.settings import EmbedSettings
from omp_core.store.protocol import Batch, Put, Vector
from omp_core.store.sqlite import SqliteStore

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
BATCH = 1000
SPREAD = 0.35
"""How far a text's vector lies from the middle of its facts, as a share of its length."""


def make_store(path: Path, count: int, *, model: str = "offline", seed: int = 1) -> None:
    """Write `count` records to a new store at `path`; the same seed gives the same store."""
    embedder = choose_embedder(EmbedSettings(model=model))
    facts = [record for record in demo_records(NOW) if record.status is Status.ACTIVE]
    passages = embedder.embed_passages([fact.content for fact in facts])
    store = SqliteStore(path)
    try:
        made = written(facts, passages, embedder.model_id, count, seed)
        for number in range(-(-count // BATCH)):
            puts = tuple(islice(made, BATCH))
            store.commit(imported(number, puts))
            report(number * BATCH + len(puts), count)
    finally:
        store.close()


def written(
    facts: Sequence[Record], passages: NDArray[np.float32], model_id: str, count: int, seed: int
) -> Iterator[Put]:
    """Yield new records with their vectors. `passages` has shape (facts, dim)."""
    chance = random.Random(seed)
    noise = np.random.default_rng(seed)
    for number in range(count):
        one, other = chance.sample(range(len(facts)), 2)
        text = f"{facts[one].content}; {facts[other].content} (SHOP-{number}, v{number % 97})"
        middle = passages[one] + passages[other]
        away = noise.standard_normal(middle.shape).astype(np.float32)
        values = middle + away * (SPREAD * np.linalg.norm(middle) / np.linalg.norm(away))
        values /= np.linalg.norm(values)
        age = timedelta(minutes=chance.randrange(60 * 24 * 400))
        record = replace(
            facts[one],
            id=stable_id(NOW - age, f"{seed} {number}"),
            content=text,
            created_at=NOW - age,
            updated_at=NOW - age,
            tier=Tier.LONG_TERM,
            expires_at=None,
            version=1,
            stamps={},
            disputes=(),
            last_accessed=NOW - age * chance.random() if number % 3 else None,
            access_count=chance.randrange(20) if number % 3 else 0,
        )
        yield Put(record, None, Vector(model_id, script(text), values))


def imported(number: int, puts: Sequence[Put]) -> Batch:
    """Return one act that brings these records in."""
    summary = f"imported {len(puts)} records"
    act = Act(stable_id(NOW, f"batch {number}"), "import", "user", NOW, summary, len(puts))
    entries = tuple(
        JournalEntry(
            act.id, act.kind, act.actor, act.at, put.record.id, 1, None, to_json(put.record)
        )
        for put in puts
    )
    return Batch(act, tuple(puts), (), entries)


def report(done: int, count: int) -> None:
    sys.stderr.write(f"\r{done:,} of {count:,} records")
    sys.stderr.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("store", type=Path, help="SQLite file to make; it must not exist")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--model", default="offline", help="`offline` or `hashing`")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.store.exists():
        parser.error(f"{given.store} is there already; name a new file")
    given.store.parent.mkdir(parents=True, exist_ok=True)
    make_store(given.store, given.records, model=given.model, seed=given.seed)
    sys.stderr.write("\n")


if __name__ == "__main__":
    main()
