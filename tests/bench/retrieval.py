"""Measure search: which memories come first, and how much of what was asked for is found.

    python tests/bench/retrieval.py                              # the notes in tests/data
    python tests/bench/retrieval.py --set A.jsonl --set B.jsonl  # and recorded dialogues
    python tests/bench/retrieval.py --set A.jsonl --ablation     # what each constant does

Our profiles `auto` and `seed` and the pure modes stand beside BM25 (bm25s, over our tokens with
the date in the text). Of notes, whose wrong answers share words with the query on purpose: how
often the right memory is first, its mean reciprocal rank, and how often it is shown at all, by
language of query and memory. Of dialogues: recall among the first 5 and 10, mean reciprocal
rank, and recall in what fits into 500 and 1000 tokens. Behind the figure that counts stand its
95 % limits, by 1000 bootstrap samples of the questions.

A set holds one store a line: `docs` (`id`, `ts` or `date`, `session`, `pos`, `speaker` and `body`
or `user` and `assistant`) and `queries` (`qid`, `question`, `gold` = ids of the evidence).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import bm25s
import msgspec
import numpy as np
from retrieval_sets import (
    Asked,
    Doc,
    Judged,
    SearchSet,
    Store,
    dialogue_sets,
    note_sets,
)

from omp_core.embed import choose_embedder
from omp_core.embed.protocol import Embedder
from omp_core.language.tokens import query_tokens, tokens
from omp_core.memory import Memory
from omp_core.model import Act, Record, Scope, SearchMode
from omp_core.rules.ranking import date_words
from omp_core.settings import (
    SHIPPED_PROFILES,
    EmbedSettings,
    RankingProfile,
    SearchSettings,
    Settings,
)
from omp_core.store.protocol import Batch, Put

DEEP = 75
"""How far down the list the right memory is looked for."""
SAMPLES = 1000

Figures = dict[str, float]
Search = Callable[[Sequence[Asked]], Iterator[list[str]]]
"""Gives for each question the ids that it finds, best first."""

COUNTS: dict[Judged, str] = {"first": "acc@1", "evidence": "R@10"}
"""The figure that counts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set", dest="sets", type=Path, action="append", default=[])
    parser.add_argument("--model", default="offline", help="as `embed.model` in the settings")
    parser.add_argument("--only", default="", help="only sets whose names hold this")
    parser.add_argument("--ablation", action="store_true", help="leave out one constant at a time")
    parser.add_argument("--cache", type=Path, help="a folder that keeps the vectors between runs")
    given = parser.parse_args()
    embedder = Remembering(choose_embedder(EmbedSettings(model=given.model)), given.cache)
    sets = [*note_sets(), *dialogue_sets(given.sets)]
    for one in sets:
        if given.only in one.name:
            (ablation if given.ablation else comparison)(one, embedder)
            embedder.keep()


class Remembering:
    """A model that embeds no text twice; the same question is asked of every ranking."""

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        """With `folder` the vectors that `keep` has written there are known from the start."""
        self._embedder = embedder
        self._known: dict[tuple[str, str], Any] = {}
        self._file = folder and folder / f"{embedder.model_id.replace('/', '-')}.npz"
        if self._file and self._file.exists():
            with np.load(self._file, allow_pickle=False) as kept:
                names = (tuple(name.split("\n", 1)) for name in kept["names"].tolist())
                self._known = dict(zip(names, kept["rows"], strict=True))

    def keep(self) -> None:
        if self._file and self._known:
            names = ["\n".join(name) for name in self._known]
            self._file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(self._file, names=np.array(names), rows=np.stack(list(self._known.values())))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed_query(self, text: str) -> Any:
        key = ("query", text)
        if key not in self._known:
            self._known[key] = self._embedder.embed_query(text)
        return self._known[key]

    def embed_passages(self, texts: Sequence[str]) -> Any:
        new = [text for text in dict.fromkeys(texts) if ("passage", text) not in self._known]
        if new:
            for text, row in zip(new, self._embedder.embed_passages(new), strict=True):
                self._known["passage", text] = row
        return np.stack([self._known["passage", text] for text in texts])


@dataclass(frozen=True)
class Place:
    """A store on the disk, and the moment at which it is asked."""

    folder: Path
    now: datetime


Ranking = Callable[[Store, Place], Search]
"""Gives the search of a store under one ranking."""


def comparison(one: SearchSet, embedder: Any) -> None:
    """Print what each way of searching finds."""
    auto = SHIPPED_PROFILES["auto"]
    rankings: dict[str, Ranking] = {
        name: _ours(embedder, SHIPPED_PROFILES[name]) for name in ("auto", "seed")
    }
    for mode in (SearchMode.KEYWORD, SearchMode.SEMANTIC):
        rankings[mode.value] = _ours(embedder, auto, mode)
    rankings["bm25s"] = lambda store, _place: bm25(store.docs)
    measure(one, rankings, embedder)


def ablation(one: SearchSet, embedder: Any) -> None:
    """Print what the profile `auto` finds without each of its constants."""
    auto = SHIPPED_PROFILES["auto"]
    named = variants(auto).items()
    measure(one, {name: _ours(embedder, profile) for name, profile in named}, embedder)
    measure(one, {"no date words": _ours(embedder, auto)}, embedder, dated=False)


def _ours(embedder: Any, profile: RankingProfile, mode: SearchMode = SearchMode.HYBRID) -> Ranking:
    return lambda _store, place: ours(place, embedder, profile, mode)


def measure(
    one: SearchSet, rankings: Mapping[str, Ranking], embedder: Any, *, dated: bool = True
) -> None:
    """Print a line for each ranking as soon as it is measured."""
    sys.stdout.write(f"\n{one.name}\n" if dated else "")
    with ExitStack() as stack:
        places = [
            stack.enter_context(filled(store.docs, embedder, dated=dated)) for store in one.stores
        ]
        for name, ranking in rankings.items():
            rows: list[tuple[str, Figures]] = []
            for store, place in zip(one.stores, places, strict=True):
                rows += asked_of(store, one.judged, ranking(store, place))
            report(name, rows, COUNTS[one.judged])


def variants(whole: RankingProfile) -> dict[str, RankingProfile]:
    """Return the profile, and it with each of its constants taken out."""
    replace = msgspec.structs.replace
    talk = whole.conversation
    assert talk is not None
    found = {"auto": whole, "no conversation": replace(whole, conversation=None)}
    for name in (
        "keyword",
        "semantic",
        "recency",
        "importance",
        "coverage_power",
        "crossed",
        "topics",
    ):
        found[f"no {name}"] = replace(whole, **{name: 0.0})
    off = {"best": 10, "most_turns": 200, "coherent_from": -9.0}
    for name in talk.__struct_fields__:
        without = replace(talk, **{name: off.get(name, 0.0)})
        title = f"talk, {name} {off[name]}" if name in off else f"talk, no {name}"
        found[title] = replace(whole, conversation=without)
    return found


@contextmanager
def filled(docs: Sequence[Doc], embedder: Any, *, dated: bool = True) -> Iterator[Place]:
    """Yield a store that holds `docs`, at the day after the newest of them.

    Unless `dated`, the dates are not among the words of the records.
    """
    records = [
        Record(
            doc.id, doc.text, doc.at, doc.at, scope=Scope(app_id=doc.app_id), episode=doc.episode
        )
        for doc in docs
    ]
    now = max(doc.at for doc in docs) + timedelta(days=1)
    act = Act("import", "import", "user", now, "", len(records))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = Place(folder, now)
        with opened(place, embedder, SHIPPED_PROFILES["auto"]) as memory:
            store = memory._availability.store()
            store.commit(Batch(act, tuple(Put(one, None) for one in records)))
            memory.embedding.embed_missing()
        if not dated:
            _take_dates_out(folder / "store.db")
        yield place


def _take_dates_out(file: Path) -> None:
    import apsw

    with apsw.Connection(str(file)) as connection:
        rows = list(connection.execute("SELECT pk, content FROM records"))
        for pk, content in rows:
            words = tokens(str(content))
            connection.execute("DELETE FROM keywords WHERE rowid = ?", (pk,))
            connection.execute(
                "INSERT INTO keywords (rowid, tokens) VALUES (?, ?)", (pk, " ".join(words))
            )
            connection.execute(
                "UPDATE traits SET words = ? WHERE pk = ?", (" ".join(dict.fromkeys(words)), pk)
            )


@contextmanager
def opened(place: Place, embedder: Any, profile: RankingProfile) -> Iterator[Memory]:
    search = SearchSettings(profile="measured", profiles={"measured": profile})
    with Memory.open(
        workspace=place.folder,
        store=place.folder / "store.db",
        settings=Settings(search=search),
        clock=lambda: place.now,
        load_embedder=lambda _settings: embedder,
    ) as memory:
        yield memory


def ours(
    place: Place, embedder: Any, profile: RankingProfile, mode: SearchMode = SearchMode.HYBRID
) -> Search:
    def search(asked: Sequence[Asked]) -> Iterator[list[str]]:
        with opened(place, embedder, profile) as memory:
            for one in asked:
                answer = memory.search(
                    one.text, mode=mode, query=one.query, limit=DEEP, browse=True
                )
                yield [hit.record.id for hit in answer.hits]

    return search


def bm25(docs: Sequence[Doc]) -> Search:
    def search(asked: Sequence[Asked]) -> Iterator[list[str]]:
        by_app: dict[str | None, list[Doc]] = defaultdict(list)
        for doc in docs:
            by_app[doc.app_id].append(doc)
            if doc.app_id is not None:
                by_app[None].append(doc)
        indexes: dict[str | None, bm25s.BM25] = {}
        for one in asked:
            app = one.query.scope.app_id
            held = by_app[app]
            if app not in indexes:
                indexes[app] = bm25s.BM25()
                texts = [tokens(f"{date_words(doc.at)} {doc.text}") for doc in held]
                indexes[app].index(texts, show_progress=False)
            found, scores = indexes[app].retrieve(
                [query_tokens(one.text)], k=min(DEEP, len(held)), show_progress=False
            )
            yield [
                held[at].id
                for at, score in zip(found[0].tolist(), scores[0].tolist(), strict=True)
                if score > 0.0
            ]

    return search


def asked_of(store: Store, judged: Judged, search: Search) -> list[tuple[str, Figures]]:
    costs = {doc.id: doc.cost for doc in store.docs}
    figures = []
    for one, order in zip(store.asked, search(store.asked), strict=True):
        if judged == "first":
            figures.append((one.group, first_figures(order, one.gold)))
        else:
            figures.append((one.group, evidence_figures(order, one.gold, costs)))
    return figures


def first_figures(order: Sequence[str], right: frozenset[str]) -> Figures:
    rank = reciprocal_rank(order, right)
    return {"acc@1": float(rank == 1), "MRR": rank, "shown": float(rank > 0)}


def evidence_figures(
    order: Sequence[str], gold: frozenset[str], costs: Mapping[str, int]
) -> Figures:
    return {
        "R@5": share(gold, order[:5]),
        "R@10": share(gold, order[:10]),
        "MRR": reciprocal_rank(order, gold),
        "B500": share(gold, within(order, costs, 500)),
        "B1000": share(gold, within(order, costs, 1000)),
        "acc@1": float(bool(order) and order[0] in gold),
    }


def reciprocal_rank(order: Sequence[str], right: frozenset[str]) -> float:
    return next((1 / rank for rank, one in enumerate(order, 1) if one in right), 0.0)


def share(gold: frozenset[str], chosen: Iterable[str]) -> float:
    return len(gold.intersection(chosen)) / len(gold)


def within(order: Sequence[str], costs: Mapping[str, int], budget: int) -> list[str]:
    """Return what fits into `budget` tokens, best first, going on past what is too long."""
    chosen = []
    for one in order:
        if costs[one] <= budget:
            chosen.append(one)
            budget -= costs[one]
    return chosen


def report(name: str, rows: Sequence[tuple[str, Figures]], counts: str) -> None:
    """Print the means of a ranking, in percent, in each group and over all questions."""
    by_group: dict[str, list[Figures]] = defaultdict(list)
    for group, figures in rows:
        by_group[group].append(figures)
    if len(by_group) > 1:
        by_group["all"] = [figures for _group, figures in rows]
    for group, many in by_group.items():
        low, high = limits([figures[counts] for figures in many])
        cells = "  ".join(
            f"{title} {100 * sum(figures[title] for figures in many) / len(many):5.1f}"
            + (f" [{100 * low:.1f}, {100 * high:.1f}]" if title == counts else "")
            for title in many[0]
        )
        sys.stdout.write(f"  {name:22s}{group:6s}{len(many):5d}  {cells}\n")
    sys.stdout.flush()


def limits(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % limits of a mean by bootstrap samples, the same ones each time."""
    drawn = np.random.default_rng(0).integers(0, len(values), (SAMPLES, len(values)))
    means = np.array(values)[drawn].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


if __name__ == "__main__":
    main()
