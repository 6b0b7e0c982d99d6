"""Gemini CLI session files: one JSON object with a list of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from omp_core.errors import FormatError
from omp_core.formats.files import decode, read_limited
from omp_core.formats.head import Head
from omp_core.formats.json_text import load_json
from omp_core.i18n import _
from omp_core.model import Json, Speaker, Turn
from omp_core.transcripts.lines import Report, TranscriptProblem, joined, moment, text_of

_ROLES: Mapping[str, Speaker] = {"user": "user", "gemini": "assistant"}
_OTHERS = frozenset({"error", "info", "warning"})
# The tool appends the files that a message refers to.
_APPENDED = "\n--- Content from referenced files ---"


def detect(head: Head) -> bool:
    """Tell whether a document is a session with messages."""
    found = head.json
    return (
        found is not None
        and found.root == "object"
        and (found.has("projectHash") or found.has("sessionId"))
        and (found.has("messages") or found.has("startTime"))
    )


def read(stream: BinaryIO, name: str, report: Report) -> Iterator[Turn]:
    """Yield what the person and the model said. Raises FormatError."""
    content = load_json(decode(read_limited(stream, name), name), name)
    messages = content.get("messages") if isinstance(content, dict) else None
    if not isinstance(messages, list):
        raise FormatError(
            _("{name}: has no list of messages. Take the file from chats/ as it is.").format(
                name=name
            )
        )
    session = text_of(content.get("sessionId"))
    seen: set[str] = set()
    for number, message in enumerate(messages, 1):
        kind = message.get("type") if isinstance(message, dict) else None
        role = _ROLES.get(kind) if isinstance(kind, str) else None
        if role is None:
            if kind not in _OTHERS:
                report(
                    TranscriptProblem(f"#{number}", _("This is no message; it was passed over."))
                )
            continue
        place = text_of(message.get("id"))
        if place is None or place in seen:
            place = f"#{number}"
        seen.add(place)
        text = joined(_texts(message.get("content")))
        if role == "user":
            text = text.partition(_APPENDED)[0].rstrip()
        if text:
            yield Turn(role, text, moment(message.get("timestamp")), place, session)


def _texts(content: Json) -> list[str]:
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return [text for text in texts if isinstance(text, str)]
