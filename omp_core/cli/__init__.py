"""The scripts' door: every verb of `Memory` as a command.

Standard output carries the answer only; progress and errors go to standard error. Exit codes:
0 done, 1 failed, 2 wrong usage, 3 done in part.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

import click

from omp_core import __version__
from omp_core.i18n import _

COMMANDS: dict[str, str] = {
    "init": "omp_core.cli.project:init",
    "add": "omp_core.cli.records:add",
    "show": "omp_core.cli.records:show",
    "list": "omp_core.cli.records:list_records",
    "search": "omp_core.cli.search:search",
    "update": "omp_core.cli.records:update",
    "delete": "omp_core.cli.records:delete",
    "lock": "omp_core.cli.records:lock",
    "unlock": "omp_core.cli.records:unlock",
    "mcp": "omp_core.cli.mcp:mcp",
    "import": "omp_core.cli.transfer:import_file",
    "export": "omp_core.cli.transfer:export",
    "extract": "omp_core.cli.extract:extract",
    "stats": "omp_core.cli.state:stats",
    "undo": "omp_core.cli.state:undo",
    "redo": "omp_core.cli.state:redo",
    "log": "omp_core.cli.state:log",
    "health": "omp_core.cli.health:health",
    "report": "omp_core.cli.report:report",
    "act": "omp_core.cli.act:act",
    "summarize": "omp_core.cli.summary:summarize",
    "conflicts": "omp_core.cli.maintenance:conflicts",
    "resolve": "omp_core.cli.maintenance:resolve",
    "maintain": "omp_core.cli.maintenance:maintain",
    "proposals": "omp_core.cli.maintenance:proposals",
    "purge": "omp_core.cli.maintenance:purge",
    "review": "omp_core.cli.review:review",
    "merge": "omp_core.cli.records:merge",
    "pending": "omp_core.cli.pending:pending",
    "sync": "omp_core.cli.sync:sync",
    "context": "omp_core.cli.sync:context",
    "backup": "omp_core.cli.maintenance:backup",
    "restore": "omp_core.cli.maintenance:restore",
    "doctor": "omp_core.cli.doctor:doctor",
    "themes": "omp_core.cli.themes:themes",
    "model": "omp_core.cli.models:model",
    "calibrate": "omp_core.cli.models:calibrate",
    "save": "omp_core.cli.persistence:save",
    "load": "omp_core.cli.persistence:load",
    "configure": "omp_core.cli.persistence:configure",
    "fact": "omp_core.cli.documents:fact",
    "decision": "omp_core.cli.documents:decision",
    "changelog": "omp_core.cli.documents:changelog",
    "session": "omp_core.cli.documents:session",
    "validate": "omp_core.cli.documents:validate",
}
"""Where each command is; its module is imported when the command is asked for."""


DEFAULT = "dashboard"
"""The command that a front end may add, and that runs when no other is named."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run or described."""

    def __init__(self, *, lazy: Mapping[str, str], **attributes: object) -> None:
        super().__init__(**attributes)  # type: ignore[arg-type]
        self.lazy = dict(lazy)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take a line without a command for the default one, if there is one."""
        own = {"-h", "--help", "--version"}
        if DEFAULT in self.lazy and (not args or (args[0].startswith("-") and args[0] not in own)):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = self.lazy.get(cmd_name)
        if place is None:
            return super().get_command(ctx, cmd_name)
        module, _colon, attribute = place.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=_("See and curate the memory of AI agents. Without a command, open the dashboard."),
)
@click.version_option(__version__, prog_name="omp-tui", message="%(prog)s %(version)s")
def cli() -> None:
    """Hold the commands; each does its own work."""
