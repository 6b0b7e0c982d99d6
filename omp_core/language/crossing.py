"""What a Chinese and an English text state differently, as far as words can tell.

Quantities, names and a small bilingual vocabulary are compared; everything else is left to the
similarity of the vectors.
"""

from __future__ import annotations

from collections.abc import Iterator

from omp_core.language.analysis import Analysis, Token
from omp_core.language.quantities import unmatched
from omp_core.language.vocabulary import contrasts, pattern, software

Found = tuple[str, str, str, bool]
"""The respect, how either text has it, and whether it makes two facts."""


def across(a: Analysis, b: Analysis) -> Iterator[Found]:
    """Yield the respects in which two texts of different languages differ."""
    yield from _turned(a, b)
    yield from _quantities(a, b)
    yield from _names(a, b)
    yield from _opposites(a, b)
    yield from _denial(a, b)


def _turned(a: Analysis, b: Analysis) -> Iterator[Found]:
    """Find what comes first in one and second in the other, or two names changed over."""
    if a.order and b.order:
        mine = [_meant(keys) for keys in a.order]
        theirs = [_meant(keys) for keys in b.order]
        straight = len(mine[0] & theirs[0]) + len(mine[1] & theirs[1])
        crossed = len(mine[0] & theirs[1]) + len(mine[1] & theirs[0])
        if crossed > straight:
            yield ("order", a.text, b.text, False)
        return
    chinese = a if a.script == "cjk" else b
    english = b if chinese is a else a
    called = {token.key for token in chinese.tokens if token.name}
    names = [[token for token in found.tokens if token.key in called] for found in (a, b)]
    keys = [[token.key for token in listed] for listed in names]
    if len(keys[0]) != 2 or keys[0] != keys[1][::-1] or keys[0][0] == keys[0][1]:
        return
    known = any(software().role(token.surface) for token in names[0])
    if (
        not known
        and not pattern("turning").search(chinese.text)
        and not pattern("passive").search(english.text)
    ):
        yield ("role", " … ".join(keys[0]), " … ".join(keys[1]), False)


def _meant(keys: frozenset[str]) -> frozenset[str]:
    meanings = contrasts().meanings
    return frozenset(word for key in keys for word in meanings.get(key, (key,)))


def _quantities(a: Analysis, b: Analysis) -> Iterator[Found]:
    left, right = unmatched(a.quantities, b.quantities)
    used: list[object] = []
    for one in left:
        other = next((two for two in right if two.kind == one.kind and two not in used), None)
        if other is not None:
            used.append(other)
            fixed = pattern("fixed_date")
            occasions = one.kind == "date" and not (fixed.search(a.text) and fixed.search(b.text))
            yield (
                one.kind,
                a.text[one.start : one.end].strip(),
                b.text[other.start : other.end].strip(),
                one.kind == "label" or occasions,
            )


def _names(a: Analysis, b: Analysis) -> Iterator[Found]:
    """Latin words in the Chinese text are names, which would be in the other as well."""
    chinese, english = (a, b) if a.script == "cjk" else (b, a)
    theirs = {token.key for token in english.tokens}
    mine = {token.key for token in chinese.tokens}
    left = [one for one in chinese.tokens if one.name and not _has(theirs, one.key)]
    right = [
        one
        for one in english.tokens
        if (one.name or software().role(one.surface)) and not _has(mine, one.key)
    ]
    left = [one for one in left if not one.denied] or left
    right = [one for one in right if not one.denied] or right
    if not left or not right:
        return
    one, other = left[0].surface, right[0].surface
    roles = software().role(one), software().role(other)
    apart = bool(roles[0] and roles[1] and roles[0] != roles[1]) or (
        left[0].denied != right[0].denied
    )
    yield ("name", *((one, other) if chinese is a else (other, one)), apart)


def _has(keys: set[str], key: str) -> bool:
    return key in keys or any(
        min(len(key), len(other)) >= 4 and (key.startswith(other) or other.startswith(key))
        for other in keys
    )


def _opposites(a: Analysis, b: Analysis) -> Iterator[Found]:
    mine, theirs = _meanings(a), _meanings(b)
    shared = mine.keys() & theirs.keys()
    for word in sorted(shared):
        one_negative = mine[word].negative != theirs[word].negative
        if one_negative and mine[word].denied != theirs[word].denied:
            yield ("opposite", mine[word].surface, theirs[word].surface, False)
            return
    for one in sorted(mine.keys() - shared):
        for other in sorted(theirs.keys() - shared):
            if contrasts().exclude(one, other) and mine[one].denied == theirs[other].denied:
                yield ("opposite", mine[one].surface, theirs[other].surface, False)
                return


def _meanings(found: Analysis) -> dict[str, Token]:
    """Return the English words for what the text says, as far as the vocabulary has them."""
    meanings = contrasts().meanings
    known: dict[str, Token] = {}
    for token in found.sequence:
        words = meanings.get(token.key, frozenset())
        for word in words:
            known.setdefault(word, token)
    return known


def _denial(a: Analysis, b: Analysis) -> Iterator[Found]:
    """Compare denials of shared words; without any, whether the texts deny at all."""
    left, right = ({token.key: token.denied for token in found.tokens} for found in (a, b))
    shared = left.keys() & right.keys()
    flipped = [key for key in sorted(shared) if left[key] != right[key]]
    both = [key for key in shared if left[key]] and [key for key in shared if right[key]]
    if both and len(flipped) >= 2:
        yield ("correction", f"not {flipped[0]}", flipped[0], False)
    elif not both and _denies(a) != _denies(b) and (flipped or not shared):
        yield ("negation", a.text.strip(), b.text.strip(), False)


def _denies(found: Analysis) -> bool:
    """Return whether a text denies by a mark, or by a word that cannot be compared otherwise."""
    meanings = contrasts().meanings
    words = (token for token in found.tokens if token.negative and token.key not in meanings)
    return found.denies or any(token.denied for token in words)
