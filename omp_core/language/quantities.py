"""Numbers, dates, times, weekdays and versions in Chinese and English text, in one form.

`90 秒`, `90秒`, `90s` and `1.5 minutes` are one quantity; so are `下午三点` and `3 pm`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

QuantityKind = Literal["number", "date", "time", "weekday", "version", "label"]
"""`label` is a number that names a thing (`#12`, `第三次`), not an amount."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """`value` in a canonical form; `start` and `end` are where it stands in the text.

    A `date` is `year-month-day`, unknown parts empty. A `time` is in minutes, followed by `?`
    when it may also be twelve hours later. A `number` is the amount and, behind a space, the
    base unit; `written` is its amount as written, in whatever unit.
    """

    kind: QuantityKind
    value: str
    start: int
    end: int
    written: str = ""

    def matches(self, other: Quantity) -> bool:
        """Return whether both can mean the same; what one leaves open is no difference."""
        if self.kind == "date" and other.kind == "date":
            both = zip(self.value.split("-"), other.value.split("-"), strict=True)
            return all(left == right or not left or not right for left, right in both)
        if self.kind == "time" and other.kind == "time":
            return _same_time(self.value, other.value)
        if {self.kind, other.kind} == {"time", "number"}:
            time, number = (self, other) if self.kind == "time" else (other, self)
            return number.value.isdecimal() and _same_time(time.value, f"{int(number.value) * 60}?")
        if self.kind != other.kind:
            return False
        if self.kind == "weekday" and "weekend" in (self.value, other.value):
            return {self.value, other.value} <= {"6", "7", "weekend"}
        # A unit that only one of them names is left open by the other.
        one_unit = self.kind == "number" and (" " in self.value) != (" " in other.value)
        return self.written == other.written if one_unit else self.value == other.value


def quantities(text: str) -> list[Quantity]:
    """Return the quantities of `text`, in order.

    Numbers inside names (`A10`, `k8s`) are none, nor are dates that no calendar has.
    """
    found: list[Quantity] = []
    for match in _ANY.finditer(text):
        assert match.lastgroup is not None
        kind, reader = _READERS[match.lastgroup.rstrip("0123456789")]
        value = reader(match)
        if value is not None:
            written = match["amount"] or ""
            found.append(Quantity(kind, value, match.start(), match.end(), written))
    return found


def unmatched(
    left: Sequence[Quantity], right: Sequence[Quantity]
) -> tuple[list[Quantity], list[Quantity]]:
    """Return the quantities of each side that have no match on the other, in order.

    Where some have none and both sides have the same kinds in the same order, place decides:
    `pool 3 has 4` and `pool 4 has 5` differ in both.
    """
    mine, theirs = list(left), list(right)
    for quantity in left:
        twin = next((other for other in theirs if quantity.matches(other)), None)
        if twin is not None:
            mine.remove(quantity)
            theirs.remove(twin)
    if mine and theirs and [one.kind for one in left] == [one.kind for one in right]:
        pairs = [
            (one, other) for one, other in zip(left, right, strict=True) if not one.matches(other)
        ]
        return [one for one, _other in pairs], [other for _one, other in pairs]
    return mine, theirs


def with_digits(text: str) -> str:
    """Return `text` with Chinese and English number words as digits, where they count things.

    `两只猫` becomes `2只猫`; `一起`, `统一`, `一个` stay, because nothing is counted there.
    """
    text = _PERCENT_WORDS.sub(lambda match: f"{_chinese_number(match[1])}%", text)
    text = _CHINESE_NUMBER.sub(_chinese_digits, text)
    return _ENGLISH_NUMBER.sub(lambda match: _ENGLISH[match[0].lower()], text)


_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}
_PLACES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_NUMERAL = "[零〇一二两三四五六七八九十百千万]"
_MEASURE = (
    "个|台|次|条|天|年|月|日|号|点|分钟|秒|小时|周[^一二三四五六日末]|星期[^一二三四五六日天]|位|名|人"
    "|家|种|份|倍|页|章|行|列|核|级|元|块|岁|只|件|张|层|套|遍|轮|格|组|步|项|字|公里|米|门|台|篇"
)
_CHINESE_NUMBER = re.compile(
    rf"(?<=第){_NUMERAL}+|(?<![十百千万统唯]){_NUMERAL}+(?=\s*(?:{_MEASURE}))"
)
_PERCENT_WORDS = re.compile(rf"百分之({_NUMERAL}+|\d+(?:\.\d+)?)")
_ARTICLE_MEASURES = tuple("个家种位名条份只项件张套台")
_ENGLISH = {
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
}
_ENGLISH_NUMBER = re.compile(rf"\b(?:{'|'.join(_ENGLISH)})\b", re.IGNORECASE)


def _chinese_digits(match: re.Match[str]) -> str:
    after = match.string[match.end() :].lstrip()
    # `一个` is an article; `一个月` is an amount.
    if match[0] == "一" and after.startswith(_ARTICLE_MEASURES):
        is_period = re.match("个(?:月|小时|星期|钟头)", after)
        return "1" if is_period else match[0]
    if match[0] == "一" and after.startswith("点"):
        return match[0]
    number = _chinese_number(match[0])
    return match[0] if number is None else number


def _chinese_number(numeral: str) -> str | None:
    """Return the digits of a numeral up to 99,999,999, None when it is none."""
    if not any(char in _PLACES for char in numeral):
        digits = "".join(str(_DIGITS[char]) if char in _DIGITS else char for char in numeral)
        return digits or None
    total = section = digit = 0
    for char in numeral:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
        else:
            section += (digit or 1) * _PLACES[char]
            digit = 0
    return str(total + section + digit)


_MONTHS = "january february march april may june july august september october november december"
_MONTH = {name.capitalize(): at for at, name in enumerate(_MONTHS.split(), start=1)}
_WEEKDAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY = {name: str(at) for at, name in enumerate(_WEEKDAY_NAMES, start=1)} | {
    "weekend": "weekend"
}
_WEEKDAY_ZH = {char: str(at) for at, char in enumerate("一二三四五六日", start=1)} | {
    "天": "7",
    "末": "weekend",
}
_HALVES = {
    **dict.fromkeys(("凌晨", "清晨", "早上", "早晨", "上午", "am", "a.m.", "a.m"), "am"),
    **dict.fromkeys(("中午", "下午", "傍晚", "晚上", "pm", "p.m.", "p.m"), "pm"),
}
_UNITS: dict[str, tuple[str, float]] = {
    unit: (base, factor)
    for units, base, factor in (
        ("ms 毫秒 millisecond milliseconds", "s", 0.001),
        ("s sec secs second seconds 秒 秒钟", "s", 1),
        ("min mins minute minutes 分钟", "s", 60),
        ("h hr hrs hour hours 小时 个小时 钟头 个钟头", "s", 3600),
        ("d day days 天", "s", 86_400),
        ("week weeks 周 星期 个星期", "s", 604_800),
        ("month months 个月", "month", 1),
        ("year years 年", "month", 12),
        ("kb kib", "kb", 1),
        ("mb mib", "kb", 1024),
        ("g gb gib", "kb", 1024**2),
        ("tb tib", "kb", 1024**3),
        ("% percent", "%", 1),
        ("k 千", "", 1e3),
        ("万", "", 1e4),
        ("million 百万", "", 1e6),
        ("亿", "", 1e8),
        ("元 块 yuan", "cny", 1),
        ("usd dollar dollars 美元", "usd", 1),
        ("km 公里 kilometres kilometers kilometre kilometer", "km", 1),
    )
    for unit in units.split()
}
_COUNTED_EN = (
    "issue|pr|build|ticket|sprint|phase|number|no\\.|step|stage|part|round|item|task|chapter"
    "|section|page|shard|replica|worker|pool|cluster|instance|machine|warehouse|batch|attempt"
    "|iteration|experiment|case|shop|customer|tenant|record|entry|lane|slot"
)
_COUNTED_ZH = (
    "服务器|节点|机器|步骤|阶段|任务|编号|分片|副本|集群|工单|需求|门店|仓库|队列|批次|实例|租户"
)
"""Things that are told apart by a number: behind these words it is a name, not an amount."""
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_HALF_ZH = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上"
_HALF_EN = r"[ap]\.?m\b\.?"
_NOT_INSIDE = r"(?<![A-Za-z0-9_.])(?<![A-Za-z_][-+])"
_BEFORE_YEAR = "|".join(rf"(?<=\b{word} )" for word in ("in", "by", "since", "until", "from"))
_MONTH_NAMES = "|".join(_MONTH)

# Tried in this order at each place. Digits behind a group's name only keep names apart.
_ANY = re.compile(
    rf"(?P<ymd>{_NOT_INSIDE}(?P<y1>(?:19|20)\d\d)[-/.年]\s?(?P<m1>\d\d?)[-/.月]\s?(?P<d1>\d\d?)(?!\d)"
    rf"[日号]?)"
    rf"|(?P<ym>{_NOT_INSIDE}(?P<y2>(?:19|20)\d\d)(?:年\s?|-)(?P<m2>0[1-9]|1[0-2]|[1-9](?=\s?月))(?![\d-])"
    rf"月?)"
    rf"|(?P<md>{_NOT_INSIDE}(?P<m3>\d\d?)\s?月\s?(?:(?P<d3>\d\d?)\s?[日号])?)"
    rf"|(?P<en>\b(?:(?P<d4>\d\d?)(?:st|nd|rd|th)?\s+)?(?P<m4>{_MONTH_NAMES})\b"
    rf"(?:\s+(?P<d5>\d\d?)(?:st|nd|rd|th)?(?!\d|:))?(?:,?\s+(?P<y4>(?:19|20)\d\d))?)"
    rf"|(?P<clock>{_NOT_INSIDE}(?:(?P<half>{_HALF_ZH})\s*)?(?P<h1>[01]?\d|2[0-4])"
    rf"(?::(?P<min1>[0-5]\d)(?::\d\d)?(?!\d)|\s?[点时](?!间)(?P<zh>半|[0-5]?\d\s?分(?!钟))?钟?整?)"
    rf"(?:\s*(?P<half2>{_HALF_EN}))?)"
    rf"|(?P<hour>{_NOT_INSIDE}(?P<h2>1[0-2]|0?\d)\s*(?P<half3>{_HALF_EN}))"
    r"|(?P<weekdayzh>(?:周|星期|礼拜)\s?(?P<wd1>[一二三四五六日天末])(?![次回趟遍节]))"
    rf"|(?P<weekdayen>\b(?P<wd2>{'|'.join(_WEEKDAY)})s?\b)"
    rf"|(?P<label>(?:#|第|\b(?:{_COUNTED_EN})\s+#?|(?:{_COUNTED_ZH})\s?#?)\s?(?P<id>\d+)(?![\d.]))"
    rf"|(?P<version>(?<![A-Za-z0-9_])v\d+(?:\.\d+)*(?:-[A-Za-z0-9.]+)?|{_NOT_INSIDE}\d+(?:\.\d+){{2,}})"
    rf"|(?P<year>{_NOT_INSIDE}(?P<y5>(?:19|20)\d\d)\s?年)"
    rf"|(?P<year2>(?:{_BEFORE_YEAR})(?P<y6>(?:19|20)\d\d)(?![\w.,]))"
    rf"|(?P<number>{_NOT_INSIDE}(?P<sign>(?<![\w)])-)?(?P<amount>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"(?:\s?(?P<unit>{_UNIT}))?(?![A-Za-z0-9_]))",
    re.IGNORECASE,
)


def _same_time(left: str, right: str) -> bool:
    if left == right:
        return True
    open_ended = left.endswith("?") or right.endswith("?")
    minutes = (int(left.rstrip("?")), int(right.rstrip("?")))
    return open_ended and minutes[0] % 720 == minutes[1] % 720


def _date(year: str | None, month: str | None, day: str | None) -> str | None:
    number = int(month or 1)
    if not 1 <= number <= 12 or not 1 <= int(day or 1) <= 31:
        return None
    return f"{year or ''}-{number if month else ''}-{int(day) if day else ''}"


def _english_date(match: re.Match[str]) -> str | None:
    month = _MONTH.get(match["m4"])  # `may` and `march` in small letters are verbs
    return _date(match["y4"], str(month), match["d5"] or match["d4"]) if month else None


def _clock(match: re.Match[str]) -> str | None:
    half_past = match["zh"] or "0"
    minute = match["min1"] or ("30" if half_past == "半" else half_past.rstrip("分 "))
    half = match["half"] or (match["half2"] or "").lower()
    exact = bool(match["min1"]) and match["h1"].startswith("0")
    return _time(int(match["h1"]), int(minute), half, exact)


def _time(hour: int, minute: int, half: str, exact: bool) -> str:
    which = _HALVES.get(half)
    if which == "pm" and hour < 12:
        hour += 12
    elif which == "am" and hour == 12:
        hour = 0
    known = which is not None or hour > 12 or exact
    return f"{hour % 24 * 60 + minute}{'' if known else '?'}"


_BEHIND_NAME = re.compile(r"(?:^|[^A-Za-z])[A-Z][A-Za-z]*\s?$")


def _number(match: re.Match[str]) -> str:
    amount: str = match["amount"]
    named = _BEHIND_NAME.search(match.string, 0, match.start()) is not None
    named = named or match.string.startswith(("版", " 版"), match.end())
    if named and "." in amount and not match["unit"]:
        return amount  # of a version: 1.10 and 1.1 are two
    base, factor = _UNITS[match["unit"].lower()] if match["unit"] else ("", 1.0)
    total = float(amount.replace(",", "")) * factor
    return f"{match['sign'] or ''}{total:.10g} {base}".rstrip()


_READERS: dict[str, tuple[QuantityKind, Callable[[re.Match[str]], str | None]]] = {
    "ymd": ("date", lambda match: _date(match["y1"], match["m1"], match["d1"])),
    "ym": ("date", lambda match: _date(match["y2"], match["m2"], None)),
    "md": ("date", lambda match: _date(None, match["m3"], match["d3"])),
    "en": ("date", _english_date),
    "clock": ("time", _clock),
    "hour": ("time", lambda match: _time(int(match["h2"]), 0, match["half3"].lower(), True)),
    "weekdayzh": ("weekday", lambda match: _WEEKDAY_ZH[match["wd1"]]),
    "weekdayen": ("weekday", lambda match: _WEEKDAY[match["wd2"].lower()]),
    "label": ("label", lambda match: str(int(match["id"]))),
    "version": ("version", lambda match: match[0].lower().lstrip("v")),
    "year": ("date", lambda match: _date(match["y5"] or match["y6"], None, None)),
    "number": ("number", _number),
}
