"""Tools that delete: one memory, or all of an owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from omp_core.errors import NotFoundError, UsageError
from omp_core.i18n import _
from omp_core.mcp.arguments import Arguments, MemoryId, Scoped
from omp_core.mcp.registry import Answer, Call, tool
from omp_core.model import Home, Query, Receipt, Scope
from omp_core.present import receipt

EntityType = Literal["user", "agent", "app", "run"]
_TRIES = 5
"""How often a bulk delete looks again when others delete the same records meanwhile."""


class OneMemory(Arguments, frozen=True, kw_only=True):
    mem_id: MemoryId


@tool("deletes")
def delete_memory(call: Call, given: OneMemory) -> Answer:
    """Delete one memory, when the user wants it forgotten or says that it was never so. The
    user can undo it."""
    return {**receipt(call.memory.delete([given.mem_id])), "deleted": 1}


@tool("deletes")
def delete_all_memories(call: Call, given: Scoped) -> Answer:
    """Delete all memories of a scope, only when the user asks for exactly that. At least one
    of user_id, agent_id, app_id, run_id is needed. It is one act that the user can undo."""
    if given.scope == Scope():
        raise UsageError(
            _(
                "give at least one of user_id, agent_id, app_id, run_id; without one this would "
                "delete the whole store. list_entities shows which there are"
            )
        )
    return _delete_scope(call, given.scope)


class OneEntity(Arguments, frozen=True, kw_only=True):
    entity_type: Annotated[EntityType, Meta(description="What kind of owner.")]
    entity_id: Annotated[str, Meta(description="Its id, as list_entities shows it.", min_length=1)]


@tool("deletes")
def delete_entities(call: Call, given: OneEntity) -> Answer:
    """Delete one user, agent, project (app) or session (run) with all its memories, only when
    the user asks for exactly that. It is one act that the user can undo."""
    told = _delete_scope(call, Scope(**{f"{given.entity_type}_id": given.entity_id}))
    if told["deleted"] == 0:
        raise NotFoundError(
            _(
                "no memory belongs to {entity_type} {entity_id!r}; list_entities shows "
                "the ids there are"
            ).format(entity_type=given.entity_type, entity_id=given.entity_id)
        )
    return told


def _delete_scope(call: Call, scope: Scope) -> Answer:
    query = Query(scope=scope, statuses=frozenset(), include_expired=True, home=Home.USER)
    for _try in range(_TRIES):
        ids = [record.id for record in call.memory.export(query)]
        if not ids:
            return {"deleted": 0, "hint": "this scope has no memories"}
        done = _deleted(call, ids)
        if done is not None:
            return {"deleted": len(ids), "act_id": done.act_id, "hint": done.note}
    raise UsageError(_("others delete memories of this scope at the same time; try again"))


def _deleted(call: Call, ids: Sequence[str]) -> Receipt | None:
    """Delete records as one act; None if one of them was gone already."""
    try:
        return call.memory.delete(ids)
    except NotFoundError:
        return None
