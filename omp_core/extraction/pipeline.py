"""From turns to a report: what happened to each sentence, and the writes that follow.

Stages, in order: secrets, quotation, trivial (ROT), confirmation of proposals, signals,
scope (questions, one-time wishes, guesses), confidence, correction, repetition, routing.
Nothing is read or written here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from omp_core.extraction.classify import agent_words, corrections
from omp_core.extraction.classify.confidence import CONFIRMED_PROPOSAL, NODDED_PROPOSAL
from omp_core.extraction.classify.corrections import StatedCorrection, correction
from omp_core.extraction.classify.decisions import names_choice
from omp_core.extraction.classify.kinds import Kind, Route
from omp_core.extraction.classify.restatement import atomic
from omp_core.extraction.classify.routes import main_key
from omp_core.extraction.classify.temporality import expiry
from omp_core.extraction.conversation_reader import ConversationReader, FactDraft
from omp_core.extraction.episodes import EpisodeNotes
from omp_core.extraction.judgement import Dropped, Stated, decided, judge_agent, judge_person
from omp_core.extraction.prose import Passage, passages
from omp_core.extraction.report import ExtractionReport, Fact, Reason, SaidCorrection, Stage
from omp_core.language.language import script
from omp_core.model import Turn
from omp_core.rules.rot import rot
from omp_core.secrets import redact, scan
from omp_core.settings import Settings

Similar = Callable[[Fact], tuple[str, float] | None]
"""Looks a fact up among the memories: the id of one that says much the same, and how alike
they are, calibrated; None when there is none.
"""
Progress = Callable[[int], None]
"""Is told how many turns have been read."""

_REDACTED = "[redacted"
_SHORT = 24
_MOST_TOLD = 300
"""Characters of a tool's output that tell of a deployment."""
_TOLD = re.compile(
    r"https?://|deploy|release|publish|uploaded|\bbuild failed|\blive\b|rolled|\[new tag\]|部署"
    r"|发布"
    r"|上线|回滚",
    re.IGNORECASE,
)
_RELEASE = re.compile(
    r"\W*(?:完成|做完|发布|上线|发)了?\s*v?\d+(?:\.\d+)+\W*$|\W*v?\d+(?:\.\d+)+\s*(?:正式"
    r"|已经?)?(?:发布|上线|完成|发)了?\W*$"
    r"|\W*v?\d+(?:\.\d+)+ (?:is )?(?:released|out|done|shipped)\W*$",
    re.IGNORECASE,
)
"""A release is told in few characters."""
_NAMED = re.compile(r"\d[\d.]*|[A-Z][A-Z0-9_]{2,}")
_BARE_NAME = re.compile(r"[A-Z][\w+#-]*(?:\.\w+)?\.$")
_RECALL = re.compile(
    r"我(?:之前|刚才|昨天|上次)?(?:说过?|讲)|\bI (?:said|told you|mentioned)\b", re.IGNORECASE
)


def extract(
    turns: Iterable[Turn],
    settings: Settings,
    now: datetime,
    similar: Similar | None = None,
    progress: Progress | None = None,
) -> ExtractionReport:
    """Read a transcript and return what is worth remembering, and why the rest is not.

    `now` is the day of turns without a time and the start of contextual facts' life. `similar`
    finds memories that exist: what much resembles one becomes a candidate. Turns are read one
    by one, so the transcript may be a stream. The same transcript always gives the same
    `source_hash` for the same fact.
    """
    reader = _Reader(settings, now)
    count = 0
    for turn in turns:
        reader.read(turn)
        count += turn.role != "tool"
        if progress is not None:
            progress(count)
    return reader.report(count, similar)


class _Reader:
    """Takes turns in order; holds what later turns may change until the end."""

    def __init__(self, settings: Settings, now: datetime) -> None:
        self._settings = settings
        self._now = now
        self._talk = ConversationReader(settings.confidence)
        self._notes = EpisodeNotes(now.date())
        self._proposal = ""
        self._corrections: list[SaidCorrection] = []

    def read(self, turn: Turn) -> None:
        """Judge every sentence of one turn."""
        self._talk.enter(turn.session)
        clean = replace(turn, text=redact(turn.text, scan(turn.text)))
        self._notes.turn(clean)
        if turn.role == "tool":
            self._tool(clean)
            return
        spoken = [self._refused(one) or one.plain for one in passages(clean.text)]
        if turn.role == "user":
            self._person(clean, spoken)
        else:
            self._agent(clean, spoken)
        self._talk.recent.append(clean)

    def report(self, turns: int, similar: Similar | None) -> ExtractionReport:
        """Return what stands after the last turn."""
        facts: list[Fact] = []
        for draft in self._talk.drafts:
            fact = self._fact(draft)
            if draft.gone:
                self._notes.taken_back(fact)
                continue
            if similar is not None:
                fact = self._compared(draft, fact, similar)
            facts.append(fact)
            self._notes.fact(fact)
        return ExtractionReport(
            tuple(self._talk.verdicts),
            tuple(facts),
            self._notes.episodes(),
            turns,
            tuple((draft.source_hash, draft.turn.at) for draft in self._talk.drafts if draft.gone),
            tuple(self._corrections),
        )

    def _refused(self, passage: Passage) -> Dropped | None:
        if _REDACTED in passage.text:
            return Dropped(passage.text, Reason.SECRET, Stage.SECRETS)
        if passage.quoted:
            return Dropped(passage.text, Reason.QUOTED, Stage.QUOTATION)
        return None

    def _trivial(self, sentence: str) -> bool:
        verdict = rot(sentence, self._now, self._settings.rot)
        return verdict is not None and verdict.kind == "trivial" and not _RELEASE.match(sentence)

    def _drop(self, turn: Turn, dropped: Dropped) -> None:
        blocked = dropped.reason is Reason.SECRET
        self._talk.drop(turn, dropped, "blocked" if blocked else "dropped")

    def _tool(self, turn: Turn) -> None:
        """A tool's output is nobody's words: of it only deployments and releases count."""
        lines = [line.strip() for line in turn.text.splitlines()]
        told = " ".join(
            line for line in lines if line and _REDACTED not in line and _TOLD.search(line)
        )
        judged = judge_agent(told[:_MOST_TOLD]) if told else None
        if isinstance(judged, Stated) and judged.kind is Kind.DEPLOYMENT:
            self._talk.take(turn, judged)

    def _agent(self, turn: Turn, sentences: Sequence[str | Dropped]) -> None:
        self._proposal = ""
        for sentence in sentences:
            if isinstance(sentence, Dropped):
                self._drop(turn, sentence)
                continue
            if agent_words.is_proposal(sentence):
                self._proposal = sentence
            self._notes.action(turn, self._talk.masked(sentence))
            judged = judge_agent(sentence)
            if isinstance(judged, Stated) and self._ordered(judged):
                judged = Dropped(sentence, Reason.AGENT, Stage.SIGNALS)
            if isinstance(judged, Dropped):
                self._talk.drop(turn, judged)
            else:
                self._talk.take(turn, judged)

    def _ordered(self, judged: Stated) -> bool:
        """Tell whether the agent only carries out a setting that the person has just named."""
        if judged.kind is not Kind.CONFIG or not self._talk.recent:
            return False
        asked = self._talk.recent[-1]
        named = set(_NAMED.findall(judged.text)) & set(_NAMED.findall(asked.text))
        return asked.role == "user" and bool(named)

    def _person(self, turn: Turn, sentences: Sequence[str | Dropped]) -> None:
        joined = _recalled(sentences)
        agreed = self._agreed(turn, joined)
        for place, sentence in enumerate(joined):
            if isinstance(sentence, Dropped):
                self._drop(turn, sentence)
                continue
            if place == agreed:
                continue
            if self._trivial(sentence):
                self._talk.drop(turn, Dropped(sentence, Reason.TRIVIAL, Stage.ROT))
                continue
            self._statement(turn, sentence)
        self._proposal = ""

    def _agreed(self, turn: Turn, sentences: Sequence[str | Dropped]) -> int | None:
        """Take a proposal up that this turn agrees to; return which sentence did so."""
        before = self._talk.recent[-1] if self._talk.recent else None
        if before is None or before.role != "assistant":
            return None
        for place, sentence in enumerate(sentences):
            firm = None if isinstance(sentence, Dropped) else agent_words.acceptance(sentence)
            if firm is None or isinstance(sentence, Dropped):
                continue
            choice = atomic(sentence)
            named = choice != sentence and names_choice(choice, before.text)
            if self._proposal:
                sure = CONFIRMED_PROPOSAL if firm == "strong" else NODDED_PROPOSAL
                said = agent_words.proposed(self._proposal)
            elif named and firm == "strong":
                sure, said = CONFIRMED_PROPOSAL, choice
            else:
                continue
            self._talk.take(turn, decided(sentence, _decision_text(said), sure))
            return place
        return None

    def _statement(self, turn: Turn, sentence: str) -> None:
        change = correction(sentence)
        if change is not None and change.retracts:
            self._talk.retract(turn, sentence, change)
            return
        corrected = self._talk.corrected(sentence, change) if change else None
        outside = change if corrected is None else None
        before = len(self._talk.drafts)
        for judged in judge_person(sentence):
            if isinstance(judged, Dropped) and change is not None:
                judged = self._restated(sentence, change, corrected) or judged
            if isinstance(judged, Dropped):
                self._talk.drop(turn, judged)
            elif self._talk.take(
                turn, self._in_context(_settled(judged, corrected)), instead_of=corrected
            ):
                corrected = None
        named = outside is not None and outside.old and outside.new
        if outside is not None and named and corrections.puts_right(sentence):
            sources = tuple(draft.source_hash for draft in self._talk.drafts[before:])
            self._corrections.append(
                SaidCorrection(
                    outside.old, outside.new, self._talk.masked(sentence), turn.place, sources
                )
            )

    def _restated(
        self, sentence: str, change: StatedCorrection, corrected: FactDraft | None
    ) -> Stated | None:
        """A correction that is no statement by itself ("4000, not 3000") corrects one."""
        if corrected is not None:
            text = corrections.replaced(corrected.stated.text, change)
            return replace(corrected.stated, text=text, said=sentence) if text else None
        if not change.new:
            return None
        line = self._talk.recent_sentence_with(change.old)
        text = corrections.replaced(line, change) if line else None
        if text is None:
            return None
        return next(
            (replace(one, said=sentence) for one in judge_person(text) if isinstance(one, Stated)),
            None,
        )

    def _in_context(self, stated: Stated) -> Stated:
        """A short decision ("就 buildkit 吧") gets the sentence of the agent it answers."""
        if stated.kind is not Kind.DECISION or len(stated.text) > _SHORT:
            return stated
        for passage in self._recent_agent_sentences():
            if names_choice(stated.text, passage):
                return replace(stated, text=_with_context(stated.text, passage))
        return stated

    def _recent_agent_sentences(self) -> list[str]:
        agent = [turn.text for turn in self._talk.recent if turn.role == "assistant"][-1:]
        return [one.plain for text in agent for one in passages(text) if not one.quoted]

    def _fact(self, draft: FactDraft) -> Fact:
        stated = draft.stated
        sure = stated.confidence >= self._settings.confidence.store_from
        return Fact(
            text=stated.text,
            route=stated.route,
            category=stated.category,
            scope=stated.scope,
            confidence=stated.confidence,
            temporality=stated.temporality,
            status="stored" if sure else "candidate",
            source=stated.source,
            priority=stated.priority,
            place=draft.turn.place,
            source_hash=draft.source_hash,
            at=draft.turn.at,
            session=draft.turn.session,
            expires_at=expiry(stated.temporality, draft.turn.at or self._now)
            if stated.route is Route.USER
            else None,
            key_path=main_key(draft.values),
            values=draft.values,
            decision=draft.decision,
            supersedes=tuple(draft.supersedes),
            episode=self._notes.episode_of(draft.turn),
            replaces=stated.replaces,
        )

    def _compared(self, draft: FactDraft, fact: Fact, similar: Similar) -> Fact:
        near = similar(fact)
        if near is None or near[1] < self._settings.duplicates.propose_from:
            return fact
        verdict = self._talk.verdicts[draft.sentence]
        self._talk.verdicts[draft.sentence] = replace(
            verdict, verdict="candidate", reason=Reason.KNOWN, stage=Stage.REPETITION
        )
        return replace(fact, status="candidate", similar_to=near[0], similarity=near[1])


def _settled(stated: Stated, corrected: FactDraft | None) -> Stated:
    if corrected is None:
        return stated
    return replace(stated, text=corrections.settled(stated.text), replaces=True)


def _recalled(sentences: Sequence[str | Dropped]) -> list[str | Dropped]:
    """Join what is recalled only to be corrected ("I said June. Scratch that, April."), and a
    name that stands alone as an answer ("Fly.io. I looked at Render too").
    """
    joined: list[str | Dropped] = []
    for sentence in sentences:
        before = joined[-1] if joined else None
        if isinstance(before, str) and isinstance(sentence, str) and _leads(before, sentence):
            joined[-1] = f"{before} {sentence}"
        else:
            joined.append(sentence)
    return joined


def _leads(before: str, sentence: str) -> bool:
    recalled = bool(_RECALL.search(before)) and correction(sentence) is not None
    return recalled or bool(_BARE_NAME.match(before))


def _decision_text(choice: str) -> str:
    return f"决定：{choice}" if script(choice) == "cjk" else f"Decided: {choice}"


def _with_context(text: str, said: str) -> str:
    context = said.strip(" 。.")
    return f"{text}（{context}）" if script(text + said) == "cjk" else f"{text} ({context})"
