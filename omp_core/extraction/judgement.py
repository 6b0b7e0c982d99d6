"""Judge one sentence: what facts it states and how sure they are, or why it states none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omp_core.extraction.classify import agent_words, clauses
from omp_core.extraction.classify import confidence as confidences
from omp_core.extraction.classify.exclusions import exclusion, is_question
from omp_core.extraction.classify.kinds import Exclusion, Kind, Priority, Route, ScopeKind, Signal
from omp_core.extraction.classify.names import reports
from omp_core.extraction.classify.restatement import atomic
from omp_core.extraction.classify.routes import category, route
from omp_core.extraction.classify.scope_words import leading_kind, scope_kind
from omp_core.extraction.classify.signals import evidence, signals
from omp_core.extraction.classify.temporality import temporality
from omp_core.extraction.report import Reason, Stage
from omp_core.model import Category, Source, Temporality


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence or part of one that states no fact, the stage that said so and why."""

    text: str
    reason: Reason
    stage: Stage
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact as judged: its words, what it is, how sure, and where it would go."""

    said: str
    text: str
    kind: Kind
    scope: ScopeKind
    route: Route
    category: Category
    confidence: float
    temporality: Temporality
    priority: Priority
    source: Source
    reason: Reason


def judge_person(sentence: str) -> list[Stated | Dropped]:
    """Judge what a person said: each fact of the sentence, or one reason against it."""
    if is_question(sentence):
        return [Dropped(sentence, Reason.QUESTION, Stage.SIGNALS)]
    kept, against = _without_excluded(sentence)
    if not kept:
        return [Dropped(sentence, _reason(against), Stage.SCOPE)]
    return [_judge_part(part, against) for part in clauses.facts(kept)]


def judge_agent(sentence: str) -> Stated | Dropped:
    """Judge what an agent said: only reported deployments, releases and decisions count."""
    kind = agent_words.result_kind(sentence)
    if kind is None:
        return Dropped(sentence, Reason.AGENT, Stage.SIGNALS)
    sure = min(confidences.AGENT_RESULT, confidences.confidence(signals(sentence), kind, sentence))
    return _stated(sentence, kind, sure, Source.SYSTEM, Reason.REPORTED, signals(sentence))


def decided(said: str, text: str, sure: float) -> Stated:
    """Return the decision that a person made by agreeing to a proposal."""
    return _stated(
        said, Kind.DECISION, sure, Source.INFERRED, Reason.CONFIRMED, (), text=atomic(text)
    )


def _judge_part(part: str, against: Exclusion | None) -> Stated | Dropped:
    found = signals(part)
    kind = leading_kind(found)
    hearsay = reports(part)
    if kind is None and not hearsay:
        reason = _reason(against) if against else Reason.NO_SIGNAL
        return Dropped(part, reason, Stage.SIGNALS)
    asked = evidence(found, Kind.REMEMBER) >= 0.9
    if hearsay and not asked:
        return _stated(part, Kind.REPORT, confidences.HEARSAY, Source.USER, Reason.HEARSAY, found)
    assert kind is not None
    sure = confidences.confidence(found, kind, part)
    return _stated(part, kind, sure, Source.USER, Reason.ASKED if asked else Reason.STATED, found)


def _stated(
    said: str,
    kind: Kind,
    sure: float,
    source: Source,
    reason: Reason,
    found: Sequence[Signal],
    *,
    text: str | None = None,
) -> Stated:
    asked = evidence(found, Kind.REMEMBER) >= 0.9
    scope = scope_kind(kind, said, asked=asked)
    lasting = temporality(said)
    where = route(kind, scope, lasting)
    return Stated(
        said=said,
        text=atomic(said) if text is None else text,
        kind=kind,
        scope=scope,
        route=where,
        category=category(kind, where, scope),
        confidence=round(sure, 3),
        temporality=lasting,
        priority=min((one.priority for one in found), default="P1"),
        source=source,
        reason=reason,
    )


def _without_excluded(sentence: str) -> tuple[str, Exclusion | None]:
    """Take out what holds no fact. A task or a one-time wish rules out the whole sentence, a
    guess what follows it, a mood or an embedded question only its own clause.
    """
    whole = exclusion(sentence)
    if whole in (Exclusion.ONE_TIME, Exclusion.TASK):
        return "", whole
    kept: list[str] = []
    against: Exclusion | None = None
    for clause in clauses.clauses(sentence):
        reason = exclusion(clause.strip(" ，,；;"))
        if reason in (None, Exclusion.TASK):
            kept.append(clause)
            continue
        against = against or reason
        if reason is Exclusion.HYPOTHETICAL:
            break
    return clauses.joined(kept), against


def _reason(against: Exclusion | None) -> Reason:
    return Reason.NO_SIGNAL if against is None else Reason(against.value)
