"""Project documents against the user store: who speaks of the same, differently, and who wins."""

from omp_core.rules.sync.claims import compare
from omp_core.rules.sync.decision import (
    ClaimSide,
    Outcome,
    SyncDecision,
    SyncReason,
    decide,
    newer,
    surer,
)
from omp_core.rules.sync.precedence import Earlier, earlier
from omp_core.rules.sync.replacement import claimed, replacement
from omp_core.rules.sync.statements import Claim, ClaimKind, Statement, statement_of
from omp_core.rules.sync.subjects import keywords, subject

__all__ = [
    "Claim",
    "ClaimKind",
    "ClaimSide",
    "Earlier",
    "Outcome",
    "Statement",
    "SyncDecision",
    "SyncReason",
    "claimed",
    "compare",
    "decide",
    "earlier",
    "keywords",
    "newer",
    "replacement",
    "statement_of",
    "subject",
    "surer",
]
