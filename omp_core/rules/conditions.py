"""A query as people type it: `tier:long-term tag:db unread>30d words to look for`.

Conditions stand anywhere in the line, what is left over is the text. A condition in quotes
is text; a value with blanks stands in quotes: `tag:"two words"`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from omp_core.model import Category, Home, Query, Status, Tier

_TOKEN = re.compile(r'(?:[^\s"]|"[^"]*"?)+')
_KEYED = re.compile(r"(tier|category|status|home|tag|user|agent|app|run|is|id):(.*)", re.DOTALL)
_UNREAD = re.compile(r"unread>(\d{1,5})([dwm])")
_CONDITION = re.compile(rf"{_KEYED.pattern}|unread>.*", re.DOTALL)
_DAYS = {"d": 1, "w": 7, "m": 30}
_ANY = "any"

VALUES: Mapping[str, tuple[str, ...]] = {
    "tier": tuple(Tier),
    "category": tuple(Category),
    "status": (*Status, _ANY),
    "home": tuple(Home),
    "is": ("disputed", "expired", "proposed"),
}
"""What can stand behind a key that takes one of a few values."""
BEGINNINGS = (*(f"{key}:" for key in VALUES), "tag:", "user:", "agent:", "app:", "run:", "id:")
_SPANS = ("unread>7d", "unread>30d", "unread>90d", "unread>180d")


@dataclass(frozen=True, slots=True)
class Conditions:
    """A line that was read: the query that it narrows to, the text, what could not be read."""

    query: Query
    text: str
    taken: tuple[str, ...] = ()
    """The conditions that are in the query, as they were typed."""
    wrong: tuple[str, ...] = ()
    """Words that begin like a condition and name no value of it."""


def read_conditions(line: str, base: Query, now: datetime) -> Conditions:
    """Return what a line asks for, `base` being asked for already.

    Several tiers, categories or states let each of them through; of other conditions the last
    one counts. Never raises: what is wrong is left out of query and text, and named.
    """
    query, text, taken, wrong = base, [], [], []
    for token in _TOKEN.findall(line):
        narrowed = _narrowed(token, query, now)
        if narrowed is not None:
            query = narrowed
            taken.append(token)
        elif _CONDITION.fullmatch(token):
            wrong.append(token)
        else:
            bare = token.strip('"')
            quoted = token.startswith('"') and bool(_CONDITION.fullmatch(bare))
            text.append(bare if quoted else token)
    return Conditions(query, " ".join(text), tuple(taken), tuple(wrong))


def completion(line: str) -> str | None:
    """Return the line with its last word completed to a condition, if there is one for it."""
    found = re.search(r"\S+$", line)
    if found is None:
        return None
    word = found.group()
    key, colon, begun = word.partition(":")
    offered = [f"{key}:{value}" for value in VALUES.get(key, ())] if colon else list(BEGINNINGS)
    offered += _SPANS
    for whole in offered:
        if len(word) > 1 and whole.startswith(word) and (whole != word or begun):
            return line[: found.start()] + whole
    return None


def _narrowed(token: str, query: Query, now: datetime) -> Query | None:
    """Return the query with one condition more; None where the word is none."""
    span = _UNREAD.fullmatch(token)
    if span is not None:
        days = int(span.group(1)) * _DAYS[span.group(2)]
        return replace(query, unread_since=now - timedelta(days=days))
    keyed = _KEYED.fullmatch(token)
    if keyed is None:
        return None
    key, value = keyed.group(1), keyed.group(2).replace('"', "").strip()
    if not value or value not in VALUES.get(key, (value,)):
        return None
    return _BY_KEY[key](query, value)


def _with_status(query: Query, value: str) -> Query:
    if value == _ANY:
        return replace(query, statuses=frozenset())
    others = query.statuses if query.statuses != Query().statuses else frozenset()
    return replace(query, statuses=others | {Status(value)})


def _that_is(query: Query, value: str) -> Query:
    if value == "disputed":
        return replace(query, disputed=True)
    if value == "proposed":
        return replace(query, proposed=True)
    return replace(query, only_expired=True, include_expired=True)


_BY_KEY: Mapping[str, Callable[[Query, str], Query]] = {
    "tier": lambda query, value: replace(query, tiers=query.tiers | {Tier(value)}),
    "category": lambda query, value: replace(
        query, categories=query.categories | {Category(value)}
    ),
    "status": _with_status,
    "home": lambda query, value: replace(query, home=Home(value)),
    "tag": lambda query, value: replace(query, tag=value),
    "user": lambda query, value: replace(query, scope=replace(query.scope, user_id=value)),
    "agent": lambda query, value: replace(query, scope=replace(query.scope, agent_id=value)),
    "app": lambda query, value: replace(query, scope=replace(query.scope, app_id=value)),
    "run": lambda query, value: replace(query, scope=replace(query.scope, run_id=value)),
    "is": _that_is,
    "id": lambda query, value: replace(query, ids=frozenset({value})),
}
