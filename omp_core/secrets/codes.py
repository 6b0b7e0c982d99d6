"""Codes that open something: one-time codes, recovery codes, PINs, card security codes, doors.

All patterns are bounded: time grows linearly with the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from omp_core.secrets.kinds import SecretKind, Span
from omp_core.secrets.passwords import MEASURE

_ONE_TIME = (
    r"(?:(?:verification|one[- ]time|login|log-in|sign[- ]in|security|confirmation"
    r"|auth(?:entication"
    r"|enticator)?|2fa|mfa|two[- ]factor|sms|texted|access)\s(?:code|password|pin|passcode)s?"
    r"|(?<![A-Za-z])(?:otp|totp|tan)(?:\scode)?(?![A-Za-z])|authenticator"
    r"|验证码|校验码|动态码|动态口令|动态密码|取件码|确认码|認証コード|確認コード|인증번호"
    r"|bestätigungscode|code de vérification|código de verificación)"
)
_OPENS = (
    r"(?:(?:door|gate|alarm|garage|entry|entrance|lock|locker|safe|vault|building|keypad|access"
    r"|security|unlock|bike lock|parental)\s(?:code|pin|combination|combo|number)"
    r"|combination(?=\s(?:is|to|for|of))|(?-i:(?<![A-Za-z])(?:PIN|pin))(?:[ -]?(?:code|number|码))?"
    r"|(?:bank|card|alarm|sim|phone|atm|unlock pattern)\spin|code pin|zugangscode|türcode"
    r"|geheimzahl"
    r"|(?<![A-Za-z])(?:cvv2?|cvc2?|csc)(?:\scode)?(?![A-Za-z])"
    r"|门禁码|开门码|门锁密码|安全码|保险柜|保险箱|取款码|暗証番号|암호)"
)
_RECOVERY = (
    r"(?:(?:recovery|backup|back-up|rescue|emergency|restore|scratch)\s(?:codes?|keys?|passcodes?)"
    r"|恢复码|备用码|备用验证码|备份码|恢复代码|恢复密钥|wiederherstellungscodes?|codes de secours)"
)
_LINK = (
    r"(?:\s(?:for|to|of|on|at|from)(?:\s[^\s.;:=\d]{1,24}){1,5}?)?\s?"
    r"(?:is|was|are|now|showed|shows|ist|lautet|est|es|是|为|は|는|[:=-]|\s){0,3}\s?(?:now\s)?[\"'“「]?"
)
_CODES = re.compile(
    rf"(?i){_ONE_TIME}{_LINK}(?P<value>(?:[A-Z]-)?\d(?:[ -]?\d){{3,7}}"
    r"(?:\s{0,2}[,、]?\s?\d{4}(?:[ -]?\d{4})?(?!\d)){0,12})(?![\d.:])"
)
_AS_CODE = re.compile(
    rf"(?i)(?<![\w.])(?P<value>(?:G-)?\d(?:[ -]?\d){{3,7}})"
    rf"\s(?:as|is)\s(?:(?:the|my|your|our|its|an?)\s)?"
    rf"(?:{_ONE_TIME}|(?:\w{{1,12}}\s)?code(?=\s*(?:$|[\n.,;!])))"
)
_NUMBERS = re.compile(
    rf"(?i){_OPENS}{_LINK}"
    rf"(?P<value>[#*]?\d{{1,4}}(?:[ -]\d{{1,4}}){{1,4}}[#*]?|[#*]?\d{{3,10}}[#*]?)"
    r"(?![\w.:])"
)
_CARD_CODE = re.compile(
    r"(?i)(?:security code|cvv2?|cvc2?|csc|安全码)[^\n.;\d]{0,24}?(?P<value>\d{3,4})(?![\w.:])"
)
_PARTS = r"[A-Z0-9]{4,12}(?:-[A-Z0-9]{3,8}){0,7}"
_RECOVERY_CODES = re.compile(
    rf"(?i){_RECOVERY}{_LINK}\s*(?P<value>(?=[^\s,、]{{0,40}}\d){_PARTS}"
    rf"(?:(?:\s*[,、;]\s*|\s+|\s(?:and|和)\s)(?=[^\s,、]{{0,40}}\d){_PARTS}){{0,20}})(?![A-Z0-9])"
)
_BITLOCKER = re.compile(r"(?<![\d-])(?P<value>\d{6}(?:-\d{6}){7})(?![\d-])")
_TOTP = re.compile(
    r"(?i)(?:totp|2fa|mfa|otp|authenticator)[^\n.;]{0,24}?(?:secret|seed|key|密钥)\s?(?:is|是|[:=])?\s?"
    r"(?P<value>(?-i:[A-Z2-7]{4}(?: ?[A-Z2-7]{4}){3,15}))(?![A-Za-z0-9])"
)
_OTPAUTH = re.compile(r"(?i)otpauth://\S{0,200}?secret=(?P<value>[A-Z2-7]{8,128})")


def code_spans(text: str) -> Iterator[Span]:
    """Yield one-time and recovery codes, PINs, combinations, card security codes."""
    for pattern in (_CODES, _AS_CODE, _NUMBERS, _CARD_CODE):
        for match in pattern.finditer(text):
            digits = sum(char.isdigit() for char in match["value"])
            least = 3 if pattern is _CARD_CODE or _CARD_CODE.match(match[0]) else 4
            if digits >= least and not MEASURE.match(text, match.end("value")):
                yield Span(*match.span("value"), SecretKind.PASSWORD)
    for pattern in (_RECOVERY_CODES, _BITLOCKER, _TOTP, _OTPAUTH):
        for match in pattern.finditer(text):
            yield Span(*match.span("value"), SecretKind.PASSWORD)
