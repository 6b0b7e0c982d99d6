"""Claude.ai data export: `conversations.json`, each conversation a list of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from omp_core.formats.head import Head
from omp_core.i18n import _
from omp_core.model import Json, Speaker, Turn
from omp_core.transcripts.exports import list_elements
from omp_core.transcripts.lines import (
    Report,
    TranscriptProblem,
    block_texts,
    joined,
    moment,
    text_of,
)

_ROLES: Mapping[str, Speaker] = {"human": "user", "assistant": "assistant"}


def detect(head: Head) -> bool:
    """Tell whether a document is a list of conversations with `chat_messages`."""
    first = head.json.first.get("") if head.json else None
    return isinstance(first, dict) and isinstance(first.get("chat_messages"), list)


def read(stream: BinaryIO, name: str, report: Report) -> Iterator[Turn]:
    """Yield the turns of every conversation; attachments are not the person's words."""
    for number, conversation in list_elements(stream, name, report):
        messages = conversation.get("chat_messages") if isinstance(conversation, dict) else None
        if not isinstance(messages, list):
            report(
                TranscriptProblem(f"#{number}", _("This is no conversation; it was passed over."))
            )
            continue
        session = text_of(conversation.get("uuid"))
        for position, message in enumerate(messages, 1):
            place = f"{session or number}/{position}"
            turn = _turn(message, place, session)
            if turn is not None:
                yield turn


def _turn(message: Json, place: str, session: str | None) -> Turn | None:
    if not isinstance(message, dict):
        return None
    said_by = message.get("sender")
    role = _ROLES.get(said_by) if isinstance(said_by, str) else None
    content = message.get("content")
    texts = block_texts(content, "text") if isinstance(content, list) else []
    text = joined(texts) or joined([text_of(message.get("text")) or ""])
    if role is None or not text:
        return None
    return Turn(role, text, moment(message.get("created_at")), place, session)
