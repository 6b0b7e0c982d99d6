"""Recognise statements that hold in general by their form, where no cue word helps.

"Saves are JSON, compressed with zstd" and "热更新走 HybridCLR" name no rule and no choice,
yet they say how things are: a subject that is no pronoun and points at nothing at hand, a
verb in the present, and something concrete said of it. What happened ("failed", 了), what
is asked for (an imperative has no subject) and what is merely judged ("too long") differ in
form.
"""

from __future__ import annotations

import re

from omp_core.extraction.classify.technologies import technologies
from omp_core.extraction.classify.work_words import PROJECT_THING, WORKPLACE
from omp_core.language.language import script

NAMED = 0.72
"""Weight of a general statement whose predicate names something: a tool, an identifier."""
COUNTED = 0.55
"""Weight of one that is concrete only by a number, which may be a reading of the moment."""

_EN_VERB = (
    r"is|are|isn'?t|aren'?t|has|have|runs?|lives?|uses?|goes|go|needs?|takes?|happens?|comes?"
    r"|sits?|gets?"
    r"|requires?|supports?|targets?|starts?|stays?|expects?|contains?|holds?|writes?|reads?"
    r"|talks?|sends?"
    r"|follows?|belongs?|comes?|sells?|serves?|covers?|never \w+s?|depends?|falls?|must|cannot"
    r"|ships?|ends? up|points?|listens?|stores?|inherits?"
)
_EN_STATEMENT = re.compile(
    rf"^(?P<subject>[A-Za-z\"'“`#/][^,;:!?]{{1,60}}?) (?P<verb>{_EN_VERB})\b (?P<rest>.+)$"
)
_EN_WE = re.compile(
    r"^(?:(?:here|at work|in (?:this|our) \w+|internally),? )?we (?P<verb>[a-z]+)\b (?P<rest>.+)$",
    re.IGNORECASE,
)
_WE_OF_THE_MOMENT = """
are were was did had have need should could can will would might may got get just lost found saw see
forgot think thought know knew hope want wanted tried try still almost don't didn't can't couldn't
looked look talked fixed broke changed added removed made said finished
"""
_WE_TRANSIENT = frozenset(_WE_OF_THE_MOMENT.split())
_EN_NO_SUBJECT = re.compile(
    r"^(?:this|that|these|those|it|its|there|here|he|she|they|you|your|i|i'm|i've|my|we|what"
    r"|which|who|how|why|when"
    r"|where|if|because|so|but|and|or|then|now|also|maybe|perhaps|let|let's|please|just|one|both"
    r"|something|nothing"
    r"|add|use|run|fix|make|put|set|move|change|check|show|give|try|write|read|sort|rename|delete"
    r"|remove|deploy"
    r"|update|create|build|test|open|close|revert|keep|stop|start|skip|ignore|increase|decrease"
    r"|look|see|do|don't"
    r"|as|like|looks|seems|sounds|could|can|would|should|will|does|did|is|are|not|no|yes|ok|hm|oh"
    r"|once|after|before"
    r"|the (?:problem|issue|reason|point|question|error|bug|deadline|thing|fix|answer|only thing"
    r"|same|first|second"
    r"|next|last|other|new))\b",
    re.IGNORECASE,
)
_EN_NAMED = re.compile(
    r"(?<=\s)[A-Z][A-Za-z]+|\b[A-Z]{2,}\w*|\b\w+[-_./]\w[\w./-]*|`[^`]+`|\b[a-z]+\d+\b|\bv[A-Z\d]"
)
_EN_COUNTED = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|ten|twice|every|each|daily|nightly|weekly|monthly"
    r"|throughout|only"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.IGNORECASE,
)
_EN_PASSING = re.compile(
    r"^(?:too|so|really|quite|pretty|almost|still|now|just|not sure|currently|about to|going to"
    r"|being|getting"
    r"|running (?:out|now|for)|at \d+ ?%|a (?:bit|mess|lot)|in the way|\w+ing (?:the|a|my)"
    r"|to (?:be|do|fix))\b"
)

_ZH_NO_SUBJECT = (
    r"(?!这|那|哪|我|你|他|她|它|咱|大家|有|是|在|可能|好像|应该|感觉|估计|用|把|给|先|再|加|改"
    r"|换|跑|看|写|删|提|推|拆|让|请|帮|试|查|测"
    r"|打|发|去|来|等|别|不|没|也|都|就|才|又|还|如果|因为|所以|但|而|或|现在|今天|明天|昨天|刚"
    r"|重新|继续|直接|其实|问题|原因|结果|意思|关键"
    r"|目的|报错|错误|异常|一共|总共|已经|目前是|然后|最好|必须|只要|要是|为什么|怎么|嗯|好|行|对"
    r"|哦)"
)
_ZH_VERB = (
    r"(?:全部|全都|统一|都|只|一般|默认|均|必须|要|先)?(?:单位是|口径是|定义是|格式是|是|用的?是?"
    r"|走|放在?|存(?:在|到|进|成)?|在|按|叫|需要|支持"
    r"|不进|不走|由|归|取自?|来自|固定|分为|分成|包含|对应|依赖|跑在|部署在|写在|定义在|为|基于"
    r"|默认|保留|至少|不支持|管)"
)
_ZH_STATEMENT = re.compile(
    rf"^{_ZH_NO_SUBJECT}"
    rf"(?P<subject>[A-Za-z\u4e00-\u9fff][\w\s/.#+\-\u4e00-\u9fff]{{1,15}}?)\s*{_ZH_VERB}\s*"
    rf"(?P<rest>[^\s，。].*)$"
)
_ZH_EVENT = re.compile(
    r"(?<!为)(?<!除)了(?!解)|刚|正在|又|过$|过[，。]|[掉降涨升跌涌飙]到|不够|着呢|起来|出来(?!的)"
    r"|一下|看看|吧$|吗$"
)
_ZH_NAMED = re.compile(r"[A-Za-z][\w.+#/-]+|[\w-]+/[\w/-]+")
_ZH_COUNTED = re.compile(
    r"\d|百分之|[一二两三四五六七八九十百千万]+(?:个|行|秒|分钟|小时|天|次|点|条|台|周|月|年|倍"
    r"|块|位)|每秒|每天|每周|自己写的|自研"
)
_ZH_UNIT = re.compile(
    r"(?:单位|口径|定义|格式|精度|粒度|编码|主键)(?:一律|统一|都|全部)?(?:是|用|为)"
    r"|一个[^，。]{1,6}一个"
)


_EN_HABIT = re.compile(
    r"^(?P<subject>(?:(?:the|our|each|every|all|any|most|both|no) )?[A-Za-z][\w' -]{1,32}?)"
    r" (?P<verb>(?!this|his|its|plus|less|thus|was|does|always|perhaps)[a-z]{3,}(?<!s)s|follow"
    r"|own|carry|have|meet|use) (?P<rest>.{4,})$",
    re.IGNORECASE,
)
_ZH_HABIT = re.compile(
    rf"^{_ZH_NO_SUBJECT}[\u4e00-\u9fffA-Za-z]{{2,10}}?(?:都|全部?|统一|一律|只|按|由|归|走|发"
    rf"|存|记|写"
    r"|放|进|落|同步|经过|对应|属于|依赖|默认)(?![一两几]|了|过)[^，。！!？?]{2,}"
)


def general_statement(text: str) -> float:
    """Return how likely `text` says how things are in general by its form alone, 0..1."""
    return _chinese(text) if script(text) == "cjk" else _english(text)


def _english(text: str) -> float:
    we = _EN_WE.match(text)
    if we and we["verb"].lower() not in _WE_TRANSIENT and not we["verb"].endswith("ed"):
        return _weight(_EN_NAMED.search(we["rest"]), _EN_COUNTED.search(we["rest"]), we["rest"])
    match = _EN_STATEMENT.match(text) or _EN_HABIT.match(text)
    if not match or _EN_NO_SUBJECT.match(text) or _EN_PASSING.match(match["rest"]):
        return 0.0
    rest = " " + match["rest"]
    weight = _weight(_EN_NAMED.search(rest), _EN_COUNTED.search(rest), rest)
    return weight if weight >= NAMED else max(weight, _of_work(match["subject"]))


def _chinese(text: str) -> float:
    if _ZH_EVENT.search(text):
        return 0.0
    if _ZH_UNIT.search(text):
        return NAMED
    match = _ZH_STATEMENT.match(text)
    if not match:
        return _of_work(text[:8]) if _ZH_HABIT.match(text) else 0.0
    rest = re.split(r"[，。；]", match["rest"], maxsplit=1)[0]
    weight = _weight(_ZH_NAMED.search(rest), _ZH_COUNTED.search(rest), rest)
    return weight if weight >= NAMED else max(weight, _of_work(match["subject"]))


def _of_work(subject: str) -> float:
    return NAMED if PROJECT_THING.search(subject) or WORKPLACE.search(subject) else 0.0


def _weight(named: object, counted: object, rest: str) -> float:
    if named or technologies(rest):
        return NAMED
    return COUNTED if counted else 0.0
