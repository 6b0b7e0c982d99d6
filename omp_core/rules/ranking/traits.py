"""What ranking needs to know of a record, kept beside it so that a search reads no whole text."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from omp_core.language.language import CJK, Script
from omp_core.language.quantities import quantities
from omp_core.language.tokens import tokens
from omp_core.model import Importance

Group = tuple[str | None, str | None]
"""User and app: whose conversations are weighed together."""

EpisodeKey = tuple[Group, str]
"""A conversation: an episode's id within its group."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The ranked side of a record. `words` are its distinct tokens, joined by blanks.

    `says`, 0..1, is how much the text says at all; `speaker` is the label it begins with.
    """

    id: str
    words: str
    script: Script
    updated_at: datetime
    importance: Importance
    group: Group
    episode: str | None = None
    says: float = 0.5
    speaker: str | None = None

    @property
    def tokens(self) -> frozenset[str]:
        return _token_set(self.words)

    @property
    def conversation(self) -> EpisodeKey | None:
        return None if self.episode is None else (self.group, self.episode)


@lru_cache(maxsize=1024)
def _token_set(words: str) -> frozenset[str]:
    """Return the tokens of a record; a search asks for those of its candidates more than once."""
    return frozenset(words.split(" "))


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

_LABEL = re.compile(r"\s*([^\W\d][^\n:：.!?。！？]{0,39}?)(?:：|:(?=\s))")
_MOST_LABEL_WORDS = 4
_CAPTION = re.compile(r"\[[^\]\n]*\]")
_WORD = re.compile(rf"[^\W_{CJK}]+(?:['’-][^\W_{CJK}]+)*")
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_CHARACTERS_A_WORD = 1.7
_SHORT, _LONG = math.log(5), math.log(41)
_QUESTION_LESS, _TIME_MORE = 0.35, 0.1
_TIME = re.compile(
    r"\d{1,2}:\d\d|\b(?:19|20)\d\d\b|\b(?:yesterday|tomorrow|today|tonight|ago|"
    r"(?:last|next|this|past) (?:\w+ )?(?:week|month|year|night|summer|winter|spring|fall|autumn|"
    r"weekend|\w+day)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|"
    r"august|september|october|november|december)\b"
    r"|昨天|今天|明天|前天|后天|昨晚|今晚|上周|下周|本周|上个?月|下个?月|去年|今年|明年|前年|周[一二三四五六日末]"
    r"|星期[一二三四五六日天]|\d+\s*[年月日号点]",
    re.IGNORECASE,
)


def date_words(moment: datetime) -> str:
    """Return the date of a moment in UTC as people write it in both languages.

    It goes into the keyword index beside the text: `8 May 2023 2023年5月8日`. Month names do not
    depend on the locale.
    """
    day = moment.astimezone(UTC)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year} {day.year}年{day.month}月{day.day}日"


def index_tokens(content: str, happened: datetime) -> list[str]:
    """Return the tokens a record is found by: those of its text, of its date, and of its day."""
    day = happened.astimezone(UTC)
    return [*tokens(content), *tokens(date_words(happened)), _day_token(day.month, day.day)]


def asked_days(text: str) -> tuple[str, ...]:
    """Return the tokens of the days of the year that a query names: `5月8日`, `May 8th`.

    The numbers of a date are in many records, its day as a whole in those of that day.
    """
    days: dict[str, None] = {}
    for one in quantities(text):
        if one.kind == "date":
            _year, month, day = one.value.split("-")
            if month and day:
                days[_day_token(int(month), int(day))] = None
    return tuple(days)


def _day_token(month: int, day: int) -> str:
    return f"@{month:02d}-{day:02d}"


def speaker_of(content: str) -> str | None:
    """Return the label that a turn begins with, `Ana` of `Ana: hello`; None without one."""
    found = _LABEL.match(content)
    if found is None or len(found[1].split()) > _MOST_LABEL_WORDS:
        return None
    return found[1].strip()


def says(content: str) -> float:
    """Return how much a turn of talk says at all, 0..1, from its text alone.

    It rises with the logarithm of the length between 4 and 40 words (1.7 CJK characters count
    as one), is less for a question, a little more when it names a time. The label of the
    speaker and captions in brackets do not count.
    """
    label = _LABEL.match(content) if speaker_of(content) is not None else None
    text = _CAPTION.sub(" ", content[label.end() :] if label else content)
    words = len(_WORD.findall(text)) + len(_CJK_CHARACTER.findall(text)) / _CHARACTERS_A_WORD
    value = min(1.0, max(0.0, (math.log(1 + words) - _SHORT) / (_LONG - _SHORT)))
    if text.rstrip().endswith(("?", "？")):
        value -= _QUESTION_LESS
    if _TIME.search(text):
        value += _TIME_MORE
    return min(1.0, max(0.0, value))
