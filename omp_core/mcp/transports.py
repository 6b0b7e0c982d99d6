"""Serving over stdio, for one client, and over streamable HTTP, for several."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import anyio

from omp_core.errors import OmpError, UsageError
from omp_core.i18n import _
from omp_core.mcp.access_token import guarded
from omp_core.mcp.places import CallerPlaces
from omp_core.mcp.server import build
from omp_core.mcp.sessions import ClientSessions

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings

    from omp_core.mcp.registry import Profile

_PATIENCE_S = 1.5
"""Calls that were begun have so long to end; clients kill a server after 2 s."""
_LARGEST_REQUEST = 64 << 20
PATH = "/mcp"


def serve_stdio(
    sessions: ClientSessions, workspace: Path | None = None, *, profile: Profile = "standard"
) -> None:
    """Serve the client at standard input and output until it closes its end, or SIGTERM."""
    try:
        anyio.run(_stdio, sessions, CallerPlaces(workspace), profile)
    except* BrokenPipeError:
        logging.getLogger(__name__).info("the client is gone")
    if not sessions.close(_PATIENCE_S):
        _leave()


async def _stdio(sessions: ClientSessions, places: CallerPlaces, profile: Profile) -> None:
    from mcp.server.stdio import stdio_server

    server = build(sessions, places, profile)
    async with anyio.create_task_group() as group:
        if sys.platform != "win32":
            group.start_soon(_end_when_told, sessions)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _end_when_told(sessions: ClientSessions) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _signal in signals:
            await anyio.to_thread.run_sync(sessions.close, _PATIENCE_S)
            _leave()


def _leave() -> NoReturn:
    """End the process although a thread still works, or waits for input that never comes."""
    logging.shutdown()
    os._exit(0)


def serve_http(
    sessions: ClientSessions,
    host: str,
    port: int,
    *,
    token: str,
    workspace: Path | None = None,
    allowed: Sequence[str] = (),
    profile: Profile = "standard",
    listening: Callable[[str], None],
) -> None:
    """Serve clients over streamable HTTP until SIGTERM or SIGINT.

    Requests have to name one of the loopback names, `host`, or one of `allowed` as their host,
    so that no web page can reach the server by a name of its own, and to carry the `token`.
    `workspace` is the directory of clients that name none. `listening` is told the address.
    Raises UsageError for a wildcard host without `allowed`, and OmpError when the port is taken.
    """
    import uvicorn

    security = _security(host, allowed)
    places = CallerPlaces(workspace, over_http=True)
    app = build(sessions, places, profile).streamable_http_app(
        streamable_http_path=PATH,
        host=host,
        transport_security=security,
        max_request_body_size=_LARGEST_REQUEST,
    )
    config = uvicorn.Config(
        guarded(app, token),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=int(_PATIENCE_S + 0.5),
    )
    with _socket(host, port) as bound:
        # uvicorn ends by these signals and raises them again when it has ended
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        listening(f"http://{_in_url(host)}:{bound.getsockname()[1]}{PATH}")
        asyncio.run(uvicorn.Server(config).serve(sockets=[bound]))
    if not sessions.close(_PATIENCE_S):
        _leave()


def _security(host: str, allowed: Sequence[str]) -> TransportSecuritySettings:
    from mcp.server.transport_security import TransportSecuritySettings

    names = ["127.0.0.1", "localhost", "[::1]", *allowed]
    if _is_wildcard(host):
        if not allowed:
            raise UsageError(
                _(
                    "--host {host} is every address of this machine; name those under which "
                    "clients reach it with --allow-host NAME"
                ).format(host=host)
            )
    elif _in_url(host) not in names:
        names.append(_in_url(host))
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[
            f"{scheme}://{name}{port}"
            for scheme in ("http", "https")
            for name in names
            for port in ("", ":*")
        ],
    )


def _is_wildcard(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return not host


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise OmpError(
            _(
                "{host}:{port}: cannot listen there: {reason}. Choose another --port, or "
                "0 for any free one."
            ).format(host=host, port=port, reason=error.strerror)
        ) from error
