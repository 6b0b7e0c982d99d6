"""Conversations written down as text: `user: ...` lines, or headings that name the speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO, Literal

from omp_core.formats.files import Line, lines
from omp_core.formats.head import Head
from omp_core.model import Speaker, Turn
from omp_core.transcripts.lines import Report, TranscriptProblem, joined, moment

_PLAIN: Mapping[str, Speaker] = {
    **dict.fromkeys(("user", "human", "用户", "人类"), "user"),
    **dict.fromkeys(("assistant", "ai", "助手", "助理"), "assistant"),
}
# Words that open lines of ordinary text as well: they speak only where none of the others does.
_DOUBTFUL: Mapping[str, Speaker] = {
    **dict.fromkeys(("you", "me", "我", "问"), "user"),
    **dict.fromkeys(("bot", "claude", "chatgpt", "codex", "gemini", "copilot"), "assistant"),
    **dict.fromkeys(("机器人", "答"), "assistant"),
}
_WORDS = {**_PLAIN, **_DOUBTFUL}
_NAMES = "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))
_TIME = r"(?:[\[(（](?P<{0}>[^\])）\n]{{4,40}})[\])）]\s*)?"
_LABEL = re.compile(
    rf"{_TIME.format('before')}(?:\*\*|__)?(?P<name>{_NAMES})\s*{_TIME.format('after')}"
    r"(?:(?:\*\*|__)\s*[:：]|[:：]\s*(?:\*\*|__)|[:：])\s*(?P<text>.*)",
    re.IGNORECASE,
)
_HEADING = re.compile(
    rf"#{{1,6}}\s+(?P<before>)(?:\*\*)?(?P<name>{_NAMES})(?:\*\*)?\s*[:：]?\s*"
    rf"{_TIME.format('after')}#*\s*(?P<text>)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_DETECT_LINES = 2000
_MAX_STRAYS = 100
"""After so many code blocks without an end, fences are no longer believed."""


@dataclass(frozen=True, slots=True)
class _Opening:
    """The line that opens a turn: who speaks, since when, and what already stands there."""

    style: Literal["label", "heading"]
    name: str
    role: Speaker
    at: datetime | None
    text: str


def _opening(line: str) -> _Opening | None:
    label = _LABEL.fullmatch(line)
    found = label or _HEADING.fullmatch(line)
    if found is None:
        return None
    time = found["before"] or found["after"]
    at = moment(time)
    if time and at is None:
        return None
    name = found["name"].lower()
    return _Opening("label" if label else "heading", name, _WORDS[name], at, found["text"])


def detect(head: Head) -> bool:
    """Tell whether a text begins with a speaker, or lets both speak early on."""
    if "\0" in head.text:
        return False
    found = [_opening(line) for line in head.text.split("\n")[:_DETECT_LINES] if line.strip()]
    if found and found[0] is not None:
        return True
    return {opening.role for opening in found if opening} == {"user", "assistant"}


def read(stream: BinaryIO, name: str, report: Report) -> Iterator[Turn]:
    """Yield the turns, each from its label to the next one.

    The first label decides on labels or headings. Inside a code block nobody speaks. What
    comes before the first label belongs to no one.
    """
    current: _Writer | None = None
    for place, opening, text in _Speakers().tell(_readable(lines(stream, name), report)):
        if opening is None:
            if current is not None:
                current.lines.append(text)
            continue
        if current is not None and (turn := current.turn()):
            yield turn
        current = _Writer(opening, place)
    if current is not None and (turn := current.turn()):
        yield turn


def _readable(found: Iterator[Line], report: Report) -> Iterator[Line]:
    for line in found:
        if line.problem:
            report(TranscriptProblem(str(line.number), line.problem))
        else:
            yield line


@dataclass(slots=True)
class _Writer:
    """The turn that is being read."""

    opening: _Opening
    place: str
    lines: list[str] = field(default_factory=list)

    def turn(self) -> Turn | None:
        text = joined(["\n".join([self.opening.text, *self.lines])])
        return Turn(self.opening.role, text, self.opening.at, self.place) if text else None


class _Speakers:
    """Tells lines that open a turn from all others."""

    def __init__(self) -> None:
        self._style: str | None = None
        self._names: dict[Speaker, str] = {}

    def tell(self, found: Iterator[Line]) -> Iterator[tuple[str, _Opening | None, str]]:
        """Yield each line with its place, and with the opening if it is one.

        A code block that never ends is taken for one stray fence: its lines are read anew.
        """
        fence = ""
        held: list[Line] = []  # an open code block, from the line of its fence on
        strays = 0
        while True:
            line = next(found, None)
            if line is None and not held:
                return
            if line is None:
                strays += 1
                yield from self._told(held[:1])
                found, held, fence = iter(held[1:]), [], ""
            elif fence:
                held.append(line)
                if _closes(line.text, fence):
                    yield from self._told(held)
                    held, fence = [], ""
            else:
                opening = _opening(line.text)
                opened = _FENCE.match(opening.text if opening else line.text)
                if opened is not None and strays < _MAX_STRAYS:
                    fence = opened[1]
                    held.append(line)
                else:
                    yield from self._told([line])

    def _told(self, found: list[Line]) -> Iterator[tuple[str, _Opening | None, str]]:
        """Yield one line, or a code block, in which only the first line can open a turn."""
        for position, line in enumerate(found):
            opening = None if position else self._accepted(_opening(line.text))
            yield str(line.number), opening, line.text

    def _accepted(self, opening: _Opening | None) -> _Opening | None:
        if opening is None or self._style not in (None, opening.style):
            return None
        known = self._names.get(opening.role)
        if opening.name in _DOUBTFUL and known not in (None, opening.name):
            return None
        self._style = opening.style
        self._names[opening.role] = opening.name
        return opening


def _closes(line: str, fence: str) -> bool:
    found = _FENCE.match(line)
    return found is not None and found[1].startswith(fence) and not line.strip(" `~\t")
