"""Find the cues of both languages in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from omp_core.extraction.classify.cues_en import EN_CUES
from omp_core.extraction.classify.cues_zh import ZH_CUES
from omp_core.extraction.classify.deployments import changed_setting
from omp_core.extraction.classify.general_statements import general_statement
from omp_core.extraction.classify.kinds import Kind, Signal
from omp_core.extraction.classify.replacements import replacement
from omp_core.extraction.classify.slots import slots
from omp_core.extraction.classify.technologies import technologies

_SLOT_WEIGHT = 0.74
_REPLACEMENT_WEIGHT = 0.82
_SETTING_WEIGHT = 0.78
_TECHNOLOGY_WEIGHT = 0.35
_ORDER = re.compile(
    r"^(?:please |then |now |ok,? )?(?:set|change|bump|raise|lower|increase|reduce|update|put|add"
    r"|pin|enable"
    r"|disable|move|replace|rotate)\b|^(?:请|帮我|把|先|再|你)|\b(?:try again|rerun|and run)\b"
    r"|再(?:跑|试)",
    re.IGNORECASE,
)
_VALUE_WEIGHT = 0.3
_VALUE = re.compile(
    r"https?://\S+|\bv?\d+\.\d+(?:\.\d+)*\b|[\w.-]+/[\w./-]+|\d+\s*(?:%|ms|s|MB|GB|rps|次|分钟"
    r"|小时|天|行)"
    r"|#[a-z][\w-]+|(?<![\w-])-\d+"
)


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[Kind, float, re.Pattern[str]], ...]:
    return tuple(
        (cue.kind, cue.weight, re.compile(cue.pattern, re.IGNORECASE))
        for cue in (*ZH_CUES, *EN_CUES)
    )


def signals(text: str) -> tuple[Signal, ...]:
    """Return every cue in `text`, most urgent first, then in order of place.

    Cues of both languages are looked for in every text, since people mix them. Of one
    kind's cues that overlap only the strongest is kept, so nothing counts twice.
    """
    found = [
        Signal(kind, weight, match.start(), match.end())
        for kind, weight, pattern in _compiled()
        for match in pattern.finditer(text)
    ]
    found += [Signal(Kind.SLOT, _SLOT_WEIGHT, one.start, one.end) for one in slots(text)]
    if replacement(text) is not None:
        found.append(Signal(Kind.SLOT, _REPLACEMENT_WEIGHT, 0, len(text)))
    if changed_setting(text) and not _ORDER.search(text):
        found.append(Signal(Kind.CONFIG, _SETTING_WEIGHT, 0, len(text)))
    general = general_statement(text)
    if general:
        found.append(Signal(Kind.SLOT, general, 0, len(text)))
    if technologies(text):
        found.append(Signal(Kind.SUBJECT, _TECHNOLOGY_WEIGHT, 0, 0))
    value = _VALUE.search(text)
    if value:
        found.append(Signal(Kind.SUBJECT, _VALUE_WEIGHT, value.start(), value.end()))
    return tuple(sorted(_strongest(found), key=lambda one: (one.priority, one.start, one.end)))


def _strongest(found: Iterable[Signal]) -> list[Signal]:
    kept: list[Signal] = []
    for one in sorted(found, key=lambda signal: (-signal.weight, signal.start, signal.end)):
        if not any(_same_ground(one, other) for other in kept):
            kept.append(one)
    return kept


def _same_ground(one: Signal, other: Signal) -> bool:
    return one.kind is other.kind and one.start < other.end and other.start < one.end


def evidence(found: Sequence[Signal], kind: Kind) -> float:
    """Return how strongly the signals of one kind speak together, 0..1.

    Each is taken as independent evidence: 1 - product of (1 - weight).
    """
    doubt = 1.0
    for one in found:
        if one.kind is kind:
            doubt *= 1.0 - one.weight
    return 1.0 - doubt
