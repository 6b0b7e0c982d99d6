"""What a project fact and a user record claim of one thing: where they agree, where they differ.

Three kinds of entity are compared (extraction seed, conflict detection): addresses of a service,
technologies in a role, configured values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from urllib.parse import urlsplit

from omp_core.model import Record
from omp_core.rules.cross_home.names import Name, names, part_of
from omp_core.rules.cross_home.subjects import (
    URL,
    Subject,
    apart,
    host_subject,
    shared_words,
    spell_out,
    subject,
)
from omp_core.rules.similarity import RELATED_FROM, Thresholds, differs_in_fact, judge
from omp_core.settings import Settings
from omp_core.text.facts import facts
from omp_core.text.language import script
from omp_core.text.lexicon import FIXED_DATE
from omp_core.text.normal import normalise
from omp_core.text.quantities import Quantity

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

_MAIN_PARTS = frozenset({"frontend", "backend"})
_MAIN_ENVIRONMENTS = frozenset({"production"})
"""What an address is of that says no more than that it is the project's."""


class ClaimKind(StrEnum):
    """What two sides may differ in; `same` is a text that both have."""

    URL = "url"
    TECHNOLOGY = "technology"
    VALUE = "value"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Statement:
    """What a project document says: `value` of `label`. The label is empty for plain prose."""

    text: str
    label: str
    value: str

    @property
    def about(self) -> str:
        """The words that say what it is about."""
        return self.label or self.text

    @property
    def spelt_out(self) -> str:
        """The statement as a sentence can be compared with."""
        return f"{spell_out(self.label)} {self.value}" if self.label else self.text


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that both sides speak of. `key` names it, the values are as written; the
    user's is empty where it only says that the project's is not so.

    `sure` is whether words, not only likeness, show that both mean the same thing; of two
    texts that say the same, whether they are one text.
    """

    kind: ClaimKind
    key: str
    user_value: str
    project_value: str
    agrees: bool
    sure: bool = True


def statement_of(fact: Record) -> Statement:
    """Return what a mirrored record says, from the keys that the document has it under."""
    title, choice = fact.metadata.get("title"), fact.metadata.get("choice")
    if isinstance(title, str) and isinstance(choice, str) and title and choice:
        return Statement(f"{title}: {choice}", title, choice)
    label, colon, value = fact.content.partition(": ")
    in_yaml = not str(fact.metadata.get("file", "")).endswith(".md")
    if in_yaml and colon and " " not in label.strip() and value.strip():
        return Statement(fact.content, label, value.strip())
    return Statement(fact.content, "", fact.content)


def compare(
    user_text: str, fact: Statement, similarity: float | None, settings: Settings
) -> tuple[Claim, ...]:
    """Return what both texts claim of the same things.

    `similarity` is calibrated, None when there are no vectors.
    """
    claims = list(_claims(user_text, fact, similarity))
    if not any(not claim.agrees for claim in claims):
        identical = normalise(user_text) == normalise(fact.text)
        if identical or _says_the_same(
            user_text, fact, similarity, settings.cross_home.duplicate_from
        ):
            return (Claim(ClaimKind.SAME, "", user_text, fact.text, True, sure=identical),)
        claims += _contradiction(user_text, fact, similarity, settings.duplicates)
    return tuple(claims)


def _claims(user_text: str, fact: Statement, similarity: float | None) -> Iterator[Claim]:
    mine, theirs = subject(user_text), subject(fact.about)
    if not apart(mine, theirs):
        yield from _urls(user_text, fact, mine, theirs, similarity)
        yield from _technologies(user_text, fact, mine, theirs, similarity)
        yield from _values(user_text, fact, mine, theirs, similarity)


def _says_the_same(
    user_text: str, fact: Statement, similarity: float | None, duplicate_from: float
) -> bool:
    if similarity is None or similarity < duplicate_from:
        return False
    return differs_in_fact(user_text, fact.spelt_out) is None


def _contradiction(
    user_text: str, fact: Statement, similarity: float | None, thresholds: Thresholds
) -> Iterator[Claim]:
    """Two sentences that are one but for a number, a denial or a name."""
    if fact.label or similarity is None:
        return
    if judge(user_text, fact.text, similarity, thresholds) == "contradiction":
        difference = differs_in_fact(user_text, fact.text)
        if difference is not None:
            sure = script(user_text) == script(fact.text)
            yield Claim(
                ClaimKind.VALUE, "", difference.left, difference.right, agrees=False, sure=sure
            )


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
    if apart(mine, theirs):
        return
    named = (mine.latin & hosts[1].latin) | (theirs.latin & hosts[0].latin)
    sure = bool(named) or _common_ground(mine, theirs)
    may_be = not (_names_apart(mine) or _names_apart(theirs)) and (
        _names_nothing(mine) or _names_nothing(theirs) or _alike(similarity)
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
        if not (ground or (ground is None and _alike(similarity, RELATED_FROM))):
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


# values


def _values(
    user_text: str, fact: Statement, mine: Subject, theirs: Subject, similarity: float | None
) -> Iterator[Claim]:
    yield from _versions(user_text, fact)
    if not fact.label:
        return
    ground = _value_ground(user_text, fact, mine, theirs, similarity)
    if ground is None:
        return
    said = _quantities(user_text)
    held = [one for one in _quantities(fact.value) if one.start <= _HEAD]
    if not ground and not theirs.properties and not _is_bare(fact.value, held):
        return
    key = "+".join(sorted(theirs.properties)) or fact.label
    used: set[Quantity] = set()
    for quantity in held:
        twin = next((one for one in said if one not in used and one.matches(quantity)), None)
        if twin is not None:
            used.add(twin)
            yield _value(key, user_text, twin, fact, quantity, agrees=True, sure=ground)
            continue
        other = next(
            (
                one
                for one in said
                if one not in used and _comparable(one, quantity, user_text, fact)
            ),
            None,
        )
        if other is not None and not any(one.matches(other) for one in held):
            yield _value(key, user_text, other, fact, quantity, agrees=False, sure=ground)
            return


def _is_bare(value: str, held: Sequence[Quantity]) -> bool:
    """Return whether a value is a quantity and nothing else."""
    return len(held) == 1 and held[0].end - held[0].start == len(facts(value).text.strip())


def _value(
    key: str, user_text: str, mine: Quantity, fact: Statement, theirs: Quantity,
    *, agrees: bool, sure: bool,
) -> Claim:  # fmt: skip
    said = facts(user_text).text[mine.start : mine.end].strip()
    held = facts(fact.value).text[theirs.start : theirs.end].strip()
    return Claim(ClaimKind.VALUE, key, said, held, agrees, sure)


def _quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text that are no version of a named software."""
    versions = {name.version for name in names(text) if name.version is not None}
    return tuple(one for one in facts(text).quantities if one.value not in versions)


def _comparable(one: Quantity, other: Quantity, user_text: str, fact: Statement) -> bool:
    """Return whether two quantities can be values of one key. Two occasions are two facts."""
    if one.kind != other.kind or one.kind == "label":
        return False
    if one.kind == "date":
        return bool(FIXED_DATE.search(user_text) and FIXED_DATE.search(fact.spelt_out))
    if one.kind != "number":
        return True
    units = {quantity.value.partition(" ")[2] for quantity in (one, other)}
    if len(units) == 1 or "" not in units:
        return len(units) == 1
    return units.isdisjoint(("s", "month")) or bool(_DURATION.search(spell_out(fact.label)))


def _versions(user_text: str, fact: Statement) -> Iterator[Claim]:
    said = {name.key: name for name in names(user_text) if name.version and not name.denied}
    held = {name.key: name for name in names(fact.spelt_out) if name.version and not name.denied}
    for key in said.keys() & held.keys():
        mine, theirs = said[key], held[key]
        agrees = _same_version(str(mine.version), str(theirs.version))
        yield Claim(
            ClaimKind.VALUE, f"{key} version", str(mine.version), str(theirs.version), agrees
        )


def _same_version(one: str, other: str) -> bool:
    """`3.12` is `3.12.4` as far as it says."""
    return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))


def _value_ground(
    user_text: str, fact: Statement, mine: Subject, theirs: Subject, similarity: float | None
) -> bool | None:
    """Return whether both speak of the same key: True by words, False by likeness, else None."""
    used = frozenset(part_of(name.role) for name in names(user_text))
    if theirs.parts and used and not theirs.parts & (mine.parts | used):
        return None
    common = shared_words(mine, theirs)
    if theirs.properties:
        if not mine.properties & theirs.properties:
            return None
    elif not common:
        return False if _foreign(user_text, fact, mine, theirs) and _alike(similarity) else None
    if not theirs.words or common:
        return bool(common or mine.parts & theirs.parts or not theirs.parts)
    return False if _foreign(user_text, fact, mine, theirs) and _alike(similarity) else None


def _foreign(user_text: str, fact: Statement, mine: Subject, theirs: Subject) -> bool:
    """Return whether the texts are of two scripts, so that other words may mean the same.

    Latin words in the Chinese one are names, which would be in the other as well.
    """
    scripts = script(user_text), script(fact.about)
    return scripts[0] != scripts[1] and not (mine if scripts[0] == "cjk" else theirs).latin


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


def _names_apart(about: Subject) -> bool:
    """Return whether it names something beside what a project mainly is, in production."""
    return not (about.parts <= _MAIN_PARTS and about.environments <= _MAIN_ENVIRONMENTS)


def _alike(similarity: float | None, floor: float = ALIKE_FROM) -> bool:
    return similarity is not None and similarity >= floor
