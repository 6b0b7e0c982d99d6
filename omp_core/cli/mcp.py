"""The command that serves agents over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from omp_core.cli.options import choice
from omp_core.errors import OmpError
from omp_core.i18n import _


@click.command(help=_("Serve agents over MCP: their configuration runs this command."))
@click.option(
    "--transport",
    type=choice(["stdio", "http"]),
    default="stdio",
    show_default=True,
    help=_("stdio for the agent that starts it; http for all that can reach the address."),
)
@click.option("--host", default="127.0.0.1", show_default=True, help=_("Address for http."))
@click.option("--port", type=int, default=8766, show_default=True, help=_("Port for http."))
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help=_("For http: a further name under which clients reach this machine."),
)
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help=_("Directory to look for _omp/ in, upwards. Default: OMP_WORKSPACE, or here."),
)
@click.option("--store", type=click.Path(path_type=Path), help=_("SQLite file of the user store."))
@click.option(
    "--actor",
    envvar="OMP_ACTOR",
    help=_("Who acts: user, or agent:NAME. Default: the name that the client gives itself."),
)
def mcp(
    transport: str,
    host: str,
    port: int,
    allowed: tuple[str, ...],
    workspace: Path | None,
    store: Path | None,
    actor: str | None,
) -> None:
    from omp_core.mcp.sessions import Doors
    from omp_core.mcp.transports import serve_http, serve_stdio

    doors = Doors(workspace=workspace, store=store, actor=actor)
    try:
        if transport == "stdio":
            serve_stdio(doors)
        else:
            serve_http(doors, host, port, allowed=allowed, listening=_tell)
    except OmpError:
        # imported now, because it brings what would keep a client waiting at the start
        from omp_core.cli.session import ending

        with ending():
            raise


def _tell(address: str) -> None:
    click.echo(_("serving at {address}").format(address=address), err=True)
