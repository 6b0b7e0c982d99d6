"""What extraction hands back: a verdict on every sentence, the facts, the episodes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Literal

from omp_core.extraction.classify.kinds import DecisionFields, Priority, Route, ScopeKind
from omp_core.i18n import _
from omp_core.model import Category, Json, Source, Temporality


class Stage(StrEnum):
    """Where in the pipeline a sentence's fate was decided."""

    SECRETS = "secrets"
    QUOTATION = "quotation"
    ROT = "rot"
    SIGNALS = "signals"
    SCOPE = "scope"
    CONFIDENCE = "confidence"
    CORRECTION = "correction"
    REPETITION = "repetition"
    ROUTING = "routing"


class Reason(StrEnum):
    """Why a sentence was kept or not."""

    SECRET = "secret"
    QUOTED = "quoted"
    TRIVIAL = "trivial"
    QUESTION = "question"
    ONE_TIME = "one-time"
    HYPOTHETICAL = "hypothetical"
    EMOTION = "emotion"
    TASK = "task"
    RECAP = "recap"
    IRONY = "irony"
    PAST = "past"
    WORLD = "world"
    HEDGED = "hedged"
    NO_SIGNAL = "no-signal"
    AGENT = "agent"
    UNSURE = "unsure"
    CORRECTED = "corrected"
    RETRACTED = "retracted"
    RETRACTS = "retracts"
    REPEATED = "repeated"
    KNOWN = "known"
    STATED = "stated"
    ASKED = "asked"
    REPORTED = "reported"
    CONFIRMED = "confirmed"
    HEARSAY = "hearsay"
    HALF_SURE = "half-sure"


Verdict = Literal["stored", "candidate", "merged", "dropped", "blocked"]


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """What happened to one sentence, or to one part of it that states a fact by itself.

    `text` is as said, with secrets redacted. `route` is set for what is kept.
    """

    place: str
    text: str
    verdict: Verdict
    reason: Reason
    stage: Stage
    confidence: float = 0.0
    route: Route | None = None

    @property
    def explanation(self) -> str:
        """The reason as a sentence in the reader's language."""
        return explain(self.reason)


@dataclass(frozen=True, slots=True)
class Fact:
    """One atomic fact and the write that is planned for it.

    `values` are the (key path, value) pairs for project.yaml, `key_path` the first of them.
    `source_hash` names the sentence the fact was read from: the same transcript gives the
    same hashes. `supersedes` are the hashes of earlier facts that this one corrects.
    `episode` is the id of the session of the day that it was said in.
    """

    text: str
    route: Route
    category: Category
    scope: ScopeKind
    confidence: float
    temporality: Temporality
    status: Literal["stored", "candidate"]
    source: Source
    priority: Priority
    place: str
    source_hash: str
    at: datetime | None = None
    session: str | None = None
    expires_at: datetime | None = None
    key_path: str | None = None
    values: tuple[tuple[str, Json], ...] = ()
    decision: DecisionFields | None = None
    supersedes: tuple[str, ...] = ()
    episode: str = ""
    similar_to: str | None = None
    similarity: float | None = None
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class ExtractedEpisode:
    """One session of one day, for `sessions/<date>.yaml` (extraction seed, L1).

    `start` and `end` are UTC, None where the transcript has no times. `conversation` names a
    conversation whose recording has no id; the file numbers it. `taken_back` are decisions that
    the conversation itself corrected, which a reading of its beginning may have written.
    """

    id: str
    date: date
    start: datetime | None
    end: datetime | None
    summary: str
    key_actions: tuple[str, ...]
    decisions: tuple[str, ...]
    conversation: str | None = None
    taken_back: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SaidCorrection:
    """That a person put a value right which the conversation itself had not named before.

    `sources` are the hashes of the facts that the same sentence states.
    """

    old: str
    new: str
    text: str
    place: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractionReport:
    """Everything one run found. Nothing has been written yet.

    `withdrawn` are the source hashes and times of facts that the conversation itself corrected
    or took back later: an earlier run, on a shorter transcript, may have stored them. What
    `corrections` put right is looked for among the memories.
    """

    sentences: tuple[SentenceVerdict, ...]
    facts: tuple[Fact, ...]
    episodes: tuple[ExtractedEpisode, ...]
    turns: int
    withdrawn: tuple[tuple[str, datetime | None], ...] = ()
    corrections: tuple[SaidCorrection, ...] = ()

    @property
    def stored(self) -> tuple[Fact, ...]:
        """The facts sure enough to be stored without asking."""
        return tuple(fact for fact in self.facts if fact.status == "stored")

    @property
    def candidates(self) -> tuple[Fact, ...]:
        """The facts that a person has to confirm."""
        return tuple(fact for fact in self.facts if fact.status == "candidate")


def explain(reason: Reason) -> str:
    """Return a reason as a sentence in the reader's language."""
    texts = {
        Reason.SECRET: _("It holds a secret; nothing of it is kept."),
        Reason.QUOTED: _("It is quoted: code, a log, output of a tool, or somebody else's text."),
        Reason.TRIVIAL: _("It is too short, or only an acknowledgement."),
        Reason.QUESTION: _("It is a question."),
        Reason.ONE_TIME: _("It holds only this once."),
        Reason.HYPOTHETICAL: _("It is only considered, tried or imagined."),
        Reason.EMOTION: _("It is a mood."),
        Reason.TASK: _("It is a task for now."),
        Reason.RECAP: _("It only looks back."),
        Reason.IRONY: _("It is meant ironically."),
        Reason.PAST: _("It tells of former times."),
        Reason.WORLD: _("It is about the world at large, not about you or the project."),
        Reason.HEDGED: _("The speaker was not sure; a person has to confirm."),
        Reason.NO_SIGNAL: _("Nothing in it points to a lasting fact."),
        Reason.AGENT: _("The agent said it, and reports no deployment, release or decision."),
        Reason.UNSURE: _("Its confidence is below the threshold."),
        Reason.CORRECTED: _("It was corrected later in the conversation."),
        Reason.RETRACTED: _("It was taken back later in the conversation."),
        Reason.RETRACTS: _("It takes back what was said before."),
        Reason.REPEATED: _("It was said before; that raises the confidence of the first."),
        Reason.KNOWN: _("A memory that says much the same exists; a person decides."),
        Reason.STATED: _("It is stated as lasting."),
        Reason.ASKED: _("It was asked to be remembered."),
        Reason.REPORTED: _("The agent reports it as done."),
        Reason.CONFIRMED: _("The agent proposed it and the person agreed."),
        Reason.HEARSAY: _("Somebody else said it; a person has to confirm."),
        Reason.HALF_SURE: _("It may be lasting; a person has to confirm."),
    }
    return texts[reason]
