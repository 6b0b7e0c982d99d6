"""Bring a sentence of talk into the form of one atomic fact, in the speaker's language.

Fillers, greetings, calls on the agent's memory and particles go; what is stated stays in the
speaker's own words, in the first person (memory skill: one fact each, concise, first-person
statements, in the user's language).
"""

from __future__ import annotations

import re

from omp_core.language.normal import normalise

_LEAD = re.compile(
    r"^(?:"
    r"(?:对了|话说|说起来|说正事|说个事|那个|嗯+|哦+|噢|啊+|唔|诶|哎|好的?|行|可以|OK|ok(?:ay)?"
    r"|是的|对|等下|等等|啊?等等|"
    r"另外|还有|顺便|顺便说一下|顺便说下|先跟你说下背景|给你交个底|提醒一下|提醒你一下|啊?不对"
    r"|刚才说错了|说错了|算了|"
    r"有个东西忘了说|术语统一下啊?|统一一下|补充一下|跟你说一?下|听你的|牛|爽|哈哈|我们定了)"
    r"(?=[「“，,：:\s。！!]|$)[，,：:\s。！!]*"
    r"|(?:请|麻烦)?(?:你)?(?:帮我|给我)?(?:记住|记一下|记下来|记好|记个事|记)(?:这个|这点|这条"
    r"|一点)?(?!了)"
    r"(?=[，,：:\s。！!])[，,：:\s。！!]*"
    r"|(?:oh|ah|hm+|um+|ok(?:ay)?|right|yeah|yep|yes|well|so|and|but|btw|by the way|also|hey|hi"
    r"|wait|"
    r"hang on|actually|alright|sure|fine|cool|nice|great|good|anyway|look|listen|one thing"
    r"|one more|"
    r"last thing|one nit|for context|for what it'?s worth|fyi|just so you know|heads up|in general"
    r"|"
    r"I mean(?: it)?|what i mean|oh right|oh hang on|agreed|okay then)"
    r"(?=[,:.!—\s-]|$)[,:.!—\s-]+"
    r"|对了[，,\s]*(?!吗|呢|没)"
    r"|那(?=就?(?:用|定|选|按|先))"
    r"|(?:please |pls |also )?(?:remember|note|keep in mind|memori[sz]e)(?: that|:|,)?\s+"
    r")",
    re.IGNORECASE,
)
_NOT_LEAD = re.compile(
    r"^(?:so that|right[- ](?:click|to)|look at|well[- ]known|good to know|great for|nice to"
    r"|also known"
    r"|one thing we|hi-res|listen (?:on|to)|fine[- ]tun|cool down|actually,? it'?s)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[，,\s]*(?:别忘了|知道了吗|明白吗|好吧|行吗|好吗|谢谢|谢啦|辛苦了|哈+|啦|喽|哟|呗|嘛|哦"
    r"|噢|啊|呀|呢|吧)"
    r"|[,\s]+(?:please|thanks|thx|ok(?:ay)?|right|you know|lol|haha|by the way|btw|good to know"
    r"|if you like))"
    r"[\s。.!！~～]*$",
    re.IGNORECASE,
)
_NARRATION = re.compile(
    r"^(?:(?:经过|通过)?(?:讨论|商量|评审|对比|评估)(?:了)?[^，。]{0,12}?(?:之后|以后"
    r"|后)[，,]?\s*)(?=.*(?:决定|用|选|采用))"
    r"|^(?:after (?:discussing|talking about|comparing|looking at|evaluating) [^,]+,\s*)",
    re.IGNORECASE,
)
_EDGE = " \t，,；;：:。.！!~～—-"


def atomic(text: str) -> str:
    """Return `text` as one concise statement. Idempotent; never empty for text with words."""
    before = None
    current = normalise(text)
    while current != before:
        before = current
        current = _shorter(_NARRATION.sub("", current), current)
        if not _NOT_LEAD.match(current):
            current = _shorter(_LEAD.sub("", current), current)
        current = _shorter(_TAIL.sub("", current), current)
        current = _shorter(current.strip(_EDGE), current)
    return current


def _shorter(candidate: str, otherwise: str) -> str:
    return candidate if any(character.isalnum() for character in candidate) else otherwise
