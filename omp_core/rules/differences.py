"""What two similar texts state differently: a number, a date, a denial, a name.

Similarity of vectors cannot tell: a contradiction ("port 8080" / "port 9090") looks like a
duplicate to every model (design, section 6). These rules read the texts themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from omp_core.language.facts import Facts, Token, facts
from omp_core.language.lexicon import ORIGIN, SLOT_OPENERS, SLOT_OPENERS_ZH, TARGET, opposites
from omp_core.language.quantities import Quantity, QuantityKind
from omp_core.language.tokens import stem


class DifferenceKind(StrEnum):
    """What two texts differ in. A `subject` is what is spoken of, the rest is said of it."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    WEEKDAY = "weekday"
    VERSION = "version"
    LABEL = "label"
    NEGATION = "negation"
    QUOTED = "quoted name"
    ALTERNATIVE = "alternative"
    SUBJECT = "subject"


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that two texts state differently: how each of them has it."""

    kind: DifferenceKind
    left: str
    right: str


def differs_in_fact(a: str, b: str) -> Difference | None:
    """Return the first fact that the texts state differently, None when there is none.

    A fact that only one of them states is no difference. Differences in occasion come
    first, because two occasions are two facts however alike the rest is.
    """
    if b < a:  # so that the order of the arguments does not matter
        found = _difference(facts(b), facts(a))
        return found and Difference(found.kind, found.right, found.left)
    return _difference(facts(a), facts(b))


def _difference(a: Facts, b: Facts) -> Difference | None:
    return (
        _quantity_difference(a, b)
        or _quoted_difference(a, b)
        or _denial_difference(a, b)
        or _direction_difference(a, b)
        or _name_difference(a, b)
        or _word_difference(a, b)
    )


_QUANTITY_ORDER: tuple[QuantityKind, ...] = (
    "date",
    "version",
    "label",
    "weekday",
    "time",
    "number",
)


def _quantity_difference(a: Facts, b: Facts) -> Difference | None:
    left, right = list(a.quantities), list(b.quantities)
    for quantity in a.quantities:
        twin = next((other for other in right if quantity.matches(other)), None)
        if twin is not None:
            left.remove(quantity)
            right.remove(twin)
    for kind in _QUANTITY_ORDER:
        mine = [quantity for quantity in left if quantity.kind == kind]
        theirs = [quantity for quantity in right if quantity.kind == kind]
        if mine and theirs:
            return Difference(DifferenceKind(kind), _span(a, mine[0]), _span(b, theirs[0]))
    return _order_difference(a, b) if not left and not right else None


def _order_difference(a: Facts, b: Facts) -> Difference | None:
    """`from 90 s to 12 s` is not `from 12 s to 90 s`."""
    mine = [quantity for quantity in a.quantities if quantity.kind == "number"]
    theirs = [quantity for quantity in b.quantities if quantity.kind == "number"]
    for one, other in zip(mine, theirs, strict=False):
        if not one.matches(other):
            return Difference(DifferenceKind.NUMBER, _span(a, one), _span(b, other))
    return None


def _quoted_difference(a: Facts, b: Facts) -> Difference | None:
    mine, theirs = a.quoted - b.quoted, b.quoted - a.quoted
    if a.script == b.script and mine and theirs:
        return Difference(DifferenceKind.QUOTED, min(mine), min(theirs))
    return None


def _denial_difference(a: Facts, b: Facts) -> Difference | None:
    """Compare which words are denied: `pytest, not unittest` is not `unittest, not pytest`.

    A bare "not" says nothing by itself. Only words that both texts have count.
    """
    denied_a, denied_b = _denial(a), _denial(b)
    shared = denied_a.keys() & denied_b.keys()
    if not shared and a.script != b.script:
        return _bare_denial(a, b) if a.denies != b.denies else None
    mine = {key for key in shared if denied_a[key]}
    theirs = {key for key in shared if denied_b[key]}
    if mine and theirs:
        names = {token.key for token in (*a.tokens, *b.tokens) if token.name}
        if mine & names and theirs & names:
            mine, theirs = mine & names, theirs & names
        # Word order moves some words in or out of the reach of the same denial.
        if 2 * len(mine & theirs) >= min(len(mine), len(theirs)):
            return None
        turned = min(mine - theirs)
        return Difference(DifferenceKind.ALTERNATIVE, f"not {turned}", turned)
    if (mine and _denies_the_shared(a, b, mine)) or (theirs and _denies_the_shared(b, a, theirs)):
        return _bare_denial(a, b)
    return None


def _denies_the_shared(denier: Facts, other: Facts, shared: set[str]) -> bool:
    """Return whether the denial is about what the other text affirms.

    `not unittest` beside a text that does not name unittest denies nothing of it.
    """
    denied = [token for token in denier.tokens if token.denied]
    keys = {token.key for token in other.tokens}
    if any(token.name and not _has(keys, token.key) for token in denied):
        return False
    return 2 * len(shared) >= len({token.key for token in denied})


def _denial(found: Facts) -> dict[str, bool]:
    """Return for each word of the text whether it is denied; words that are both are left out."""
    denied: dict[str, set[bool]] = {}
    for token in found.tokens:
        denied.setdefault(token.key, set()).add(token.denied)
    return {key: values.pop() for key, values in denied.items() if len(values) == 1}


def _bare_denial(a: Facts, b: Facts) -> Difference:
    return Difference(DifferenceKind.NEGATION, a.text.strip(), b.text.strip())


def _direction_difference(a: Facts, b: Facts) -> Difference | None:
    """`from MySQL to PostgreSQL` is not `from PostgreSQL to MySQL`."""
    ends_a, ends_b = _ends(a), _ends(b)
    for key in sorted(ends_a.keys() & ends_b.keys()):
        if ends_a[key] != ends_b[key]:
            return Difference(
                DifferenceKind.ALTERNATIVE, f"{ends_a[key]} {key}", f"{ends_b[key]} {key}"
            )
    return None


def _ends(found: Facts) -> dict[str, str]:
    ends: dict[str, str] = {}
    for token in found.tokens:
        before = found.text[: token.start]
        if token.name and ORIGIN.search(before):
            ends[token.key] = "from"
        elif token.name and TARGET.search(before):
            ends[token.key] = "to"
    return ends


def _name_difference(a: Facts, b: Facts) -> Difference | None:
    keys_a, keys_b = {token.key for token in a.tokens}, {token.key for token in b.tokens}
    mine = [token for token in a.tokens if token.name and not _has(keys_b, token.key)]
    theirs = [token for token in b.tokens if token.name and not _has(keys_a, token.key)]
    if not mine or not theirs:
        return None
    # `not Vue` and `React` go together; they are two statements.
    agree = mine[0].denied == theirs[0].denied
    kind = DifferenceKind.ALTERNATIVE if agree else DifferenceKind.SUBJECT
    return Difference(kind, mine[0].surface, theirs[0].surface)


def _has(keys: set[str], key: str) -> bool:
    """`Postgres` is there when `PostgreSQL` is."""
    return key in keys or any(
        min(len(key), len(other)) >= 4 and (key.startswith(other) or other.startswith(key))
        for other in keys
    )


def _word_difference(a: Facts, b: Facts) -> Difference | None:
    """Find one word put in the place of another: an opposite, or the value of a slot."""
    if a.script != b.script:
        return None
    keys_a, keys_b = [token.key for token in a.tokens], [token.key for token in b.tokens]
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, keys_a, keys_b, autojunk=False).get_opcodes():
        mine = _not_elsewhere(a.tokens[a1:a2], keys_b)
        theirs = _not_elsewhere(b.tokens[b1:b2], keys_a)
        if tag != "replace" or not mine or not theirs:
            continue
        slot = _slot(a, mine[0])
        filled = slot is not None and slot == _slot(b, theirs[0]) and not _is_verb(mine, theirs)
        if filled or _are_opposites(mine, theirs):
            return Difference(
                DifferenceKind.ALTERNATIVE,
                a.text[mine[0].start : mine[-1].end],
                b.text[theirs[0].start : theirs[-1].end],
            )
    return None


def _not_elsewhere(tokens: Sequence[Token], keys: Sequence[str]) -> list[Token]:
    return [token for token in tokens if token.key not in keys]


def _are_opposites(mine: Sequence[Token], theirs: Sequence[Token]) -> bool:
    left, right = _joined(mine), _joined(theirs)
    return any({left, right} == {one, other} for one, other in opposites())


def _joined(tokens: Sequence[Token]) -> str:
    return "".join(token.key for token in tokens)


def _slot(found: Facts, token: Token) -> str | None:
    """Return the word whose object the token is, None when it is no such place."""
    before = found.text[: token.start].rstrip()
    if found.script == "cjk":
        opener = SLOT_OPENERS_ZH.search(before)
        return opener[1] if opener else None
    word = before.rpartition(" ")[2].lower()
    return stem(word) if word in SLOT_OPENERS else None


_PARTICIPLES = frozenset(("kept", "held", "run", "set", "put", "made", "built", "sent", "left"))


def _is_verb(mine: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """`are kept` and `are retained` may mean the same, `are kept` and `are red` cannot."""
    return any(_verbal(tokens[0].surface.lower()) for tokens in (mine, theirs))


def _verbal(word: str) -> bool:
    return word in _PARTICIPLES or (len(word) > 4 and word.endswith(("ed", "ing", "ly")))


def _span(found: Facts, quantity: Quantity) -> str:
    return found.text[quantity.start : quantity.end].strip()
