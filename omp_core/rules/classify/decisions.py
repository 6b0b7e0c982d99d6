"""What decisions.yaml keeps of a decision: title, choice, alternatives, rationale, context."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omp_core.rules.classify.kinds import DecisionFields
from omp_core.rules.classify.technologies import technologies
from omp_core.text.language import script

TITLE_CHARS = 60
"""Longest title, in characters."""

_VERB = re.compile(
    r"(?:最终|最后|我们|那就|那|就|还是|继续|全面|决定|嗯|先)*(?:决定(?:用|采用|选择|了)?|选定"
    r"|敲定|拍板|定了|选择了?|采用了?|选用|选了|改用|换用|沿用"
    r"|继续用|还是用|就用|定)[:：，,\s]*"
    r"|\b(?:(?:we|I)(?:'ve| have)? (?:just )?(?:decided|agreed) (?:to (?:use |go with |adopt )?"
    r"|on |that )"
    r"|(?:we|I)(?:'ve| have)? (?:chose|chosen|picked|settled on|opted for)"
    r"|let'?s (?:go with|use|stick with|adopt|switch to|do (?:it|that):?)"
    r"|we(?:'ll| will) (?:go with|use|stick with|adopt|switch to)"
    r"|(?:okay |ok )?(?:then )?it'?s settled[,:]?|go with|decided:|decision:)\s*",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:[，,；;。\s]*(?:因为|原因是|理由是|毕竟|这样|主要是|考虑到)|[,;.\s]*\b(?:because|since"
    r"|as it|so that|the reason"
    r" (?:is|being)|due to)\b)\s*(?P<reason>.+)$",
    re.IGNORECASE,
)
_PLAIN_REASON = re.compile(r"^(?P<choice>[^，,]{2,40})[，,]\s*(?P<reason>.+)$")
_REJECTED = re.compile(
    r"(?:不用|不上|不要|不选|而不是|没选|排除)\s*(?P<zh>[A-Za-z][\w.+#-]*|[\u4e00-\u9fff]{2,8})"
    r"|\b(?:not|instead of|rather than|over)\s+(?P<en>[A-Z][\w.+#-]*)"
    r"|\b(?:looked at|considered|compared|evaluated)\s+(?P<list>[^,.;]+?)(?: too| as well)?,",
)
_ASKED_ZH = re.compile(
    r"(?:用|是|选)?\s*([\w.+#-]{2,20}|[\u4e00-\u9fff]{2,6})\s*还是\s*([\w.+#-]{2,20}"
    r"|[\u4e00-\u9fff]{2,6})"
)
_ASKED_EN = re.compile(r"\b([A-Z][\w.+#-]*(?: [A-Z]\w+)?) or ([A-Z][\w.+#-]*(?: [A-Z]\w+)?)\b")
_OPTION = re.compile(r"^\s*(?:\d+[.)、]|[-*])\s*([^，,。.:：\n]{2,30})", re.MULTILINE)


def decision_fields(text: str, before: Sequence[str] = ()) -> DecisionFields:
    """Read a decision's parts out of its statement and the talk before it.

    `before` are the latest sentences or turns, newest last; they give the alternatives that
    were on the table and, as context, the question that was answered.
    """
    statement = _VERB.sub("", text, count=1).strip(" ，,。.：:；;") or text
    choice, rationale = _choice_and_reason(statement)
    asked = _question(before)
    return DecisionFields(
        title=_title(text),
        choice=choice,
        context=asked,
        alternatives=_alternatives(text, choice, before),
        rationale=rationale,
    )


def _choice_and_reason(statement: str) -> tuple[str, str]:
    match = _REASON.search(statement)
    if match and statement[: match.start()].strip():
        return statement[: match.start()].strip(" ，,。.；;"), match["reason"].strip(" 。.")
    plain = _PLAIN_REASON.match(statement)
    if plain:
        return plain["choice"].strip(), plain["reason"].strip(" 。.")
    return statement, ""


def _alternatives(text: str, choice: str, before: Sequence[str]) -> tuple[str, ...]:
    offered: list[str] = []
    for match in _REJECTED.finditer(text):
        named = match["zh"] or match["en"] or match["list"]
        offered += re.split(r"\s*(?:,| and | or |、|和)\s*", named)
    for said in before[-3:]:
        for pattern in (_ASKED_ZH, _ASKED_EN):
            for pair in pattern.findall(said):
                offered += pair
        options = _OPTION.findall(said)
        if len(options) > 1:
            offered += options
    unique: dict[str, None] = {}
    for option in offered:
        cleaned = option.strip(" ，,。.的")
        if cleaned and not _chosen(cleaned, choice):
            unique.setdefault(cleaned)
    return tuple(unique)


def _chosen(option: str, choice: str) -> bool:
    rejected = re.search(rf"(?:不用|不上|不要|不选|不|not )\s*{re.escape(option)}", choice)
    return option.lower() in choice.lower() and not rejected


def _question(before: Sequence[str]) -> str:
    for said in reversed(before[-4:]):
        line = said.strip().splitlines()[0] if said.strip() else ""
        if re.search(r"[?？]\s*$|还是", line) and len(line) <= 120:
            return line
    return ""


def _title(text: str) -> str:
    head = re.split(r"[，,。;；]", text, maxsplit=1)[0].strip() if len(text) > TITLE_CHARS else text
    if len(head) <= TITLE_CHARS:
        return head
    cut = head[: TITLE_CHARS - 1]
    if script(head) == "latin" and " " in cut:
        cut = cut.rsplit(" ", 1)[0]
    return cut.rstrip() + "…"


def names_choice(text: str, offered: str) -> bool:
    """Tell whether `text` picks something that `offered` put on the table."""
    words = {word.lower() for word in technologies(offered)}
    words |= {word.lower() for word in re.findall(r"[A-Za-z][\w.-]{2,}", offered)}
    picked = {word.lower() for word in re.findall(r"[A-Za-z][\w.-]{2,}", text)} - _COMMON
    if picked & words:
        return True
    runs = re.findall(r"[\u4e00-\u9fff]{2,}", text)
    return any(run[i : i + 2] in offered for run in runs for i in range(len(run) - 1))


_TALK = """
the and for you that this with yes yeah okay please sounds good great fine agreed let lets use then
try can could would will now not are was has have one all any but out
"""
_COMMON = frozenset(_TALK.split())
