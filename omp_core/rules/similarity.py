"""Whether two similar texts say the same: the guards in front of every merge.

Similarity of vectors only proposes (design, section 6); what the texts state decides.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, Protocol

from omp_core.language.facts import Facts, facts
from omp_core.language.lexicon import EVENT, FIXED_DATE
from omp_core.language.normal import normalise
from omp_core.rules.differences import Difference, DifferenceKind, differs_in_fact

__all__ = [
    "Difference",
    "DifferenceKind",
    "Thresholds",
    "Verdict",
    "differs_in_fact",
    "fuller",
    "judge",
]

Verdict = Literal["exact", "same", "merge", "contradiction", "related", "unrelated"]

RELATED_FROM = 0.62
"""Calibrated similarity of one topic (design, section 6)."""
CONTRADICTION_FROM = 0.78
"""Calibrated similarity of paraphrases; a contradiction needs the same frame besides."""
_SAME_FRAME = 0.75
"""Share of content words in common, apart from the difference, that makes one frame."""


class Thresholds(Protocol):
    """The duplicate thresholds of the settings."""

    @property
    def propose_from(self) -> float: ...

    @property
    def same_from(self) -> float: ...


def judge(a: str, b: str, similarity: float, settings: Thresholds) -> Verdict:
    """Say what two texts are to each other.

    `similarity` is calibrated. `exact` is equal after normalisation, whatever the
    similarity; only it may be merged silently. `same` and `merge` propose to merge. In a
    `contradiction` the texts say the same but for a number, a negation or a named
    alternative. Texts about two occasions (another date, release, issue number), or that
    differ in more than one respect, are `related`.
    """
    if normalise(a) == normalise(b):
        return "exact"
    if similarity < CONTRADICTION_FROM:
        return "related" if similarity >= RELATED_FROM else "unrelated"
    difference = differs_in_fact(a, b)
    if difference is None:
        if similarity < settings.propose_from:
            return "related"
        return "same" if similarity >= settings.same_from else "merge"
    left, right = facts(a), facts(b)
    if _are_apart(left, right, difference):
        return "related"
    if left.script != right.script:
        # No words to compare: only the similarity can tell that both are about the same.
        one_frame = similarity >= settings.propose_from
    else:
        one_frame = _same_frame(left, right, difference)
    return "contradiction" if one_frame else "related"


def fuller(a: str, b: str) -> str:
    """Return the text that says more: more different content, then more characters."""

    def says(text: str) -> tuple[int, int, str]:
        found = facts(text)
        content = {token.key for token in found.tokens}
        amounts = {(quantity.kind, quantity.value) for quantity in found.quantities}
        return len(content) + len(amounts), len(normalise(text)), text

    return max(a, b, key=says)


def _are_apart(a: Facts, b: Facts, difference: Difference) -> bool:
    """Return whether the difference makes them two facts that can both be true."""
    match difference.kind:
        case DifferenceKind.LABEL | DifferenceKind.SUBJECT:
            return True
        case DifferenceKind.DATE:
            return not (FIXED_DATE.search(a.text) and FIXED_DATE.search(b.text))
        case DifferenceKind.VERSION:
            return bool(EVENT.search(a.text) or EVENT.search(b.text))
        case _:
            return False


def _same_frame(a: Facts, b: Facts, difference: Difference) -> bool:
    """Return whether texts of one script are about the same, apart from the difference."""
    named = difference.kind in (DifferenceKind.ALTERNATIVE, DifferenceKind.QUOTED)
    apart = (difference.left.lower(), difference.right.lower()) if named else ()
    left, right = (
        Counter(
            token.key
            for token in found.tokens
            if not any(token.surface.lower() in word for word in apart)
        )
        for found in (a, b)
    )
    total = left.total() + right.total()
    return total == 0 or 2 * (left & right).total() / total >= _SAME_FRAME
