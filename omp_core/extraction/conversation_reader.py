"""The state of a conversation while it is read: recent turns, facts so far, known names."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from omp_core.extraction.classify import corrections
from omp_core.extraction.classify.confidence import REPEATED
from omp_core.extraction.classify.corrections import StatedCorrection
from omp_core.extraction.classify.decisions import decision_fields
from omp_core.extraction.classify.kinds import DecisionFields, Kind, Route
from omp_core.extraction.classify.restatement import atomic
from omp_core.extraction.classify.routes import values
from omp_core.extraction.classify.third_parties import mask
from omp_core.extraction.judgement import Dropped, Stated
from omp_core.extraction.report import Reason, SentenceVerdict, Stage, Verdict
from omp_core.language.compare import compare
from omp_core.language.normal import normalise
from omp_core.language.tokens import shared
from omp_core.model import Json, Turn
from omp_core.settings import ConfidenceSettings

_RECENT_TURNS = 6
_SAME_FROM = 0.75
"""Share of words in common from which two statements of one conversation say the same."""
_TOPIC_FROM = 0.34
"""Share of the shorter one's words from which a correction can mean an earlier statement."""
_NEAR = 40
"""How many facts back a correction without a named value may reach."""


@dataclass(slots=True)
class FactDraft:
    """A fact while later sentences may still correct or strengthen it."""

    stated: Stated
    turn: Turn
    source_hash: str
    sentence: int
    values: tuple[tuple[str, Json], ...] = ()
    decision: DecisionFields | None = None
    supersedes: list[str] = field(default_factory=list)
    gone: bool = False


@dataclass(slots=True)
class ConversationReader:
    """Reads judged sentences in order and keeps what stands at the end."""

    settings: ConfidenceSettings
    verdicts: list[SentenceVerdict] = field(default_factory=list)
    drafts: list[FactDraft] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    recent: deque[Turn] = field(default_factory=lambda: deque(maxlen=_RECENT_TURNS))
    _counts: dict[tuple[str | None, str, str], int] = field(default_factory=dict)

    def enter(self, session: str | None) -> None:
        """Forget the latest turns when another session begins: nothing answers them."""
        if self.recent and self.recent[-1].session != session:
            self.recent.clear()

    def drop(self, turn: Turn, dropped: Dropped, verdict: Verdict = "dropped") -> None:
        """Note why a sentence is not kept."""
        self.verdicts.append(
            SentenceVerdict(
                turn.place,
                self.masked(dropped.text),
                verdict,
                dropped.reason,
                dropped.stage,
                dropped.confidence,
            )
        )

    def masked(self, text: str) -> str:
        """Return `text` without the names of third parties, and remember those names."""
        masked = mask(text, self.names)
        self.names |= masked.names
        return masked.text

    def take(self, turn: Turn, stated: Stated, *, instead_of: FactDraft | None = None) -> bool:
        """Take a fact in: drop it when unsure, merge it when repeated, else keep it.

        A kept fact replaces the one that it corrects (`instead_of`). Returns whether it was
        kept.
        """
        masked = replace(stated, said=self.masked(stated.said), text=self.masked(stated.text))
        if masked.confidence < self.settings.drop_below:
            self.drop(
                turn,
                Dropped(masked.said, Reason.UNSURE, Stage.CONFIDENCE, masked.confidence),
            )
            return False
        earlier = self._same_as(masked)
        if earlier is not None and earlier is not instead_of:
            self._strengthen(earlier, masked)
            said_again = Dropped(masked.said, Reason.REPEATED, Stage.REPETITION, masked.confidence)
            self.drop(turn, said_again, "merged")
            return False
        draft = self._keep(turn, masked)
        if instead_of is not None and not instead_of.gone:
            draft.supersedes.append(instead_of.source_hash)
            self._remove(instead_of, Reason.CORRECTED)
        return True

    def retract(self, turn: Turn, sentence: str, change: StatedCorrection) -> None:
        """Take back the fact that a sentence says was never so, or is to be forgotten."""
        target = self.corrected(sentence, change)
        if target is not None:
            self._remove(target, Reason.RETRACTED)
        self.drop(turn, Dropped(sentence, Reason.RETRACTS, Stage.CORRECTION))

    def corrected(self, sentence: str, change: StatedCorrection) -> FactDraft | None:
        """Return the fact that a sentence corrects: the one that holds the old value it
        names, else the likest of the recent ones if it is on the same topic.
        """
        alive = [draft for draft in self.drafts[-_NEAR:] if not draft.gone]
        if change.old:
            alive = [
                draft
                for draft in alive
                if corrections.replaced(draft.stated.text, change) is not None
            ]
        stated = atomic(sentence)
        likeness = [(shared(draft.stated.text, stated), draft) for draft in reversed(alive)]
        best = max(likeness, key=lambda pair: pair[0], default=None)
        if best is None or (not change.old and best[0] < _TOPIC_FROM):
            return None
        return best[1]

    def recent_sentence_with(self, value: str) -> str | None:
        """Return the latest sentence of the agent that holds `value`."""
        for turn in reversed(self.recent):
            if turn.role == "assistant" and value and value in turn.text:
                for line in turn.text.splitlines():
                    if value in line:
                        return line.strip()
        return None

    def before(self) -> list[str]:
        """Return the texts of the latest turns, oldest first."""
        return [turn.text for turn in self.recent]

    def _keep(self, turn: Turn, stated: Stated) -> FactDraft:
        pairs = values(stated.kind, stated.text) if stated.route is Route.PROJECT else ()
        decision = (
            decision_fields(stated.text, [self.masked(text) for text in self.before()], stated.said)
            if stated.route is Route.DECISIONS
            else None
        )
        sure = stated.confidence >= self.settings.store_from
        draft = FactDraft(
            stated, turn, self._hash(turn, stated.said), len(self.verdicts), pairs, decision
        )
        self.verdicts.append(
            SentenceVerdict(
                turn.place,
                stated.said,
                "stored" if sure else "candidate",
                stated.reason if sure or stated.reason is Reason.HEARSAY else Reason.HALF_SURE,
                Stage.ROUTING,
                stated.confidence,
                stated.route,
            )
        )
        self._replace_same_keys(draft)
        self._replace_same_deployment(draft)
        self.drafts.append(draft)
        return draft

    def _replace_same_keys(self, draft: FactDraft) -> None:
        """A property that a project has once: its later value replaces the earlier."""
        keys = dict(draft.values)
        for earlier in self.drafts:
            before = dict(earlier.values)
            if earlier.gone or not before or not before.keys() <= keys.keys():
                continue
            if all(before[key] == keys[key] for key in before):
                continue
            draft.supersedes.append(earlier.source_hash)
            self._remove(earlier, Reason.CORRECTED)

    def _replace_same_deployment(self, draft: FactDraft) -> None:
        """A deployment is told by the tool, then by the agent: the last word on it stands."""
        if draft.stated.kind is not Kind.DEPLOYMENT:
            return
        for earlier in self.drafts:
            if (
                not earlier.gone
                and earlier.stated.kind is Kind.DEPLOYMENT
                and earlier.turn.session == draft.turn.session
                and _same_deployment(dict(earlier.values), dict(draft.values))
            ):
                draft.supersedes.append(earlier.source_hash)
                self._remove(earlier, Reason.CORRECTED)

    def _strengthen(self, draft: FactDraft, again: Stated) -> None:
        draft.stated = replace(
            draft.stated,
            confidence=round(
                min(0.95, max(draft.stated.confidence, again.confidence) + REPEATED), 3
            ),
        )
        sure = draft.stated.confidence >= self.settings.store_from
        old = self.verdicts[draft.sentence]
        self.verdicts[draft.sentence] = replace(
            old,
            verdict="stored" if sure else "candidate",
            reason=draft.stated.reason if sure else old.reason,
            confidence=draft.stated.confidence,
        )

    def _same_as(self, stated: Stated) -> FactDraft | None:
        for draft in reversed(self.drafts):
            if (
                not draft.gone
                and draft.stated.route is stated.route
                and says_same(draft.stated.text, stated.text)
            ):
                return draft
        return None

    def _remove(self, draft: FactDraft, reason: Reason) -> None:
        draft.gone = True
        self.verdicts[draft.sentence] = replace(
            self.verdicts[draft.sentence],
            verdict="dropped",
            reason=reason,
            stage=Stage.CORRECTION,
            route=None,
        )

    def _hash(self, turn: Turn, said: str) -> str:
        """Name a sentence by its session, time and words; the same again by its count."""
        at = turn.at.isoformat() if turn.at else ""
        key = (turn.session, at, normalise(said))
        self._counts[key] = self._counts.get(key, 0) + 1
        parts: Sequence[str] = (turn.session or "", at, key[2], str(self._counts[key]))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def says_same(one: str, other: str) -> bool:
    """Return whether two statements of one conversation say the same, neither of them more."""
    found = compare(one, other)
    return found.same and not found.detail and found.frame >= _SAME_FROM


def _same_deployment(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Tell whether two reports are of one deployment: one service, address or version."""
    mine, theirs = _marks(one), _marks(other)
    return not mine.isdisjoint(theirs)


def _marks(values: Mapping[str, Json]) -> set[str]:
    marks = {
        str(value).lower().lstrip("v")
        for key, value in values.items()
        if not key.endswith(".status")
    }
    return marks | {key.split(".")[1] for key in values if key.startswith("deployment.")} - {"main"}
