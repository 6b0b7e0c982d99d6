"""What decisions.yaml keeps of a decision: title, choice, alternatives, rationale, context."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omp_core.extraction.classify.kinds import DecisionFields
from omp_core.extraction.classify.replacements import replacement
from omp_core.extraction.classify.technologies import technologies
from omp_core.language.language import script

TITLE_CHARS = 60
"""Longest title, in characters."""

_VERB = re.compile(
    r"(?:最终|最后|我们|那就|那|就|还是|继续|全面|嗯|先)*"
    r"(?:决定(?:用|采用|选择|了)?|选定|敲定|拍板|定了|选择了?|采用了?|选用|选了|改用|换用|沿用"
    r"|继续用|还是用|就用"
    r"|定(?=\s*[\dA-Za-z])|^那?就?(?:用|选|上|走))[:：\s]*"
    r"|\b(?:(?:we|I)(?:'ve| have)? (?:just )?(?:decided|agreed) (?:to (?:use |go with |adopt )?"
    r"|on |that )"
    r"|(?:we|I)(?:'ve| have)? (?:chose|chosen|picked|settled on|opted for|went (?:with|for))"
    r"|let'?s (?:go with|use|stick with|adopt|switch to|do (?:it|that):?)"
    r"|we(?:'ll| will) (?:go with|use|stick with|adopt|switch to)|we(?:'re| are) going with"
    r"|(?:okay |ok )?(?:then )?it'?s settled[,:]?|go with|decided:|decision:)\s*",
    re.IGNORECASE,
)
_CAUSAL = re.compile(
    r"太|不够|扛不住|够用|熟|方便|简单|小$|快$|贵|便宜|折腾|成本|正好|更|最|自带|没人|不用|省|稳"
    r"|好维护|余量|兼容|不到"
    r"|\b(?:is|are|has|have|was|were|too|cheaper|simpler|faster|enough|easier|needs?|keeps?"
    r"|comes?)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:[，,；;。\s]*(?:因为|原因是|理由是|毕竟|这样|主要是|考虑到)|[,;.\s]*\b(?:because|since"
    r"|as it|so that|the reason"
    r" (?:is|being)|due to)\b)\s*(?P<reason>.+)$",
    re.IGNORECASE,
)
_BARE_NAME = re.compile(r"^(?P<name>[A-Z][\w.+#-]*?)\.?\s+(?=(?:I|We|it|because)\b)")
_NAME_ZH = r"(?:[A-Za-z][\w.+#-]*(?: \d[\w.]*)?|[\u4e00-\u9fff]{2,8}?)"
_NAMES_ZH = rf"{_NAME_ZH}(?:\s*(?:、|或者?|和|与|以及|还是)\s*{_NAME_ZH})*(?=$|[\s，。；,;）)])"
_NAME_EN = r"(?=[\w.+#-]*[A-Z])[A-Za-z][\w.+#-]*(?: [A-Z][\w.+#-]*)?"
_REJECTED = re.compile(
    rf"(?:不用|不上|不要|不选|而不是|没选|排除)\s*(?P<zh>{_NAMES_ZH})"
    r"|\b(?:not|instead of|rather than"
    rf"|over)\s+(?P<en>{_NAME_EN}(?:(?:,? (?:or|and|nor) |, ){_NAME_EN})*)"
    r"|\b(?:looked at|considered|compared|evaluated)\s+(?P<list>[^,.;]+?)(?: too| as well)?,",
)
_WEIGHED = re.compile(
    r"\b(?:after|having|we|I) (?:weigh(?:ing|ed)|compar(?:ing|ed)|evaluat(?:ing|ed)"
    r"|consider(?:ing|ed)|look(?:ing|ed) at|try(?:ing)?|tried|test(?:ing|ed)|play(?:ing|ed) with)"
    r" (?P<en>[^;.]+?),? (?:we|I|the team)\b"
    r"|(?:对比|比较|评估|考虑|看|试|调研|测|权衡)(?:了"
    r"|过)?(?P<zh>[^，。]{2,40}?)(?:几个)?(?:之后|以后|后|下来)?[，,]",
    re.IGNORECASE,
)
_ASKED_ZH = re.compile(
    r"(?:用|是|选)?\s*([\w.+#-]{2,20}|[\u4e00-\u9fff]{2,6})\s*还是\s*([\w.+#-]{2,20}"
    r"|[\u4e00-\u9fff]{2,6})"
)
_ASKED_EN = re.compile(r"\b([A-Z][\w.+#-]*(?: [A-Z]\w+)?) or ([A-Z][\w.+#-]*(?: [A-Z]\w+)?)\b")
_SWAPPED = re.compile(
    r"不(?:用|上|选|搞|做|(?=自))(?P<old>[^，。不]{1,12})[，,]\s*(?:直接|改成?|而是|就|换成?)?"
    r"(?:买|用|上|选|走|接)\s*(?P<new>[A-Za-z][\w.+#-]*|[\u4e00-\u9fff]{2,8})(?=$|[\s，。])"
)
_OFFERED_ZH = re.compile(
    r"(?:可以|或者|也可以|要么|可选的?有)(?:直接|考虑)?(?:用|上|选"
    r"|是)\s*([A-Za-z][\w.+#-]*(?: [A-Z][\w.+#-]*)?)"
)
_ARTICLE = re.compile(
    r"^(?:just |maybe |either |a |an |the |simply |use |using |small |plain |simple |our own )+",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"^(?:for|with|in|on|as|about|regarding|nice|ok|okay|so|then)\b", re.IGNORECASE
)
_TRAILING = re.compile(
    r"\s+(?:then|for now|please|instead|it is|too)$|(?:吧|了|先)$", re.IGNORECASE
)
_LISTED_ZH = re.compile(
    rf"{_NAME_ZH}(?:、\s*{_NAME_ZH})+(?:\s*(?:和|或者?|与|以及|还是)\s*{_NAME_ZH})?(?=$|\W"
    rf"|[\u4e00-\u9fff])"
)
"""What a question lists: "A、B 和 C"."""
_CONTRASTED = re.compile(
    r"[，,]\s*(?:而不是|不用|不选|not|rather than|instead of)\s*.+$", re.IGNORECASE
)
_OPTION = re.compile(r"^\s*(?:\d+[.)、]|[-*])\s*([^，,。.:：\n]{2,30})", re.MULTILINE)


def decision_fields(text: str, before: Sequence[str] = (), said: str = "") -> DecisionFields:
    """Read a decision's parts out of its statement and the talk before it.

    `said` is the sentence as spoken, of which `text` keeps the result: it may tell what else was
    looked at.

    `before` are the latest sentences or turns, newest last; they give the alternatives that
    were on the table and, as context, the question that was answered.
    """
    changed = replacement(text)
    choice, rationale = _choice_and_reason(text)
    if changed is not None:
        choice = changed.new
    asked = _question(before)
    return DecisionFields(
        title=_title(text, choice),
        choice=choice,
        context=asked,
        alternatives=_alternatives(said or text, choice, before),
        rationale=rationale,
    )


def _choice_and_reason(text: str) -> tuple[str, str]:
    """The clause with the verb of choosing holds the choice; what follows it, the reason."""
    plain, context = _without_context(re.sub(r"^(?:决定：|Decided: )", "", text))
    named = _BARE_NAME.match(plain)
    if named:
        told = re.sub(r"^it is[,;]?\s*(?:because|since|as)?\s*", "", plain[named.end() :])
        return named["name"], told.strip(" 。.")
    match = _REASON.search(plain)
    given = match["reason"].strip(" 。.") if match and plain[: match.start()].strip() else ""
    if match and given:
        plain = plain[: match.start()].strip(" ，,。.；;")
    verb = _VERB.search(plain)
    if verb and plain[verb.end() :].strip():
        rest = plain[verb.end() :]
        whole = plain[verb.start() : verb.end()].rstrip().endswith(("：", ":"))
    else:
        rest, whole = plain, False
    head, _comma, tail = (rest, "", "") if whole else _first_clause(rest)
    causal = bool(tail) and bool(_CAUSAL.search(tail))
    choice = head if causal or not tail or verb else rest
    reason = given or (tail if causal or (verb and not whole) else "") or context
    choice = re.sub(r"\s+(?:over|instead of|rather than|not)\s+(?=[A-Z]).*$", "", choice)
    swapped = _SWAPPED.search(plain)
    if swapped:
        choice = swapped["new"]
    chosen = _TRAILING.sub("", choice.strip(" ，,。.吧了")) or plain
    reason = _CONTRASTED.sub("", reason)
    return chosen, "" if reason in chosen else reason.strip(" ，,。.")


def _without_context(text: str) -> tuple[str, str]:
    match = re.search(r"\s*[（(](?P<context>[^（()）]*)[)）]$", text)
    return (text[: match.start()], match["context"]) if match else (text, "")


def _first_clause(text: str) -> tuple[str, str, str]:
    parts = re.split(r"([，,]\s*)", text, maxsplit=1)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else (text, "", "")


_SEPARATOR = re.compile(r"\s*(?:, and | and | or |,|、|和|与|以及|还有|或者?|还是| nor | or )\s*")


def _alternatives(text: str, choice: str, before: Sequence[str]) -> tuple[str, ...]:
    changed = replacement(text)
    offered = [changed.old] if changed is not None and changed.old else []
    for match in _REJECTED.finditer(text):
        named = match["zh"] or match["en"] or match["list"]
        offered += _SEPARATOR.split(named)
    offered += [match["old"] for match in _SWAPPED.finditer(text)]
    for match in _WEIGHED.finditer(text):
        offered += _SEPARATOR.split(match["en"] or match["zh"])
    for said in before[-3:]:
        offered += _OFFERED_ZH.findall(said)
        for listed in _LISTED_ZH.findall(said) if _ASKING.search(said) else ():
            offered += _SEPARATOR.split(listed)
        offered += _listed(said)
        for pattern in (_ASKED_ZH, _ASKED_EN):
            for pair in pattern.findall(said):
                offered += pair
        options = _OPTION.findall(said)
        if len(options) > 1:
            offered += options
    unique: dict[str, None] = {}
    for option in offered:
        cleaned = re.sub(
            r"^(?:返回|用|选|是|走)|(?:好|吗|呢|比较好)$", "", option.strip(" ，,。.的")
        )
        if cleaned and not _chosen(cleaned, choice):
            unique.setdefault(cleaned)
    return tuple(unique)


def _listed(said: str) -> list[str]:
    """Return the options of a question that lists them: "A, B or a C?"."""
    found: list[str] = []
    for question in re.findall(r"[^.?!\n]*\bor\b[^.?!\n]*\?", said):
        for part in re.split(r",\s*|\s+or\s+", question.strip(" ?")):
            option = _ARTICLE.sub("", part.strip()).strip()
            if option and not _LEAD_IN.match(option) and len(option.split()) <= 3:
                found.append(option)
    return found


def _chosen(option: str, choice: str) -> bool:
    rejected = re.search(rf"(?:不用|不上|不要|不选|不|not )\s*{re.escape(option)}", choice)
    same = option.lower() in choice.lower() or choice.lower() in option.lower()
    return same and not rejected


_ASKING = re.compile(
    r"[?？]\s*$|还是|有(?:什么|啥)(?:办法|方案|建议|推荐)|怎么(?:办|做|选)|\b(?:how|what"
    r"|which) (?:should|would|do"
    r"|could) (?:we|you|I)\b"
    r"|\bwe need to (?:pick|choose|decide)\b",
    re.IGNORECASE,
)


def _question(before: Sequence[str]) -> str:
    for said in reversed(before[-4:]):
        line = said.strip().splitlines()[0] if said.strip() else ""
        if _ASKING.search(line) and len(line) <= 120:
            return line
    return ""


def _title(text: str, choice: str) -> str:
    """The statement if it is short, else what was chosen, cut to TITLE_CHARS."""
    plain, _context = _without_context(text)
    head = plain if len(plain) <= TITLE_CHARS else choice
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
