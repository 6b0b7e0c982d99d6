"""ChatGPT data export: `conversations.json`, each conversation a tree of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, BinaryIO

from omp_core.formats.head import Head
from omp_core.formats.plain import storable
from omp_core.i18n import _
from omp_core.model import Json, Speaker, Turn
from omp_core.transcripts.exports import list_elements
from omp_core.transcripts.lines import Report, TranscriptProblem, joined, moment, text_of

_ROLES: Mapping[str, Speaker] = {"user": "user", "assistant": "assistant"}


def detect(head: Head) -> bool:
    """Tell whether a document is a list of conversations with a `mapping`."""
    first = head.json.first.get("") if head.json else None
    return isinstance(first, dict) and isinstance(first.get("mapping"), dict)


def read(stream: BinaryIO, name: str, report: Report) -> Iterator[Turn]:
    """Yield the turns of the branch that each conversation ended on."""
    for number, conversation in list_elements(stream, name, report):
        mapping = conversation.get("mapping") if isinstance(conversation, dict) else None
        if not isinstance(mapping, dict):
            report(
                TranscriptProblem(f"#{number}", _("This is no conversation; it was passed over."))
            )
            continue
        session = text_of(conversation.get("conversation_id")) or text_of(conversation.get("id"))
        for node in _branch(mapping, conversation.get("current_node")):
            turn = _turn(
                mapping[node].get("message"), f"{session or number}/{storable(node)[0]}", session
            )
            if turn is not None:
                yield turn


def _branch(mapping: dict[str, Any], last: Json) -> list[str]:
    """Return the nodes from the first to the last one; without a last one, all by time."""
    nodes = {key: node for key, node in mapping.items() if isinstance(node, dict)}
    if not isinstance(last, str) or last not in nodes:
        return sorted(nodes, key=lambda key: _time(nodes[key]))
    branch: list[str] = []
    seen: set[str] = set()
    at: Json = last
    while isinstance(at, str) and at in nodes and at not in seen:
        branch.append(at)
        seen.add(at)
        at = nodes[at].get("parent")
    return branch[::-1]


def _time(node: dict[str, Any]) -> datetime:
    message = node.get("message")
    time = message.get("create_time") if isinstance(message, dict) else None
    return moment(time) or datetime.min.replace(tzinfo=UTC)


def _turn(message: Json, place: str, session: str | None) -> Turn | None:
    if not isinstance(message, dict) or message.get("recipient", "all") not in ("all", None):
        return None
    author, metadata = message.get("author"), message.get("metadata")
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
        return None
    said_by = author.get("role") if isinstance(author, dict) else None
    role = _ROLES.get(said_by) if isinstance(said_by, str) else None
    text = joined(_texts(message.get("content")))
    if role is None or not text:
        return None
    return Turn(role, text, moment(message.get("create_time")), place, session)


def _texts(content: Json) -> list[str]:
    if not isinstance(content, dict) or content.get("content_type") not in (
        "text",
        "multimodal_text",
    ):
        return []
    parts = content.get("parts")
    texts = (
        part.get("text") if isinstance(part, dict) else part
        for part in (parts if isinstance(parts, list) else [])
    )
    return [text for text in texts if isinstance(text, str)]
