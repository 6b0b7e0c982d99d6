"""Cut a sentence into parts that each hold one fact."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omp_core.extraction.classify.kinds import Kind
from omp_core.extraction.classify.signals import signals
from omp_core.extraction.classify.slots import slots

_BREAK = re.compile(
    r"[，；;]\s*|,\s+(?=\S)|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|\s+(?:[-–—]|--)\s+"
)
_BRACKETS = {"(": ")", "（": "）", "「": "」", "“": "”", "《": "》", "[": "]", "【": "】"}
_LEANING = re.compile(
    r"^(?:不|别|没|非|而不|因为|所以|但|不过|否则|这样|这是|那|也|还|就|才|再|并且|而且|省得|免得"
    r"|升上去|版本"
    r"|其他|其它|解释|加载|时区|都|一律"
    r"|not\b|no\b|never\b|because|since|so\b|but\b|or\b|otherwise|which|that|it\b|they\b|then\b"
    r"|you\b|one of"
    r"|everything else|nothing else|e2e|unless|even|after that|before that|and (?:it|they|that"
    r"|the other)\b)",
    re.IGNORECASE,
)
_OWN_FACT: dict[Kind, float] = {
    Kind.SLOT: 0.73,
    Kind.CONFIG: 0.7,
    Kind.PREFERENCE: 0.75,
    Kind.IDENTITY: 0.85,
    Kind.ENVIRONMENT: 0.85,
    Kind.MILESTONE: 0.84,
}
"""From which weight on a clause with such a cue stands on its own feet."""

_NAMED = re.compile(r"\b[A-Za-z][a-z0-9]*(?:[-_][A-Za-z0-9]+)+\b")
_OURS = re.compile(r"(?:我们|咱们?|本?项目|仓库)|(?:we|our|the project|the repo)\b", re.IGNORECASE)
_SELF = re.compile(r"我|\b(?:I|my)\b")


def clauses(sentence: str) -> list[str]:
    """Split at commas, semicolons, dashes, and gaps between Chinese words, outside brackets.

    Joined by their separators the parts give the sentence back; none is empty.
    """
    parts: list[str] = []
    start = 0
    for match in _BREAK.finditer(sentence):
        if _inside_brackets(sentence, match.start()) or not sentence[start : match.start()].strip():
            continue
        parts.append(sentence[start : match.end()])
        start = match.end()
    parts.append(sentence[start:])
    return [part for part in parts if part.strip()]


def facts(sentence: str) -> list[str]:
    """Split a sentence that states several facts ("tabs, short functions, Python 3.12").

    A clause begins a new fact when it carries a whole one, subject and value, and so does
    what stands before it; reasons, contrasts and additions stay with what they lean on.
    """
    groups: list[str] = []
    for clause in clauses(sentence):
        if groups and not (_stands(clause) and _stands(groups[-1])):
            groups[-1] += clause
        else:
            groups.append(clause)
    return [group.strip(" ，,；;") for group in groups]


def _stands(text: str) -> bool:
    if _LEANING.match(text.strip()):
        return False
    found = signals(text)
    named = bool(_NAMED.search(text)) or any(one.kind is Kind.SUBJECT for one in found)
    concrete = {
        Kind.SLOT: named or bool(slots(text)),
        Kind.IDENTITY: bool(_SELF.search(text)),
    }
    if named and _OURS.match(text.strip()) and any(one.kind is Kind.SLOT for one in found):
        return True
    return any(
        one.weight >= _OWN_FACT.get(one.kind, 2.0) and concrete.get(one.kind, True) for one in found
    )


def _inside_brackets(text: str, place: int) -> bool:
    return any(
        text.count(opening, 0, place) > text.count(closing, 0, place)
        for opening, closing in _BRACKETS.items()
    )


def joined(parts: Sequence[str]) -> str:
    """Return clauses as one text again, without separators at its ends."""
    return "".join(parts).strip(" ，,；;")
