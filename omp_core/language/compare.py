"""Whether two texts say the same: the one comparison that every part of the product asks.

Similarity of vectors cannot tell: a contradiction ("port 8080" / "port 9090") looks like a
duplicate to every model. This reads the words. Texts that differ in one respect, with the same
subject, contradict each other; in two or more they are two facts (design, section 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from omp_core.language.alignment import Alignment, align, swapped
from omp_core.language.amounts import quantity_differences, quotation_differences, turned_amounts
from omp_core.language.analysis import Analysis, Token, analyse
from omp_core.language.polarity import limit_differences, polarity_differences
from omp_core.language.quantities import unmatched
from omp_core.language.respect import Comparison, Distinction, Respect
from omp_core.language.sentence_frame import (
    SLOT_WORDS,
    has_key,
    predicate_start,
    predicates,
    slot_words,
    span,
    telling_words,
)
from omp_core.language.substitution import substitutions
from omp_core.language.vocabulary import contrasts, pattern, software


@lru_cache(maxsize=8192)
def compare(a: str, b: str) -> Comparison:
    """Compare two texts of Chinese or English. The order of the arguments does not matter.

    A detail that only one of them has is no difference.
    """
    if b < a:
        turned = _compare(analyse(b), analyse(a))
        return replace(turned, left=turned.right, right=turned.left)
    return _compare(analyse(a), analyse(b))


def _compare(a: Analysis, b: Analysis) -> Comparison:
    if a.text == b.text:
        return Comparison(None)
    if a.mood != b.mood:
        return Comparison(Respect.MOOD, a.mood, b.mood, same_subject=False)
    if a.script != b.script:
        from omp_core.language.crossing import across

        found = [
            Distinction(Respect(kind), left, right, apart)
            for kind, left, right, apart in across(a, b)
        ]
        concluded = _concluded(found, 1.0, detail=_adds_detail(a, b))
        named = concluded.contradicts and concluded.respect is Respect.NAME
        if named and a.changed != b.changed and _is_brief(a) and _is_brief(b):
            return replace(concluded, respect=Respect.REPLACEMENT)
        return concluded
    laid = align(a, b)
    turned = _turned(a, b)
    if turned is not None:
        return _concluded([turned, *quantity_differences(a, b, predicates(a, b))], 1.0)
    where = predicates(a, b)
    denials = list(polarity_differences(a, b))
    found = [
        *quantity_differences(a, b, where),
        *denials,
        *limit_differences(a, b, denied=bool(denials)),
    ]
    found += quotation_differences(a, b)
    corrected = any(one.respect is Respect.CORRECTION for one in found)
    found += substitutions(a, b, laid, where, several=bool(found) and not corrected)
    if found and _period(a) != _period(b):
        found.append(Distinction(Respect.SCOPE, _period(a), _period(b), True))
    if not found and _each_adds(laid):
        found.append(Distinction(Respect.WORDING, a.text, b.text, True))
    changed = _replacement(a, b, laid, found)
    if changed is not None:
        return Comparison(Respect.REPLACEMENT, changed.left, changed.right, True, laid.closeness)
    return _concluded(found, _frame(laid, found), detail=_adds_detail(a, b))


def _concluded(found: Sequence[Distinction], frame: float, *, detail: bool = False) -> Comparison:
    if not found:
        return Comparison(None, frame=frame, detail=detail)
    apart = next((one for one in found if one.apart), None)
    first = apart or found[0]
    if len(found) > 1 and not _one_kind(found):
        return Comparison(Respect.SEVERAL, first.left, first.right, False, frame)
    return Comparison(first.respect, first.left, first.right, apart is None, frame)


def _adds_detail(a: Analysis, b: Analysis) -> bool:
    """Return whether an amount or a name stands in one text only."""
    if any(unmatched(a.quantities, b.quantities)):
        return True
    left, right = ({token.key for token in found.tokens} for found in (a, b))
    return any(
        token.name and not has_key(others, token.key)
        for found, others in ((a, right), (b, left))
        for token in found.tokens
    )


def _one_kind(found: Sequence[Distinction]) -> bool:
    """Several amounts of one kind in the same words are one respect: what was measured anew."""
    return len({one.respect for one in found}) == 1 and found[0].respect in (
        Respect.NUMBER,
        Respect.OPPOSITE,
        Respect.VERSION,
        Respect.WORDING,
    )


def _is_brief(found: Analysis) -> bool:
    """Return whether a text says one thing in few words, so that a name is its value."""
    return (
        len(telling_words(found.sequence)) <= SLOT_WORDS and found.text.count(" ") <= _BRIEF_SPACES
    )


_BRIEF_SPACES = 8

# order and roles


def _turned(a: Analysis, b: Analysis) -> Distinction | None:
    """Find what was said first and is now said second, or who does it to whom."""
    if a.order and b.order:
        (first, second), (other_first, other_second) = a.order, b.order
        straight = _overlap(first, other_first) + _overlap(second, other_second)
        crossed = _overlap(first, other_second) + _overlap(second, other_first)
        if crossed > straight and crossed >= 1.0:
            return Distinction(Respect.ORDER, a.text, b.text)
        if straight >= 1.0 and straight > crossed:
            return None
    parts = swapped(a, b)
    if parts is None:
        return turned_amounts(a, b)
    left, right = parts
    if _is_passive(a) != _is_passive(b):
        return None
    named = span(a, left), span(a, right)
    denied = {token.key: token.denied for token in a.tokens}
    flips = [
        token for token in b.tokens if token.key in denied and denied[token.key] != token.denied
    ]
    respect = Respect.CORRECTION if flips else Respect.ROLE
    return Distinction(respect, " … ".join(named), " … ".join(reversed(named)))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


def _is_passive(found: Analysis) -> bool:
    return pattern("passive").search(found.text) is not None


_OWN_WORDS = 2
_OWN_CHARACTERS = 3
"""From so many words that the other text lacks a text says something of its own."""


def _each_adds(laid: Alignment) -> bool:
    """Return whether both texts have words of their own, each at another place."""
    mine = [token for one in laid.regions if not one.replaced for token in telling_words(one.left)]
    theirs = [
        token for one in laid.regions if not one.replaced for token in telling_words(one.right)
    ]
    return all(
        sum(len(token.surface) for token in own) >= _OWN_CHARACTERS and len(own) >= _OWN_WORDS
        for own in (mine, theirs)
    )


def _period(found: Analysis) -> str:
    """Return on which side of a date a statement holds, empty without a date."""
    match = pattern("period").search(found.text)
    return match[0].lower() if match else ""


def _frame(laid: Alignment, found: Sequence[Distinction]) -> float:
    if not found:
        return laid.closeness
    same = sum(one.content for one, _other in laid.shared) + len(laid.moved)
    own = sum(
        token.content
        for region in laid.regions
        if not region.replaced
        for token in (*region.left, *region.right)
    )
    return 2 * same / (2 * same + own) if same or own else 1.0


def _replacement(
    a: Analysis, b: Analysis, laid: Alignment, found: Sequence[Distinction]
) -> Distinction | None:
    """Find what one text says has taken the place of what the other one says.

    Words of replacement alone say nothing: both have to be of one slot, by a role, a closed
    list, a common verb with nothing else, or the old value named.
    """
    if a.changed == b.changed:
        return None
    if any(one.apart and one.respect in (Respect.LABEL, Respect.DATE) for one in found):
        return None
    old, new = (b, a) if a.changed else (a, b)
    said, held = _values(new), _values(old)
    if _other_subject(a, b, laid):
        return None
    if max(_own_words(new, old), _own_words(old, new)) > slot_words(new):
        return None
    pair = _same_slot(said, held, old, new)
    if pair is None:
        return None
    left, right = pair
    return Distinction(Respect.REPLACEMENT, *((left, right) if new is a else (right, left)))


def _own_words(found: Analysis, other: Analysis) -> int:
    keys = {token.key for token in other.tokens}
    return sum(token.key not in keys for token in telling_words(found.sequence))


def _values(found: Analysis) -> list[Token]:
    start = predicate_start(found)
    return [token for token in telling_words(found.sequence) if token.start >= start or token.name]


def _other_subject(a: Analysis, b: Analysis, laid: Alignment) -> bool:
    where = predicates(a, b)
    return any(
        left and right and left[-1].start < where[0] and right[-1].start < where[1]
        for left, right in (
            (telling_words(one.left), telling_words(one.right)) for one in laid.regions
        )
    )


def _same_slot(
    said: Sequence[Token], held: Sequence[Token], old: Analysis, new: Analysis
) -> tuple[str, str] | None:
    keys = {token.key for token in held}
    dropped = [
        token
        for token in said
        if token.key in keys
        and token.part == "content"
        and (token.denied or pattern("origin").search(new.text, 0, token.start))
    ]
    affirmed = {token.key for token in held if not token.denied}
    whole = (token for token in dropped if len(token.surface) > 1)  # one character is no word
    named = next((token for token in whole if token.key in affirmed), None)
    if named is not None:
        return new.text.strip(), named.surface
    fresh = [token for token in said if token.key not in keys and not token.denied]
    known = {token.key for token in said}
    gone = [token for token in held if token.key not in known and not token.denied]
    for one in fresh:
        for other in gone:
            role = software().role(one.surface)
            if (role and role == software().role(other.surface)) or contrasts().exclude(
                one.key, other.key
            ):
                return one.surface, other.surface
    fresh = [token for token in fresh if token.part == "content"]
    gone = [token for token in gone if token.part == "content"]
    if not fresh or not gone:
        return None
    common = telling_words(old.sequence)[0].key == telling_words(new.sequence)[0].key
    roles = {software().role(token.surface) for token in (*fresh, *gone)} - {None}
    if common and len(roles) < 2 and max(len(fresh), len(gone)) <= slot_words(new):
        return span(new, fresh), span(old, gone)
    return None
