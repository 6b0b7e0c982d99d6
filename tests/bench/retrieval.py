"""Measure search: which memories come first, and how much of what was asked for is found.

    python tests/bench/retrieval.py                                  # the notes in tests/data
    python tests/bench/retrieval.py --set A.jsonl --set B.jsonl      # recorded dialogues

Notes: how often the right memory is first (acc@1), its mean reciprocal rank, and how often it
is shown at all, by language of query and memory (x: English query, Chinese memory). Each
triple is searched among its own six memories and among those of all; the wrong ones share
words with the query on purpose, so words alone find next to nothing.

A set holds one store a line: `docs` (`id`, `ts` or `date`, `speaker` and `body` or `user` and
`assistant`) and `queries` (`qid`, `question`, `gold` = ids of the evidence). Printed are
recall among the first 5, 10 and 20, mean reciprocal rank, recall in what fits into 500, 1000
and 2000 tokens, and recall among all that is shown.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from omp_core.embed import choose_embedder
from omp_core.embed.protocol import Embedder
from omp_core.language.language import script
from omp_core.memory import Memory
from omp_core.model import Act, Query, Record, Scope, SearchMode
from omp_core.settings import EmbedSettings, SearchSettings, Settings
from omp_core.store.protocol import Batch, Put

DATA = Path(__file__).parents[1] / "data"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
DEEP = 75
"""How far down the list the right memory is looked for."""
FIRST = (5, 10, 20)
BUDGETS = (500, 1000, 2000)

Figures = dict[str, float]


@dataclass(frozen=True)
class Doc:
    """A memory to find. `cost` is its length in tokens as it would be shown to a model."""

    id: str
    text: str
    at: datetime = NOW
    app_id: str | None = None
    cost: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set", dest="sets", type=Path, action="append", default=[])
    parser.add_argument("--model", default="offline", help="as `embed.model` in the settings")
    parser.add_argument("--profile", default="seed", help="weights of the hybrid search")
    given = parser.parse_args()
    embedder = choose_embedder(EmbedSettings(model=given.model))
    settings = Settings(search=SearchSettings(profile=given.profile))
    if given.sets:
        for file in given.sets:
            report(file.stem, dialogue_figures(file, embedder, settings))
    else:
        report("triples, own six memories", triple_figures(embedder, settings, own=True))
        report("triples, memories of all", triple_figures(embedder, settings, own=False))
        report("keyword queries", keyword_figures(embedder, settings))


def triple_figures(embedder: Embedder, settings: Settings, *, own: bool) -> Iterator[Row]:
    triples = json.loads((DATA / "retrieval_triples.json").read_text("utf-8"))
    docs = [
        Doc(f"{triple['id']}-{number}", text, app_id=triple["id"])
        for triple in triples
        for number, text in enumerate([triple["right"], *triple["wrong"]])
    ]
    ids = {doc.text: doc.id for doc in docs}
    if not own:
        docs = [doc for doc in docs if ids[doc.text] == doc.id]
    with filled(docs, embedder, settings) as memory:
        for mode in SearchMode:
            for triple in triples:
                query = Query(Scope(app_id=triple["id"])) if own else Query()
                right = f"{triple['id']}-0" if own else ids[triple["right"]]
                order = found(memory, triple["query"], mode, query)
                yield mode, triple["lang"], first_figures(order, {right})


def keyword_figures(embedder: Embedder, settings: Settings) -> Iterator[Row]:
    read = json.loads((DATA / "keyword_queries.json").read_text("utf-8"))
    ids = {text: str(number) for number, text in enumerate(dict.fromkeys(read["pool"]))}
    with filled([Doc(ids[text], text) for text in ids], embedder, settings) as memory:
        for mode in SearchMode:
            for item in read["items"]:
                order = found(memory, item["query"], mode)
                language = "zh" if script(item["query"]) == "cjk" else "en"
                yield mode, language, first_figures(order, {ids[text] for text in item["right"]})


def dialogue_figures(file: Path, embedder: Embedder, settings: Settings) -> Iterator[Row]:
    for line in file.read_text("utf-8").splitlines():
        store = json.loads(line)
        docs = [turn(doc) for doc in store["docs"]]
        costs = {doc.id: doc.cost for doc in docs}
        with filled(docs, embedder, settings) as memory:
            for mode in SearchMode:
                for asked in store["queries"]:
                    order = found(memory, asked["question"], mode)
                    yield mode, "all", evidence_figures(order, set(asked["gold"]), costs)


Row = tuple[SearchMode, str, Figures]
"""What one query came to: mode, group, figures."""


def turn(doc: Mapping[str, Any]) -> Doc:
    """Return a turn of a dialogue as a memory."""
    if "body" in doc:
        text = f"{doc['speaker']}: {doc['body']}"
    else:
        text = f"User: {doc['user']} AI: {doc['assistant']}"
    if "ts" in doc:
        at = datetime.fromtimestamp(doc["ts"], UTC)
    else:
        at = datetime.fromisoformat(doc["date"]).replace(tzinfo=UTC)
    return Doc(doc["id"], text, at, cost=token_count(f"[{doc['date']}] {text}") + 1)


def token_count(text: str) -> int:
    """Return about how many tokens a text has: one a Chinese character, four letters to one."""
    chinese = len(re.findall(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]", text))
    return chinese + math.ceil((len(text) - chinese) / 4)


@contextmanager
def filled(docs: Sequence[Doc], embedder: Embedder, settings: Settings) -> Iterator[Memory]:
    """Yield a memory on a new store that holds `docs`, at the day after the newest of them."""
    now = max(doc.at for doc in docs) + timedelta(days=1)
    records = [
        Record(doc.id, doc.text, doc.at, doc.at, scope=Scope(app_id=doc.app_id)) for doc in docs
    ]
    act = Act("import", "import", "user", now, "", len(records))
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(
            workspace=Path(folder),
            store=Path(folder) / "store.db",
            settings=settings,
            clock=lambda: now,
            load_embedder=lambda _settings: embedder,
        ) as memory,
    ):
        memory._availability.store().commit(Batch(act, tuple(Put(one, None) for one in records)))
        memory.embedding.embed_missing()
        yield memory


def found(
    memory: Memory,
    text: str,
    mode: SearchMode,
    query: Query = Query(),  # noqa: B008 - a frozen value
) -> list[str]:
    answer = memory.search(text, mode=mode, query=query, limit=DEEP, browse=True)
    return [hit.record.id for hit in answer.hits]


def first_figures(order: Sequence[str], right: set[str]) -> Figures:
    rank = reciprocal_rank(order, right)
    return {"acc@1": float(rank == 1), "MRR": rank, "shown": float(rank > 0)}


def evidence_figures(order: Sequence[str], gold: set[str], costs: Mapping[str, int]) -> Figures:
    figures = {f"R@{first}": share(gold, order[:first]) for first in FIRST}
    figures["MRR"] = reciprocal_rank(order, gold)
    for budget in BUDGETS:
        figures[f"{budget} tok"] = share(gold, within(order, costs, budget))
    figures["shown"] = share(gold, order)
    return figures


def reciprocal_rank(order: Sequence[str], right: set[str]) -> float:
    return next((1 / rank for rank, one in enumerate(order, 1) if one in right), 0.0)


def share(gold: set[str], chosen: Iterable[str]) -> float:
    return len(gold.intersection(chosen)) / len(gold)


def within(order: Sequence[str], costs: Mapping[str, int], budget: int) -> list[str]:
    """Return what fits into `budget` tokens, best first, going on past what is too long."""
    chosen = []
    for one in order:
        if costs[one] <= budget:
            chosen.append(one)
            budget -= costs[one]
    return chosen


def report(title: str, rows: Iterable[Row]) -> None:
    """Print the means, in percent, of each mode and group and of each mode over all groups."""
    groups: dict[SearchMode, dict[str, list[Figures]]] = defaultdict(lambda: defaultdict(list))
    for mode, group, figures in rows:
        groups[mode][group].append(figures)
    for by_group in groups.values():
        if "all" not in by_group:
            by_group["all"] = [figures for many in by_group.values() for figures in many]
    sys.stdout.write(f"\n{title}\n")
    for mode, by_group in groups.items():
        for group, many in by_group.items():
            means = {name: sum(one[name] for one in many) / len(many) for name in many[0]}
            cells = "  ".join(f"{name} {100 * mean:5.1f}" for name, mean in means.items())
            sys.stdout.write(f"  {mode:9s}{group:4s}{len(many):5d}  {cells}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
