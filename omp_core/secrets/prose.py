"""Keys and tokens told in prose or assigned, and credentials inside addresses and commands.

All patterns are bounded: time grows linearly with the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from omp_core.secrets.credential import Evidence, is_secret_value
from omp_core.secrets.kinds import BARRIER, SecretKind, Span
from omp_core.secrets.passwords import ANY, ASIDE, MEASURE, VALUE

_TOKEN = (
    r"(?:(?<!max_)(?<!max )(?<!per )(?<!max-)token(?![A-Za-z])|authorization(?= ?[:=])"
    r"|令牌)"
)
_KEY = (
    r"(?:(?:api|access|secret|private|auth|encryption|signing|master|account|deploy|licen[sc]e"
    r"|activation|subscription|storage|consumer|service|unseal|recovery|webhook|hmac|shared)"
    r"[ _-]?keys?(?:[ _-](?:secret|id))?"
    r"|(?-i:(?<![A-Z])(?!PRIMARY|FOREIGN|PARTITION|SORT|CACHE|PUBLIC|UNIQUE)[A-Z][A-Z0-9]{1,20}"
    r"_KEY)(?= ?[:=])"
    r"|secrets?(?![A-Za-z])|credentials?|密钥|密鑰|秘钥|私钥|凭证|凭据"
    r"|(?:api|app|client)[ _-]?secret)"
)
_WORD = re.compile(rf"(?i)(?P<token>{_TOKEN})|(?P<key>{_KEY})")
_KINDS = {
    "token": SecretKind.TOKEN,
    "key": SecretKind.API_KEY,
}

_ASSIGNED = re.compile(
    rf"[\"'`”’」』)\]]{{0,2}}{ASIDE}\s{{0,3}}(?::=|=>|={{1,3}}|:|->|→)\s{{0,3}}"
    rf"(?:(?:bearer|basic|token)\s+)?{ANY}",
    re.IGNORECASE,
)
_SAID_EN = re.compile(
    rf"{ASIDE}"
    r"(?:\s(?:for|of|to|on|in|at|from|used by)(?:\s[^\s.;:=]{1,32}){1,6}?)?"
    r"(?:\s?[:=]"
    r"|\s(?:is|was|are|will be|has been|should be|must be|got|gets|becomes|became|equals):?"
    r"|'s|(?=\s(?:now|set|changed|reset|updated|rotated|switched)\s))"
    r"(?:\s(?:now|currently|still|just|simply|always|temporarily|actually|again))?"
    r"(?:\s(?:set|changed|reset|updated|rotated|switched)\s(?:back\s)?to)?"
    rf"\s{ANY}",
    re.IGNORECASE,
)
_SAID_ZH = re.compile(
    rf"{ASIDE}\s?(?:现在|目前|默认|临时|初始|已经|已|暂时|就|被|也|都|统一|一律|仍|还){{0,3}}\s?"
    r"(?:用的是|设置为|设置成|设定为|更新为|更新成|重置为|重置成|修改为|修改成|改成了?|改为了?"
    r"|换成了?|换为|设为|设成|更换为|变成|变为|叫做?|填|输入|是|为|用)"
    rf"{ANY}"
)
_NEXT = re.compile(rf"{ASIDE}(?:\s(?:[-/]\s)?|(?<=[\u4e00-\u9fff])){ANY}")
_SAID_FAR = re.compile(rf"(?:\s[^\s.;:=,]{{1,24}}){{1,4}}?\s(?:is|was)\s{ANY}", re.IGNORECASE)
_BEHIND: tuple[tuple[re.Pattern[str], Evidence], ...] = (
    (_ASSIGNED, "assigned"),
    (_SAID_ZH, "said"),
    (_SAID_EN, "said"),
    (_NEXT, "bare"),
    (_SAID_FAR, "far"),
)
_BEARER = re.compile(r"(?i)(?<![A-Za-z])bearer\s+(?P<value>[A-Za-z0-9._~+/-]{6,}={0,2})")
_COOKIE = re.compile(
    r"(?i)(?<![A-Za-z])(?:set-)?cookie[\"']?\s?[:=]\s?[\"']?[\w.-]{1,64}=(?P<value>[\w%.~+/-]{16,})"
)
_BASIC = re.compile(
    r"(?i)authorization[\"']?\s?[:=]\s?[\"']?basic\s+(?P<value>[A-Za-z0-9+/]{8,}={0,2})"
)
_ADDRESS = re.compile(
    rf"[A-Za-z][A-Za-z0-9+.-]{{1,30}}://[^\s:/@?#\"'<>{BARRIER}]{{0,128}}:"
    rf"(?P<value>[^\s/?#\"'<>{BARRIER}]{{1,256}})@(?=[\w\[])"
)
_ADDRESS_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}://(?P<value>[A-Za-z0-9_-]{20,256})@")
_SIGNATURE = re.compile(r"(?i)[?&](?:sig|signature|x-amz-signature)=(?P<value>[\w%+/=-]{24,})")
_COMMAND = re.compile(
    r"(?i)(?:\bmysql\w*\b[^\n|;]{0,120}?\s-p(?P<mysql>[^\s\"'-][^\s\"']{3,})"
    r"|\bsshpass\s+-p\s?[\"']?(?P<sshpass>[^\s\"']{3,})"
    r"|\bredis-cli\b[^\n|;]{0,120}?\s(?:-a|--pass)\s[\"']?(?P<redis>[^\s\"']{3,})"
    r"|\bcurl\b[^\n|;]{0,200}?\s(?:-u|--user)\s?[\"']?[^\s:\"']{1,64}:(?P<curl>[^\s\"']{3,}))"
)
_ENVIRONMENT = re.compile(
    r"(?<![A-Za-z0-9])[A-Z0-9_]{0,40}(?:SECRET|API_?KEY|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY"
    rf"|ENCRYPTION_KEY|SIGNING_KEY)[\"']?\s?[=:]\s{{0,3}}{ANY}"
)
_ENVIRONMENT_TOKEN = re.compile(
    rf"(?<![A-Za-z0-9])[A-Z0-9_]{{0,40}}TOKEN[\"']?\s?[=:]\s{{0,3}}{ANY}"
)
_PREFIXED = re.compile(
    r"(?i)(?:key|密钥|密鑰|秘钥|token|凭证)[\"']?[^\n.;。]{0,16}?(?<![A-Za-z0-9])"
    r"(?P<value>(?-i:sk)-(?!x+\b|learn)[A-Za-z0-9_-]{6,})"
)
"""A key of "sk-" too short to be told from a word without the word "key" before it."""
_TEMPLATE = re.compile(
    r"^(?:\$[({A-Z]|<|\{|%[({A-Z]|\*{2,}|\[|x{3,}|…|\.{3}|(?i:(?:your[-_]?)?(?:password|passwd|pass))$)"
)
_CLAUSE_END = re.compile(
    r"[\"'`”’」』)\]）】]{0,2}\s{0,3}(?:$|[\n.,;:!?。，；：！？、)）}\]|]|and\b|for\b)"
)
_LIST = re.compile(rf"\s?(?:,|、|，|and|or|和|或|/)\s?(?P<value>{VALUE})")


def prose_spans(text: str) -> Iterator[Span]:
    """Yield credentials that words around them give away."""
    for word in _WORD.finditer(text):
        yield from _behind(text, word)
    for pattern, kind, evidence in _AROUND:
        for match in pattern.finditer(text):
            yield from _checked(text, match, kind, evidence)
    for pattern, kind in _CERTAIN:
        for match in pattern.finditer(text):
            name = match.lastgroup
            if name is not None and not _TEMPLATE.match(match[name]):
                yield Span(*match.span(name), kind)


_AROUND: tuple[tuple[re.Pattern[str], SecretKind, Evidence], ...] = (
    (_BEARER, SecretKind.TOKEN, "said"),
    (_ENVIRONMENT, SecretKind.API_KEY, "sure"),
    (_ENVIRONMENT_TOKEN, SecretKind.TOKEN, "sure"),
)
_CERTAIN = (
    (_BASIC, SecretKind.PASSWORD),
    (_ADDRESS, SecretKind.PASSWORD),
    (_ADDRESS_TOKEN, SecretKind.TOKEN),
    (_COOKIE, SecretKind.TOKEN),
    (_SIGNATURE, SecretKind.TOKEN),
    (_COMMAND, SecretKind.PASSWORD),
    (_PREFIXED, SecretKind.API_KEY),
)


def _behind(text: str, word: re.Match[str]) -> Iterator[Span]:
    """Yield the value that stands behind a credential's name, and those listed after it."""
    kind = _KINDS[word.lastgroup or "key"]
    for pattern, evidence in _BEHIND:
        match = pattern.match(text, word.end())
        if match is None:
            continue
        found = list(_checked(text, match, kind, evidence))
        if found:
            yield from found
            yield from _listed(text, found[-1].end, kind)
            return


def _listed(text: str, end: int, kind: SecretKind) -> Iterator[Span]:
    while (match := _LIST.match(text, end)) is not None:
        found = list(_checked(text, match, kind, "bare"))
        if not found:
            return
        yield from found
        end = match.end()


def _checked(
    text: str, match: re.Match[str], kind: SecretKind, evidence: Evidence, name: str = "value"
) -> Iterator[Span]:
    groups = match.groupdict()
    if groups.get("quoted") is not None:
        start, end = match.span("quoted")
        if evidence != "sure" and (evidence != "bare" or is_secret_value(match["quoted"], "said")):
            evidence = "assigned"
        last = True
    else:
        start, end = match.span(name)
        while end > start and text[end - 1] in ".,:!?)]}>":
            end -= 1
        if text[end : end + 1] in ("(", "["):
            return
        last = text[start - 1] == "=" or _CLAUSE_END.match(text, end) is not None
    value = text[start:end]
    call = re.match(r"[A-Za-z_][\w.]*[(\[]", value)
    if not value or call or (value[0].isdigit() and MEASURE.match(text, end)):
        return
    if is_secret_value(value, evidence, last=last):
        yield Span(start, end, kind)
