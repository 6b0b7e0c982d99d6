"""Redundant, obsolete, trivial: memories that no longer earn their place, and why.

Redundancy needs similarity and is found elsewhere. Only `trivial` is a reason to drop a new
text; the other two are proposals to a human, because a text that tells of a change
("改用 pnpm") is news even where what it ends is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from omp_core.i18n import _, ngettext
from omp_core.language.language import script
from omp_core.language.normal import normalise
from omp_core.model import Home, Record, Tier
from omp_core.rules.decay import unread_days, unread_since
from omp_core.settings import RotSettings

RotKind = Literal["trivial", "obsolete", "stale"]


@dataclass(frozen=True, slots=True)
class RotVerdict:
    """What is wrong with a memory; `reason` is a sentence in the reader's language."""

    kind: RotKind
    reason: str


# Longer ones first: the first alternative that fits is taken.
_ACK_EN = (
    r"no (?:problem|worries)|let me (?:check|see|think)|looks? good(?: to me)?|please (?:go on"
    r"|continue|proceed)|see you(?: later| tomorrow)?|that's (?:fine|right|all|it)|thank you"
    r"(?: (?:so|very) much| again)?|thanks?(?: a lot| so much| again)?|you(?:'re| are) welcome"
    r"|i don't know|one moment|good (?:job|morning|night)|ok(?:ay)?(?: then)?|sure(?: thing)?"
    r"|makes sense|that works|sounds? good(?: to me)?|never ?mind|well done|copy that|will do"
    r"|got it|not sure"
    r"|understood|i see|go (?:on|ahead)|my bad|for now|gotcha|noted|roger|done|thx|ty|cheers|np"
    r"|welcome|please|continue|proceed|next|lgtm|agreed|exactly|correct|indeed|hi|hello|hey|bye"
    r"|goodbye|lol|ha(?:ha)+h?|hm+|um+|uh+|oh+|ah+|wow|wait|idk|maybe|sorry|k+|yes|yep|yeah"
    r"|yup|no|nope|fine|right|alright|great|cool|nice|perfect|awesome|good|all|there|everyone"
)
_ACK_ZH = (
    r"那就这样吧?|就这样吧?|让我看看|不好意思|非常感谢|请继续|继续吧?|可以的|没问题|没关系|明白了?|知道了|了解了?"
    r"|不客气|不用谢|下一[个步]|完成了?|大家好|早上好|先这样|等一下|不知道|不清楚|都可以|对不起|太好了|我看看|稍等"
    r"|谢谢(?:你|您|了|啦|大家)?|辛苦了?|收到|清楚了?|懂了|没错|没事|多谢|感谢|搞定|你好|您好|再见|拜拜|回见|晚安"
    r"|随便|都行|同意|赞同|不错|很好|真棒|厉害|算了|抱歉|好[的吧嘞了呀哒]|行吧|可以|是[的吧]|对[的吧]|嗯好"
    r"|[嗯恩哦噢啊哈呵呃早棒赞好行是对]+"
)
_ACKNOWLEDGEMENT = re.compile(rf"\b(?:{_ACK_EN})\b|{_ACK_ZH}", re.IGNORECASE)
_ANY_WORD = re.compile(r"[^\W_]")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")

_ENDED = re.compile(
    r"(?i)\bno longer\b|\bnot any ?more\b|\bany ?more\b(?=\W*$)"
    r"|(?<!not )(?<!n't )(?<!never )\b(?:is|are|was|were|been|now|marked(?: as)?) (?:now )?"
    r"(?:deprecated|obsolete|outdated|superseded|discontinued|decommissioned|retired)\b"
    r"|^\W*(?:deprecated|obsolete|outdated|superseded)\b|\bdeprecated (?:since|in favou?r)\b"
    r"|\bswitched (?:\w+ ){0,3}?(?:from|to|over)\b|\breplaced (?:by|with)\b"
    r"|\bmigrated (?:from|to)\b"
    r"|不再(?:使用|用|需要|支持|维护|采用|适用|有效)|改用|(?<!未)(?<!没有)(?<!没)(?<!不会)(?:已经?)?(?:废弃|弃用)"
    r"|(?:已经?)(?:作废|过时|失效|淘汰|停用|下线)|换成了"
)


def rot(subject: Record | str, now: datetime, settings: RotSettings) -> RotVerdict | None:
    """Return what makes a record, or the text of one to be, rot; None when it is sound.

    Age never counts against important records and project facts, nor does shortness.
    """
    if isinstance(subject, str):
        return _trivial(subject, settings) or _ended(subject)
    if subject.tier is Tier.IMPORTANT or subject.home is Home.PROJECT:
        return _ended(subject.content)
    return (
        _trivial(subject.content, settings)
        or _ended(subject.content)
        or _aged(subject, now, settings)
    )


def is_acknowledgement(text: str) -> bool:
    """Return whether `text` only agrees, thanks or greets, in Chinese or English."""
    plain = _EDGES.sub("", normalise(text).replace("’", "'"))
    return bool(plain) and not _ANY_WORD.search(_ACKNOWLEDGEMENT.sub(" ", plain))


def _trivial(text: str, settings: RotSettings) -> RotVerdict | None:
    plain = _EDGES.sub("", normalise(text).replace("’", "'"))
    if not plain:
        return RotVerdict("trivial", _("It has no words."))
    cjk = script(plain) == "cjk"
    if is_acknowledgement(plain):
        return RotVerdict("trivial", _("It only acknowledges something."))
    least = settings.trivial_cjk_chars if cjk else settings.trivial_latin_chars
    if len(plain) < least:
        reason = ngettext(
            "It is only {count} character long.", "It is only {count} characters long.", len(plain)
        ).format(count=len(plain))
        return RotVerdict("trivial", reason)
    return None


def _ended(text: str) -> RotVerdict | None:
    match = _ENDED.search(text)
    if match is None:
        return None
    reason = _("It says itself that something has ended: “{words}”.")
    return RotVerdict("obsolete", reason.format(words=match[0].strip()))


def _aged(record: Record, now: datetime, settings: RotSettings) -> RotVerdict | None:
    days = int(unread_days(unread_since(record), now))
    if record.access_count == 0 and days >= settings.obsolete_days:
        reason = _("It was never read in {days} days.")
        return RotVerdict("obsolete", reason.format(days=days))
    if record.access_count < settings.stale_reads and days >= settings.stale_days:
        reason = ngettext(
            "It was read {reads} time, last {days} days ago.",
            "It was read {reads} times, last {days} days ago.",
            record.access_count,
        )
        return RotVerdict("stale", reason.format(reads=record.access_count, days=days))
    return None
