"""Project documents against the user store: who speaks of the same, differently, and who wins."""

from omp_core.rules.cross_home.claims import compare
from omp_core.rules.cross_home.deciding import Decision, Outcome, Reason, Side, decide
from omp_core.rules.cross_home.earlier import Earlier, earlier
from omp_core.rules.cross_home.replacing import claimed, replacement
from omp_core.rules.cross_home.statements import Claim, ClaimKind, Statement, statement_of
from omp_core.rules.cross_home.subjects import keywords, subject

__all__ = [
    "Claim",
    "ClaimKind",
    "Decision",
    "Earlier",
    "Outcome",
    "Reason",
    "Side",
    "Statement",
    "claimed",
    "compare",
    "decide",
    "earlier",
    "keywords",
    "replacement",
    "statement_of",
    "subject",
]
