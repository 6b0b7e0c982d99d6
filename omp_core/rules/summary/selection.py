"""Writing a summary within a budget: what is kept, in which order, under which headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product

from omp_core.language.language import Script, script
from omp_core.language.sentences import estimate_tokens
from omp_core.model import Record
from omp_core.rules.decay import unread_days
from omp_core.rules.summary import cues
from omp_core.rules.summary.cues import FactKind
from omp_core.rules.summary.facts import KeyFact, key_facts
from omp_core.rules.summary.quality import COMPRESSION_PASS, RETENTION_PASS, Quality, assess

_HEADINGS: dict[Script, dict[FactKind, str]] = {
    "cjk": {
        FactKind.DECISION: "决策",
        FactKind.TODO: "待办",
        FactKind.LESSON: "教训",
        FactKind.EVENT: "事件",
        FactKind.FACT: "事实",
    },
    "latin": {
        FactKind.DECISION: "Decisions",
        FactKind.TODO: "To-dos",
        FactKind.LESSON: "Lessons",
        FactKind.EVENT: "Events",
        FactKind.FACT: "Facts",
    },
}
_TITLE: dict[Script, str] = {"cjk": "摘要", "latin": "Summary"}
_RECENT_DAYS = 7.0
_THRIFT = (0.5, 1.0, 2.0, 8.0)
"""How much a fact's length counts against it: more, the less room there is for all."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary in Markdown, the facts that it tells in their order, and its quality."""

    text: str
    items: tuple[KeyFact, ...]
    quality: Quality


def summarize(records: Sequence[Record], max_tokens: int, now: datetime) -> Summary:
    """Summarise `records` in at most `max_tokens` estimated tokens, by extraction alone.

    Key facts come grouped, with the date they were recorded, in the language of most records.
    The text aims at a third of the originals and grows beyond that, up to `max_tokens`, only
    as far as nine tenths of the key facts need it. Where they do not fit, articles go first,
    then facts that are long for their worth. Whether all pass marks were reached is in
    `quality`: records that are nothing but facts cannot be cut to a third without loss.
    """
    facts = key_facts(records)
    originals = [record.content for record in records]
    kept: list[KeyFact] = []
    text = ""
    if facts:
        layout = _layout(records)
        aim = min(max_tokens, int(sum(map(estimate_tokens, originals)) / COMPRESSION_PASS))
        kept = _chosen(facts, layout, aim, max_tokens, now)
        text = _written(kept, layout) if kept else ""
    return Summary(text, tuple(_ordered(kept)), assess(text, originals, facts))


def _chosen(
    facts: Sequence[KeyFact], layout: _Layout, aim: int, most: int, now: datetime
) -> list[KeyFact]:
    needed = RETENTION_PASS * len(facts)
    terse = [replace(fact, text=cues.ARTICLE.sub("", fact.text)) for fact in facts]
    attempts: list[list[KeyFact]] = []
    for told, thrift in product((facts, terse), _THRIFT):
        order = sorted(told, key=lambda fact: _worth(fact, now, thrift), reverse=True)
        kept = _fitting(order, layout, aim, most, needed)
        if len(kept) >= needed:
            return kept
        attempts.append(kept)
    # Not enough fit in any way: then what is worth most, not what is shortest.
    return attempts[len(_THRIFT)]


def _fitting(
    facts: Sequence[KeyFact], layout: _Layout, aim: int, most: int, needed: float
) -> list[KeyFact]:
    """Return the facts that fit: into `most` tokens until enough are kept, then into `aim`."""
    kept: list[KeyFact] = []
    kinds: set[FactKind] = set()
    used = _quarters(layout.title)
    for fact in facts:
        cost = _quarters(layout.line(fact))
        if fact.kind not in kinds:
            cost += _quarters(layout.heading(fact.kind))
        if used + cost <= 4 * (most if len(kept) < needed else aim):
            used += cost
            kinds.add(fact.kind)
            kept.append(fact)
    return kept


def _quarters(text: str) -> int:
    """Return the size of `text` in quarters of a token, in which sizes add up exactly."""
    return estimate_tokens(text * 4)


def _worth(fact: KeyFact, now: datetime, thrift: float) -> float:
    """Weigh a fact against the room it takes; recent ones a little more."""
    recent = 1.0 if unread_days(fact.at, now) <= _RECENT_DAYS else 0.0
    return float((fact.weight + recent) / (estimate_tokens(fact.text) + 4.0) ** thrift)


def _ordered(facts: Sequence[KeyFact]) -> list[KeyFact]:
    order = list(FactKind)
    return sorted(facts, key=lambda fact: (order.index(fact.kind), fact.at, fact.sources))


@dataclass(frozen=True, slots=True)
class _Layout:
    """The fixed parts of a summary: its title, its headings' language, the form of dates."""

    title: str
    headings: dict[FactKind, str]
    date_form: str

    def heading(self, kind: FactKind) -> str:
        return f"## {self.headings[kind]}\n"

    def line(self, fact: KeyFact) -> str:
        return f"- {fact.at.strftime(self.date_form)}{fact.text}\n"


def _layout(records: Sequence[Record]) -> _Layout:
    chinese = sum(script(record.content) == "cjk" for record in records)
    language: Script = "cjk" if 2 * chinese >= len(records) else "latin"
    days = [record.created_at.date() for record in records]
    first, last = min(days), max(days)
    span = f"{first}" if first == last else f"{first} – {last}"
    form = "" if first == last else "%m-%d " if first.year == last.year else "%Y-%m-%d "
    return _Layout(f"# {_TITLE[language]} {span}\n", _HEADINGS[language], form)


def _written(facts: Sequence[KeyFact], layout: _Layout) -> str:
    parts = [layout.title]
    kind: FactKind | None = None
    for fact in _ordered(facts):
        if fact.kind is not kind:
            kind = fact.kind
            parts.append(layout.heading(kind))
        parts.append(layout.line(fact))
    return "".join(parts)
