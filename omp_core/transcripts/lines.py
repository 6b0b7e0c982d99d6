"""What the readers of JSON lines share: objects with their line, texts of content lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

from omp_core.formats.files import lines
from omp_core.formats.json_text import load_value
from omp_core.formats.plain import storable
from omp_core.formats.times import read_time
from omp_core.i18n import _
from omp_core.model import Json


@dataclass(frozen=True, slots=True)
class TranscriptProblem:
    """A place of a conversation that could not be read, and why. Reading went on."""

    place: str
    reason: str


MOST_OUTPUT = 4_000
"""Characters of a tool's output that a turn keeps: its end, where results stand."""

Report = Callable[[TranscriptProblem], None]


def json_lines(stream: BinaryIO, name: str, report: Report) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSON lines stream with their line numbers; report bad lines."""
    for line in lines(stream, name):
        place = str(line.number)
        if line.problem:
            report(TranscriptProblem(place, line.problem))
        elif line.text.strip():
            value = load_value(line.text)
            if isinstance(value, dict):
                yield place, value
            else:
                report(
                    TranscriptProblem(place, _("The line is no JSON object; it was passed over."))
                )


def block_texts(content: Json, *kinds: str) -> list[str]:
    """Return the texts of a content that is a text or a list of typed blocks."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    return [
        block["text"]
        for block in content
        if isinstance(block, dict)
        and block.get("type") in kinds
        and isinstance(block.get("text"), str)
    ]


def joined(texts: list[str]) -> str:
    """Return texts as the paragraphs of one, fit to be stored; blank ones left out."""
    return storable("\n\n".join(text.strip() for text in texts if text.strip()))[0]


def moment(value: Json) -> datetime | None:
    """Return the UTC time that a value means, None where it is none."""
    found = read_time(value)
    return found.at if found else None


def text_of(value: Json) -> str | None:
    """Return a value that is a text which is not blank, fit to be stored."""
    return storable(value)[0] if isinstance(value, str) and value.strip() else None
