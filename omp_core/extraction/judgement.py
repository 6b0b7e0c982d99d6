"""Judge one sentence: what facts it states and how sure they are, or why it states none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from omp_core.extraction.classify import agent_words, clauses, corrections
from omp_core.extraction.classify import confidence as confidences
from omp_core.extraction.classify.confidence import lasting
from omp_core.extraction.classify.deployments import deployment
from omp_core.extraction.classify.doubt import (
    HEDGED_LEAST,
    HEDGED_MOST,
    hedged,
    imagined,
    plainly,
)
from omp_core.extraction.classify.exclusions import exclusion, is_question, strange
from omp_core.extraction.classify.kinds import (
    PRIORITY,
    Exclusion,
    Kind,
    Priority,
    Route,
    ScopeKind,
    Signal,
)
from omp_core.extraction.classify.replacements import replacement
from omp_core.extraction.classify.restatement import atomic
from omp_core.extraction.classify.routes import category, keyed, route
from omp_core.extraction.classify.scope_words import leading_kind, scope_kind
from omp_core.extraction.classify.signals import evidence, signals
from omp_core.extraction.classify.temporality import temporality
from omp_core.extraction.classify.third_parties import reports
from omp_core.extraction.report import Reason, Stage
from omp_core.language.analysis import says_changed
from omp_core.model import Category, Source, Temporality

_RULE_FROM = 0.5
"""From which evidence on a statement that sets no property of its own is a rule."""
_FIRST_PERSON = re.compile(r"我(?!们)|\bI\b|\b[Mm]y\b")


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
    replaces: bool = False
    """Whether the speaker says that it took the place of what was so, or puts something right."""


def judge_person(sentence: str) -> list[Stated | Dropped]:
    """Judge what a person said: each fact of the sentence, or one reason against it.

    What is said half surely is judged without the words of doubt, and asked about. A
    correction is as firm as a statement can be, whatever its wording.
    """
    if is_question(sentence):
        return [Dropped(sentence, Reason.QUESTION, Stage.SIGNALS)]
    against = strange(sentence)
    if against is not None:
        return [Dropped(sentence, _reason(against), Stage.SCOPE)]
    if hedged(sentence) and not imagined(sentence):
        plain = plainly(sentence)
        firm = lasting(plain)
        return [_unsure(judged, sentence) for judged in _judged(plain, firm=firm)]
    settled = corrections.settled(sentence)
    if settled != sentence:
        return [_put_right(one) for one in _judged(settled, firm=lasting(settled))]
    corrected = corrections.without_lead(sentence)
    if corrected is None:
        return _judged(sentence, firm=False)
    return [_put_right(one) for one in _judged(corrected, firm=lasting(corrected))]


def _judged(sentence: str, *, firm: bool) -> list[Stated | Dropped]:
    """`firm`: the sentence is meant as a statement, even if no cue in it says so."""
    happened = deployment(sentence)
    if happened is not None:
        kind = Kind.DEPLOYMENT if happened.placed else Kind.MILESTONE
        return [
            _stated(
                sentence,
                kind,
                confidences.REPORTED,
                Source.USER,
                Reason.STATED,
                signals(sentence),
            )
        ]
    kept, against = _without_excluded(sentence)
    if not kept:
        return [Dropped(sentence, _reason(against), Stage.SCOPE)]
    judged = [_judge_part(part, against) for part in clauses.facts(kept)]
    if firm and all(isinstance(one, Dropped) for one in judged):
        return [_firm(kept)]
    return judged


def _firm(text: str) -> Stated:
    kind = Kind.PREFERENCE if _FIRST_PERSON.search(text) else Kind.SLOT
    return _stated(text, kind, confidences.FIRM, Source.USER, Reason.STATED, signals(text))


def _put_right(judged: Stated | Dropped) -> Stated | Dropped:
    if isinstance(judged, Dropped) or not lasting(judged.text):
        return judged
    sure = max(confidences.FIRM, judged.confidence)
    return replace(judged, confidence=sure, replaces=True)


def _unsure(judged: Stated | Dropped, said: str) -> Stated | Dropped:
    if isinstance(judged, Dropped):
        return judged
    sure = min(HEDGED_MOST, max(HEDGED_LEAST, judged.confidence))
    return replace(judged, said=said, confidence=sure, reason=Reason.HEDGED)


def judge_agent(sentence: str) -> Stated | Dropped:
    """Judge what an agent said: only reported deployments, releases and decisions count."""
    kind = agent_words.result_kind(sentence)
    if kind is None:
        return Dropped(sentence, Reason.AGENT, Stage.SIGNALS)
    sure = confidences.AGENT_RESULT
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
    if kind is Kind.SLOT and not keyed(kind, part):
        if replacement(part) is not None:
            kind = Kind.DECISION
        elif evidence(found, Kind.NORM) >= _RULE_FROM:
            kind = Kind.NORM
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
        priority=min(PRIORITY[kind], *(one.priority for one in found)) if found else PRIORITY[kind],
        source=source,
        reason=reason,
        replaces=says_changed(said) or replacement(said) is not None or _names_both(said),
    )


def _names_both(said: str) -> bool:
    change = corrections.correction(said)
    if change is None or not corrections.puts_right(said):
        return False
    return bool(change.old and change.new)


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
