"""Measure what a write costs, beside raw SQLite and embedding alone in the same run.

    python -m tests.bench.write [--sizes 100 1000 10000 100000] [--processes 4]

Every figure is the median of single acknowledged writes of sentences that few other records
resemble, at a store that holds so many already; of the clock, and of the processor, which tells
more where others are at work. Memories are written with synchronous FULL, and so are the two
raw inserts. In a store of more than 5,000 the vectors of the rest lie near those of the first.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from omp_core.embed import choose_embedder
from omp_core.embed.protocol import Embedder
from omp_core.formats import own
from omp_core.language.language import script
from omp_core.memory import Memory
from omp_core.model import Act, Record, Scope, Tier
from omp_core.secrets import scan
from omp_core.services.entries import created_entry, stamp_new
from omp_core.session import new_id
from omp_core.settings import EmbedSettings, Settings
from omp_core.store.protocol import Batch, Put, Vector
from omp_core.store.sqlite import SqliteStore

_SCOPE = Scope(user_id="bench", app_id="bench")
_EMBEDDED = 5000
_AT_ONCE = 1000
_DATA = Path(__file__).parents[1] / "data"


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


@lru_cache(maxsize=1)
def corpus() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the English sentences of the test data, and their longer words, each once."""
    found = [
        text
        for name in ("themes.json", "themes_dev.json", "retrieval_triples.json", "plain_facts.json")
        for text in re.findall(r'"([A-Z][^"]{20,160})"', (_DATA / name).read_text("utf-8"))
    ]
    plain = sorted({text for text in found if text.isascii()})
    words = {word.lower() for text in plain for word in _WORD.findall(text)}
    return tuple(plain), tuple(sorted(words))


_WORD = re.compile(r"[A-Za-z]{4,}")


def sentences(seed: int) -> Iterator[str]:
    """Yield sentences without end: real ones with other longer words, so that few are alike."""
    chance = random.Random(seed)
    real, words = corpus()

    while True:
        made = _WORD.sub(lambda _word: chance.choice(words), chance.choice(real))
        if not scan(made):  # one that happens to name a password would be refused
            yield made


@dataclass(frozen=True, slots=True)
class Cost:
    """Median milliseconds of a call by the clock, and of the processor."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:8.2f} ms   {self.cpu:8.2f} ms of CPU"


def median_cost(calls: int, call: Callable[[], object]) -> Cost:
    wall, cpu = [], []
    for _number in range(calls):
        start, begun = time.perf_counter(), time.process_time()
        call()
        wall.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - begun))
    return Cost(statistics.median(wall), statistics.median(cpu))


def raw_inserts(folder: Path, calls: int) -> Cost:
    connection = apsw.Connection(str(folder / "raw.db"))
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE a (x TEXT); CREATE TABLE b (x TEXT)")

    def insert() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO a VALUES (?)", ("x" * 400,))
        connection.execute("INSERT INTO b VALUES (?)", ("y" * 400,))
        connection.execute("COMMIT")

    return median_cost(calls, insert)


def opened(store: Path, embedder: Embedder | None) -> Memory:
    return Memory.open(
        workspace=store.parent,
        store=store,
        settings=Settings(),
        load_embedder=lambda _settings: embedder,
    )


class Filler:
    """Puts sentences into a store by the thousand, each with a vector, as one act each time."""

    def __init__(self, embedder: Embedder, texts: Iterator[str]) -> None:
        self._embedder = embedder
        self._texts = texts
        self._known = np.empty((0, embedder.dim), np.float32)
        self._noise = np.random.default_rng(1)

    def _vectors(self, texts: list[str]) -> NDArray[np.float32]:
        if len(self._known) < _EMBEDDED:
            made = self._embedder.embed_passages(texts)
            self._known = np.concatenate([self._known, made])
            return made
        near = self._known[self._noise.integers(len(self._known), size=len(texts))]
        away = self._noise.standard_normal(near.shape).astype(np.float32)
        moved = near + away / np.linalg.norm(away, axis=1, keepdims=True)
        return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), np.float32)

    def fill(self, file: Path, count: int) -> None:
        store = SqliteStore(file)
        for start in range(0, count, _AT_ONCE):
            texts = [next(self._texts) for _number in range(min(_AT_ONCE, count - start))]
            now = datetime.now(UTC)
            act = Act(new_id(), "import", "user", now, "filled", len(texts))
            puts = []
            for text, vector in zip(texts, self._vectors(texts), strict=True):
                record = Record(new_id(), text, now, now, scope=_SCOPE, tier=Tier.LONG_TERM)
                held = Vector(self._embedder.model_id, script(text), vector)
                puts.append(Put(stamp_new(record, "user", now), None, held))
            entries = [created_entry(act.id, act.kind, "user", now, put.record) for put in puts]
            store.commit(Batch(act, tuple(puts), (), tuple(entries)))
        store.close()


def _add_many(
    store: Path, model: str | None, seed: int, count: int, ready: Any, spent: Any
) -> None:
    embedder = choose_embedder(EmbedSettings(model=model)) if model else None
    if embedder is not None:
        embedder.warm()
    texts = sentences(seed)
    with opened(store, embedder) as memory:
        for _number in range(20):
            memory.add(next(texts), scope=_SCOPE)
        ready.wait()
        begun = time.process_time()
        for _number in range(count):
            memory.add(next(texts), scope=_SCOPE)
        spent.put(time.process_time() - begun)


def together(store: Path, model: str | None, processes: int, count: int) -> tuple[float, float]:
    """Return how many adds a second several processes get acknowledged on one store, and the
    milliseconds of CPU of each.
    """
    context = multiprocessing.get_context("spawn")
    ready, spent = context.Barrier(processes + 1), context.Queue()
    workers = [
        context.Process(target=_add_many, args=(store, model, 1000 + n, count, ready, spent))
        for n in range(processes)
    ]
    for worker in workers:
        worker.start()
    ready.wait()
    start = time.perf_counter()
    cpu = sum(spent.get() for _worker in workers)
    took = time.perf_counter() - start
    for worker in workers:
        worker.join()
    return processes * count / took, 1000 * cpu / (processes * count)


def import_rows(memory: Memory, folder: Path, count: int, texts: Iterator[str]) -> None:
    rows = folder / "rows.jsonl"
    now = datetime.now(UTC)
    records = (Record(new_id(), next(texts), now, now, scope=_SCOPE) for _number in range(count))
    with rows.open("w", encoding="utf-8") as file:
        own.write(records, file, now)
    memory.import_file(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10_000, 100_000])
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--calls", type=int, default=60)
    parser.add_argument("--model", default="offline")
    arguments = parser.parse_args()
    embedder = choose_embedder(EmbedSettings(model=arguments.model))
    embedder.warm()
    texts = sentences(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        raw = raw_inserts(folder, arguments.calls)
        alone = median_cost(arguments.calls, lambda: embedder.embed_passages([next(texts)]))
        limit = Cost(1.3 * alone.wall + 3, 1.3 * alone.cpu + 3)
        say(f"two raw inserts, FULL             {raw}")
        say(f"embedding alone                   {alone}")
        say(f"limit for an add                  {limit}")
        store, filler, held = folder / "store.db", Filler(embedder, texts), 0
        for size in arguments.sizes:
            filler.fill(store, size - held)
            with opened(store, embedder) as memory:
                for _number in range(20):  # words are read for the first time once in a process
                    memory.add(next(texts), scope=_SCOPE)
                took = median_cost(arguments.calls, lambda: memory.add(next(texts), scope=_SCOPE))
                held = size + arguments.calls + 20
            say(f"add with duplicate check, {size:>7} {took}")
        for model in (arguments.model, None):
            file = folder / f"shared-{model}.db"
            rate, cpu = together(file, model, arguments.processes, arguments.calls)
            label = f"{arguments.processes} processes, {model or 'no model'}"
            say(f"{label:25} {rate:10.0f} adds/s {cpu:8.2f} ms of CPU each")
        rows = [next(texts) for _number in range(2000)]
        start = time.perf_counter()
        embedder.embed_passages(rows)
        alone_s = time.perf_counter() - start
        start = time.perf_counter()
        with opened(folder / "bulk.db", embedder) as memory:
            import_rows(memory, folder, 2000, texts)
            memory.embedding.embed_missing()
        bulk = time.perf_counter() - start
        say(f"import of 2000 with vectors       {bulk:8.2f} s    (embedding alone {alone_s:.2f} s)")


if __name__ == "__main__":
    main()
