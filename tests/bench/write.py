"""Measure what a write costs, beside raw SQLite and embedding alone in the same run.

    python tests/bench/write.py [--sizes 100 1000 10000 100000] [--processes 4]

Every figure is the median of single acknowledged writes of sentences that few other records
resemble, at a store that holds so many already. Memories are written with synchronous FULL,
and so are the two raw inserts.
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
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import apsw
from uuid_utils import uuid7

from omp_core.embed import choose_embedder
from omp_core.embed.protocol import Embedder
from omp_core.formats import own
from omp_core.memory import Memory
from omp_core.model import Record, Scope
from omp_core.secrets import scan
from omp_core.settings import EmbedSettings, Settings

_SCOPE = Scope(user_id="bench", app_id="bench")
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


def median_ms(calls: int, call: Callable[[], object]) -> float:
    took = []
    for _number in range(calls):
        start = time.perf_counter()
        call()
        took.append(1000 * (time.perf_counter() - start))
    return statistics.median(took)


def raw_inserts(folder: Path, calls: int) -> float:
    connection = apsw.Connection(str(folder / "raw.db"))
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE a (x TEXT); CREATE TABLE b (x TEXT)")

    def insert() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO a VALUES (?)", ("x" * 400,))
        connection.execute("INSERT INTO b VALUES (?)", ("y" * 400,))
        connection.execute("COMMIT")

    return median_ms(calls, insert)


def opened(store: Path, embedder: Embedder | None) -> Memory:
    return Memory.open(
        workspace=store.parent,
        store=store,
        settings=Settings(),
        load_embedder=lambda _settings: embedder,
    )


def fill(memory: Memory, folder: Path, count: int, texts: Iterator[str]) -> None:
    rows = folder / "rows.jsonl"
    now = datetime.now(UTC)
    records = (
        Record(str(uuid7()), next(texts), now, now, scope=_SCOPE) for _number in range(count)
    )
    with rows.open("w", encoding="utf-8") as file:
        own.write(records, file, now)
    memory.import_file(rows)


def _add_many(store: Path, model: str | None, seed: int, count: int, ready: object) -> None:
    embedder = choose_embedder(EmbedSettings(model=model)) if model else None
    if embedder is not None:
        embedder.warm()
    texts = sentences(seed)
    with opened(store, embedder) as memory:
        ready.wait()  # type: ignore[attr-defined]
        for _number in range(count):
            memory.add(next(texts), scope=_SCOPE)


def together(store: Path, model: str | None, processes: int, count: int) -> float:
    """Return how many adds a second several processes get acknowledged on one store."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(processes + 1)
    workers = [
        context.Process(target=_add_many, args=(store, model, 1000 + n, count, ready))
        for n in range(processes)
    ]
    for worker in workers:
        worker.start()
    ready.wait()
    start = time.perf_counter()
    for worker in workers:
        worker.join()
    return processes * count / (time.perf_counter() - start)


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
        alone = median_ms(arguments.calls, lambda: embedder.embed_passages([next(texts)]))
        say(f"two raw inserts, FULL          {raw:8.2f} ms")
        say(f"embedding alone                {alone:8.2f} ms")
        say(f"limit for an add               {1.3 * alone + 3:8.2f} ms")
        store = folder / "store.db"
        held = 0
        with opened(store, embedder) as memory:
            for size in arguments.sizes:
                fill(memory, folder, size - held, texts)
                memory.embedding.embed_missing()
                memory.add(next(texts), scope=_SCOPE)
                took = median_ms(arguments.calls, lambda: memory.add(next(texts), scope=_SCOPE))
                held = size + arguments.calls + 1
                say(f"add with duplicate check, {size:>7} {took:8.2f} ms")
        for model in (arguments.model, None):
            rate = together(
                folder / f"shared-{model}.db", model, arguments.processes, arguments.calls
            )
            say(f"{arguments.processes} processes, {model or 'no model':9} {rate:14.0f} adds/s")
        rows = [next(texts) for _number in range(2000)]
        start = time.perf_counter()
        embedder.embed_passages(rows)
        alone_s = time.perf_counter() - start
        start = time.perf_counter()
        with opened(folder / "bulk.db", embedder) as memory:
            fill(memory, folder, 2000, texts)
            memory.embedding.embed_missing()
        bulk = time.perf_counter() - start
        say(f"import of 2000 with vectors    {bulk:8.2f} s   (embedding alone {alone_s:.2f} s)")


if __name__ == "__main__":
    main()
