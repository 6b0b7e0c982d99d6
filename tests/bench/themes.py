"""Measure themes: how well they match what people group, how fast the book is.

    python tests/bench/themes.py [--model offline] [--records 10000]

Agreement is the adjusted Rand index (Hubert & Arabie 1985): 1 is the people's grouping, 0 is
chance. The rule of openmemory-plus works on raw cosines: attach at 0.62 to a running mean, cut a
list of more than 12 in half, merge neighbours at 0.78. Plain k-means is told the true number of
themes, which nobody knows beforehand, so it is not automatic.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from omp_core.demo import demo_records, demo_themes
from omp_core.embed import Embedder, choose_embedder
from omp_core.embed.centred import CentredEmbedder
from omp_core.project.theme_book import ModelMark, OpenBook, ThemeBookFile
from omp_core.rules.themes import (
    Assimilation,
    BookInputs,
    ThemeItem,
    ThemeState,
    assimilate,
    book_health,
    empty_state,
    rebuild,
)
from omp_core.rules.themes.book import NOBODY, unit
from omp_core.rules.themes.space import Space, calibrate, measured
from omp_core.rules.themes.topics import TopicTable, shipped_topics
from omp_core.settings import EmbedSettings, ThemeSettings

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DATA = Path(__file__).parents[1] / "data"
OLD = {"themes.json": 0.549, "themes_dev.json": 0.196, "the demo": 0.105}
"""What agglomeration of the bare vectors came to on the same sets, with the offline model."""
ORDERS = 20
DIM = 552
Labels = NDArray[np.int64]
Rows = NDArray[np.float32]


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


class Fixed:
    """Records with given vectors and texts."""

    def __init__(self, rows: Rows, texts: Sequence[str]) -> None:
        self.ids = [f"0198f3c2-0000-7abc-8def-{number:012d}" for number in range(len(rows))]
        self.rows = rows
        self.words = dict(zip(self.ids, texts, strict=True))
        self._at = {record_id: at for at, record_id in enumerate(self.ids)}

    @property
    def dim(self) -> int:
        return int(self.rows.shape[1])

    def vectors(self, record_ids: Sequence[str]) -> Rows:
        return self.rows[[self._at[record_id] for record_id in record_ids]]

    def texts(self, record_ids: Sequence[str]) -> list[str]:
        return [self.words[record_id] for record_id in record_ids]

    def items(self, numbers: Sequence[int]) -> list[ThemeItem]:
        return [ThemeItem(self.ids[number]) for number in numbers]


def adjusted_rand(first: Labels, second: Labels) -> float:
    """Return the adjusted Rand index of two groupings of the same things."""
    a = np.unique(first, return_inverse=True)[1]
    b = np.unique(second, return_inverse=True)[1]
    table = np.zeros((a.max() + 1, b.max() + 1), np.int64)
    np.add.at(table, (a, b), 1)

    def pairs(counts: NDArray[np.int64]) -> int:
        return sum(comb(int(count), 2) for count in counts.ravel())

    together, one, other = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    expected = one * other / comb(len(a), 2)
    most = (one + other) / 2
    return 1.0 if most == expected else (together - expected) / (most - expected)


def ancestor(rows: Rows, order: Sequence[int]) -> Labels:
    """Group by the rule of openmemory-plus."""
    groups: list[list[int]] = []
    means: list[Rows] = []

    def alike(a: Rows, b: Rows) -> float:
        return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))

    for number in order:
        near = [alike(rows[number], mean) for mean in means]
        if near and max(near) >= 0.62:
            at = int(np.argmax(near))
            count = len(groups[at])
            means[at] = means[at] + (rows[number] - means[at]) * np.float32(1 / (count + 1))
            groups[at].append(number)
        else:
            groups.append([number])
            means.append(rows[number])
        for at in range(len(groups)):
            if len(groups[at]) > 12:
                half = -(-len(groups[at]) // 2)
                groups.append(groups[at][half:])
                means.append(means[at])
                groups[at] = groups[at][:half]
        at = 0
        while at < len(groups):
            other = at + 1
            while other < len(groups):
                size = len(groups[at]) + len(groups[other])
                if size <= 12 and alike(means[at], means[other]) >= 0.78:
                    groups[at] += groups.pop(other)
                    means[at] = (means[at] + means.pop(other)) / np.float32(2)
                else:
                    other += 1
            at += 1
    labels = np.zeros(len(rows), np.int64)
    for label, group in enumerate(groups):
        labels[group] = label
    return labels


def k_means(rows: Rows, count: int, seed: int) -> tuple[Labels, float]:
    """Return a spherical k-means grouping and how close rows lie to their centres."""
    chance = np.random.default_rng(seed)
    centres = rows[chance.choice(len(rows), count, replace=False)]
    labels = np.zeros(len(rows), np.int64)
    for _ in range(100):
        labels = (rows @ centres.T).argmax(axis=1)
        centres = np.stack(
            [
                rows[labels == label].mean(axis=0)
                if (labels == label).any()
                else rows[chance.integers(len(rows))]
                for label in range(count)
            ]
        )
        centres = unit(centres.astype(np.float32))
    return labels, float((rows * centres[labels]).sum())


def grouping(state: ThemeState, world: Fixed) -> Labels:
    return np.array([state.rows[state.owners[record_id]] for record_id in world.ids])


def agreement(
    name: str, world: Fixed, raw: Rows, vectors: Rows, truth: Labels, table: TopicTable
) -> None:
    """Print one line for each way of grouping; k-means sees the model's centred vectors."""
    ground = BookInputs(world, world, calibrate, ThemeSettings(), NOW, topics=table)
    chance = np.random.default_rng(1)
    orders = [list(range(len(truth)))]
    orders += [chance.permutation(len(truth)).tolist() for _ in range(ORDERS - 1)]
    count = int(truth.max()) + 1

    def rebuilt() -> Labels:
        return grouping(rebuild(empty_state(world.dim), world.items(orders[0]), ground)[0], world)

    def online(order: Sequence[int]) -> Labels:
        return grouping(assimilate(empty_state(world.dim), world.items(order), ground)[0], world)

    tries = [k_means(vectors, count, seed) for seed in range(ORDERS)]
    largest = np.bincount(truth).max()
    say(f"\n{name}: {len(truth)} records, {count} themes by hand, the largest of {largest}")
    say(f"  {'':34} {'ARI':>6} {'themes':>7}")
    for title, groupings in (
        ("ours, rebuilt", [rebuilt()]),
        (f"ours, one by one, {ORDERS} orders", [online(order) for order in orders]),
        (f"openmemory-plus, {ORDERS} orders", [ancestor(raw, order) for order in orders]),
        ("k-means, true k, best of 20 *", [max(tries, key=lambda one: one[1])[0]]),
        ("k-means, true k, mean of 20 *", [labels for labels, _fit in tries]),
    ):
        scores = [adjusted_rand(truth, labels) for labels in groupings]
        sizes = [len(np.unique(labels)) for labels in groupings]
        say(f"  {title:34} {np.mean(scores):6.3f} {np.mean(sizes):7.1f}")
    say("  * is told the number of themes")


def raw_vectors(embedder: Embedder, texts: Sequence[str]) -> Rows:
    """Return vectors as the model gives them, not centred, which is what the older rule saw."""
    if not isinstance(embedder, CentredEmbedder):
        raise SystemExit(f"{embedder.label} gives no vectors that are not centred")
    return unit(np.asarray(embedder._encode(list(texts), "passage"), dtype=np.float32))


def match_people(model: str) -> None:
    embedder = choose_embedder(EmbedSettings(model=model))
    say(f"model {embedder.model_id}")
    table = shipped_topics()
    space = Space(table, table.prototypes(embedder.embed_passages))
    filed = demo_themes(NOW)
    names = sorted(set(filed.values()))
    records = [record for record in demo_records(NOW) if record.id in filed]
    sets = {
        name: [
            (text, at)
            for at, texts in enumerate(json.loads((DATA / name).read_text("utf-8")).values())
            for text in texts
        ]
        for name in ("themes.json", "themes_dev.json")
    }
    sets["the demo"] = [(record.content, names.index(filed[record.id])) for record in records]
    for name, content in sets.items():
        texts = [text for text, _theme in content]
        vectors = embedder.embed_passages(texts)
        frames = {NOBODY: measured(NOBODY, vectors, texts)}
        rows = space.vectors(vectors, texts, [NOBODY] * len(texts), frames)
        truth = np.array([theme for _text, theme in content])
        agreement(name, Fixed(rows, texts), raw_vectors(embedder, texts), vectors, truth, table)
        say(f"  agglomeration of the bare vectors  {OLD[name]:6.3f}")


def large_world(count: int) -> Fixed:
    """Return records in topics of eight on average, as alike as those of a real model."""
    source = np.random.default_rng(0)
    topics = source.normal(size=(max(count // 8, 1), DIM))
    topic = source.integers(0, len(topics), count)
    rows = 0.7 * topics[topic] + 0.8 * source.normal(size=(count, DIM))
    texts = [f"subject{topic[at]} detail{at} 主题{topic[at] % 97} 测试" for at in range(count)]
    return Fixed(unit(rows.astype(np.float32)), texts)


def taken_in(
    opened: OpenBook, *, items: Sequence[ThemeItem], ground: BookInputs
) -> tuple[ThemeState, Assimilation]:
    return assimilate(opened.state, items, ground)


def speed(count: int) -> None:
    extra = 60
    world = large_world(count + extra)

    ground = BookInputs(world, world, calibrate, ThemeSettings(), NOW)
    model = ModelMark(f"bench/{DIM}", "1")
    start = time.perf_counter()
    state, _report = rebuild(empty_state(DIM), world.items(range(count)), ground)
    rebuilding = time.perf_counter() - start
    say(f"\n{count} records of {DIM} dimensions, {len(state.book.themes)} themes")
    say(f"  rebuild                       {rebuilding:8.2f} s   (limit 10)")
    took = []
    for number in range(count, count + extra // 2):
        start = time.perf_counter()
        state, _run = assimilate(state, world.items([number]), ground)
        took.append(1000 * (time.perf_counter() - start))
    say(
        f"  assimilate one                {np.median(took):8.1f} ms  "
        f"(limit 20; slowest of {len(took)}: {max(took):.1f})"
    )
    with tempfile.TemporaryDirectory() as folder:
        book = ThemeBookFile(Path(folder))
        first = state
        book.update(model, world, ground.settings, lambda _opened: (first, None), now=NOW)
        opening = []
        for _ in range(5):
            again = ThemeBookFile(Path(folder))
            start = time.perf_counter()
            again.read(model, world, ground.settings)
            opening.append(time.perf_counter() - start)
        say(f"  open the book                 {np.median(opening):8.3f} s   (limit 0.5)")
        took = []
        for number in range(count + extra // 2, count + extra):
            change = partial(taken_in, items=world.items([number]), ground=ground)
            start = time.perf_counter()
            book.update(model, world, ground.settings, change, now=NOW)
            took.append(1000 * (time.perf_counter() - start))
        say(f"  assimilate one and write      {np.median(took):8.1f} ms  (both files, synced)")
    start = time.perf_counter()
    book_health(state, ground)
    say(f"  health of all themes          {time.perf_counter() - start:8.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--model", default="offline")
    parser.add_argument("--records", type=int, default=10_000)
    arguments = parser.parse_args()
    match_people(arguments.model)
    speed(arguments.records)


if __name__ == "__main__":
    main()
