"""How well extraction does, against labels made by hand before the rules were written."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from omp_core.extraction.pipeline import extract
from omp_core.extraction.report import ExtractionReport
from omp_core.settings import Settings


def say(*words: str) -> None:
    """Tell a figure: these tests are run to be read."""
    sys.stdout.write(" ".join(words) + "\n")


@dataclass(frozen=True)
class Figures:
    precision: float
    recall: float
    status: float
    wrong: list[str]
    missed: list[str]


def measure(labelled: Any, report: ExtractionReport) -> Figures:
    """Match facts to labels one to one. Optional labels count neither way."""
    open_labels = list(labelled.labels)
    hits = agreed = judged = 0
    wrong = []
    for fact in report.facts:
        label = next((each for each in open_labels if each.fits(fact)), None)
        if label is None:
            wrong.append(f"{fact.place}: {fact.route}/{fact.category} {fact.text}")
            continue
        open_labels.remove(label)
        hits += not label.optional
        if label.status != "any":
            judged += 1
            agreed += label.status == fact.status
    required = sum(not each.optional for each in labelled.labels)
    missed = [f"{each.place}: {each.phrases}" for each in open_labels if not each.optional]
    return Figures(hits / (hits + len(wrong)), hits / required, agreed / judged, wrong, missed)


def figures_of(labelled: Callable[[str], Any], name: str) -> Figures:
    transcript = labelled(name)
    report = extract(transcript.turns, Settings(), transcript.turns[-1].at or _now())
    figures = measure(transcript, report)
    say(
        f"\n{name}: precision {figures.precision:.3f}, recall {figures.recall:.3f}, "
        f"stored or candidate as labelled {figures.status:.3f}"
    )
    for line in figures.wrong:
        say("  wrong ", line)
    for line in figures.missed:
        say("  missed", line)
    return figures


def _now() -> Any:
    from datetime import UTC, datetime

    return datetime(2026, 6, 3, tzinfo=UTC)


@pytest.mark.parametrize("name", ["zh", "en", "mixed"])
def test_transcripts_reach_precision_and_recall(
    labelled: Callable[[str], Any], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        figures = figures_of(labelled, name)
    assert len(labelled(name).turns) >= 200
    assert figures.precision >= 0.9
    assert figures.recall >= 0.8
    assert figures.status >= 0.9


def test_a_transcript_that_the_rules_were_not_fitted_to(
    labelled: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        figures = figures_of(labelled, "heldout")
    assert figures.precision >= 0.8
    assert figures.recall >= 0.7


@pytest.mark.parametrize(
    ("file", "recall", "false_alarms", "kinds"),
    [("sentences.txt", 0.9, 0.03, 0.95), ("sentences_unseen.txt", 0.75, 0.08, 0.9)],
)
def test_single_sentences(
    sentences: Callable[[str], list[tuple[str, str]]],
    says: Callable[..., ExtractionReport],
    capsys: pytest.CaptureFixture[str],
    file: str,
    recall: float,
    false_alarms: float,
    kinds: float,
) -> None:
    found = right = wanted = alarms = silent = 0
    for label, sentence in sentences(file):
        kept = {f"{fact.route}/{fact.category}" for fact in says(sentence).facts}
        if label == "-":
            silent += 1
            alarms += bool(kept)
        else:
            wanted += 1
            found += bool(kept)
            right += not kept.isdisjoint(label.split(","))
    with capsys.disabled():
        say(
            f"\n{file}: {found} of {wanted} found, {right} of them as labelled, "
            f"{alarms} false alarms in {silent}"
        )
    assert found / wanted >= recall
    assert right / found >= kinds
    assert alarms / silent <= false_alarms


@pytest.mark.parametrize("name", ["zh", "en", "mixed", "heldout"])
def test_no_secret_is_in_a_report(labelled: Callable[[str], Any], name: str) -> None:
    transcript = labelled(name)
    report = extract(transcript.turns, Settings(), _now())
    blocked = {one.place for one in report.sentences if one.verdict == "blocked"}
    assert blocked >= set(transcript.secret_places)
    told = repr(report)
    for secret in (
        "Zx9-fake" + "-pw-2026",
        "1380013" + "8000",
        "11010519491231" + "002X",
        "ghp_" + "FAKE",
        "notareal" + "pw",
        "4111 1111" + " 1111",
        "AKIA" + "FAKE",
        "tok_live_" + "FAKE",
    ):
        assert secret not in told
