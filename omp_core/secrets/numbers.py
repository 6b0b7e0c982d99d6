"""Identity cards, bank cards and phone numbers: digits that pass their own checks.

python-stdnum and phonenumbers judge; both are loaded only when digits of the right length
and beginning are there. Spaces and dashes inside a number do not hide it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from omp_core.secrets.kinds import SecretKind, Span, blank

_HEXADECIMAL = re.compile(
    r"(?i)(?<![0-9a-z])(?:0x[0-9a-f]+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?=[0-9]*[a-f])[0-9a-f]{16,128})(?![0-9a-z])"
)
_RUN = re.compile(
    r"(?<!\d)\d(?:(?: [-/] |[ -]{1,2}|[._/]|[ \t]{0,2}\r?\n[ \t]{0,2})?\d)*"
    r"(?:[ -]?[Xx](?![A-Za-z0-9]))?"
)
_SPOKEN = re.compile("[零〇一二三四五六七八九幺]{11,}")
_SPOKEN_DIGITS = str.maketrans("零〇一二三四五六七八九幺", "001234567891")
_GROUP = re.compile(r"\d+[Xx]?|[Xx]")

_IDENTITY_WORD = re.compile(r"(?i)身份证|居民证|identity card|id card|\bid (?:no|number)")
_PHONE_WORD = re.compile(
    r"(?i)电话|手机|座机|联系方式|致电|拨打|传真|whatsapp|微信|(?<![a-z])(?:phone|mobile|landline|tel|cell"
    r"|call|fax|text|dial|sms|hotline|reach)(?![a-z])"
)
_NUMBERED_THING = re.compile(
    r"(?i)(?:订单|单号|运单|流水|工单|快递|编号|批次|序列|型号|发票|时间戳|orders?|invoice|tracking|bugs?|issues?"
    r"|parts?|product|article"
    r"|tickets?|serial|sku|trace|request|batch|build|job|isbn|ean|barcode|timestamp|epoch|bytes"
    r"|sequence|commit|revision|snowflake)"
    r"[\s_-]{0,2}(?:号码?|编号|id|no\.?|number|#)?[\"'\s]{0,3}(?:是|为|is|was|:|=|#)?[\"'\s#]{0,3}$"
)
_LOOK_BACK = 24
_SHORTEST, _LONGEST = 11, 19
"""Digits of a mobile number and of the longest bank card."""

_CARD_PREFIX = re.compile(
    r"^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|2200\d{12}|220[1-4]\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12}|62\d{14,17}|9558\d{12}(?:\d{3})?)$"
)
"""Length and first digits of Visa, Mastercard, Mir, Amex, Diners, JCB, Discover, UnionPay."""
_MOBILE = re.compile(r"^(?:0{0,2}86)?1[3-9]\d{9}$")
_MOBILE_GROUPS: frozenset[tuple[int, ...]] = frozenset({(11,), (3, 4, 4), (3, 8), (7, 4)})
_LANDLINE = re.compile(r"(?<![\d.])\(?0(?:10|2\d|[3-9]\d\d)\)?[ -]?\d{3,4}[ -]?\d{4}(?![\d.])")
_INTERNATIONAL = re.compile(r"(?<![\w+])\+\s?\d[\d ().-]{6,22}\d(?!\d)")
_NORTH_AMERICA = re.compile(r"(?<![\w.+-])\(?[2-9]\d\d\)?[ .-]\s?[2-9]\d\d[ .-]\d{4}(?![\w-]|\.\d)")
_NAMED_NUMBER = re.compile(r"\(?\d[\d ().-]{5,20}\d(?!\d)")
_SERVICE = re.compile(
    r"^(?:(?:86)?[48]00\d{7}|1?8(?:00|33|44|55|66|77|88)\d{7}|0(?:80[08]|84[3-5]|87[0-3]|900)\d{5,8})$"
)
"""Numbers of companies in China, North America and Europe, as dialled inland."""
_REGIONS = ("CN", "US", "GB", "HK", "TW", "SG", "JP", "IN", "DE", "FR", "AU", "KR")
"""Where a number without country code is looked up when words say that it is a phone."""


class _Group(NamedTuple):
    start: int
    end: int
    digits: str


def number_spans(text: str) -> Iterator[Span]:
    """Yield numbers of people: identity cards, bank cards, phones."""
    text = blank(text, _HEXADECIMAL)
    text = _SPOKEN.sub(lambda match: match[0].translate(_SPOKEN_DIGITS), text)
    for run in _RUN.finditer(text):
        groups = [
            _Group(run.start() + match.start(), run.start() + match.end(), match[0])
            for match in _GROUP.finditer(run[0])
        ]
        if sum(len(group.digits) for group in groups) >= _SHORTEST:
            yield from _in_run(text, groups)
    yield from _phones(text)


def _in_run(text: str, groups: list[_Group]) -> Iterator[Span]:
    """Yield what a window of neighbouring groups spells."""
    for first in range(len(groups)):
        if _in_decimal(text, groups[first].start - 1):
            continue
        digits = ""
        for last in range(first, len(groups)):
            digits += groups[last].digits
            if len(digits) > _LONGEST:
                break
            if len(digits) < _SHORTEST or _in_decimal(text, groups[last].end):
                continue
            whole = first == 0 and last == len(groups) - 1
            kind = _kind(digits.upper(), groups[first : last + 1], whole, text)
            if kind is not None:
                yield Span(groups[first].start, groups[last].end, kind)


def _in_decimal(text: str, place: int) -> bool:
    """Return whether a point between two digits stands at `place`: the number goes on there."""
    return (
        0 < place < len(text) - 1
        and text[place] in "._"
        and text[place - 1].isdigit()
        and text[place + 1].isdigit()
    )


def _kind(digits: str, groups: list[_Group], whole: bool, text: str) -> SecretKind | None:
    sizes = tuple(len(group.digits) for group in groups)
    before = text[max(0, groups[0].start - _LOOK_BACK) : groups[0].start]
    one_by_one = whole and max(sizes) <= 2
    spelled = whole or len(sizes) == 1 or min(sizes) >= 3
    if "\n" in text[groups[0].start : groups[-1].end] and min(sizes) < 4:
        return None  # numbers below each other are one only in the groups of a card
    if len(digits) in (15, 18) and spelled and _is_identity_card(digits, before):
        return SecretKind.IDENTITY_CARD
    if _CARD_PREFIX.match(digits):
        grouped = len(sizes) == 1 or one_by_one or min(sizes[:-1]) >= 4
        if grouped and _passes_luhn(digits) and not _NUMBERED_THING.search(before):
            return SecretKind.BANK_CARD
    if _MOBILE.match(digits) and not _NUMBERED_THING.search(before):
        usual = len(sizes) == 1 or one_by_one or {sizes, sizes[1:]} & _MOBILE_GROUPS
        if (usual or _PHONE_WORD.search(before)) and _is_phone(digits[-11:], ("CN",)):
            return SecretKind.PHONE
    return None


def _is_identity_card(digits: str, before: str) -> bool:
    if len(digits) == 15:
        # The form of before 2000 has no check digit: only words give it away.
        return digits.isdigit() and bool(_IDENTITY_WORD.search(before)) and _month_day(digits[8:12])
    if not digits[:17].isdigit() or not _month_day(digits[10:14]):
        return False
    if digits[6:8] not in ("18", "19", "20"):
        return False
    from stdnum.cn import ric

    return bool(_IDENTITY_WORD.search(before)) or bool(ric.is_valid(digits))


def _month_day(digits: str) -> bool:
    return "01" <= digits[:2] <= "12" and "01" <= digits[2:] <= "31"


def _passes_luhn(digits: str) -> bool:
    from stdnum import luhn

    return bool(luhn.is_valid(digits))


def _phones(text: str) -> Iterator[Span]:
    """Yield phone numbers in the forms that their signs or the words before give away."""
    for match in _INTERNATIONAL.finditer(text):
        if _is_phone(match[0], (None,)):
            yield Span(*match.span(), SecretKind.PHONE)
    for pattern, regions in ((_LANDLINE, ("CN",)), (_NORTH_AMERICA, ("US",))):
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
            if not _NUMBERED_THING.search(before) and _is_phone(match[0], regions):
                yield Span(*match.span(), SecretKind.PHONE)
    for word in _PHONE_WORD.finditer(text):
        near = _NAMED_NUMBER.search(text, word.end(), word.end() + 2 * _LOOK_BACK)
        if near is None or re.search(r"[\n.;。；]", text[word.end() : near.start()]):
            continue
        if near.start() - word.end() <= _LOOK_BACK and _is_phone(near[0], _REGIONS):
            yield Span(*near.span(), SecretKind.PHONE)


def _is_phone(number: str, regions: tuple[str | None, ...]) -> bool:
    """Return whether `number` is a valid personal number in one of the regions. Service
    numbers (400, toll free, premium) belong to nobody.
    """
    if _SERVICE.match(re.sub(r"\D", "", number)) and not number.startswith("+"):
        return False
    import phonenumbers

    personal = (
        phonenumbers.PhoneNumberType.MOBILE,
        phonenumbers.PhoneNumberType.FIXED_LINE,
        phonenumbers.PhoneNumberType.FIXED_LINE_OR_MOBILE,
        phonenumbers.PhoneNumberType.PERSONAL_NUMBER,
        phonenumbers.PhoneNumberType.VOIP,
    )
    for region in regions:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed) and phonenumbers.number_type(parsed) in personal:
            return True
    return False
