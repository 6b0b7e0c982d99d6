"""How something is doing: the status that a document gives it against what a memory says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omp_core.rules.sync.statements import Claim, ClaimKind, Statement

_KEYS = frozenset({"status", "state"})
_SAYS_NOTHING = frozenset({"deployment", "deployments", "service", "services", "main"})
_STATES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(words, re.IGNORECASE))
    for name, words in (
        (
            "down",
            r"\b(?:fail(?:ed|s|ing|ure)?|down|broken|errored|error|offline|disabled|stopped|dead"
            r"|retired|not (?:live|active|running|up|deployed))\b"
            r"|失败|挂了|下线|停用|停了|已停|异常|未上线",
        ),
        ("rolled back", r"\brolled[ -]?back\b|\breverted\b|回滚"),
        (
            "pending",
            r"\b(?:pending|queued|building|in progress|paused|planned|not yet)\b"
            r"|待(?:部署|上线|发布)|部署中|排队|暂停|还没(?:部署|上线)",
        ),
        (
            "up",
            r"\b(?:active|live|up|running|ok|healthy|deployed|online|success(?:ful)?|enabled)\b"
            r"|正常|上线|成功|运行|在线|启用",
        ),
    )
)
"""What a word says of how something is doing; the first that fits counts, as `not live` is down."""


_NEAR = 28
"""Characters after a name in which its state is said."""


def statuses(clause: str, fact: Statement) -> Iterator[Claim]:
    """Yield what both say of the status of one thing that the document names by its keys."""
    *named, last = fact.label.lower().split(".") if fact.label else [""]
    things = [part for part in named if part not in _SAYS_NOTHING]
    if last not in _KEYS or not things:
        return
    predicate, held = _predicate(clause, things), _state(fact.value)
    said = None if predicate is None else _state(predicate)
    if said and held:
        agrees = said[0] == held[0]
        yield Claim(ClaimKind.STATUS, ".".join(things), said[1], held[1], agrees)


def _predicate(clause: str, things: Sequence[str]) -> str | None:
    """Return what directly follows the last name of the thing; None where not all are named.

    A name stands by itself, not in another word, a path or an address; and what is said of it
    follows closely, since further on something else is spoken of.
    """
    ends = []
    for thing in things:
        name = re.sub(r"[-_ ]", "[-_ ]", re.escape(thing).replace("\\-", "-"))
        named = re.search(rf"(?<![\w./-]){name}(?![./-]?\w)", clause, re.IGNORECASE | re.ASCII)
        if named is None:
            return None
        ends.append(named.end())
    said = re.split(r"[,;:，；。：]\s|[，；。]", clause[max(ends) :].lstrip(" :："))[0]
    return said[:_NEAR]


def _state(text: str) -> tuple[str, str] | None:
    for name, words in _STATES:
        match = words.search(text)
        if match:
            return name, match[0]
    return None
