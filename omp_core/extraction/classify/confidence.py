"""How sure it is that a sentence states a lasting fact, 0..1."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omp_core.extraction.classify.general_statements import general_statement
from omp_core.extraction.classify.kinds import Kind, Level, Signal
from omp_core.extraction.classify.signals import evidence
from omp_core.extraction.classify.work_words import PROJECT_THING, WORKPLACE
from omp_core.settings import ConfidenceSettings

MOST = 0.95
"""No statement is surer, unless the person asks for it to be remembered."""
ASKED = 0.98
HEARSAY = 0.55
"""What a third party said has to be confirmed (memory skill: ask before saving)."""
AGENT_RESULT = 0.85
"""What an agent reports done, at most: less than a person's word, as it may be mistaken."""
REPORTED = 0.9
"""A deployment or release that the person tells of."""
FIRM = 0.8
"""What a person puts right, where no cue says how lasting it is."""
CONFIRMED_PROPOSAL = 0.8
"""A proposal of the agent that the person took up: inferred."""
NODDED_PROPOSAL = 0.55
"""A recommendation answered by a bare yes: may be no more than leave to go on."""
REPEATED = 0.15
"""Added when the same is said again: stable preferences are said twice (memory skill)."""

_HEDGE = re.compile(
    r"有点|比较|稍微|差不多|一般般|还行|勉强|基本上|算是|尽量|最好"
    r"|\b(?:kind of|sort of|a bit|somewhat|more or less|roughly|mostly)\b",
    re.IGNORECASE,
)
_DEICTIC = re.compile(
    r"(?:^|[，,\s])这(?:个|里|行|段|句|条|块)?(?:函数|文件|变量|按钮|报错|测试|类|方法|参数|图"
    r"|接口|改|换|地方|里|行|段|的)|刚才那|你刚|上面(?:那|的)"
    r"|\b(?:this|that) (?:function|line|file|test|class|method|button|one|page|component|error"
    r"|variable|icon|row)\b"
    r"|\b(?:it|that|this|they) (?:has|have|needs?|must|should)\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"挂了|报错|崩了|连不上|卡死|失败|白屏|被占用|没反应|红了|过了$|绿了|\bbug\b|出问题|有问题"
    r"|掉线|重启了|真烂"
    r"|\b(?:is|are|was|were|keeps?|got) (?:(?!shut)\w+ )?(?:down|broken|stuck|slow|wrong|weird"
    r"|missing"
    r"|green|red|angry"
    r"|failing|crashing|hanging|running out|passing|flaky|dead slow)\b"
    r"|\b(?:fails?|failed|returns? (?:\d{3}|null|nothing)|loads? slowly|hangs|bug|typo)\b",
    re.IGNORECASE,
)
_SOFT_KINDS = frozenset({Kind.NORM, Kind.DIRECTIVE, Kind.PREFERENCE, Kind.SLOT, Kind.SUBJECT})
_HEDGE_FACTOR = 0.93
_WISHES = frozenset({Kind.NORM, Kind.DIRECTIVE, Kind.PREFERENCE})
_PASSING_KINDS = frozenset({Kind.NORM, Kind.DIRECTIVE, Kind.SLOT})
_DEICTIC_FACTOR = 0.45
_TROUBLE_FACTOR = 0.4


def confidence(found: Sequence[Signal], kind: Kind, text: str) -> float:
    """Return how sure it is that `text`, said by the person, is a lasting fact.

    The kinds' evidence counts as independent. Hedging lowers it a little. Pointing at the
    thing at hand ("this function") lowers wishes and rules a lot, as they hold only there,
    and so does trouble ("the database is down"), which passes.
    """
    doubt = 1.0
    for other in Kind:
        if other is not Kind.REPORT:
            doubt *= 1.0 - evidence(_counted(found), other)
    asked = evidence(found, Kind.REMEMBER) >= 0.9
    sure = min(1.0 - doubt, ASKED if asked else MOST)
    if asked:
        return sure
    if _HEDGE.search(text):
        sure *= _HEDGE_FACTOR
    if kind in _SOFT_KINDS and _DEICTIC.search(text):
        sure *= _DEICTIC_FACTOR
    if kind in _PASSING_KINDS and _TROUBLE.search(text):
        sure *= _TROUBLE_FACTOR
    return sure


def lasting(text: str) -> bool:
    """Tell whether a statement without any cue is about something that lasts: about the person or
    what is theirs, concrete, and neither about the thing at hand nor about trouble with it.
    """
    if _DEICTIC.search(text) or _TROUBLE.search(text) or _AT_HAND.search(text):
        return False
    about_work = PROJECT_THING.search(text) or WORKPLACE.search(text)
    theirs = _THEIRS.search(text) or about_work or _CONTRAST.search(text)
    return bool(theirs) or general_statement(text) > 0.0


_CONTRAST = re.compile(r"\w,? not \w|[^，。]，?不是[^，。]", re.IGNORECASE)
_AT_HAND = re.compile(
    r"^(?:这里|这儿|这块|现在(?:可以|好)|要(?:重启|改|换|加|删))|问题|可以了"
    r"|\b(?:bug|problem|issue|wrong|missing|right now|here)\b|^(?:it|this|that|there)\b",
    re.IGNORECASE,
)
_THEIRS = re.compile(
    r"我|\b(?:I|my|we|our|us)\b|^(?:the|这个|本|该)\s?\w+.*[\d一二三四五六七八九十百千万两]",
    re.IGNORECASE,
)


def _counted(found: Sequence[Signal]) -> list[Signal]:
    """Leave out the weaker of two wishes or rules that are read from the same words."""
    kept: list[Signal] = []
    for one in sorted(found, key=lambda signal: -signal.weight):
        wish = one.kind in _WISHES
        twice = any(
            other.kind in _WISHES and one.start < other.end and other.start < one.end
            for other in kept
        )
        if not (wish and twice):
            kept.append(one)
    return kept


def level(value: float, settings: ConfidenceSettings) -> Level:
    """Return the name of a confidence under the thresholds of the settings."""
    if value >= settings.explicit_from:
        return Level.EXPLICIT
    if value >= settings.store_from:
        return Level.INFERRED
    return Level.UNCERTAIN if value >= settings.drop_below else Level.NOISE
