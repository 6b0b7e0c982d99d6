"""Whether two texts say the same: the one comparison that every part of the product asks.

Similarity of vectors cannot tell: a contradiction ("port 8080" / "port 9090") looks like a
duplicate to every model. This reads the words. Texts that differ in one respect, with the same
subject, contradict each other; in two or more they are two facts (design, section 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from omp_core.language.alignment import Alignment, Region, align, swapped
from omp_core.language.analysis import Analysis, Token, analyse
from omp_core.language.quantities import Quantity, QuantityKind, unmatched
from omp_core.language.vocabulary import contrasts, pattern, quantifier_words, software, words


class Respect(StrEnum):
    """What two texts differ in."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    WEEKDAY = "weekday"
    VERSION = "version"
    LABEL = "label"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    QUANTIFIER = "quantifier"
    MODALITY = "modality"
    ORDER = "order"
    ROLE = "role"
    CORRECTION = "correction"
    NAME = "name"
    REPLACEMENT = "replacement"
    WORDING = "wording"
    TASTE = "taste"
    SUBJECT = "subject"
    SCOPE = "scope"
    MOOD = "mood"
    SEVERAL = "several"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two texts are to each other: the same when there is no `respect`.

    `left` and `right` are how each text has it. `same_subject` is whether both speak of one
    thing, so that not both can be true. `frame` is the share of words in common apart from the
    difference, 0..1; nothing is known of it across languages. `detail`: one text has an amount
    or a name that the other leaves open.
    """

    respect: Respect | None
    left: str = ""
    right: str = ""
    same_subject: bool = True
    frame: float = 1.0
    detail: bool = False

    @property
    def same(self) -> bool:
        """Whether no fact is stated differently."""
        return self.respect is None

    @property
    def alike(self) -> bool:
        """Whether nothing is stated differently but perhaps in other words."""
        return self.respect in (None, Respect.WORDING, Respect.TASTE)

    @property
    def contradicts(self) -> bool:
        """Whether both speak of one thing and differ in one respect."""
        return self.respect is not None and self.same_subject


@lru_cache(maxsize=8192)
def compare(a: str, b: str) -> Comparison:
    """Compare two texts of Chinese or English. The order of the arguments does not matter.

    A detail that only one of them has is no difference.
    """
    if b < a:
        turned = _compare(analyse(b), analyse(a))
        return replace(turned, left=turned.right, right=turned.left)
    return _compare(analyse(a), analyse(b))


@dataclass(frozen=True, slots=True)
class _Difference:
    """One respect. `apart`: it makes two facts of the texts, however alike the rest is."""

    respect: Respect
    left: str
    right: str
    apart: bool = False


def _compare(a: Analysis, b: Analysis) -> Comparison:
    if a.text == b.text:
        return Comparison(None)
    if a.mood != b.mood:
        return Comparison(Respect.MOOD, a.mood, b.mood, same_subject=False)
    if a.script != b.script:
        from omp_core.language.crossing import across

        found = [
            _Difference(Respect(kind), left, right, apart)
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
        return _concluded([turned, *_quantities(a, b, _predicates(a, b))], 1.0)
    where = _predicates(a, b)
    denials = list(_polarity(a, b))
    found = [*_quantities(a, b, where), *denials, *_limits(a, b, denied=bool(denials))]
    found += _quoted(a, b)
    corrected = any(one.respect is Respect.CORRECTION for one in found)
    found += _regions(a, b, laid, where, several=bool(found) and not corrected)
    if found and _period(a) != _period(b):
        found.append(_Difference(Respect.SCOPE, _period(a), _period(b), True))
    if not found and _each_adds(laid):
        found.append(_Difference(Respect.WORDING, a.text, b.text, True))
    changed = _replacement(a, b, laid, found)
    if changed is not None:
        return Comparison(Respect.REPLACEMENT, changed.left, changed.right, True, laid.closeness)
    return _concluded(found, _frame(laid, found), detail=_adds_detail(a, b))


def _concluded(found: Sequence[_Difference], frame: float, *, detail: bool = False) -> Comparison:
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
        token.name and not _has(others, token.key)
        for found, others in ((a, right), (b, left))
        for token in found.tokens
    )


def _one_kind(found: Sequence[_Difference]) -> bool:
    """Several amounts of one kind in the same words are one respect: what was measured anew."""
    return len({one.respect for one in found}) == 1 and found[0].respect in (
        Respect.NUMBER,
        Respect.OPPOSITE,
        Respect.VERSION,
        Respect.WORDING,
    )


def _is_brief(found: Analysis) -> bool:
    """Return whether a text says one thing in few words, so that a name is its value."""
    return len(_telling(found.sequence)) <= _SLOT_WORDS and found.text.count(" ") <= _BRIEF_SPACES


_BRIEF_SPACES = 8

# order and roles


def _turned(a: Analysis, b: Analysis) -> _Difference | None:
    """Find what was said first and is now said second, or who does it to whom."""
    if a.order and b.order:
        (first, second), (other_first, other_second) = a.order, b.order
        straight = _overlap(first, other_first) + _overlap(second, other_second)
        crossed = _overlap(first, other_second) + _overlap(second, other_first)
        if crossed > straight and crossed >= 1.0:
            return _Difference(Respect.ORDER, a.text, b.text)
        if straight >= 1.0 and straight > crossed:
            return None
    parts = swapped(a, b)
    if parts is None:
        return _turned_amounts(a, b)
    left, right = parts
    if _is_passive(a) != _is_passive(b):
        return None
    named = _span(a, left), _span(a, right)
    denied = {token.key: token.denied for token in a.tokens}
    flips = [
        token for token in b.tokens if token.key in denied and denied[token.key] != token.denied
    ]
    respect = Respect.CORRECTION if flips else Respect.ROLE
    return _Difference(respect, " … ".join(named), " … ".join(reversed(named)))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


def _turned_amounts(a: Analysis, b: Analysis) -> _Difference | None:
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
            return _Difference(Respect.NUMBER, _part(a, one), _part(b, other))
    return None


def _is_passive(found: Analysis) -> bool:
    return pattern("passive").search(found.text) is not None


# amounts

_QUANTITY_ORDER: tuple[QuantityKind, ...] = (
    "date",
    "version",
    "label",
    "weekday",
    "time",
    "number",
)


def _quantities(a: Analysis, b: Analysis, where: tuple[int, int]) -> Iterator[_Difference]:
    left, right = unmatched(a.quantities, b.quantities)
    for kind in _QUANTITY_ORDER:
        mine = [quantity for quantity in left if quantity.kind == kind]
        theirs = [quantity for quantity in right if quantity.kind == kind]
        for one, other in zip(mine, theirs, strict=False):
            respect = Respect(kind)
            if _counts_off(a, one, where[0]) and _counts_off(b, other, where[1]):
                respect = Respect.LABEL
            apart = respect is Respect.LABEL or _two_occasions(a, b, kind)
            yield _Difference(respect, _part(a, one), _part(b, other), apart)


def _counts_off(found: Analysis, quantity: Quantity, start: int) -> bool:
    """Return whether a number in the subject tells things apart: `module 3 uses …`."""
    if quantity.kind != "number" or " " in quantity.value or quantity.end > start:
        return False
    before = next((one for one in reversed(found.tokens) if one.end <= quantity.start), None)
    glued = before is not None and not found.text[before.end : quantity.start].strip()
    return (
        glued and before is not None and software().spelling(before.surface) not in software().names
    )


def _quoted(a: Analysis, b: Analysis) -> Iterator[_Difference]:
    mine, theirs = a.quoted - b.quoted, b.quoted - a.quoted
    if mine and theirs:
        yield _Difference(Respect.NAME, min(mine), min(theirs))


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


# denial, shares, obligation


def _polarity(a: Analysis, b: Analysis) -> Iterator[_Difference]:
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
            yield _Difference(Respect.CORRECTION, f"not {turned}", turned)
        return
    if (mine and _denies_the_shared(a, b, mine)) or (theirs and _denies_the_shared(b, a, theirs)):
        by_word = any(token.negative for token in (*a.tokens, *b.tokens))
        kind = Respect.OPPOSITE if by_word and a.denies == b.denies else Respect.NEGATION
        yield _Difference(kind, a.text.strip(), b.text.strip())


def _denies_the_shared(denier: Analysis, other: Analysis, shared: set[str]) -> bool:
    """Return whether the denial is about what the other text affirms.

    `not unittest` beside a text that does not name unittest denies nothing of it.
    """
    denied = [token for token in denier.tokens if token.denied]
    keys = {token.key for token in other.tokens}
    if any(token.name and not _has(keys, token.key) for token in denied):
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


def _limits(a: Analysis, b: Analysis, *, denied: bool) -> Iterator[_Difference]:
    """Compare the shares that the texts speak of, and how binding they are."""
    mine, theirs = a.quantifiers - b.quantifiers, b.quantifiers - a.quantifiers
    if denied:
        mine, theirs = mine - {"none"}, theirs - {"none"}
    for one, other in _SHARES:
        if (one <= mine and other <= theirs) or (one <= theirs and other <= mine):
            yield _Difference(
                Respect.QUANTIFIER, ", ".join(sorted(mine)), ", ".join(sorted(theirs))
            )
            return
    if (
        a.modality
        and b.modality
        and {a.modality, b.modality} in _STRENGTHS
        and a.denies == b.denies
    ):
        yield _Difference(Respect.MODALITY, a.modality, b.modality)


# words in the place of others


def _regions(
    a: Analysis, b: Analysis, laid: Alignment, where: tuple[int, int], *, several: bool
) -> Iterator[_Difference]:
    for region in laid.regions:
        found = _region(a, b, region, where)
        if found is not None:
            yield found
        elif several and not region.replaced and _qualifies(region, where):
            yield _Difference(Respect.SUBJECT, _span(a, region.left), _span(b, region.right), True)


def _region(a: Analysis, b: Analysis, region: Region, where: tuple[int, int]) -> _Difference | None:
    """Return what words in the place of others make: a difference, or None for another wording."""
    left, right = (_told(tokens) for tokens in (region.left, region.right))
    if not left or not right:
        return None
    spans = _span(a, left), _span(b, right)
    subject = left[-1].start < where[0] and right[-1].start < where[1]
    opposed = _opposed(left, right)
    if opposed is not None:
        respect, one, other = opposed
        return _Difference(respect, one, other, apart=subject and respect is Respect.NAME)
    if _is_quoted(a, left) and _is_quoted(b, right):
        return None
    names = [token for token in left if token.name], [token for token in right if token.name]
    if subject:
        if _is_unique(a, b, where):
            return _Difference(Respect.NAME, *spans)
        return _Difference(Respect.SUBJECT, *spans, apart=True)
    if _limited(a, left[0]) and _limited(b, right[0]):
        return _Difference(Respect.SCOPE, *spans, apart=True)
    if max(len(left), len(right)) > _slot_words(a):
        return _Difference(Respect.WORDING, *spans, apart=True)
    if names[0] and names[1]:
        if any(_has({other.key for other in names[1]}, one.key) for one in names[0]):
            return None
        agree = names[0][0].denied == names[1][0].denied
        exclusive = agree and _is_exclusive(a, b, left, right)
        return _Difference(Respect.NAME, *spans, apart=not exclusive)
    if any(token.part == "verb" for token in (left[0], right[0])):
        if len(left) + len(right) <= 2:
            return None
        return _Difference(Respect.WORDING, *spans, apart=True)
    if _slot(a, left[0]) and _slot(b, right[0]) and _is_exclusive(a, b, left, right):
        return _Difference(Respect.NAME, *spans)
    liked = all(_is_liked(found, at[0]) for found, at in ((a, left), (b, right)))
    liked = liked and bool(_fields(left) & _fields(right))
    return _Difference(Respect.TASTE if liked else Respect.WORDING, *spans, apart=True)


def _fields(tokens: Sequence[Token]) -> set[int]:
    known = contrasts().fields
    return {field for token in tokens for field in known.get(token.key, ())}


def _is_liked(found: Analysis, token: Token) -> bool:
    """Return whether a word is the object of a liking: likings of one field may be one."""
    verb = _governor(found, token)
    return verb is not None and verb.key in words("verbs", "taste")


def _is_quoted(found: Analysis, tokens: Sequence[Token]) -> bool:
    return any(_span(found, tokens).lower() in quoted for quoted in found.quoted)


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


def _told(tokens: Sequence[Token]) -> list[Token]:
    """Return the telling words, or those with content where none tells much."""
    return _telling(tokens) or [
        token
        for token in tokens
        if token.content and token.surface.lower() not in quantifier_words()
    ]


@lru_cache(maxsize=1)
def _idle_or_shares() -> frozenset[str]:
    return frozenset(words("idle", "words") | quantifier_words())


def _telling(tokens: Sequence[Token]) -> list[Token]:
    idle, groups = words("idle", "words"), contrasts().groups
    said_nothing = _idle_or_shares()
    return [
        token
        for token in tokens
        if (
            token.content
            and token.key not in idle
            and token.surface.lower() not in said_nothing
            and (token.key in groups or not _is_adverb(token.surface))
        )
        or (token.part == "relation" and token.key in groups)
    ]


def _is_adverb(word: str) -> bool:
    return word.isascii() and len(word) > 4 and word.endswith("ly")


_OWN_WORDS = 2
_OWN_CHARACTERS = 3
"""From so many words that the other text lacks a text says something of its own."""


def _each_adds(laid: Alignment) -> bool:
    """Return whether both texts have words of their own, each at another place."""
    mine = [token for one in laid.regions if not one.replaced for token in _telling(one.left)]
    theirs = [token for one in laid.regions if not one.replaced for token in _telling(one.right)]
    return all(
        sum(len(token.surface) for token in own) >= _OWN_CHARACTERS and len(own) >= _OWN_WORDS
        for own in (mine, theirs)
    )


def _period(found: Analysis) -> str:
    """Return on which side of a date a statement holds, empty without a date."""
    match = pattern("period").search(found.text)
    return match[0].lower() if match else ""


def _predicates(a: Analysis, b: Analysis) -> tuple[int, int]:
    """Return where in each text what is said of the subject begins."""
    for one in a.verbs:
        for other in b.verbs:
            if one.key == other.key or (one.part == "copula" and other.part == "copula"):
                return one.start, other.start
    return _begins(a), _begins(b)


def _begins(found: Analysis) -> int:
    """Return where the predicate begins: at a verb, an amount, or behind the first word."""
    starts = [found.verbs[0].start] if found.verbs else []
    starts += [one.start for one in found.quantities[:1] if one.start]
    return min(starts) if starts else next((one.end for one in found.tokens), 0)


def _qualifies(region: Region, where: tuple[int, int]) -> bool:
    """Return whether words that only one text has narrow down its subject."""
    mine, theirs = _telling(region.left), _telling(region.right)
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
    if _verbal(token.surface.lower()):
        return False
    before = found.text[: token.start]
    return pattern("slot_zh" if found.script == "cjk" else "slot").search(before) is not None


def _verbal(word: str) -> bool:
    """`are kept` and `are retained` may mean the same, `are red` cannot."""
    return word.isascii() and len(word) > 4 and word.endswith(("ed", "ing", "ly"))


def _has(keys: set[str], key: str) -> bool:
    """`Postgres` is there when `PostgreSQL` is."""
    return key in keys or any(
        min(len(key), len(other)) >= 4 and (key.startswith(other) or other.startswith(key))
        for other in keys
    )


def _frame(laid: Alignment, found: Sequence[_Difference]) -> float:
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


def _span(found: Analysis, tokens: Sequence[Token]) -> str:
    return found.text[tokens[0].start : tokens[-1].end] if tokens else ""


# one in the place of the other

_SLOT_WORDS = 4
_SLOT_CHARACTERS = 8
"""More words than this are no value of a slot but another statement."""


def _slot_words(found: Analysis) -> int:
    return _SLOT_CHARACTERS if found.script == "cjk" else _SLOT_WORDS


def _replacement(
    a: Analysis, b: Analysis, laid: Alignment, found: Sequence[_Difference]
) -> _Difference | None:
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
    if max(_own_words(new, old), _own_words(old, new)) > _slot_words(new):
        return None
    pair = _same_slot(said, held, old, new)
    if pair is None:
        return None
    left, right = pair
    return _Difference(Respect.REPLACEMENT, *((left, right) if new is a else (right, left)))


def _own_words(found: Analysis, other: Analysis) -> int:
    keys = {token.key for token in other.tokens}
    return sum(token.key not in keys for token in _telling(found.sequence))


def _values(found: Analysis) -> list[Token]:
    start = _begins(found)
    return [token for token in _telling(found.sequence) if token.start >= start or token.name]


def _other_subject(a: Analysis, b: Analysis, laid: Alignment) -> bool:
    where = _predicates(a, b)
    return any(
        left and right and left[-1].start < where[0] and right[-1].start < where[1]
        for left, right in ((_telling(one.left), _telling(one.right)) for one in laid.regions)
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
    common = _telling(old.sequence)[0].key == _telling(new.sequence)[0].key
    roles = {software().role(token.surface) for token in (*fresh, *gone)} - {None}
    if common and len(roles) < 2 and max(len(fresh), len(gone)) <= _slot_words(new):
        return _span(new, fresh), _span(old, gone)
    return None
