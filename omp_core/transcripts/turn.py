"""One message of a recorded conversation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side said, in its own words, or what a tool that the agent ran put out.

    `at` is an aware UTC time, None where the record has none. `place` names where the turn
    begins in its source, unique within it: the line number counted from 1 where the format
    has lines, else the message's id. `session` is the id that the recording tool gave the
    conversation.
    """

    role: Role
    text: str
    at: datetime | None
    place: str
    session: str | None = None
