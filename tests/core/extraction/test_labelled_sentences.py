"""Sentences and transcripts labelled before the rules were written: what becomes of each kind."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest

from omp_core.extraction.classify.kinds import Route
from omp_core.extraction.pipeline import extract
from omp_core.extraction.report import ExtractionReport, Fact
from omp_core.model import Speaker, Turn
from omp_core.settings import Settings
from omp_core.transcripts.registry import read

DATA = Path(__file__).parents[2] / "data" / "extraction"
NOW = datetime(2026, 6, 3, 9, 0, tzinfo=UTC)
NEUTRAL = {
    "zh": (("看一下这个文件", "好的，我看一下。"), ("好的。", "继续")),
    "en": (("have a look at this file", "Sure, looking at it."), ("OK.", "go on")),
}
Outcome = Literal["store", "ask", "drop", "refuse"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one labelled sentence."""

    label: dict[str, Any]
    outcome: Outcome
    facts: tuple[Fact, ...]

    @property
    def right(self) -> bool:
        wanted = self.label["expect"]
        unread = wanted == "refuse" and self.label["speaker"] == "tool" and self.outcome == "drop"
        return self.outcome == wanted or unread


def conversation(label: dict[str, Any]) -> tuple[list[Turn], str]:
    """Put a sentence between neutral turns; return them and the place of the sentence."""
    before, after = NEUTRAL[label["lang"]]
    said: list[tuple[Speaker, str]] = [("user", before[0]), ("assistant", before[1])]
    if label["context"]:
        said += [("user", label["context"]), ("assistant", after[0])]
    said.append((label["speaker"], label["text"]))
    place = str(len(said))
    said += [("assistant", after[0]), ("user", after[1])]
    turns = [
        Turn(role, text, NOW + timedelta(minutes=number), str(number), "s1")
        for number, (role, text) in enumerate(said, 1)
    ]
    return turns, place


def judge(label: dict[str, Any]) -> Judged:
    turns, place = conversation(label)
    report = extract(turns, Settings(), NOW)
    facts = tuple(fact for fact in report.facts if fact.place == place)
    blocked = any(one.place == place and one.verdict == "blocked" for one in report.sentences)
    if any(fact.status == "stored" for fact in facts):
        return Judged(label, "store", facts)
    if facts:
        return Judged(label, "ask", facts)
    return Judged(label, "refuse" if blocked else "drop", facts)


@pytest.fixture(scope="module", params=["sentences.json", "sentences_more.json"])
def judged(request: pytest.FixtureRequest) -> list[Judged]:
    labels = json.loads((DATA / request.param).read_text("utf-8"))
    return [judge(label) for label in labels]


def home(fact: Fact) -> str:
    return "user" if fact.route is Route.USER else "project"


def planned(fact: Fact) -> Iterator[tuple[str, str]]:
    """The paths that a fact would write, with what it would write there."""
    for path, value in fact.values:
        yield path, str(value)
    if fact.decision is not None:
        yield "decisions.choice", fact.decision.choice
        yield "decisions.context", fact.decision.context
        yield "decisions.rationale", fact.decision.rationale
        yield "decisions.alternatives", ", ".join(fact.decision.alternatives)


def fills(slot: dict[str, str], facts: tuple[Fact, ...]) -> bool:
    wanted = slot["path"].split(".")
    for path, value in (pair for fact in facts for pair in planned(fact)):
        parts = path.split(".")
        fits = len(parts) == len(wanted) and all(
            mine == "*" or theirs in mine.split("/")
            for mine, theirs in zip(wanted, parts, strict=True)
        )
        if fits and str(slot["value"]).lower() in value.lower():
            return True
    return False


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def test_outcome_home_category_and_slot(
    judged: list[Judged], capsys: pytest.CaptureFixture[str]
) -> None:
    kinds: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for one in judged:
        kinds[one.label["lang"], one.label["kind"]] += 1
        right[one.label["lang"], one.label["kind"]] += one.right
    wanted = [one for one in judged if one.label["expect"] in ("store", "ask")]
    kept = [one for one in judged if one.facts]
    found = [one for one in wanted if one.facts]
    homes = [
        one
        for one in found
        if not {home(fact) for fact in one.facts}.isdisjoint(one.label["homes_accepted"])
    ]
    categories = [
        one
        for one in found
        if not {str(fact.category) for fact in one.facts}.isdisjoint(
            one.label["categories_accepted"]
        )
    ]
    slots = [one for one in wanted if one.label["slot"]]
    filled = [one for one in slots if fills(one.label["slot"], one.facts)]
    precision = sum(one in wanted for one in kept) / len(kept)
    with capsys.disabled():
        say("\nkind        zh      en")
        for kind in sorted({kind for _lang, kind in kinds}):
            cells = (f"{right[lang, kind]}/{kinds[lang, kind]}" for lang in ("zh", "en"))
            say(f"{kind:10}" + "".join(f"{cell:>8}" for cell in cells))
        say(
            f"outcome {sum(right.values())}/{len(judged)}, kept precision {precision:.2f}, "
            f"recall {len(found) / len(wanted):.2f}, home {len(homes)}/{len(found)}, "
            f"category {len(categories)}/{len(found)}, slots {len(filled)}/{len(slots)}"
        )
    assert sum(right.values()) / len(judged) >= 0.92
    assert precision >= 0.95
    assert len(found) / len(wanted) >= 0.90
    assert len(homes) / len(found) >= 0.97
    assert len(categories) / len(found) >= 0.85
    assert len(filled) / len(slots) >= 0.80


def told(name: str) -> tuple[dict[str, Any], ExtractionReport]:
    labels: dict[str, Any] = json.loads((DATA / f"{name}.labels.json").read_text("utf-8"))
    turns = list(read(DATA / labels["transcript"]))
    return labels, extract(turns, Settings(), NOW)


def matched(labels: dict[str, Any], report: ExtractionReport) -> tuple[list[Any], list[Fact]]:
    """Return the labels that no fact fits, and the facts that fit no label."""
    missed, false = list(labels["memories"]), []
    for fact in report.facts:
        words = f"{fact.text} {fact.values}".lower()
        label = next(
            (
                each
                for each in missed
                if each["place"] == fact.place
                and all(phrase.lower() in words for phrase in each["phrases"])
            ),
            None,
        )
        if label is None:
            false.append(fact)
        else:
            missed.remove(label)
    return missed, false


@pytest.mark.parametrize("name", ["zh1", "en1", "en2"])
def test_transcripts_give_their_memories_and_none_besides(name: str) -> None:
    labels, report = told(name)
    missed, false = matched(labels, report)
    assert report.turns == labels["turns"]
    assert [fact.text for fact in false] == []
    assert [each["phrases"] for each in missed if not each["optional"]] == []
    kept = " ".join(f"{fact.text} {fact.values}" for fact in report.facts)
    assert not [
        words for words in (*labels["must_not_remain"], *labels["secrets"]) if words in kept
    ]


@pytest.mark.parametrize("name", ["zh1", "en1", "en2"])
def test_transcripts_give_their_session(name: str) -> None:
    labels, report = told(name)
    (episode,) = report.episodes
    session = labels["session"]
    assert str(episode.date) == session["date"]
    actions = " ".join(episode.key_actions).lower()
    done = [one for one in session["key_actions"] if one["phrase"].lower() in actions]
    assert len(done) / len(session["key_actions"]) >= 0.8
    decisions = [fact.decision for fact in report.facts if fact.decision is not None]
    for wanted in session["decisions"]:
        (made,) = (one for one in decisions if wanted["choice"] in one.choice)
        assert len(made.choice) <= len(wanted["choice"]) + 8, "a bare name, no sentence"
        assert wanted["context"] in made.context
        assert wanted["rationale"] in made.rationale
        offered = " ".join(made.alternatives).lower()
        assert all(one.lower() in offered for one in wanted["alternatives"])
