"""Codex rollout files: JSON lines, wrapped in `payload` or, in older files, bare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from omp_core.formats.head import Head
from omp_core.model import Speaker, Turn
from omp_core.transcripts.lines import (
    MOST_OUTPUT,
    Report,
    block_texts,
    joined,
    json_lines,
    moment,
    text_of,
)

_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_WRAPPERS = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_BARE = frozenset({"message", "reasoning", "function_call", "function_call_output"})

# Blocks that the tool sends in the person's name: environment, instructions, notices.
_BLOCK = re.compile(
    r"\s*(?:<(environment_context|user_instructions|permissions instructions|INSTRUCTIONS|"
    r"turn_aborted|user_shell_command|subagent_notification|skill|app-context|"
    r"collaboration_mode)>|# AGENTS\.md instructions for )"
)
# An editor puts its context first, and then the request itself under this heading.
_REQUEST = re.compile(r"\s*# Context from my IDE setup:.*?^## My request for Codex:", re.S | re.M)


def detect(head: Head) -> bool:
    """Tell whether the first lines are those of a rollout file, new or old."""
    objects = list(head.objects())
    if any(value.get("type") in _WRAPPERS and "payload" in value for value in objects):
        return True
    return (
        bool(objects)
        and _is_old_meta(objects[0])
        and (len(objects) == 1 or any(value.get("type") in _BARE for value in objects[1:]))
    )


def _is_old_meta(value: dict[str, Any]) -> bool:
    return (
        "type" not in value
        and isinstance(value.get("id"), str)
        and "timestamp" in value
        and ("instructions" in value or "git" in value)
    )


def read(stream: BinaryIO, name: str, report: Report) -> Iterator[Turn]:
    """Yield what the person and the assistant said, each message once."""
    session: str | None = None
    for place, line in json_lines(stream, name, report):
        payload = line.get("payload")
        kind = line.get("type")
        if kind in _WRAPPERS and isinstance(payload, dict):
            if kind == "session_meta":
                session = session or text_of(payload.get("id"))
            item = payload if kind == "response_item" else {}
        else:
            if _is_old_meta(line):
                session = session or text_of(line.get("id"))
            item = line
        turn = _turn(item, place, session, line.get("timestamp"))
        if turn is not None:
            yield turn


def _turn(item: dict[str, Any], place: str, session: str | None, time: object) -> Turn | None:
    if item.get("type") in _OUTPUTS:
        put_out = joined(block_texts(item.get("output"), "text", "output_text"))[-MOST_OUTPUT:]
        return Turn("tool", put_out, moment(time), place, session) if put_out else None
    if item.get("type") != "message":
        return None
    said_by = item.get("role")
    texts = block_texts(item.get("content"), "input_text", "output_text", "text")
    if said_by == "user":
        role: Speaker = "user"
        texts = [_REQUEST.sub("", text) for text in texts if not _BLOCK.match(text)]
    elif said_by == "assistant":
        role = "assistant"
    else:
        return None
    text = joined(texts)
    return Turn(role, text, moment(time), place, session) if text else None
