"""Notice when a person corrects, replaces or takes back what was said before."""

from __future__ import annotations

import re
from dataclasses import dataclass

_VALUE = r"[\w./:+#%-]+|[一二三四五六七八九十半两百千万点\u4e00-\u9fff]{1,8}?"


@dataclass(frozen=True, slots=True)
class StatedCorrection:
    """`old` and `new` are the values named, empty where only the fact of a mistake is.

    `retracts`: the earlier statement is to be forgotten, with nothing in its place.
    """

    old: str = ""
    new: str = ""
    retracts: bool = False


_ZH_NOT_BUT = re.compile(
    rf"(?:不是|不叫|不用|不在)\s*(?P<old>{_VALUE})\s*[，,、]?\s*(?:而是|而|是|叫|用|在|应该是)\s*"
    rf"(?P<new>[^，。,;；]+)"
)
_ZH_BUT_NOT = re.compile(
    rf"(?:应该是|应是|是|叫|用|在)\s*(?P<new>{_VALUE})\s*[，,、]?\s*(?:而)?(?:不是|不叫|不用"
    rf"|不在)\s*(?P<old>{_VALUE})(?=$|[，。,;；])"
)
_ZH_CHANGED = re.compile(
    r"(?:^|[，,。\s])(?P<old>[A-Za-z0-9./:+#%_-]+"
    r"|[一二三四五六七八九十半两]+点半?)[^，。]{0,12}[，,][^，。]{0,4}(?:改成|改为|换成|换到"
    r"|改到)\s*(?P<new>[^，。,;；吧]+)"
)
_EN_NOT = re.compile(
    r"(?:^|[.!?]\s+)(?:\w+,? )?(?:it'?s|it is|that'?s|should be|make it|use)\s+"
    r"(?P<new>[\w./:+#%-]+),? not (?P<old>[\w./:+#%-]+)",
    re.I,
)
_EN_NOT_BUT = re.compile(
    r"\bnot (?P<old>[\w./:+#%-]+),? but (?:rather )?(?P<new>[\w./:+#%-]+)", re.I
)
_MISTAKE = re.compile(
    r"说错了|记错了|写错了|弄错了|搞错了|更正|纠正|啊?不对[，,]|^错了|版本错了|错了，应该|应该是"
    r"|改主意了|收回刚才"
    r"|\b(?:scratch that|correction|I was wrong|my mistake|I misspoke|I meant|change of plan"
    r"|on second thought"
    r"|I take that back|actually,? it'?s|not anymore)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"(?:忘掉|忘了|别记|不用记|删掉|删除|去掉)(?:我)?(?:刚才|之前|刚刚|上面)?(?:说的|讲的|那条"
    r"|这条|关于)"
    r"|我(?:可)?(?:从来?)?没(?:有)?说过|当我没说"
    r"|\b(?:forget (?:what I said|that I said|about what I said)|never ?mind what I said"
    r"|I never said|ignore what I said"
    r"|don'?t (?:remember|save|store) (?:that|this))\b",
    re.IGNORECASE,
)


_LEAD = re.compile(
    r"^(?:啊|哦|呃|等等|等下|额)?[，,\s]*(?:不对|不是|说错了|我说错了|记错了|写错了|弄错了"
    r"|搞错了|口误|错了|更正(?:一下)?|纠正(?:一下)?"
    r"|修正(?:一下)?"
    r"|你理解错了|你误会了|我不是(?:这个|那个)意思|我的意思是"
    r"|改主意了)(?=[，,。：:\s！!])[，,。：:\s！!]*"
    r"|^(?:(?:oh|no|wait|sorry|hm+|ah|hang on)[,.!]?\s+)*(?:scratch that|correction|I misspoke"
    r"|(?:I was |that was )?wrong|my (?:mistake|bad)|actually,? no|no,? wait|no,? actually"
    r"|you got (?:me|that|it) wrong|you misunderstood(?: me)?|that'?s (?:wrong|not right"
    r"|not what I (?:meant|said|want(?:ed)?))|not quite"
    r"|let me correct (?:that|myself)|I take that back|change of plan"
    r"|on second thought)[,.:;!\s—-]+(?:I meant |it'?s )?"
    r"|^I meant (?=[^.?!]*\bnot\b)",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"^that'?s not what (?P<term>['\"‘“].{1,24}?['\"’”]) means(?: here)?[,:;.]?\s*(?P<rest>.+)$",
    re.IGNORECASE,
)


def without_lead(text: str) -> str | None:
    """Return what a correction says behind its lead ("scratch that,"), None if it has none."""
    meant = _MEANT.match(text)
    if meant:
        return f"{meant['term']} means {meant['rest']}"
    match = _LEAD.match(text)
    rest = text[match.end() :].strip() if match else ""
    return rest if len(rest) >= 4 else None


def correction(text: str) -> StatedCorrection | None:
    """Return what a sentence corrects, None if it corrects nothing."""
    if _TAKEN_BACK.search(text):
        return StatedCorrection(retracts=True)
    for pattern in (_ZH_NOT_BUT, _ZH_BUT_NOT, _ZH_CHANGED, _EN_NOT, _EN_NOT_BUT):
        match = pattern.search(text)
        if match:
            return StatedCorrection(match["old"].strip(), match["new"].strip(" 。.，,吧了"))
    return StatedCorrection() if _MISTAKE.search(text) else None


_RECALLED = re.compile(
    r"我(?:之前|刚才|昨天|上次)?(?:说过?|讲)的?|\bI (?:said|told you|mentioned)\b", re.IGNORECASE
)
_NO_BUT = re.compile(rf"不是\s*(?:{_VALUE})\s*[，,、]?\s*(?:而)?是")


def puts_right(text: str) -> bool:
    """Tell whether a text says that something said or held before is wrong, rather than weighing
    one thing against another ("I use A, not B").
    """
    wrong = _MISTAKE.search(text) or _LEAD.match(text) or _RECALLED.search(text)
    return bool(wrong or _NO_BUT.search(text))


def settled(text: str) -> str:
    """Return "the port is not A, it is B" as "the port is B"."""
    match = _ZH_NOT_BUT.search(text)
    if match is None or not text[: match.start()].strip():
        return text
    return f"{text[: match.start()].rstrip()}是 {match['new'].strip()}{text[match.end() :]}"


def replaced(statement: str, change: StatedCorrection) -> str | None:
    """Return `statement` with the old value replaced by the new, None if it is not in it."""
    if not change.old or not change.new:
        return None
    pattern = re.compile(
        rf"(?<![\w.]){re.escape(change.old)}(?![\w])"
        if change.old.isascii()
        else re.escape(change.old)
    )
    if not pattern.search(statement):
        return None
    return pattern.sub(lambda _: change.new, statement, count=1)
