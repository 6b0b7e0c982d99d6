"""Substitution: words in the place of others, and what they make of two texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omp_core.language.alignment import Alignment, Region
from omp_core.language.analysis import Analysis, Token
from omp_core.language.respect import Distinction, Respect
from omp_core.language.sentence_frame import (
    has_key,
    is_verbal,
    slot_words,
    span,
    telling_words,
    told_words,
)
from omp_core.language.vocabulary import contrasts, pattern, software, words


def substitutions(
    a: Analysis, b: Analysis, laid: Alignment, where: tuple[int, int], *, several: bool
) -> Iterator[Distinction]:
    for region in laid.regions:
        found = _region(a, b, region, where)
        if found is not None:
            yield found
        elif several and not region.replaced and _qualifies(region, where):
            yield Distinction(Respect.SUBJECT, span(a, region.left), span(b, region.right), True)


def _region(a: Analysis, b: Analysis, region: Region, where: tuple[int, int]) -> Distinction | None:
    """Return what words in the place of others make: a difference, or None for another wording."""
    left, right = (told_words(tokens) for tokens in (region.left, region.right))
    if not left or not right:
        return None
    spans = span(a, left), span(b, right)
    subject = left[-1].start < where[0] and right[-1].start < where[1]
    opposed = _opposed(left, right)
    if opposed is not None:
        respect, one, other = opposed
        return Distinction(respect, one, other, apart=subject and respect is Respect.NAME)
    if _is_quoted(a, left) and _is_quoted(b, right):
        return None
    names = [token for token in left if token.name], [token for token in right if token.name]
    if subject:
        if _is_unique(a, b, where):
            return Distinction(Respect.NAME, *spans)
        return Distinction(Respect.SUBJECT, *spans, apart=True)
    if _limited(a, left[0]) and _limited(b, right[0]):
        return Distinction(Respect.SCOPE, *spans, apart=True)
    if max(len(left), len(right)) > slot_words(a):
        return Distinction(Respect.WORDING, *spans, apart=True)
    if names[0] and names[1]:
        if any(has_key({other.key for other in names[1]}, one.key) for one in names[0]):
            return None
        agree = names[0][0].denied == names[1][0].denied
        exclusive = agree and _is_exclusive(a, b, left, right)
        return Distinction(Respect.NAME, *spans, apart=not exclusive)
    if any(token.part == "verb" for token in (left[0], right[0])):
        if len(left) + len(right) <= 2:
            return None
        return Distinction(Respect.WORDING, *spans, apart=True)
    if _slot(a, left[0]) and _slot(b, right[0]) and _is_exclusive(a, b, left, right):
        return Distinction(Respect.NAME, *spans)
    liked = all(_is_liked(found, at[0]) for found, at in ((a, left), (b, right)))
    liked = liked and bool(_fields(left) & _fields(right))
    return Distinction(Respect.TASTE if liked else Respect.WORDING, *spans, apart=True)


def _fields(tokens: Sequence[Token]) -> set[int]:
    known = contrasts().fields
    return {field for token in tokens for field in known.get(token.key, ())}


def _is_liked(found: Analysis, token: Token) -> bool:
    """Return whether a word is the object of a liking: likings of one field may be one."""
    verb = _governor(found, token)
    return verb is not None and verb.key in words("verbs", "taste")


def _is_quoted(found: Analysis, tokens: Sequence[Token]) -> bool:
    return any(span(found, tokens).lower() in quoted for quoted in found.quoted)


def _opposed(left: Sequence[Token], right: Sequence[Token]) -> tuple[Respect, str, str] | None:
    """Return two words that exclude each other: opposites, or names of one role."""
    if len(left) > 3 or len(right) > 3:
        return None
    for one in left:
        for other in right:
            if contrasts().exclude(one.key, other.key):
                heads = one is left[0] and other is right[0]
                if heads or (len(one.surface) > 1 and len(other.surface) > 1):
                    return Respect.OPPOSITE, one.surface, other.surface
    return None


def _qualifies(region: Region, where: tuple[int, int]) -> bool:
    """Return whether words that only one text has narrow down its subject."""
    mine, theirs = telling_words(region.left), telling_words(region.right)
    return any(
        token.start < start and token.part == "content"
        for tokens, start in ((mine, where[0]), (theirs, where[1]))
        for token in tokens
    )


def _is_unique(a: Analysis, b: Analysis, where: tuple[int, int]) -> bool:
    """Return whether what is said is so of one thing only: `is the lead`, `owns billing`."""
    return all(
        pattern("unique").match(found.text, start) is not None
        for found, start in ((a, where[0]), (b, where[1]))
    )


def _limited(found: Analysis, token: Token) -> bool:
    """Return whether a word says where or for what a statement holds, not what it states."""
    before = found.text[: token.start]
    if found.script == "cjk":
        later = any(
            one.part in ("verb", "copula") and one.start > token.start for one in found.sequence
        )
        return later and pattern("limit_zh").search(before) is not None
    match = pattern("limit").search(before)
    if match is None:
        return False
    if match["limit"].lower() in words("scope", "words"):
        return True
    places = words("verbs", "place")
    return not any(one.key in places or one.surface.lower() in places for one in found.sequence)


def _is_exclusive(a: Analysis, b: Analysis, left: Sequence[Token], right: Sequence[Token]) -> bool:
    """Return whether what the sentence says can be said of one of both only."""
    if all(pattern("agent").search(x.text[: y[0].start]) for x, y in ((a, left), (b, right))):
        return True
    roles = software().role(left[0].surface), software().role(right[0].surface)
    if roles[0] and roles[1]:
        return roles[0] == roles[1]
    verbs = _governor(a, left[0]), _governor(b, right[0])
    if verbs[0] is None or verbs[1] is None:
        return True
    if any(
        one.key in words("verbs", "open") or one.surface in words("verbs", "open")
        for one in verbs
        if one
    ):
        return _share_a_head(a, b, left, right)
    return True


def _governor(found: Analysis, token: Token) -> Token | None:
    """Return the verb or copula that a word is the object of."""
    before = [one for one in found.sequence if one.start < token.start]
    return next((one for one in reversed(before) if one.part in ("verb", "copula")), None)


def _share_a_head(a: Analysis, b: Analysis, left: Sequence[Token], right: Sequence[Token]) -> bool:
    """Return whether the words are kinds of one thing: green tea, black tea."""
    one, other = (
        next((token for token in found.sequence if token.start >= tokens[-1].end), None)
        for found, tokens in ((a, left), (b, right))
    )
    if one is None or other is None or one.key != other.key or one.part != "content":
        return False
    gaps = (a.text[left[-1].end : one.start], b.text[right[-1].end : other.start])
    return all(not gap.strip() for gap in gaps)


def _slot(found: Analysis, token: Token) -> bool:
    """Return whether a word stands where a sentence has its value."""
    if is_verbal(token.surface.lower()):
        return False
    before = found.text[: token.start]
    return pattern("slot_zh" if found.script == "cjk" else "slot").search(before) is not None
