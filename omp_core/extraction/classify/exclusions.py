"""What speaks against a lasting fact: questions, one-time wishes, guesses, moods, tasks.

Sources: the memory skill ("do not save") and the extraction seed (EPHEMERAL, UNCERTAIN).
"""

from __future__ import annotations

import re

from omp_core.extraction.classify.doubt import imagined, ironic, long_past, of_the_world
from omp_core.extraction.classify.kinds import Exclusion

_I = re.IGNORECASE

_QUESTION_MARK = re.compile(r"[?？][\s\"'”’」)）~～]*$")
_ZH_QUESTION = re.compile(
    r"(?:吗|呢|么|不|没|来着)[\s~～。.!！]*$"
    r"|是不是|能不能|要不要|有没有|可不可以|行不行|对不对|好不好|会不会|能否|是否"
    r"|(?<![是就])(?:啥|什么)(?!就是|都|时候都)|怎么(?!也|都)|为什么|为啥|咋(?!样都)|哪(?:个|里"
    r"|些|种|儿|边)"
    r"|多少(?!都)|谁(?:来|负责|的|在|会|能|知道)|几(?:个|次|点|天)(?:合适|好|啊|呀)?$"
    r"|还是.{1,12}好$|(?<!就)(?:是|叫|为)(?:啥|什么|多少|谁|哪)[\s~～。.!！]*$"
)
_ZH_STATEMENT_END = re.compile(
    r"(?<![什怎多这那])么[\s~～。.!！]*$|(?:就是不|也不|都不|并不|可不)[\s。.!！]*$"
)
_EN_INVERTED = re.compile(
    r"^(?:so |and |but |ok(?:ay)?,? |hey,? |hm+,? |wait,? |btw,? |also,? |by the way,? )*"
    r"(?:(?:what|why|how|when|where|who|which|whose)(?:'s|'re)?\b(?! if I can| in doubt| (?:I"
    r"|we) say| you (?:write|show|do|make|give)| we )"
    r"|(?:is|are|was|were|does|did|can|could|would|should|will|have|has|am|may|shall)(?:n'?t)?"
    r" (?:you|we|i|it|that|this|there|they|the|he|she|someone|anyone|my|our|these|those|people)\b"
    r"|do(?:n'?t)? (?:you|we|i|they|people|these|those)\b"
    r"|any (?:idea|ideas|chance|thoughts)\b|i wonder\b)",
    _I,
)
_STANDING_REQUEST = re.compile(
    r"(?:能不能|可不可以|能否)[^，。]{0,8}(?:每次|都|以后|一直|短|简|直接|别|少)"
    r"|(?:can|could|would) you (?:please )?(?:keep|always|never|stop \w+ing|from now on"
    r"|in future)",
    _I,
)
_ONE_TIME = re.compile(
    r"这次|这回|本次(?!迭代|冲刺)|这一次|就一次|只此一次|仅此一次|暂时|临时|这两天|这几天|今天先"
    r"|今晚先|先顶"
    r"|顶一下|凑合|待会"
    r"|先别|先不(?:要|用|管|改|动|挪|急|push|推|提|发)|明天之前|这会儿"
    r"|^(?:你)?先(?:读|看|跑|试|查|熟悉|了解|过)一?(?:下|遍|眼)|给我(?:讲|看|过)一?(?:下|遍)"
    r"|\b(?:give|show) me (?:a|an) (?:quick|short|brief) (?:tour|look|overview|rundown|summary)\b"
    r"|\b(?:just this once|this once|this time|for now|for today|for the moment|temporar(?:y|ily)"
    r"|one[- ]off|just here|only here|just for (?:this|now|today)|for this (?:one|file|pr|commit"
    r"|task|"
    r"change|time|release|run|test|build|session)|in this (?:file|pr|commit|case|function) only"
    r"|until i(?:'m| am)? )\b",
    _I,
)
_CONDITION = re.compile(
    r"如果|假如|要是|万一|假设|倘若"
    r"|\b(?:if we ever|what if|suppose|hypothetically"
    r"|if (?:we|someone|somebody|they|it|things|that|this|anyone))\b",
    _I,
)
_BINDING = re.compile(r"必须|一律|禁止|不许|不准|\b(?:must|always|never|has to|have to)\b", _I)
_EMOTION = re.compile(
    r"(?:讨厌|恨|烦|喜欢|爱|受不了|受够)(?:死|透)?了?\s*(?:这|那|周一|星期一|开会|加班)"
    r"|受够了|烦死|累死|气死|笑死|真香了|太(?:难|烦|累|惨)了$|状态不行|头疼$"
    r"|\bI (?:really |so |just )?(?:hate|love|like|enjoy|can'?t stand) (?:this|that|these|those"
    r"|it|mondays?"
    r"|tuesdays?|meetings|how (?:this|that|it)|the way (?:this|that|it)|when (?:this|that|it))\b"
    r"|\b(?:so|too) (?:tired|annoyed|annoying)\b|\blove it\b|\bhaha",
    _I,
)
_LIKED_BEHAVIOUR = re.compile(r"\bI (?:really )?(?:like|love|hate|prefer) it when\b", _I)
_TASK = re.compile(
    r"^(?:请|麻烦)?(?:你)?(?:帮我|帮忙|给我|替我)(?!记)(?:写|查|看|加|改|起|想|提|跑|生成|润色"
    r"|翻译|整理|做|找|删)(?![^，。]{0,12}(?:的时候|时[，,先都]))"
    r"|\b(?:has|have|needs?|must|got) (?:to )?[^.?!]*\b(?:today|tonight|tomorrow|asap|right now)\b"
    r"|^(?:你)?(?:看一?下|看看|看一眼|跑一?下|改一?下|查一?下|测一?下|修一?下|试一?下)"
    r"|^(?:please )?(?:can|could|would) you (?:please )?(?:write|check|find|fix|add|look|explain"
    r"|give|try|run"
    r"|make|show|help|tell|create|update|rename|move|delete|remove|deploy)\b"
    r"|^(?:please )?(?:deploy|fix|run|revert|merge|check|rename|delete|commit|push|tag|build it)\b"
    r"|你看下$|^写吧|^改吧|^试试|^把(?![^，。]*(?:成|到|为|至)了)[^，。：:]{1,20}(?:改|换|删"
    r"|调|加|移|设|升|降|拆|合|关|去"
    r"|打开)[^，。：:]*$",
    _I,
)
_RECAP = re.compile(
    r"上次|上午|昨天|前天|刚才|今天(?:完成|做|一共|的改动)|本周(?:完成|做)|总结一下"
    r"|\b(?:yesterday|last time|earlier today|last week|so far|this week we|in summary"
    r"|to recap)\b",
    _I,
)


_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|\"[^\"]*\"")


def strange(text: str) -> Exclusion | None:
    """Return why a whole sentence says nothing of us and today: meant ironically, of former
    times, or of the world at large; None if it may.
    """
    if ironic(text):
        return Exclusion.IRONY
    if long_past(text):
        return Exclusion.PAST
    return Exclusion.WORLD if of_the_world(text) else None


def is_question(text: str) -> bool:
    """Tell whether a sentence or clause asks; a standing wish put as a question does not."""
    text = _QUOTED.sub(" ", text)
    if _STANDING_REQUEST.search(text):
        return False
    if _QUESTION_MARK.search(text) or _EN_INVERTED.search(text):
        return True
    return bool(_ZH_QUESTION.search(text)) and not _ZH_STATEMENT_END.search(text)


def exclusion(text: str) -> Exclusion | None:
    """Return why a clause of the person holds no lasting fact, None if nothing speaks
    against it. A condition with a binding word is a rule ("if the schema changes, you must").
    """
    if is_question(text):
        return Exclusion.QUESTION
    if _ONE_TIME.search(text):
        return Exclusion.ONE_TIME
    if imagined(text) or (_CONDITION.search(text) and not _BINDING.search(text)):
        return Exclusion.HYPOTHETICAL
    if _EMOTION.search(text) and not _LIKED_BEHAVIOUR.search(text):
        return Exclusion.EMOTION
    if _TASK.search(text):
        return Exclusion.TASK
    return None


def is_recap(text: str) -> bool:
    """Tell whether a sentence looks back on what was said or done before."""
    return bool(_RECAP.search(text))
