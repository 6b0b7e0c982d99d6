"""The commands that need the dashboard: opening it, the demo, and pictures of it."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import click

from omp_core.cli.session import MISUSED, ending, memory_command
from omp_core.i18n import _
from omp_core.memory import Memory


@click.command(help=_("Open the dashboard. It is what omp-tui does without a command."))
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help=_("Directory to look for _omp/ in, upwards. Default: the current one."),
)
@click.option("--store", type=click.Path(path_type=Path), help=_("SQLite file of the user store."))
def dashboard(workspace: Path | None, store: Path | None) -> None:
    """Open the dashboard; on its wish go on with the demo."""
    with ending():
        require_terminal()
        if run_dashboard(workspace, store) == "demo":
            run_demo(None)


@click.command(help=_("Open the dashboard on a made-up project that is thrown away afterwards."))
@click.option("--path", type=click.Path(path_type=Path), help=_("Keep it in this new folder."))
@click.option("--no-dashboard", is_flag=True, help=_("Only make it; needs --path."))
def demo(path: Path | None, no_dashboard: bool) -> None:
    """Make the demo and open it."""
    with ending():
        if no_dashboard:
            if path is None:
                raise click.UsageError(_("--no-dashboard needs --path"))
            make_demo(path)
            click.echo(path)
            return
        require_terminal()
        run_demo(path)


@click.command(help=_("Render a pane of the dashboard as SVG, without a terminal."))
@click.argument("pane")
@click.option("--size", default="120x40", show_default=True, metavar="COLUMNSxROWS")
@click.option(
    "--out", type=click.Path(path_type=Path), help=_("File to write. Default: standard output.")
)
@memory_command
def snapshot(memory: Memory, answer: object, pane: str, size: str, out: Path | None) -> None:
    """Render one pane."""
    from omp_tui.snapshot import render

    found = re.fullmatch(r"(\d{2,3})x(\d{2,3})", size)
    if found is None:
        raise click.UsageError(_("--size: {size} is not like 120x40").format(size=size))
    picture = render(memory, pane, (int(found[1]), int(found[2])))
    if out is None:
        click.echo(picture)
    else:
        out.write_text(picture, encoding="utf-8")


def require_terminal() -> None:
    """End with a usage error when there is no terminal to draw on."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(
            _("the dashboard needs a terminal; for scripts there are commands: omp-tui --help"),
            err=True,
        )
        sys.exit(MISUSED)


def run_dashboard(workspace: Path | None, store: Path | None) -> str | None:
    """Run the dashboard until it is left, and return what it asks for next."""
    from omp_tui.app import DashboardApp

    with Memory.open(workspace=workspace, store=store) as memory:
        return DashboardApp(memory).run()


def run_demo(path: Path | None) -> None:
    """Make the demo and open the dashboard on it; without a path it is thrown away."""
    if path is not None:
        store = make_demo(path)
        run_dashboard(path, store)
        return
    with tempfile.TemporaryDirectory(prefix="omp-tui-demo-") as folder:
        place = Path(folder) / "shop-api"
        store = make_demo(place)
        run_dashboard(place, store)


def make_demo(path: Path) -> Path:
    """Make the demo in a new folder and return its store's file."""
    from datetime import UTC, datetime

    from omp_core.demo import make_demo as make

    return make(path, datetime.now(UTC))
