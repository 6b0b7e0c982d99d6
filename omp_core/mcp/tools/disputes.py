"""Tools for disputes. Settling one is the user's decision."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.mcp.arguments import Arguments, Limit
from omp_core.mcp.registry import Answer, Call, tool
from omp_core.present import open_disputes, page, receipt

Choice = Literal["current", "incoming", "both", "value", "later"]


class ListConflicts(Arguments, frozen=True, kw_only=True):
    limit: Limit = 20
    set_aside: Annotated[bool, Meta(description="Those that the user put off.")] = False


@tool("reads")
def list_conflicts(call: Call, given: ListConflicts) -> Answer:
    """List open disputes with both sides, the most urgent first: fields that two agents changed
    at once, memories that contradict each other, memories that differ from the project."""
    queue = call.memory.disputes(set_aside=given.set_aside)
    return page(open_disputes(queue[: given.limit]), len(queue))


class ResolveConflict(Arguments, frozen=True, kw_only=True):
    record_id: Annotated[str, Meta(description="As list_conflicts names it.", min_length=1)]
    dispute_id: Annotated[str, Meta(description="As list_conflicts names it.", min_length=1)]
    resolution: Annotated[
        Choice,
        Meta(
            description="Keep the current side, take the incoming one, keep both, write a third "
            "value instead, or put it off."
        ),
    ]
    value: Annotated[Any, Meta(description="The third value, with the resolution value.")] = None
    confirmed_by_user: Annotated[
        bool, Meta(description="true only when the user has seen both sides and chose this.")
    ] = False


@tool("changes")
def resolve_conflict(call: Call, given: ResolveConflict) -> Answer:
    """Settle a dispute as the user decided. Show the user both sides first and ask; never
    decide yourself. It is journalled as the user's decision, and the user can undo it."""
    if not given.confirmed_by_user:
        raise UsageError(
            _(
                "settling a dispute is the user's decision: show both sides, ask which one holds, "
                "and call again with confirmed_by_user=true"
            )
        )
    with call.for_the_user():
        done = call.memory.resolve(given.record_id, given.dispute_id, given.resolution, given.value)
    return receipt(done)
