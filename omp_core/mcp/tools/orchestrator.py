"""The tool for the orchestrator's interface: one action by its name, with its own parameters."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from omp_core import orchestrator
from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.mcp.arguments import Arguments, json_object
from omp_core.mcp.registry import Answer, Call, tool

Action = Literal["add", "search", "summarize", "health", "configure", "save", "load", "resolve"]
_THE_USERS = frozenset({"configure", "save", "load", "resolve"})
"""Actions that settle, write files or change settings: the user's decisions."""


class MemoryAction(Arguments, frozen=True, kw_only=True):
    action: Annotated[Action, Meta(description="What to do.")]
    parameters: Annotated[
        dict[str, Any] | str | None,
        Meta(
            description="The action's parameters as a JSON object. add: content, type, persist, "
            "id, version. search: query, limit, searchMode, typeFilter. summarize: typeFilter, "
            "maxTokens. configure: semantic. save, load: persistPath. resolve: id, dispute, "
            "choice, value. Any: callback_url."
        ),
    ] = None
    confirmed_by_user: Annotated[
        bool,
        Meta(description="true only when the user agreed: configure, save, load and resolve."),
    ] = False


@tool("changes", profile="all")
def memory_action(call: Call, given: MemoryAction) -> Answer:
    """Carry out one action of the memory orchestrator's interface: add, search, summarize,
    health, configure, save, load or resolve. The answer has the action, success, and the result
    in that interface's shapes."""
    request = {**json_object("parameters", given.parameters), "action": given.action}
    if given.action not in _THE_USERS:
        return orchestrator.act(call.memory, request)
    if not given.confirmed_by_user:
        raise UsageError(
            _(
                "{action} is the user's decision: tell them what it would do, and call again with "
                "confirmed_by_user=true"
            ).format(action=given.action)
        )
    with call.for_the_user():
        return orchestrator.act(call.memory, request)
