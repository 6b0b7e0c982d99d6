"""Where a client works: which project its calls are about, told once per session."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from omp_core.model import Json

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from omp_core.types import Place

ARGUMENT = "workspace"
"""The argument of a call that names a directory, for it and for the rest of its session."""
HEADER = "omp-workspace"
"""The header by which a client over HTTP names its directory."""
_SESSION_HEADER = "mcp-session-id"
_ROOTS_S = 2.0
"""A client that does not answer what its roots are by then is taken to have none."""


class CallerPlaces:
    """The directories of a server's clients, each remembered for as long as the server runs.

    Over stdio there is one client, started in its directory and with its environment. Over HTTP
    the server's own directory and environment are nobody's.
    """

    def __init__(self, option: Path | None = None, *, over_http: bool = False) -> None:
        self._option = option
        self._over_http = over_http
        self._named: dict[str, str] = {}
        self._roots: dict[str, tuple[str, ...]] = {}
        self._guard = threading.Lock()

    async def of(self, context: ServerRequestContext[Any, Any], given: Mapping[str, Json]) -> Place:
        """Return where the caller of this call works. Raises UsageError.

        In this order: the call's argument, the header, `--workspace`, the environment, the
        client's roots, the current directory.
        """
        request = context.request
        session = "" if request is None else request.headers.get(_SESSION_HEADER, "")
        argument = given.get(ARGUMENT)
        named = str(argument) if argument else self._named.get(session)
        place = self._place(
            named,
            None if request is None else request.headers.get(HEADER),
            await self._roots_of(context, session),
        )
        if argument and (session or not self._over_http):
            with self._guard:
                self._named[session] = str(argument)
        return place

    def at_start(self) -> Place:
        """Return where a client works that has said nothing yet. Raises UsageError."""
        return self._place(None, None, ())

    def _place(self, argument: str | None, header: str | None, roots: Iterable[str]) -> Place:
        from omp_core.caller import caller_place, current_directory, home_directory

        return caller_place(
            argument=argument,
            header=header,
            option=self._option,
            environment={} if self._over_http else os.environ,
            roots=roots,
            current=None if self._over_http else current_directory(),
            home=home_directory(),
        )

    async def _roots_of(
        self, context: ServerRequestContext[Any, Any], session: str
    ) -> tuple[str, ...]:
        if session in self._roots:
            return self._roots[session]
        told = await _asked_roots(context)
        if session or not self._over_http:
            with self._guard:
                self._roots[session] = told
        return told


async def _asked_roots(context: ServerRequestContext[Any, Any]) -> tuple[str, ...]:
    from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
        return ()
    try:
        with warnings.catch_warnings(), anyio.fail_after(_ROOTS_S):
            # older clients have no other way to say where they work
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            answer = await context.session.list_roots()
    except (MCPError, TimeoutError):
        return ()
    return tuple(str(root.uri) for root in answer.roots)
