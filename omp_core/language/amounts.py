"""Amounts: numbers, dates, versions and quoted text in which two texts differ."""

from __future__ import annotations

from collections.abc import Iterator

from omp_core.language.analysis import Analysis
from omp_core.language.quantities import Quantity, QuantityKind, unmatched
from omp_core.language.respect import Distinction, Respect
from omp_core.language.vocabulary import pattern, software


def turned_amounts(a: Analysis, b: Analysis) -> Distinction | None:
    """`from 90 s to 12 s` is not `from 12 s to 90 s`."""
    mine, theirs = ([one for one in found.quantities if one.kind == "number"] for found in (a, b))
    if len(mine) != len(theirs) or sorted(one.value for one in mine) != sorted(
        one.value for one in theirs
    ):
        return None
    keys = [token.key for token in a.tokens], [token.key for token in b.tokens]
    if keys[0] != keys[1]:
        return None
    for one, other in zip(mine, theirs, strict=True):
        if not one.matches(other):
            return Distinction(Respect.NUMBER, _part(a, one), _part(b, other))
    return None


_QUANTITY_ORDER: tuple[QuantityKind, ...] = (
    "date",
    "version",
    "label",
    "weekday",
    "time",
    "number",
)


def quantity_differences(a: Analysis, b: Analysis, where: tuple[int, int]) -> Iterator[Distinction]:
    left, right = unmatched(a.quantities, b.quantities)
    for kind in _QUANTITY_ORDER:
        mine = [quantity for quantity in left if quantity.kind == kind]
        theirs = [quantity for quantity in right if quantity.kind == kind]
        for one, other in zip(mine, theirs, strict=False):
            respect = Respect(kind)
            if _counts_off(a, one, where[0]) and _counts_off(b, other, where[1]):
                respect = Respect.LABEL
            apart = respect is Respect.LABEL or _two_occasions(a, b, kind)
            yield Distinction(respect, _part(a, one), _part(b, other), apart)


def _counts_off(found: Analysis, quantity: Quantity, start: int) -> bool:
    """Return whether a number in the subject tells things apart: `module 3 uses …`."""
    if quantity.kind != "number" or " " in quantity.value or quantity.end > start:
        return False
    before = next((one for one in reversed(found.tokens) if one.end <= quantity.start), None)
    glued = before is not None and not found.text[before.end : quantity.start].strip()
    return (
        glued and before is not None and software().spelling(before.surface) not in software().names
    )


def quotation_differences(a: Analysis, b: Analysis) -> Iterator[Distinction]:
    mine, theirs = a.quoted - b.quoted, b.quoted - a.quoted
    if mine and theirs:
        yield Distinction(Respect.NAME, min(mine), min(theirs))


def _two_occasions(a: Analysis, b: Analysis, kind: QuantityKind) -> bool:
    """Return whether another quantity of a kind makes them two facts that can both be true."""
    match kind:
        case "label":
            return True
        case "date":
            fixed = pattern("fixed_date")
            return not (fixed.search(a.text) and fixed.search(b.text))
        case "version":
            event = pattern("event")
            return bool(event.search(a.text) or event.search(b.text))
        case _:
            return False


def _part(found: Analysis, quantity: Quantity) -> str:
    return found.text[quantity.start : quantity.end].strip()
