"""Where a project fact and a user record speak of one thing: they agree or they differ.

Three kinds of entity are compared (extraction seed, conflict detection): addresses of a service,
technologies in a role, configured values; and how something is doing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from urllib.parse import urlsplit

from omp_core.language.compare import compare as compare_texts
from omp_core.language.language import CJK, script
from omp_core.language.normal import normalise
from omp_core.language.verdict import RELATED_FROM, Thresholds, judge
from omp_core.rules.sync.software import Name, names, part_of
from omp_core.rules.sync.statements import (
    Claim,
    ClaimKind,
    Statement,
    clauses,
    says_one_thing,
)
from omp_core.rules.sync.statuses import statuses
from omp_core.rules.sync.subjects import (
    URL,
    Subject,
    apart,
    host_subject,
    shared_words,
    subject,
)
from omp_core.rules.sync.values import alike, values, versions
from omp_core.settings import Settings

_PROSE_WORDS = 3
"""So many words say something without the key they stand under; fewer are a bare value."""
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_MAIN_PARTS = frozenset({"frontend", "backend"})
_MAIN_ENVIRONMENTS = frozenset({"production"})
"""What an address is of that says no more than that it is the project's."""


def compare(
    user_text: str, fact: Statement, similarity: float | None, settings: Settings
) -> tuple[Claim, ...]:
    """Return what both texts claim of the same things, clause by clause of the user's.

    `similarity` is calibrated, None when there are no vectors.
    """
    claims = [
        claim
        for clause in clauses(user_text)
        for claim in _claims(clause, user_text, fact, similarity)
    ]
    if not any(not claim.agrees for claim in claims):
        identical = normalise(user_text) in _texts(fact)
        if identical or _says_the_same(
            user_text, fact, similarity, settings.cross_home.duplicate_from
        ):
            return (Claim(ClaimKind.SAME, "", user_text, fact.text, True, sure=identical),)
        claims += _contradiction(user_text, fact, similarity, settings.duplicates)
    if not says_one_thing(user_text):
        claims = [replace(claim, alone=False) for claim in claims]
    # a claim that says what is so tells more than one that says what is not
    return tuple(sorted(claims, key=lambda claim: not claim.user_value))


def _claims(
    clause: str, user_text: str, fact: Statement, similarity: float | None
) -> Iterator[Claim]:
    yield from statuses(clause, fact)
    mine, theirs = subject(clause), subject(fact.about)
    if not apart(mine, theirs):
        yield from _urls(clause, fact, mine, theirs, similarity)
        yield from _technologies(clause, fact, mine, theirs, similarity)
        yield from versions(clause, fact)
        yield from values(clause, user_text, fact, mine, theirs, similarity)


def _texts(fact: Statement) -> set[str]:
    """Return the texts that say what a document does: with its key, and alone if it is prose."""
    prose = len(fact.value.split()) >= _PROSE_WORDS or len(_CJK_CHARACTER.findall(fact.value)) >= 6
    return {normalise(fact.text), *([normalise(fact.value)] if prose else [])}


def _says_the_same(
    user_text: str, fact: Statement, similarity: float | None, duplicate_from: float
) -> bool:
    if similarity is None or similarity < duplicate_from:
        return False
    return compare_texts(user_text, fact.spelt_out).alike


def _contradiction(
    user_text: str, fact: Statement, similarity: float | None, thresholds: Thresholds
) -> Iterator[Claim]:
    """Two sentences that are one but for a number, a denial or a name."""
    if fact.label or similarity is None:
        return
    if judge(user_text, fact.text, similarity, thresholds) == "contradiction":
        found = compare_texts(user_text, fact.text)
        sure = script(user_text) == script(fact.text)
        yield Claim(ClaimKind.VALUE, "", found.left, found.right, agrees=False, sure=sure)


# addresses


def _urls(
    user_text: str, fact: Statement, mine: Subject, theirs: Subject, similarity: float | None
) -> Iterator[Claim]:
    said, held = _addresses(user_text), _addresses(fact.value)
    if not said or not held:
        return
    for url in said:
        twin = next((one for one in held if _address(one) == _address(url)), None)
        if twin is not None:
            yield Claim(ClaimKind.URL, "", url, twin, agrees=True)
            return
    url, other = said[0], held[0]
    hosts = host_subject(url), host_subject(other)
    mine, theirs = _filled_in(mine, hosts[0]), _filled_in(theirs, hosts[1])
    if apart(mine, theirs) or _beside(mine) != _beside(theirs):
        return
    named = (mine.latin & hosts[1].latin) | (theirs.latin & hosts[0].latin)
    sure = bool(named) or _common_ground(mine, theirs)
    may_be = not (_names_apart(mine) or _names_apart(theirs)) and (
        _names_nothing(mine) or _names_nothing(theirs) or alike(similarity)
    )
    if sure or may_be:
        yield Claim(ClaimKind.URL, "", url, other, agrees=False, sure=sure)


def _addresses(text: str) -> list[str]:
    return [found.rstrip(".,;:!?)]}'\"") for found in URL.findall(text)]


@lru_cache(maxsize=4096)
def _address(url: str) -> tuple[str, str, str]:
    """Return what makes an address this one; http and https are the same place."""
    parts = urlsplit(url)
    host = parts.netloc.lower().removesuffix(":443").removesuffix(":80")
    return host, parts.path.rstrip("/"), parts.query


def _filled_in(about: Subject, host: Subject) -> Subject:
    """Let the host speak where the words name no part, or no environment."""
    return replace(
        about,
        environments=about.environments or host.environments,
        parts=about.parts or host.parts,
    )


# technologies


def _technologies(
    user_text: str, fact: Statement, mine: Subject, theirs: Subject, similarity: float | None
) -> Iterator[Claim]:
    said, held = names(user_text), names(fact.value)
    affirmed = [name for name in held if not name.denied]
    for role in dict.fromkeys(name.role for name in said):
        ours = [name for name in said if name.role == role and not name.denied]
        left = [name for name in said if name.role == role and name.denied]
        other = [name for name in affirmed if name.role == role]
        if not other:
            continue
        ground = _role_ground(part_of(role), mine, theirs)
        if not (ground or (ground is None and alike(similarity, RELATED_FROM))):
            continue
        held_keys = {name.key for name in other}
        agreed = next((name for name in ours if name.key in held_keys), None)
        dropped = next((name for name in left if name.key in held_keys), None)
        if agreed is not None:
            yield _choice(role, agreed, agreed, agrees=True)
        elif ours:
            yield _choice(role, ours[0], other[0], agrees=False)
        elif dropped is not None:
            yield Claim(ClaimKind.TECHNOLOGY, role, "", dropped.surface, agrees=False)
    yield from _part_choice(said, affirmed, mine, theirs)


def _part_choice(
    said: tuple[Name, ...], held: list[Name], mine: Subject, theirs: Subject
) -> Iterator[Claim]:
    """A name for a part that the project fills with something of another kind: Postgres for
    searching beside Elasticsearch."""
    for part in sorted(mine.parts & theirs.parts):
        ours = [name for name in said if part_of(name.role) == part and not name.denied]
        fills = {name.role for name in held}
        if ours and held and not fills & {name.role for name in ours}:
            yield _choice(part, ours[0], held[0], agrees=False)


def _choice(role: str, ours: Name, other: Name, *, agrees: bool) -> Claim:
    return Claim(ClaimKind.TECHNOLOGY, role, ours.surface, other.surface, agrees)


def _role_ground(part: str, mine: Subject, theirs: Subject) -> bool | None:
    """Return whether both speak of that part of the project; None when neither names any."""
    if mine.parts and theirs.parts:
        return bool(mine.parts & theirs.parts)
    if mine.parts or theirs.parts:
        return part in mine.parts | theirs.parts
    return None


# what makes two subjects one


def _common_ground(mine: Subject, theirs: Subject) -> bool:
    return bool(
        mine.parts & theirs.parts
        or mine.environments & theirs.environments
        or shared_words(mine, theirs)
    )


def _names_nothing(about: Subject) -> bool:
    """Return whether it names nothing but the project itself."""
    return not (about.words or about.parts or about.environments)


def _beside(about: Subject) -> frozenset[str]:
    """Return the environments beside production; an address of staging is staging's alone."""
    return about.environments - _MAIN_ENVIRONMENTS


def _names_apart(about: Subject) -> bool:
    """Return whether it names something beside what a project mainly is, in production."""
    return not (about.parts <= _MAIN_PARTS and about.environments <= _MAIN_ENVIRONMENTS)
