"""The tool that learns from a conversation."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from omp_core import present
from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.mcp.arguments import Arguments
from omp_core.mcp.messages import messages_of, turns_of
from omp_core.mcp.registry import Answer, Call, tool

if TYPE_CHECKING:
    from omp_core.types import TranscriptProblem


class Extract(Arguments, frozen=True, kw_only=True):
    conversation: Annotated[
        list[Any] | str,
        Meta(
            description="Messages with role and content; or text in which each turn begins with "
            "`user:` or `assistant:`; or the text of a session file."
        ),
    ]
    start: Annotated[
        str | None, Meta(description="When it began, where its messages have no times.")
    ] = None
    end: Annotated[
        str | None, Meta(description="When it ended, where its messages have no times.")
    ] = None
    session: Annotated[
        str | None, Meta(description="The id of the conversation, where its messages have none.")
    ] = None
    dry_run: Annotated[bool, Meta(description="Only report what would be stored.")] = False


@tool("adds")
def extract(call: Call, given: Extract) -> Answer:
    """Read lasting facts out of a conversation and store them: the project's in its documents,
    the person's in the user store. Doubtful ones wait for the user. The same conversation again
    adds nothing. It is one act that the user can undo."""
    problems: list[TranscriptProblem] = []
    messages = messages_of(given.conversation)
    if messages is not None:
        turns = turns_of(messages)
    elif isinstance(given.conversation, str) and given.conversation.strip():
        text = given.conversation.encode("utf-8", "replace")
        turns = list(call.memory.extraction.read(io.BytesIO(text), report=problems.append))
    else:
        raise InvalidValueError(_("conversation: it is empty; give its messages or its text"))
    memory = call.memory
    done = memory.extraction.extract(
        turns,
        dry_run=given.dry_run,
        session=given.session,
        start=None if given.start is None else memory.moment(given.start),
        end=None if given.end is None else memory.moment(given.end),
    )
    told = present.extraction(done, problems, dry_run=given.dry_run)
    return {**told, "act_ids": list(done.act_ids)}
