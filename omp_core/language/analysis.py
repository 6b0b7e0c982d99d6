"""What a text states, as far as words can tell: its words in order, quantities, denials, limits.

A text is first brought to a canonical wording, so that equal statements have equal words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from omp_core.language.language import CJK, Script, script
from omp_core.language.quantities import Quantity, quantities, with_digits
from omp_core.language.stopwords import FUNCTION_CHARACTERS, FUNCTION_WORDS
from omp_core.language.tokens import stem
from omp_core.language.vocabulary import (
    chinese_words,
    contrasts,
    lexicon,
    pattern,
    phrases,
    same_wording,
    software,
    words,
)

Part = Literal["content", "verb", "relation", "copula", "conjunction"]
Mood = Literal["stated", "doubted", "asked"]

_SAYS_NOTHING = FUNCTION_WORDS | {"user", "users", "project", "we", "our"}
"""Besides grammar: nearly everything in a memory is said of the user or the project."""
_QUOTED = re.compile(r"[“\"「『《`]([^”\"」』》`\n]{1,60})[”\"」』》`]")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？:：\n])[\s\"“'(\-*]*$")
_SPACED = re.compile(rf"(?<=[{CJK}])\s+(?=[{CJK}])")
_MEASURES = frozenset("个名位次条台份家种只件张遍项人")
_DETERMINERS = frozenset(
    ("the", "a", "an", "every", "each", "our", "this", "that", "of", "no", "any")
)
_AUXILIARIES = frozenset(
    (
        "is",
        "are",
        "was",
        "were",
        "must",
        "may",
        "can",
        "should",
        "will",
        "has",
        "have",
        "do",
        "does",
        "be",
    )
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or one CJK character, that carries content or relates what does.

    `key` compares: small letters, stemmed, short forms spelt out; a word that is the "not" of
    another has the other's key. `name` marks what is written like a name, `denied` what an odd
    number of negations reaches, its own among them; `negative` is a word that denies by itself.
    """

    key: str
    surface: str
    start: int
    end: int
    part: Part
    name: bool
    denied: bool
    negative: bool = False

    @property
    def content(self) -> bool:
        """Whether it is more than grammar."""
        return self.part in ("content", "verb")


@dataclass(frozen=True)
class Analysis:
    """What was found in `text`, which is the original in canonical wording; `plain` is not.

    `tokens` are those with content, `sequence` also those that relate them. `changed`: it says
    that something takes the place of what was.
    """

    text: str
    plain: str
    script: Script
    sequence: tuple[Token, ...]
    quantities: tuple[Quantity, ...]
    denies: bool
    changed: bool

    # What only a comparison asks for is read when it asks: most texts are put aside before.

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens with content, in order."""
        return tuple(token for token in self.sequence if token.content)

    @cached_property
    def quoted(self) -> frozenset[str]:
        """What stands in quotation marks, in small letters."""
        return frozenset(match[1].strip().lower() for match in _QUOTED.finditer(self.text))

    @cached_property
    def mood(self) -> Mood:
        """Whether the text states, doubts or asks."""
        return _mood(self.plain)

    @cached_property
    def quantifiers(self) -> frozenset[str]:
        """The shares that the text speaks of."""
        return _quantifiers(self.plain)

    @cached_property
    def modality(self) -> str | None:
        """How binding it is."""
        return _modality(self.plain)

    @cached_property
    def order(self) -> tuple[frozenset[str], frozenset[str]] | None:
        """What it puts first and what after that."""
        return _order(self.text, self.script)

    @cached_property
    def verbs(self) -> tuple[Token, ...]:
        """The places where a predicate may begin, the likeliest first."""
        return _verbs(self.sequence, self.text)


@lru_cache(maxsize=4096)
def analyse(text: str) -> Analysis:
    """Read what `text` states. Never fails; what it does not understand is plain words."""
    kind = script(text)
    plain = _plain(text)
    canonical = same_wording(with_digits(plain))
    found = quantities(canonical)
    taken = [(quantity.start, quantity.end) for quantity in found]
    denials = _denied_spans(canonical)
    taken += [(start, inside) for start, inside, _ in denials]
    sequence = tuple(_sequence(canonical, kind, taken, denials))
    double = [span for span in denials if _first_inside(sequence, span) is not None]
    if double:  # "not impossible" denies neither the word nor what follows
        lifted = {_first_inside(sequence, span) for span in double}
        denials = [span for span in denials if span not in double]
        sequence = tuple(
            replace(token, denied=False) if token.start in lifted else token
            for token in _sequence(canonical, kind, taken, denials)
        )
    return Analysis(
        text=canonical,
        plain=plain,
        script=kind,
        sequence=sequence,
        quantities=tuple(found),
        denies=bool(denials),
        changed=says_changed(text),
    )


@lru_cache(maxsize=8192)
def says_changed(text: str) -> bool:
    """Return whether a text says that something has changed, without reading the rest of it."""
    return _changed(_plain(text))


def _plain(text: str) -> str:
    return _SPACED.sub("", unicodedata.normalize("NFKC", text))


def _changed(plain: str) -> bool:
    return bool(phrases("change", "markers").search(plain))


def _denied_spans(text: str) -> list[tuple[int, int, int]]:
    """Return (start of the mark, its end, end of the clause that it denies)."""
    marks = [match.span() for match in pattern("negation").finditer(text)]
    marks += [match.span("mark") for match in pattern("rejected").finditer(text)]
    spans = []
    for start, end in sorted(marks):
        stop = pattern("clause_end").search(text, end)
        spans.append((start, end, stop.start() if stop else len(text)))
    return spans


def _first_inside(sequence: Sequence[Token], span: tuple[int, int, int]) -> int | None:
    """Return where the first word that a mark denies stands, if it denies by itself."""
    first = next((token for token in sequence if span[1] <= token.start < span[2]), None)
    return first.start if first is not None and first.negative else None


# words


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    known = "|".join(map(re.escape, chinese_words()))
    return re.compile(
        rf"(?P<known>{known})|(?P<cjk>[{CJK}])"
        rf"|(?P<word>[^\W_{CJK}]+(?:[-_./+#@][^\W_{CJK}]+)*(?:\+\+|\#)?)|(?P<mark>、|→|->)"
    )


def _sequence(
    text: str, kind: Script, taken: list[tuple[int, int]], denials: list[tuple[int, int, int]]
) -> list[Token]:
    blanked = text
    for start, end in taken:
        blanked = blanked[:start] + " " * (end - start) + blanked[end:]
    counted = {end for _start, end in taken}
    tokens = []
    for match in _word().finditer(blanked):
        token = _token(text, kind, match, denials)
        measures = token.surface in _MEASURES and token.start in counted
        if not measures and not _says_nothing(token, text):
            tokens.append(token)
    return tokens


def _says_nothing(token: Token, text: str) -> bool:
    if token.part not in ("content", "verb") or (token.name and len(token.surface) == 1):
        return False
    if token.surface in FUNCTION_CHARACTERS:
        return True
    return token.surface.lower() in _SAYS_NOTHING


def _token(
    text: str, kind: Script, match: re.Match[str], denials: list[tuple[int, int, int]]
) -> Token:
    surface = match[0]
    word = _read_word(surface)
    reached = sum(inside <= match.start() < stop for _, inside, stop in denials) + word.negative
    return Token(
        key=word.key,
        surface=surface,
        start=match.start(),
        end=match.end(),
        part=word.part,
        name=match.lastgroup == "word" and _is_name(text, kind, match, word),
        denied=reached % 2 == 1,
        negative=word.negative,
    )


@dataclass(frozen=True, slots=True)
class _Word:
    """What a word is wherever it stands. `software`: it names some, and is no everyday word."""

    key: str
    part: Part
    negative: bool
    software: bool


@lru_cache(maxsize=1 << 14)
def _read_word(surface: str) -> _Word:
    key = software().spelling(surface)
    if key.isascii() and key.isalpha():
        key = lexicon("grammar")["irregular"].get(key, key)
        key = key if key in software().names else stem(key)
    key = contrasts().synonyms.get(key, key)
    if key.isascii() and key.endswith(("er", "est")):
        key = contrasts().degree_of(key)
    negatives = contrasts().negatives
    negative = key in negatives
    if negative:
        key = negatives[key]
    named = software().role(surface) and surface.lower() not in software().everyday
    return _Word(key, _part(surface, key), negative, bool(named))


def _part(surface: str, key: str) -> Part:
    low = surface.lower()
    if low in words("symmetric", "copulas"):
        return "copula"
    if low in words("relations", "words"):
        return "relation"
    if low in words("symmetric", "words"):
        return "conjunction"
    return "verb" if key in _verb_keys() or low in _verb_keys() else "content"


@lru_cache(maxsize=1)
def _verb_keys() -> frozenset[str]:
    lists = ("open", "exclusive", "place", "common", "chinese")
    return frozenset().union(*(words("verbs", name) for name in lists))


def _is_name(text: str, kind: Script, match: re.Match[str], word: _Word) -> bool:
    surface = match[0]
    if kind == "cjk" or not surface.isalpha() or surface[1:] != surface[1:].lower():
        return True
    if word.software:
        return surface.lower() not in software().ordinary
    return surface[0].isupper() and not _SENTENCE_START.search(text, 0, match.start())


def _verbs(sequence: tuple[Token, ...], text: str) -> tuple[Token, ...]:
    """Return the tokens where the predicate may begin, the likeliest first."""
    likely: list[Token] = []
    possible: list[Token] = []
    for at, token in enumerate(sequence):
        if token.part not in ("verb", "copula"):
            continue
        low = token.surface.lower()
        before = text[: token.start].split()[-1:] if token.surface.isascii() else []
        if before and before[0].lower() in _DETERMINERS:
            continue
        plain = low.isascii() and low not in _AUXILIARIES and not low.endswith("s")
        (possible if plain and at > 0 else likely).append(token)
    return (*likely, *possible)


# limits


def _mood(text: str) -> Mood:
    if re.search(r"[?？]\s*$", text) or phrases("mood", "questions").search(text):
        return "asked"
    return "doubted" if phrases("mood", "hedges").search(text) else "stated"


def _quantifiers(text: str) -> frozenset[str]:
    only = phrases("quantifiers", "only")
    rest = only.sub(" ", text)  # "nobody except" is neither nobody nor an exception
    names = ("all", "most", "some", "except", "none", "rarely")
    found = {name for name in names if phrases("quantifiers", name).search(rest)}
    return frozenset(found | {"only"} if rest != text else found)


def _modality(text: str) -> str | None:
    for name in ("exempt", "permit", "oblige"):
        if phrases("modality", name).search(text):
            return name
    return None


# order

_ORDERS_EN = (
    re.compile(r"^(?:only )?(?:before|prior to)\s+(?P<second>[^,]+),\s*(?P<first>.+)$", re.I),
    re.compile(r"^(?:only )?(?:after|once|following)\s+(?P<first>[^,]+),\s*(?P<second>.+)$", re.I),
    re.compile(r"^(?P<first>.+?),?\s(?:before|prior to)\s(?P<second>.+)$", re.I),
    re.compile(r"^(?P<second>.+?),?\s(?:only )?(?:after|once|following)\s(?P<first>.+)$", re.I),
    re.compile(
        r"^(?P<first>.+?),?\s(?:and )?(?:then|afterwards|followed by)\s(?P<second>.+)$", re.I
    ),
)
_ORDERS_ZH = (
    re.compile(r"先(?P<first>.+?)[，,]?(?:再|然后|之?后再?|才|接着)(?P<second>.+)$"),
    re.compile(
        r"^(?P<second>.+?)(?<![目当提从])前(?![端台面期缀后])[，,]?(?:不?[要得])?先?(?P<first>.+)$"
    ),
    re.compile(
        r"^(?P<first>.+?)(?<![最今然前])后(?![端台面期缀续果])[，,]?(?:再|才|就)?(?P<second>.+)$"
    ),
    re.compile(r"^(?P<first>.+?)(?:[，,]再|[，,]然后|再|然后|接着)(?P<second>.+)$"),
)


def _order(text: str, kind: Script) -> tuple[frozenset[str], frozenset[str]] | None:
    line = text.strip(" .。!！")
    for frame in _ORDERS_ZH if kind == "cjk" else _ORDERS_EN:
        match = frame.search(line)
        if match is not None:
            first, second = _bag(match["first"]), _bag(match["second"])
            if first and second:
                return first, second
    return None


def _bag(text: str) -> frozenset[str]:
    """Return the keys of the words with content in a part of a text."""
    kind = script(text)
    tokens = _sequence(text, kind, [(one.start, one.end) for one in quantities(text)], [])
    sets_order = words("relations", "words")
    return frozenset(token.key for token in tokens if token.content and token.key not in sets_order)
