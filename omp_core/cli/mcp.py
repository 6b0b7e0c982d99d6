"""The command that serves agents over the Model Context Protocol."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from omp_core.cli.options import choice
from omp_core.errors import OmpError
from omp_core.i18n import _
from omp_core.language.terminal import one_line

if TYPE_CHECKING:
    from omp_core.mcp.registry import Profile


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
    "--token",
    envvar="OMP_TOKEN",
    metavar="TOKEN",
    help=_("For http: what every request has to carry. Better in OMP_TOKEN or a file than here."),
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help=_("For http: file with the token, made if missing. Default: http-token beside the store."),
)
@click.option(
    "--tools",
    "profile",
    type=choice(["seed", "standard", "all"]),
    default="standard",
    show_default=True,
    help=_("Which tools: the memory skill's alone, the usual ones, or all."),
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
    token: str | None,
    token_file: Path | None,
    profile: Profile,
    workspace: Path | None,
    store: Path | None,
    actor: str | None,
) -> None:
    from omp_core.mcp.sessions import ClientSessions
    from omp_core.mcp.transports import serve_http, serve_stdio

    doors = ClientSessions(store=store, actor=actor)
    try:
        if transport == "stdio":
            serve_stdio(doors, workspace, profile=profile)
        else:
            from omp_core.mcp import access_token

            held = access_token.read_token(token, token_file)
            where = "" if token else str(token_file or access_token.token_file())
            listening = partial(_tell, token_file=where)
            serve_http(
                doors,
                host,
                port,
                token=held,
                workspace=workspace,
                allowed=allowed,
                profile=profile,
                listening=listening,
            )
    except OmpError:
        # imported now, because it brings what would keep a client waiting at the start
        from omp_core.cli.session import ending

        with ending():
            raise


def _tell(address: str, *, token_file: str) -> None:
    click.echo(_("serving at {address}").format(address=address), err=True)
    if token_file:
        text = _("clients send the header Authorization: Bearer and the token in {file}")
        click.echo(text.format(file=one_line(token_file, 512)), err=True)
