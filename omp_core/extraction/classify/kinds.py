"""The words of classification: what a sentence can be, and what becomes of it."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Priority = Literal["P0", "P1", "P2"]


class Kind(StrEnum):
    """What a cue in a sentence is evidence for."""

    REMEMBER = "remember"
    """The person asks for it to be remembered."""
    PREFERENCE = "preference"
    DIRECTIVE = "directive"
    """How the agent is to work from now on."""
    IDENTITY = "identity"
    ENVIRONMENT = "environment"
    NORM = "norm"
    """A rule, convention or limit that holds in general."""
    SLOT = "slot"
    """A property of the project and its value: `the database is PostgreSQL`."""
    CONFIG = "config"
    """An address, port or key place of a service."""
    PATH = "path"
    DECISION = "decision"
    DEPLOYMENT = "deployment"
    MILESTONE = "milestone"
    CONCEPT = "concept"
    LESSON = "lesson"
    """What did not work, and should not be tried again."""
    GOAL = "goal"
    """What the current iteration is about; holds for a while."""
    REPORT = "report"
    """What a third party said."""
    SUBJECT = "subject"
    """Names whom the sentence is about; supports the others, says nothing alone."""


PRIORITY: dict[Kind, Priority] = {
    Kind.DEPLOYMENT: "P0",
    Kind.CONFIG: "P0",
    Kind.REMEMBER: "P0",
    Kind.DECISION: "P1",
    Kind.MILESTONE: "P1",
    Kind.GOAL: "P1",
    Kind.LESSON: "P1",
    Kind.NORM: "P1",
    Kind.SLOT: "P1",
    Kind.CONCEPT: "P1",
    Kind.PATH: "P2",
    Kind.PREFERENCE: "P2",
    Kind.DIRECTIVE: "P2",
    Kind.IDENTITY: "P2",
    Kind.ENVIRONMENT: "P2",
    Kind.REPORT: "P2",
    Kind.SUBJECT: "P2",
}
"""How urgent each kind is (extraction seed, phase 1; user facts come last as there)."""


class ScopeKind(StrEnum):
    """Whom a fact concerns (extraction seed, classification)."""

    PROJECT = "PROJECT"
    PERSONAL = "PERSONAL"
    UNIVERSAL = "UNIVERSAL"
    EPHEMERAL = "EPHEMERAL"


class Level(StrEnum):
    """How sure a fact is (extraction seed, confidence)."""

    EXPLICIT = "explicit"
    INFERRED = "inferred"
    UNCERTAIN = "uncertain"
    NOISE = "noise"


class Route(StrEnum):
    """Where a fact is kept: a document of the project, or the user store."""

    PROJECT = "project"
    DECISIONS = "decisions"
    CHANGELOG = "changelog"
    USER = "user"


class Exclusion(StrEnum):
    """Why a sentence holds no lasting fact although cues are in it."""

    QUESTION = "question"
    ONE_TIME = "one-time"
    HYPOTHETICAL = "hypothetical"
    EMOTION = "emotion"
    TASK = "task"
    RECAP = "recap"
    IRONY = "irony"
    PAST = "past"
    WORLD = "world"


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern of words and how strongly (0..1) it speaks for its kind."""

    kind: Kind
    weight: float
    pattern: str


def cues(kind: Kind, weight: float, patterns: str) -> tuple[Cue, ...]:
    """Return a cue for each line of `patterns`; all speak for `kind` with the same weight.

    A line that is indented more than the first goes on with the pattern above it.
    """
    found: list[str] = []
    for line in textwrap.dedent(patterns.strip("\n")).splitlines():
        if line.startswith(" ") and found:
            found[-1] += line.strip()
        elif line.strip():
            found.append(line.strip())
    return tuple(Cue(kind, weight, pattern) for pattern in found)


@dataclass(frozen=True, slots=True)
class Signal:
    """A cue found in a text, with the characters it covers."""

    kind: Kind
    weight: float
    start: int
    end: int

    @property
    def priority(self) -> Priority:
        """How urgent the signal is, P0 first."""
        return PRIORITY[self.kind]


@dataclass(frozen=True, slots=True)
class DecisionFields:
    """What decisions.yaml keeps of a decision; empty parts were not said."""

    title: str
    choice: str
    context: str = ""
    alternatives: tuple[str, ...] = ()
    rationale: str = ""
