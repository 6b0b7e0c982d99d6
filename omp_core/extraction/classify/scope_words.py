"""Whom a fact concerns, and what kind of fact it is in the end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omp_core.extraction.classify.kinds import Kind, ScopeKind, Signal
from omp_core.extraction.classify.signals import evidence
from omp_core.extraction.classify.technologies import technologies
from omp_core.extraction.classify.work_words import PROJECT_THING, WORKPLACE

_LEADING: dict[Kind, float] = {
    Kind.GOAL: 1.3,
    Kind.CONCEPT: 1.15,
    Kind.MILESTONE: 1.15,
    Kind.IDENTITY: 1.06,
    Kind.LESSON: 1.1,
    Kind.ENVIRONMENT: 1.05,
    Kind.CONFIG: 1.05,
    Kind.DEPLOYMENT: 1.04,
    Kind.DECISION: 1.06,
    Kind.PREFERENCE: 1.0,
    Kind.DIRECTIVE: 0.99,
    Kind.PATH: 0.98,
    Kind.SLOT: 0.96,
    Kind.NORM: 0.93,
}
"""How readily a kind names the whole when several speak: the narrower goes first."""

_WE = re.compile(
    r"我们|咱们?|项目|仓库|团队|组里|代码里|\b(?:we|our|us|the (?:team|repo|project|codebase))\b",
    re.I,
)
_YOU = re.compile(
    r"你|给我|我的?(?:习惯|风格)|\b(?:you|your|me|please|my)\b|^(?:always|never|keep|don'?t)\b",
    re.I,
)
_COMPANY = re.compile(r"公司|集团|部门|\b(?:company|corporate)\b", re.I)
_ONLY_I = re.compile(r"(?<![\w])我(?!们)|\bI\b|\bmy\b")


def leading_kind(found: Sequence[Signal]) -> Kind | None:
    """Return what the signals together say the fact is, None if there are none."""
    scored = [
        (evidence(found, kind) * weight, kind)
        for kind, weight in _LEADING.items()
        if evidence(found, kind) > 0.0
    ]
    if scored:
        return max(scored, key=lambda pair: pair[0])[1]
    for kind in (Kind.REMEMBER, Kind.REPORT):
        if evidence(found, kind) > 0.0:
            return kind
    return None


_MANNERS = re.compile(
    r"表情|语气|客套|\b(?:emojis?|exclamation marks?|answers?|replies|explanations?"
    r"|bullet points?)\b",
    re.IGNORECASE,
)
_CONVERSATION = re.compile(
    r"回答|回复|解释|说明|汇报|总结|给我|跟我|问我|叫我|对我|和我|催你|我(?!们)|你|语气|表情"
    r"|废话|客套|举例|注释|示例"
    r"|\b(?:answers?|repl(?:y|ies)|respon[ds]\w*|explain\w*|explanations?|summar\w+|bullet points?"
    r"|emojis?|tone|me|my|I|you|your|please|stop|quit"
    r"|apolog\w+|comments?|diffs?|plan|hunks?|paragraphs?|examples?)\b",
    re.IGNORECASE,
)


_ASKING = re.compile(
    r"^(?:请|麻烦)?(?:你)?(?:帮我|给我)?记(?:住|一下|下来|好|牢)?|^(?:please "
    r"|can you )*(?:remember|note)\b(?: for me)?",
    re.IGNORECASE,
)
"""How the person asks for something to be remembered."""


def _directed(text: str) -> ScopeKind:
    """A wish about the talk is the person's; a rule about the work is the project's."""
    if _CONVERSATION.search(text):
        return ScopeKind.PERSONAL
    if PROJECT_THING.search(text) or WORKPLACE.search(text) or _WE.search(text):
        return ScopeKind.PROJECT
    return ScopeKind.PERSONAL


def _of_talk(text: str) -> bool:
    return bool(_CONVERSATION.search(_ASKING.sub("", text)))


def scope_kind(kind: Kind, text: str, *, asked: bool = False) -> ScopeKind:
    """Return whom a fact of this kind concerns (extraction seed, scope).

    The person's own traits are PERSONAL, what "we" or a part of the project do is PROJECT,
    and knowledge that is about neither is UNIVERSAL. A rule about nothing in particular that
    the person asks to be remembered (`asked`) is about working together: PERSONAL.
    """
    if kind in (Kind.IDENTITY, Kind.PREFERENCE):
        return ScopeKind.PERSONAL
    if kind is Kind.DIRECTIVE:
        return _directed(text)
    if kind is Kind.ENVIRONMENT:
        return ScopeKind.PERSONAL
    if kind in (Kind.DECISION, Kind.MILESTONE, Kind.DEPLOYMENT, Kind.CONFIG, Kind.PATH, Kind.SLOT):
        return ScopeKind.PROJECT
    if kind in (Kind.CONCEPT, Kind.GOAL, Kind.REPORT):
        return ScopeKind.PROJECT
    if kind is Kind.LESSON:
        if _WE.search(text) or not _ONLY_I.search(text):
            return ScopeKind.PROJECT
        return ScopeKind.UNIVERSAL if technologies(text) else ScopeKind.PERSONAL
    if kind is Kind.NORM and _MANNERS.search(text):
        return ScopeKind.PERSONAL
    if (
        _WE.search(text)
        or PROJECT_THING.search(text)
        or (kind is Kind.NORM and WORKPLACE.search(text) and not (asked and _of_talk(text)))
    ):
        return ScopeKind.PROJECT
    if _YOU.search(text) or _ONLY_I.search(text) or asked:
        return ScopeKind.PERSONAL
    return ScopeKind.PROJECT if technologies(text) or kind is Kind.NORM else ScopeKind.PERSONAL
