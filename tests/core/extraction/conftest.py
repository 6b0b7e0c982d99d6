"""The labelled transcripts, and turns made by hand."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest

from omp_core.extraction.pipeline import extract
from omp_core.extraction.report import ExtractionReport, Fact
from omp_core.model import Turn
from omp_core.settings import Settings
from omp_core.transcripts.registry import read

DATA = Path(__file__).parents[2] / "data" / "transcripts"
NOW = datetime(2026, 6, 3, 9, 0, tzinfo=UTC)
FAKE_SECRETS = ("AKIA" + "FAKE" * 3 + "0000", "tok_live_" + "FAKE_" + "000111222333")
"""Filled in here, so that no scanner of a source host takes the data for a leak."""


@dataclass(frozen=True)
class Label:
    """One fact that a person would keep; see the README beside the transcripts."""

    place: str
    phrases: tuple[str, ...]
    accept: tuple[tuple[str, str], ...]
    status: str
    optional: bool

    def fits(self, fact: Fact) -> bool:
        text = fact.text.lower()
        return (
            fact.place == self.place
            and all(phrase.lower() in text for phrase in self.phrases)
            and (str(fact.route), str(fact.category)) in self.accept
        )


@dataclass(frozen=True)
class Labelled:
    turns: tuple[Turn, ...]
    labels: tuple[Label, ...]
    secret_places: tuple[str, ...]


def load(name: str) -> Labelled:
    told: dict[str, Any] = json.loads((DATA / f"labels_{name}.json").read_text("utf-8"))
    raw = (DATA / told["transcript"]).read_text("utf-8")
    for number, secret in enumerate(FAKE_SECRETS, 1):
        raw = raw.replace(f"{{{{fake secret {number}}}}}", secret)
    turns = tuple(read(io.BytesIO(raw.encode())))
    assert sum(turn.role != "tool" for turn in turns) == told["turns"]
    labels = tuple(
        Label(
            each["place"],
            tuple(each["phrases"]),
            tuple((route, category) for route, category in each["accept"]),
            each["status"],
            each["optional"],
        )
        for each in told["facts"]
    )
    return Labelled(turns, labels, tuple(told["secret_places"]))


@pytest.fixture
def labelled() -> Callable[[str], Labelled]:
    return load


Says = Callable[..., ExtractionReport]


@pytest.fixture
def says() -> Says:
    """Extract from a short conversation: texts of the person, or (role, text) pairs."""

    def run(*said: str | tuple[str, str], **options: Any) -> ExtractionReport:
        turns = [turn(number, one) for number, one in enumerate(said)]
        settings = options.pop("settings", Settings())
        return extract(turns, settings, options.pop("now", NOW), **options)

    return run


def turn(number: int, said: str | tuple[str, str]) -> Turn:
    role: Literal["user", "assistant"]
    role, text = ("user", said) if isinstance(said, str) else (_role(said[0]), said[1])
    return Turn(role, text, NOW + timedelta(minutes=number), str(number + 1), "s1")


def _role(letter: str) -> Literal["user", "assistant"]:
    return "user" if letter == "U" else "assistant"


@pytest.fixture
def sentences() -> Callable[[str], Sequence[tuple[str, str]]]:
    """Read a file of single labelled sentences: (label, sentence) pairs."""

    def read_file(name: str) -> list[tuple[str, str]]:
        pairs = []
        for line in (DATA / name).read_text("utf-8").splitlines():
            label, _bar, sentence = line.partition("|")
            pairs.append((label, sentence))
        return pairs

    return read_file
