"""What becomes of two sides that differ: the table of the extraction seed and the design.

An address or a status that differs is asked about, the project preferred; so is a choice of
technology.
Of the rest the newer side wins by itself, then the surer; what neither tells is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from omp_core.model import Home
from omp_core.rules.sync.statements import Claim, ClaimKind
from omp_core.settings import CrossHomeSettings

Outcome = Literal["duplicate", "project", "user", "ask", "leave"]
"""`duplicate`: the project has the text already. `project`: its side takes the user's place.
`user`: its side is written into the document. `leave`: both may stay as they are."""
SyncReason = Literal[
    "same", "url", "status", "technology", "newer", "surer", "undecided", "taken-back"
]


@dataclass(frozen=True, slots=True)
class ClaimSide:
    """How old and how sure one side is.

    `exact`: it is known when this was said; otherwise it was said then at the latest, as with
    a value in a file of which only the last change is known.
    """

    at: datetime
    confidence: float
    exact: bool = True


@dataclass(frozen=True, slots=True)
class SyncDecision:
    """What to do, which home the rules prefer, and the rule that says so."""

    outcome: Outcome
    prefers: Home | None
    reason: SyncReason


def decide(
    claim: Claim,
    user: ClaimSide,
    project: ClaimSide,
    settings: CrossHomeSettings,
    *,
    replaceable: bool,
    of_project: bool = False,
) -> SyncDecision:
    """Decide about a claim in which both sides differ, or a text that both have.

    A document is changed by rule only where it is older by more than the settings' hours, and by
    a record that speaks of this project alone (`of_project`). A user record that is not
    `replaceable`, because it is important or holds for other projects too, is not changed; nor
    does one that says more than the claim decide anything. Only one and the same text is a
    duplicate without asking.
    """
    if claim.kind is ClaimKind.SAME:
        outcome: Outcome = "duplicate" if claim.sure else "ask"
        return SyncDecision(outcome if replaceable else "leave", Home.PROJECT, "same")
    if claim.kind is ClaimKind.URL:
        return SyncDecision("ask", Home.PROJECT, "url")
    if claim.kind is ClaimKind.STATUS:
        return SyncDecision("ask", Home.PROJECT, "status")
    if claim.kind is ClaimKind.TECHNOLOGY:
        return SyncDecision("ask", None, "technology")
    by_age, by_confidence = newer(user, project, settings), surer(user, project, settings)
    winner = by_age or by_confidence
    if winner is None:
        return SyncDecision("ask", None, "undecided")
    reason: SyncReason = "newer" if by_age else "surer"
    if claim.sure and claim.alone and winner is Home.PROJECT and replaceable:
        return SyncDecision("project", winner, reason)
    if claim.sure and claim.alone and by_age is Home.USER and of_project and claim.user_value:
        return SyncDecision("user", winner, reason)
    return SyncDecision("ask", winner, reason)


def newer(user: ClaimSide, project: ClaimSide, settings: CrossHomeSettings) -> Home | None:
    """Return the home whose side is newer by more than the settings' hours, if it is known."""
    least = timedelta(hours=settings.newer_wins_hours)
    if user.exact and user.at - project.at > least:
        return Home.USER
    if project.exact and project.at - user.at > least:
        return Home.PROJECT
    return None


def surer(user: ClaimSide, project: ClaimSide, settings: CrossHomeSettings) -> Home | None:
    """Return the home whose side is surer by more than the settings' gap."""
    # rounded, so that 0.9 and 0.6 are 0.3 apart and no more
    gap = round(user.confidence - project.confidence, 6)
    if abs(gap) <= settings.confidence_gap:
        return None
    return Home.USER if gap > 0 else Home.PROJECT
