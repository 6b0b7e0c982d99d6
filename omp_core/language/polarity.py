"""Polarity: what one text denies, or limits, and the other does not."""

from __future__ import annotations

from collections.abc import Iterator

from omp_core.language.analysis import Analysis
from omp_core.language.respect import Distinction, Respect
from omp_core.language.sentence_frame import has_key


def polarity_differences(a: Analysis, b: Analysis) -> Iterator[Distinction]:
    """Compare which words are denied; only words that both texts have count."""
    denied_a, denied_b = _denial(a), _denial(b)
    shared = denied_a.keys() & denied_b.keys()
    mine = {key for key in shared if denied_a[key]}
    theirs = {key for key in shared if denied_b[key]}
    if mine and theirs:
        names = {token.key for token in (*a.tokens, *b.tokens) if token.name}
        if mine & names and theirs & names:
            mine, theirs = mine & names, theirs & names
        # Word order moves some words in or out of the reach of the same denial.
        if 2 * len(mine & theirs) < min(len(mine), len(theirs)) and mine - theirs:
            turned = min(mine - theirs)
            yield Distinction(Respect.CORRECTION, f"not {turned}", turned)
        return
    if (mine and _denies_the_shared(a, b, mine)) or (theirs and _denies_the_shared(b, a, theirs)):
        by_word = any(token.negative for token in (*a.tokens, *b.tokens))
        kind = Respect.OPPOSITE if by_word and a.denies == b.denies else Respect.NEGATION
        yield Distinction(kind, a.text.strip(), b.text.strip())


def _denies_the_shared(denier: Analysis, other: Analysis, shared: set[str]) -> bool:
    """Return whether the denial is about what the other text affirms.

    `not unittest` beside a text that does not name unittest denies nothing of it.
    """
    denied = [token for token in denier.tokens if token.denied]
    keys = {token.key for token in other.tokens}
    if any(token.name and not has_key(keys, token.key) for token in denied):
        return False
    return 2 * len(shared) >= len({token.key for token in denied})


def _denial(found: Analysis) -> dict[str, bool]:
    """Return for each word of the text whether it is denied; words that are both are left out."""
    denied: dict[str, set[bool]] = {}
    for token in found.tokens:
        denied.setdefault(token.key, set()).add(token.denied)
    return {key: values.pop() for key, values in denied.items() if len(values) == 1}


_SHARES = (
    ({"all"}, {"some"}),
    ({"all"}, {"most"}),
    ({"all"}, {"rarely"}),
    ({"all"}, {"none"}),
    ({"all"}, {"only"}),
    ({"only"}, {"except"}),
    ({"some"}, {"none"}),
    ({"most"}, {"rarely"}),
    ({"most"}, {"none"}),
    ({"most"}, {"some"}),
)
_STRENGTHS = ({"permit", "oblige"}, {"exempt", "oblige"})


def limit_differences(a: Analysis, b: Analysis, *, denied: bool) -> Iterator[Distinction]:
    """Compare the shares that the texts speak of, and how binding they are."""
    mine, theirs = a.quantifiers - b.quantifiers, b.quantifiers - a.quantifiers
    if denied:
        mine, theirs = mine - {"none"}, theirs - {"none"}
    for one, other in _SHARES:
        if (one <= mine and other <= theirs) or (one <= theirs and other <= mine):
            yield Distinction(
                Respect.QUANTIFIER, ", ".join(sorted(mine)), ", ".join(sorted(theirs))
            )
            return
    if (
        a.modality
        and b.modality
        and {a.modality, b.modality} in _STRENGTHS
        and a.denies == b.denies
    ):
        yield Distinction(Respect.MODALITY, a.modality, b.modality)
