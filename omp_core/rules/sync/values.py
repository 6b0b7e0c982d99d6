"""Configured values: the same key with another quantity, the same software in another version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omp_core.language.analysis import analyse
from omp_core.language.language import script
from omp_core.language.quantities import Quantity
from omp_core.language.vocabulary import pattern
from omp_core.rules.sync.software import names, part_of
from omp_core.rules.sync.statements import Claim, ClaimKind, Statement
from omp_core.rules.sync.subjects import Subject, shared_words, spell_out

ALIKE_FROM = 0.74
"""Calibrated similarity from which a Chinese and an English text may name one thing in words
that cannot be compared: halfway between one topic, 0.62, and near-duplicates, 0.85."""
_HEAD = 12
"""A value under a key begins with its quantity; further behind it is prose that holds one."""
_DURATION = re.compile(
    r"(?<!per )\b(?:ms|s|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|months?|years?|ttl"
    r"|timeouts?|retention|expiry|expires?|age|delay|interval)\b|[秒天周月年]|分钟|小时|超时|有效期",
    re.IGNORECASE,
)
"""Keys whose bare number is a length of time."""


def versions(user_text: str, fact: Statement) -> Iterator[Claim]:
    """Yield what both say of the version of one software."""
    said = {name.key: name for name in names(user_text) if name.version and not name.denied}
    held = {name.key: name for name in names(fact.spelt_out) if name.version and not name.denied}
    for key in sorted(said.keys() & held.keys()):
        mine, theirs = str(said[key].version), str(held[key].version)
        yield Claim(ClaimKind.VALUE, f"{key} version", mine, theirs, _same_version(mine, theirs))


def values(
    clause: str,
    user_text: str,
    fact: Statement,
    mine: Subject,
    theirs: Subject,
    similarity: float | None,
) -> Iterator[Claim]:
    """Yield what both say of the value of one key, up to the first difference.

    `clause` is the part of the user's text that may speak of it. A value that stands in another
    part is no difference: what is so from 200 kB on is not so at 184 kB.
    """
    ground = _ground(clause, fact, mine, theirs, similarity)
    if not fact.label or ground is None:
        return
    said, elsewhere = _quantities(clause), _quantities(user_text)
    held = [one for one in _quantities(fact.value) if one.start <= _HEAD]
    if not ground and not theirs.properties and not _is_bare(fact.value, held):
        return
    key = "+".join(sorted(theirs.properties)) or fact.label
    used: set[Quantity] = set()
    for quantity in held:
        twin = next((one for one in said if one not in used and one.matches(quantity)), None)
        if twin is not None:
            used.add(twin)
            yield _value(key, clause, twin, fact, quantity, agrees=True, sure=ground)
        if twin is not None or any(one.matches(quantity) for one in elsewhere):
            continue
        others = [
            one
            for one in said
            if one not in used
            and _comparable(one, quantity, clause, fact)
            and not any(one.matches(other) for other in held)
        ]
        if others:
            sure = ground and len(others) == 1
            yield _value(key, clause, others[0], fact, quantity, agrees=False, sure=sure)
            return


def alike(similarity: float | None, floor: float = ALIKE_FROM) -> bool:
    """Return whether texts are that much alike; nobody knows without vectors."""
    return similarity is not None and similarity >= floor


def _ground(
    user_text: str, fact: Statement, mine: Subject, theirs: Subject, similarity: float | None
) -> bool | None:
    """Return whether both speak of the same key: True by words, False by likeness, else None."""
    used = frozenset(part_of(name.role) for name in names(user_text))
    if theirs.parts and used and not theirs.parts & (mine.parts | used):
        return None
    by_likeness = False if _foreign(user_text, fact, mine, theirs) and alike(similarity) else None
    common = shared_words(mine, theirs)
    if theirs.properties:
        if not mine.properties & theirs.properties:
            return None
    elif not common:
        return by_likeness
    if not theirs.words or common:
        return bool(common or mine.parts & theirs.parts or not theirs.parts)
    return by_likeness


def _foreign(user_text: str, fact: Statement, mine: Subject, theirs: Subject) -> bool:
    """Return whether the texts are of two scripts, so that other words may mean the same.

    Latin words in the Chinese one are names, which would be in the other as well.
    """
    scripts = script(user_text), script(fact.about)
    return scripts[0] != scripts[1] and not (mine if scripts[0] == "cjk" else theirs).latin


def _quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text that are no version of a named software."""
    known = {name.version for name in names(text) if name.version is not None}
    return tuple(one for one in analyse(text).quantities if one.value not in known)


def _comparable(one: Quantity, other: Quantity, user_text: str, fact: Statement) -> bool:
    """Return whether two quantities can be values of one key. Two occasions are two facts."""
    if one.kind != other.kind or one.kind == "label":
        return False
    if one.kind == "date":
        return bool(
            pattern("fixed_date").search(user_text) and pattern("fixed_date").search(fact.spelt_out)
        )
    if one.kind != "number":
        return True
    units = {quantity.value.partition(" ")[2] for quantity in (one, other)}
    if len(units) == 1 or "" not in units:
        return len(units) == 1
    return units.isdisjoint(("s", "month")) or bool(_DURATION.search(spell_out(fact.label)))


def _is_bare(value: str, held: Sequence[Quantity]) -> bool:
    """Return whether a value is a quantity and nothing else."""
    return len(held) == 1 and held[0].end - held[0].start == len(analyse(value).text.strip())


def _value(
    key: str, user_text: str, mine: Quantity, fact: Statement, theirs: Quantity,
    *, agrees: bool, sure: bool,
) -> Claim:  # fmt: skip
    said = analyse(user_text).text[mine.start : mine.end].strip()
    held = analyse(fact.value).text[theirs.start : theirs.end].strip()
    return Claim(ClaimKind.VALUE, key, said, held, agrees, sure)


def _same_version(one: str, other: str) -> bool:
    """`3.12` is `3.12.4` as far as it says."""
    return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))
