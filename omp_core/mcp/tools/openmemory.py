"""The tools of OpenMemory, under its names and in its shapes, for configurations that come from
it. `delete_all_memories` has the same name in both families and is in `deleting`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from omp_core.errors import InvalidValueError, UsageError
from omp_core.i18n import _
from omp_core.mcp.arguments import Arguments, Limit, Offset, Scoped, tag_list
from omp_core.mcp.messages import as_text
from omp_core.mcp.registry import Answer, Call, tool
from omp_core.model import Json, Query, Scope
from omp_core.present import brief, cut, hit, receipt

_EVENTS = {
    "created": "ADD", "disputed": "ADD", "pending": "ADD", "updated": "UPDATE",
}  # fmt: skip
"""What OpenMemory calls the outcomes of a write; any other is NONE."""


class AddMemories(Scoped, frozen=True, kw_only=True):
    text: Annotated[str, Meta(description="What to remember: one fact, as a sentence.")]


@tool("adds")
def add_memories(call: Call, given: AddMemories) -> Answer:
    """Store what the user says of themselves, their preferences, or anything worth knowing
    later; also when asked to remember. Without any scope it belongs to the user who runs this
    server. What resembles a memory is not stored again; see add_memory."""
    text = as_text(given.text)
    if text is None:
        raise InvalidValueError(_("text: it is empty; say what to remember"))
    scope = given.scope
    if scope == Scope():
        scope = replace(scope, user_id=call.memory.scope.user_id)
    done = call.memory.add(text, scope=scope)
    event = _EVENTS.get(done.outcome, "NONE")
    told = {"memory": done.existing or text, "event": event, **receipt(done)}
    return {"results": [told]}


class SearchMemory(Scoped, frozen=True, kw_only=True):
    query: Annotated[str, Meta(description="What to look for: a question, or words.")]
    limit: Limit = 10


@tool("reads")
def search_memory(call: Call, given: SearchMemory) -> Answer:
    """Search the stored memories. Call it whenever the user asks something that earlier talk
    may bear on."""
    found = call.memory.search(given.query, query=Query(scope=given.scope), limit=given.limit)
    results = [_item(hit(one)) for one in found.hits]
    told: Answer = {"results": results, "total": found.total, **cut(found)}
    if found.degraded is not None:
        told["degraded"] = found.degraded
    return told


class ListMemories(Scoped, frozen=True, kw_only=True):
    limit: Limit = 100
    offset: Offset = 0


@tool("reads")
def list_memories(call: Call, given: ListMemories) -> Answer:
    """List the stored memories, the newest change first."""
    found = call.memory.list(Query(scope=given.scope), offset=given.offset, limit=given.limit)
    told: Answer = {
        "results": [_item(brief(record)) for record in found.records],
        "total": found.total,
    }
    left = found.total - given.offset - len(found.records)
    if left > 0:
        told["left"] = left
    return told


class DeleteMemories(Arguments, frozen=True, kw_only=True):
    memory_ids: Annotated[
        list[str] | str, Meta(description="Their ids: a list, or text with commas.")
    ]


@tool("deletes")
def delete_memories(call: Call, given: DeleteMemories) -> Answer:
    """Delete several memories by their ids, as one act that the user can undo."""
    ids = tag_list(given.memory_ids) or []
    if not ids:
        raise UsageError(_("memory_ids: it names none; list_memories shows the ids"))
    return {**receipt(call.memory.delete(ids)), "deleted": len(set(ids))}


def _item(record: dict[str, Json]) -> dict[str, Json]:
    """Return a record with its text under OpenMemory's name."""
    return {"id": record["id"], "memory": record["content"], **record}
