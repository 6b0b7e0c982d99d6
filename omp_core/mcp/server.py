"""The tools under the official SDK: what the server says of itself, lists and answers."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as ListedTool

from omp_core import __version__
from omp_core.errors import OmpError
from omp_core.i18n import _
from omp_core.mcp.places import ARGUMENT, CallerPlaces
from omp_core.mcp.registry import Answer, Effect, Profile, Tool, tools_of
from omp_core.mcp.sessions import ClientSessions

_log = logging.getLogger(__name__)

INSTRUCTIONS = (
    "The user's long-term memory, shared by all their agents, and the facts of this project. "
    "At the start of a session about code or behaviour call get_user_context once with the "
    "user's id. Search before you write code in the user's style or when they refer to earlier "
    "talk. Store only lasting facts, one each, never secrets. Before changing what contradicts "
    "a memory, ask the user; settling disputes is always theirs."
)
_Context = ServerRequestContext[Any, Any]


def build(
    sessions: ClientSessions, places: CallerPlaces, profile: Profile = "standard"
) -> Server[Any]:
    """Return the server of these doors with the tools of a profile, for any transport."""

    async def list_tools(_ctx: _Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(tool) for tool in _tools(profile).values()])

    async def call_tool(ctx: _Context, params: CallToolRequestParams) -> CallToolResult:
        from omp_core.present import failure

        tool = _tools(profile).get(params.name)
        if tool is None:
            known = ", ".join(_tools(profile))
            raise MCPError(
                INVALID_PARAMS,
                _("there is no tool {name!r}; known are {known}").format(
                    name=params.name, known=known
                ),
            )
        client = ctx.session.client_params
        name = None if client is None else client.client_info.name
        try:
            given = params.arguments or {}
            place = await places.of(ctx, given)
            given = {key: value for key, value in given.items() if key != ARGUMENT}
            return _result(await sessions.answer(tool, name, place, given))
        except OmpError as error:
            # not its text, which may quote the caller's
            _log.info("%s: %s failed: %s", sessions.actor(name), tool.name, type(error).__name__)
            return _result(failure(error), failed=True)

    async def begin_after(ctx: _Context, call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        sessions.begin(places)
        return result

    server: Server[Any] = Server(
        "omp-tui",
        version=__version__,
        title="omp-tui memory",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(begin_after)
    return server


def _tools(profile: Profile) -> dict[str, Tool]:
    import omp_core.mcp.tools  # noqa: F401 - registers them

    return tools_of(profile)


def _listed(tool: Tool) -> ListedTool:
    return ListedTool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.reader.listed,
        annotations=_hints(tool.effect),
    )


def _hints(effect: Effect) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=effect == "reads",
        destructive_hint=effect in ("changes", "deletes"),
        open_world_hint=False,
    )


def _result(answer: Answer, *, failed: bool = False) -> CallToolResult:
    """Return an answer as structured content, and as text for clients that read only that."""
    from omp_core.language.terminal import json_escaped

    text = json_escaped(msgspec.json.encode(answer).decode())
    return CallToolResult(
        content=[TextContent(text=text)],
        structured_content=msgspec.json.decode(text),
        is_error=failed,
    )
