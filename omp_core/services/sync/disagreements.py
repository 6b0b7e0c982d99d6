"""One user record beside the project facts that may speak of the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from omp_core.availability import Availability
from omp_core.model import (
    Dispute,
    DisputeKind,
    DisputeSide,
    Home,
    Record,
    Status,
    Tier,
)
from omp_core.project.facts import time_of
from omp_core.rules.fields import json_value
from omp_core.rules.merge import merge
from omp_core.rules.sync import (
    Claim,
    ClaimKind,
    ClaimSide,
    SyncDecision,
    SyncReason,
    compare,
    decide,
    earlier,
    statement_of,
)
from omp_core.services.document_writer import DocumentPlace
from omp_core.services.sync.corrections import FactCorrection, FactCorrections
from omp_core.services.sync.pairs import PROJECT_ACTOR, HomePair, is_of_project
from omp_core.services.unit_of_work import UnitOfWork
from omp_core.session import Session, new_id

FindingOutcome = Literal[
    "superseded",
    "duplicate",
    "written",
    "asked",
    "renewed",
    "waiting",
    "settled",
    "closed",
]
"""What became of a pair. `superseded` and `duplicate`: the project's side took the place of the
record. `written`: the record's side was written into the document. `asked`: a dispute was opened;
`renewed`: an open one was brought up to date; `waiting`: it is open as it is; `settled`: a person
settled it and neither side changed since; `closed`: an open dispute ended because the sides no
longer differ."""

_TIME_KEYS = ("updated_at", "last_updated", "updatedAt", "timestamp", "at", "date", "created_at")
_SIDES: Mapping[Home, DisputeSide] = {Home.USER: "current", Home.PROJECT: "incoming"}


@dataclass(frozen=True, slots=True)
class SyncFinding:
    """One disagreement, or one text that both homes have.

    `prefers` is the home that the rules would follow, `reason` the rule that says so. The
    fact is None for a closed dispute whose fact is gone.
    """

    outcome: FindingOutcome
    record: Record
    fact: Record | None
    kind: ClaimKind | None
    user_value: str
    project_value: str
    similarity: float | None
    prefers: Home | None
    reason: SyncReason | None
    dispute_id: str | None = None
    user_at: datetime | None = None
    project_at: datetime | None = None


class Disagreements:
    """One user record beside the project facts that may speak of the same."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        record: Record,
        pairs: Sequence[HomePair],
        held: Mapping[str, Record],
        app_id: str,
    ) -> None:
        self._session = session
        self._availability = availability
        self._record = record
        self._app_id = app_id
        self._facts = {pair.fact_id: held[pair.fact_id] for pair in pairs if pair.fact_id in held}
        self._likeness = {pair.fact_id: pair.similarity for pair in pairs}
        self._bound = record.scope.app_id == app_id

    def findings(self) -> list[SyncFinding]:
        """Return what there is to say of this record, one finding a disagreement."""
        claims = {
            fact_id: compare(
                self._record.content,
                statement_of(fact),
                self._likeness[fact_id],
                self._session.settings,
            )
            for fact_id, fact in self._facts.items()
        }
        told = [
            self._judge(self._facts[fact_id], claim)
            for fact_id, claim in _differing(claims, self._likeness).items()
        ]
        judged = [one for one in told if one is not None]
        decided = next((one for one in judged if one.outcome in ("duplicate", "superseded")), None)
        if decided is not None:
            return [decided]
        groups: dict[tuple[object, ...], list[SyncFinding]] = {}
        for one in judged:
            groups.setdefault((one.kind, one.project_value.lower()), []).append(one)
        asked = [_first(group) for group in groups.values()]
        going_on = {one.dispute_id for one in judged}
        return [
            *asked,
            *(
                self._closed(dispute)
                for dispute in self._record.disputes
                if self._is_ours(dispute)
                and dispute.id not in going_on
                and self._ended(dispute, claims)
            ),
        ]

    def correct(
        self, findings: Sequence[SyncFinding], corrections: FactCorrections
    ) -> tuple[list[SyncFinding], list[FactCorrection]]:
        """Write what the record decides into the documents; ask where that cannot be done.

        Returns the findings as they are then, and what was written.
        """
        told: list[SyncFinding] = []
        done: list[FactCorrection] = []
        for one in findings:
            if one.outcome == "written" and one.fact is not None:
                dispute = self._dispute(one.fact, one.prefers, new_id())
                made = corrections.correct(self._record, dispute, self._record.content)
                if made.change is None:
                    told.append(replace(one, outcome="asked", dispute_id=dispute.id))
                    continue
                done.append(made)
            told.append(one)
        return told, done

    def change(self, findings: Sequence[SyncFinding], work: UnitOfWork) -> None:
        """Store the record as these findings leave it, within a unit of work."""
        record = self._record
        before, after = {}, {}
        gone = next((one for one in findings if one.outcome in ("duplicate", "superseded")), None)
        if gone is not None and gone.fact is not None:
            merged = merge(
                record,
                {"status": Status.SUPERSEDED, "superseded_by": gone.fact.id},
                based_on=record.version,
                actor=work.act.actor,
                now=work.act.at,
                dispute_ids=iter(new_id, None),
            )
            before, after = dict(merged.before), dict(merged.after)
            record = merged.record
            disputes = tuple(one for one in record.disputes if not self._is_ours(one))
        else:
            disputes = self._disputes(findings)
        if disputes != self._record.disputes:
            before["disputes"] = json_value(self._record.disputes)
            after["disputes"] = json_value(disputes)
        # to be disputed says nothing new about a record, so its age stays
        record = replace(record, disputes=disputes, version=self._record.version + 1)
        work.put(self._record, record, before, after)

    def _disputes(self, findings: Sequence[SyncFinding]) -> tuple[Dispute, ...]:
        """Return the record's disputes with what ended left out, what goes on in its place."""
        ended = {one.dispute_id for one in findings if one.outcome == "closed"}
        kept = {one.id: one for one in self._record.disputes if one.id not in ended}
        written = {
            one.dispute_id: self._dispute(one.fact, one.prefers, one.dispute_id)
            for one in findings
            if one.outcome in ("asked", "renewed")
            and one.fact is not None
            and one.dispute_id is not None
        }
        return tuple((kept | written).values())

    def _dispute(self, fact: Record, prefers: Home | None, dispute_id: str) -> Dispute:
        record = self._record
        stamp = record.stamps.get("content")
        return Dispute(
            id=dispute_id,
            field="content",
            kind=DisputeKind.CROSS_HOME,
            current=record.content,
            incoming=fact.content,
            current_actor=stamp.actor if stamp is not None else str(record.source),
            incoming_actor=f"{PROJECT_ACTOR}:{self._app_id}",
            current_at=user_side(record).at,
            incoming_at=project_side(fact).at,
            base_version=record.version,
            confidence=min(record.confidence, fact.confidence),
            other_id=fact.id,
            prefers=None if prefers is None else _SIDES[prefers],
        )

    # one pair

    def _judge(self, fact: Record, claim: Claim) -> SyncFinding | None:
        record = self._record
        user, project = user_side(record), project_side(fact)
        decision = decide(
            claim,
            user,
            project,
            self._session.settings.cross_home,
            replaceable=self._bound and record.tier is not Tier.IMPORTANT and not record.locked,
            of_project=self._bound,
        )
        if decision.outcome == "leave":
            return None
        held = next(
            (one for one in record.disputes if self._is_ours(one) and one.other_id == fact.id), None
        )
        outcome = self._outcome(fact, decision, held)
        if outcome == "asked" and decision.outcome in ("project", "user", "duplicate"):
            decision = replace(decision, reason="taken-back")
        return SyncFinding(
            outcome,
            record,
            fact,
            claim.kind,
            claim.user_value,
            claim.project_value,
            self._likeness[fact.id],
            decision.prefers,
            decision.reason,
            held.id if held is not None else new_id() if outcome == "asked" else None,
            user.at,
            project.at,
        )

    def _outcome(
        self, fact: Record, decision: SyncDecision, held: Dispute | None
    ) -> FindingOutcome:
        if held is not None:
            if (held.current, held.incoming) == (self._record.content, fact.content):
                return "waiting"
            if decision.outcome == "ask":
                return "renewed"
        past = earlier(self._availability.store().history(self._record.id), self._record, fact)
        if past == "settled":
            return "settled"
        if decision.outcome == "duplicate":
            stays = past == "taken-back" or self._record.locked
            return "settled" if stays else "duplicate"
        if decision.outcome == "user" and not self._put_back(fact):
            return "written"
        return "superseded" if decision.outcome == "project" and past is None else "asked"

    def _put_back(self, fact: Record) -> bool:
        """Return whether the last change of the fact's value was undone: then a person is asked."""
        metadata = fact.metadata
        place = DocumentPlace(str(metadata.get("file", "")), str(metadata.get("path", "")))
        history = self._availability.store().history(place.id)
        return bool(history) and history[0].kind == "undo"

    # disputes that are open

    def _is_ours(self, dispute: Dispute) -> bool:
        return is_of_project(dispute, self._record, self._app_id)

    def _ended(self, dispute: Dispute, claims: Mapping[str, tuple[Claim, ...]]) -> bool:
        """Return whether the two sides of an open dispute do not differ any more."""
        fact = self._facts.get(dispute.other_id or "")
        if fact is None:
            return self._availability.store().get(dispute.other_id or "") is None
        same = (dispute.current, dispute.incoming) == (self._record.content, fact.content)
        return not same and all(claim.agrees for claim in claims[fact.id])

    def _closed(self, dispute: Dispute) -> SyncFinding:
        fact = self._facts.get(dispute.other_id or "")
        return SyncFinding(
            "closed", self._record, fact, None, str(dispute.current), str(dispute.incoming),
            None, None, None, dispute.id, dispute.current_at, dispute.incoming_at,
        )  # fmt: skip


def user_side(record: Record) -> ClaimSide:
    """Return when the record's text was written, and how sure it is."""
    stamp = record.stamps.get("content")
    return ClaimSide(stamp.at if stamp is not None else record.created_at, record.confidence)


def project_side(fact: Record) -> ClaimSide:
    """Return when a document says that a fact held, and how sure it is.

    Where the document dates only the whole file, the fact is at most as old as when this text
    was first seen; a checkout makes every file new, so that says nothing exact.
    """
    if "timestamps" in fact.metadata or any(
        time_of(fact.metadata.get(key)) is not None for key in _TIME_KEYS
    ):
        return ClaimSide(fact.updated_at, fact.confidence)
    return ClaimSide(min(fact.created_at, fact.updated_at), fact.confidence, exact=False)


def _differing(
    claims: Mapping[str, tuple[Claim, ...]], likeness: Mapping[str, float | None]
) -> dict[str, Claim]:
    """Return the one claim of each fact to act on: the same text, or else a difference.

    Where one fact agrees with the record about a thing, another that differs in it speaks of
    something else. Where words show which facts are meant, likeness does not count; where they
    do not, only the likest fact is meant.
    """
    told = [(fact_id, claim) for fact_id, all_claims in claims.items() for claim in all_claims]
    agreed = {_thing(claim) for _fact, claim in told if claim.agrees}
    differing = [(fact_id, claim) for fact_id, claim in told if not claim.agrees]
    named = {_thing(claim) for _fact, claim in differing if claim.sure}
    found = {fact_id: claim for fact_id, claim in told if claim.kind is ClaimKind.SAME}
    guessed: set[tuple[ClaimKind, str]] = set()
    for fact_id, claim in sorted(differing, key=lambda one: -(likeness[one[0]] or 0.0)):
        thing = _thing(claim)
        if thing in agreed or fact_id in found:
            continue
        if not claim.sure and (thing in named or thing in guessed):
            continue
        guessed.add(thing)
        found[fact_id] = claim
    return found


def _thing(claim: Claim) -> tuple[ClaimKind, str]:
    return claim.kind, claim.key


def _first(group: Sequence[SyncFinding]) -> SyncFinding:
    """Return the finding to show of several facts that say the same.

    What is open or settled already speaks for all of them; else a value under a key, which can
    be put right from here, before prose.
    """
    ranks: Mapping[str, int] = {"waiting": 0, "renewed": 1, "settled": 2}
    return min(
        group,
        key=lambda one: (
            ranks.get(one.outcome, 3),
            one.fact is None or not one.fact.id.startswith("project:project.yaml#"),
        ),
    )
