"""The stores that the search bench measures: notes, recorded dialogues, and mixtures of both."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from omp_core.language.language import script
from omp_core.model import Query, Scope

DATA = Path(__file__).parents[1] / "data"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
RANDOM_NOTES = 5
EVERYTHING = Query()

Judged = Literal["first", "evidence"]
"""Whether one right memory has to come first, or several pieces of evidence near the top."""


@dataclass(frozen=True)
class Doc:
    """A memory to find. `cost` is its length in tokens as it would be shown to a model."""

    id: str
    text: str
    at: datetime = NOW
    app_id: str | None = None
    episode: str | None = None
    cost: int = 0


@dataclass(frozen=True)
class Asked:
    """A question, the ids that answer it, and the group that it is counted in."""

    text: str
    gold: frozenset[str]
    group: str = "all"
    query: Query = EVERYTHING


@dataclass(frozen=True)
class Store:
    """One store with what is asked of it."""

    docs: Sequence[Doc]
    asked: Sequence[Asked]


@dataclass(frozen=True)
class SearchSet:
    """Stores whose questions are counted together."""

    name: str
    judged: Judged
    stores: Sequence[Store]


def note_sets() -> Iterator[SearchSet]:
    """Yield the sets of independent notes in tests/data."""
    triples = json.loads((DATA / "retrieval_triples.json").read_text("utf-8"))
    yield SearchSet("triples, own six memories (adversarial)", "first", [_own_six(triples)])
    yield SearchSet("triples, right among five random ones (plain)", "first", [_plain(triples)])
    yield SearchSet("triples, memories of all", "first", [_of_all(triples)])
    yield SearchSet("keyword queries", "first", [_keyword_store()])


def dialogue_sets(files: Sequence[Path]) -> Iterator[SearchSet]:
    """Yield each file's conversations, those of a file in one store, and mixtures with notes."""
    read = {file.stem: _conversations(file) for file in files}
    for name, stores in read.items():
        yield SearchSet(name, "evidence", stores)
    for name, stores in read.items():
        if 1 < len(stores) < 8:
            yield SearchSet(f"{name}, in one store", "evidence", [_together(stores)])
    for name, stores in read.items():
        yield SearchSet(f"{name}, sessions by the 30-minute rule", "evidence", _untold(stores))
    yield from _notes_beside(read)
    yield from _crossed(read)


def _own_six(triples: Sequence[Mapping[str, Any]]) -> Store:
    docs, asked = [], []
    for triple in triples:
        name = triple["id"]
        for number, text in enumerate([triple["right"], *triple["wrong"]]):
            docs.append(Doc(f"{name}-{number}", text, app_id=name))
        asked.append(_among(triple, f"{name}-0"))
    return Store(docs, asked)


def _plain(triples: Sequence[Mapping[str, Any]]) -> Store:
    """Put each right memory among random ones of other triples, in either language."""
    chance = random.Random(0)
    docs, asked = [], []
    for triple in triples:
        name = triple["id"]
        others = [
            text
            for other in triples
            if other["id"] != name
            for text in [other["right"], *other["wrong"]]
            if text != triple["right"]
        ]
        for round_ in range(10):
            app = f"{name}-{round_}"
            chosen = [triple["right"], *chance.sample(others, RANDOM_NOTES)]
            docs += [Doc(f"{app}-{at}", text, app_id=app) for at, text in enumerate(chosen)]
            asked.append(replace(_among(triple, f"{app}-0"), query=Query(Scope(app_id=app))))
    return Store(docs, asked)


def _among(triple: Mapping[str, Any], right: str) -> Asked:
    return Asked(
        triple["query"],
        frozenset({right}),
        {"zh": "zh", "en": "en", "x": _direction(triple["query"], triple["right"])}[triple["lang"]],
        Query(Scope(app_id=triple["id"])),
    )


def _direction(query: str, memory: str) -> str:
    """Return `en-zh` for an English question about a Chinese memory, `zh-en` for the reverse."""
    names = {"cjk": "zh", "latin": "en"}
    return f"{names[script(query)]}-{names[script(memory)]}"


def _of_all(triples: Sequence[Mapping[str, Any]]) -> Store:
    texts = [text for triple in triples for text in [triple["right"], *triple["wrong"]]]
    ids = {text: str(number) for number, text in enumerate(dict.fromkeys(texts))}
    asked = [replace(_among(one, ids[one["right"]]), query=Query()) for one in triples]
    return Store([Doc(ids[text], text) for text in ids], asked)


def _keyword_store() -> Store:
    read = json.loads((DATA / "keyword_queries.json").read_text("utf-8"))
    ids = {text: str(number) for number, text in enumerate(dict.fromkeys(read["pool"]))}
    asked = [
        Asked(
            item["query"],
            frozenset(ids[text] for text in item["right"]),
            "zh" if script(item["query"]) == "cjk" else "en",
        )
        for item in read["items"]
    ]
    return Store([Doc(ids[text], text) for text in ids], asked)


def _conversations(file: Path) -> list[Store]:
    stores = []
    for line in file.read_text("utf-8").splitlines():
        read = json.loads(line)
        name = read["store"]
        asked = [
            Asked(one["question"], frozenset(f"{name}/{gold}" for gold in one["gold"]))
            for one in read["queries"]
        ]
        stores.append(Store([_turn(name, doc) for doc in read["docs"]], asked))
    return stores


def _turn(store: str, doc: Mapping[str, Any]) -> Doc:
    if "body" in doc:
        text = f"{doc['speaker']}: {doc['body']}"
    else:
        text = f"User: {doc['user']} AI: {doc['assistant']}"
    if "ts" in doc:
        at = datetime.fromtimestamp(doc["ts"], UTC)
    else:
        day = datetime.fromisoformat(doc["date"]).replace(tzinfo=UTC)
        at = day + timedelta(seconds=30 * doc["pos"])
    cost = token_count(f"[{doc['date']}] {text}") + 1
    episode = f"{store}/{doc['session']}"
    return Doc(f"{store}/{doc['id']}", text, at, episode=episode, cost=cost)


def _together(stores: Sequence[Store], group: str | None = None) -> Store:
    asked = [one for store in stores for one in store.asked]
    if group is not None:
        asked = [replace(one, group=group) for one in asked]
    return Store([doc for store in stores for doc in store.docs], asked)


def _untold(stores: Sequence[Store]) -> list[Store]:
    """Return conversations whose sessions nobody told: times alone part them."""
    found = []
    for store in stores:
        starts: list[Doc] = []
        before: datetime | None = None
        number = 0
        for doc in sorted(store.docs, key=lambda one: one.at):
            if before is not None and doc.at - before > timedelta(minutes=30):
                number += 1
            before = doc.at
            starts.append(replace(doc, episode=f"gap-{number}"))
        found.append(Store(starts, store.asked))
    return found


def _notes_beside(read: Mapping[str, Sequence[Store]]) -> Iterator[SearchSet]:
    """Yield stores that hold the notes of the keyword queries beside conversations."""
    notes = _keyword_store()
    notes = Store(notes.docs, [replace(one, group="notes") for one in notes.asked])
    for name, stores in read.items():
        if name.startswith("locomo"):
            talk = _together(stores[:1], "talk")
            yield SearchSet(f"{name}, one beside notes", "evidence", [_together([talk, notes])])


def _crossed(read: Mapping[str, Sequence[Store]]) -> Iterator[SearchSet]:
    """Yield what can be asked across languages of a conversation that is there in both."""
    english, chinese = read.get("locomo_en_tune"), read.get("locomo_zh_tune")
    if not english or not chinese:
        return
    held = {doc.id for doc in chinese[0].docs}
    both = next((one for one in english if {doc.id for doc in one.docs} == held), None)
    if both is None:
        return
    zh = chinese[0]
    yield SearchSet("Chinese questions, English store", "evidence", [Store(both.docs, zh.asked)])
    yield SearchSet("English questions, Chinese store", "evidence", [Store(zh.docs, both.asked)])
    sessions = sorted({doc.episode or "" for doc in zh.docs})
    in_chinese = set(sessions[::2])
    docs = [doc for doc in zh.docs if doc.episode in in_chinese]
    docs += [doc for doc in both.docs if doc.episode not in in_chinese]
    asked = [replace(one, group="en") for one in both.asked]
    asked += [replace(one, group="zh") for one in zh.asked]
    yield SearchSet("half Chinese, half English", "evidence", [Store(docs, asked)])


def token_count(text: str) -> int:
    """Return about how many tokens a text has: one a Chinese character, four letters to one."""
    chinese = len(re.findall(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]", text))
    return chinese + math.ceil((len(text) - chinese) / 4)
