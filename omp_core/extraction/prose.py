"""Split a turn into what was said and what was only quoted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omp_core.language.language import script
from omp_core.language.sentences import sentences

_FENCE = re.compile(r"^\s*(```|~~~)")
_QUOTED_LINE = re.compile(
    r"^\s*(?:>|\$ |>>> |# \w+@|Traceback \(|at [\w.$<>]+\(|File \"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d"
    r"|\[?\d\d:\d\d:\d\d"
    r"|(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\b[:\s\]]|[+-]{3} [ab]/|@@ |diff --git"
    r"|\|.*\|\s*$"
    r"|</?[a-z][\w-]*(?:\s[^>]*)?>)"
)
_QUOTATION = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"\n]*\"")
_SPOKEN = re.compile(
    r"(?:说|回我?|问|写|讲|喊|报错|提示|显示|says?|said|wrote|writes|told me|replied|asks?"
    r"|reads)\s*(?:道"
    r"|的是)?\s*[:：，,]?\s*$",
    re.IGNORECASE,
)
_TO_YOU = re.compile(
    r"^(?:你|以后|请)*(?:别|不要|少)|^(?:please )?(?:stop|don'?t|never|do not)\b|我们说|we say",
    re.IGNORECASE,
)
_LONG_LATIN, _LONG_CJK = 24, 16
_CASUAL_END = re.compile(r"(?<=[a-z0-9)'][.!?])\s+(?=[a-z])")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|fig)\.$", re.IGNORECASE)
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence of the speaker, or one block that is quoted.

    `plain` is the sentence without longer quotations inside it: what rules look at.
    """

    text: str
    quoted: bool
    plain: str


def passages(text: str) -> list[Passage]:
    """Return the sentences of a turn in order; code blocks, logs, quotes each as one block."""
    found: list[Passage] = []
    spoken: list[str] = []
    block: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = bool(_FENCE.match(line))
        if fence or fenced or _QUOTED_LINE.match(line):
            _end_spoken(spoken, found)
            block.append(line)
            fenced = fenced != fence
            continue
        _end_block(block, found)
        spoken.append(line)
    _end_block(block, found)
    _end_spoken(spoken, found)
    return found


def _end_spoken(spoken: list[str], found: list[Passage]) -> None:
    for written in sentences("\n".join(spoken)):
        for sentence in _casual(written):
            plain = _QUOTATION.sub(_without_long, sentence).strip()
            only_quoted = plain != sentence and not any(map(str.isalnum, plain))
            found.append(Passage(sentence, only_quoted, plain))
    spoken.clear()


def _casual(sentence: str) -> list[str]:
    """Split where people who write all in small letters end a sentence."""
    parts = _CASUAL_END.split(sentence)
    joined = parts[:1]
    for part in parts[1:]:
        if _ABBREVIATION.search(joined[-1]):
            joined[-1] += " " + part
        else:
            joined.append(part)
    return joined


def _without_long(quotation: re.Match[str]) -> str:
    """Leave out what somebody else is quoted with, and what is long; a term stays."""
    before = quotation.string[: quotation.start()]
    if _SPOKEN.search(before) and not _TO_YOU.search(before.lstrip()):
        return " "
    least = _LONG_CJK if script(quotation[0]) == "cjk" else _LONG_LATIN
    return " " if len(quotation[0]) - 2 >= least else quotation[0]


def _end_block(block: list[str], found: list[Passage]) -> None:
    if block:
        joined = " ".join(" ".join(block).split())
        shown = joined if len(joined) <= _SHOWN else joined[: _SHOWN - 1] + "…"
        found.append(Passage(shown, True, ""))
    block.clear()
