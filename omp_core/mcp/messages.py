"""Messages of a conversation, in the shapes that clients send them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Json

if TYPE_CHECKING:
    from omp_core.model import Turn


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One message; `content` is text, or blocks of which those with text count."""

    role: str
    content: str | list[dict[str, Any]] = ""
    timestamp: datetime | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content.strip()
        texts = [block.get("text") for block in self.content]
        return "\n".join(text.strip() for text in texts if isinstance(text, str))


def messages_of(value: Sequence[Json] | str | None) -> list[Message] | None:
    """Return the messages of a JSON list or its text; None when it is other text or nothing.

    Raises InvalidValueError for a list of something else.
    """
    if isinstance(value, str):
        if not value.lstrip().startswith("["):
            return None
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return None
    if not value:
        return None
    try:
        return msgspec.convert(value, list[Message])
    except msgspec.ValidationError as error:
        raise InvalidValueError(
            _(
                'messages: {error}; each is an object like {{"role": "user", "content": "..."}}'
            ).format(error=error)
        ) from error


def as_text(value: Sequence[Json] | str | None) -> str | None:
    """Return messages as one text, a line with the speaker for each; None if there is none."""
    messages = messages_of(value)
    if messages is None:
        return value.strip() or None if isinstance(value, str) else None
    lines = [f"{one.role}: {one.text}" for one in messages if one.text]
    return "\n".join(lines) or None


def turns_of(messages: Sequence[Message]) -> list[Turn]:
    """Return what the user and the assistant said; messages of others are no turns."""
    from omp_core.model import Turn
    from omp_core.record_json import in_utc

    roles: dict[str, Literal["user", "assistant"]] = {
        "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant",
        "model": "assistant",
    }  # fmt: skip
    return [
        Turn(
            roles[one.role.lower()],
            one.text,
            None if one.timestamp is None else in_utc(one.timestamp),
            f"message {number}",
        )
        for number, one in enumerate(messages, 1)
        if one.role.lower() in roles and one.text
    ]
