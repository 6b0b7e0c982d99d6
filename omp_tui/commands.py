"""The commands that need the dashboard: opening it, the demo, and pictures of it."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

from omp_core.cli.session import MISUSED, ending
from omp_core.i18n import _, use_language
from omp_core.memory import Memory
from omp_core.settings import Settings
from omp_core.settings_files import load_settings


@click.command(help=_("Open the dashboard. It is what omp-tui does without a command."))
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help=_("Directory to look for _omp/ in, upwards. Default: OMP_WORKSPACE, or here."),
)
@click.option("--store", type=click.Path(path_type=Path), help=_("SQLite file of the user store."))
def dashboard(workspace: Path | None, store: Path | None) -> None:
    """Open the dashboard; on its wish go on with the demo."""
    with ending():
        require_terminal()
        left = run_dashboard(workspace, store)
        busy = left.busy
        if left.wish == "demo":
            busy = run_demo(None).busy or busy
        end(busy)


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
        end(run_demo(path).busy)


@click.command(help=_("Render a mode of the dashboard as SVG, without a terminal."))
@click.option(
    "--mode", default="overview", show_default=True, help=_("overview, memories, conflicts, …")
)
@click.option(
    "--dialog", metavar="NAME", help=_("A dialog over its own mode: help, edit, split, …")
)
@click.option("--size", default="120x40", show_default=True, metavar="COLUMNSxROWS")
@click.option("--theme", default="textual-dark", show_default=True, help=_("Its colours."))
@click.option("--lang", type=click.Choice(["en", "zh"]), help=_("Its language. Default: yours."))
@click.option(
    "--data",
    type=click.Choice(["yours", "empty", "demo", "degraded"]),
    default="yours",
    show_default=True,
    help=_("Your memory, or a sample with its clock stopped; degraded: its store is away."),
)
@click.option(
    "--out", type=click.Path(path_type=Path), help=_("File to write. Default: standard output.")
)
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help=_("Directory to look for _omp/ in, upwards. Default: OMP_WORKSPACE, or here."),
)
@click.option("--store", type=click.Path(path_type=Path), help=_("SQLite file of the user store."))
def snapshot(
    mode: str,
    dialog: str | None,
    size: str,
    theme: str,
    lang: str | None,
    data: str,
    out: Path | None,
    workspace: Path | None,
    store: Path | None,
) -> None:
    """Render one mode."""
    from omp_tui.samples import SAMPLE_TIME, Sample, sample_memory
    from omp_tui.snapshot import render

    with ending():
        found = re.fullmatch(r"(\d{2,3})x(\d{2,3})", size)
        if found is None:
            raise click.UsageError(_("--size: {size} is not like 120x40").format(size=size))
        if lang is not None:
            use_language(lang)
        columns, rows = int(found[1]), int(found[2])
        if data == "yours":
            with Memory.open(workspace=workspace, store=store) as memory:
                picture = render(memory, mode, (columns, rows), dialog=dialog, theme=theme)
        else:
            with sample_memory(Sample(data)) as memory:
                picture = render(
                    memory,
                    mode,
                    (columns, rows),
                    dialog=dialog,
                    theme=theme,
                    now=lambda: SAMPLE_TIME,
                )
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


@dataclass(frozen=True, slots=True)
class Left:
    """How the dashboard was left: what it asks for next, and whether threads are still busy."""

    wish: str | None
    busy: bool


class _Loop(asyncio.SelectorEventLoop):
    """Does not wait for threads at its end: a slow store must not keep anybody from leaving."""

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Leave the threads alone; the one that ends the process knows about them."""


def run_dashboard(
    workspace: Path | None, store: Path | None, settings: Settings | None = None
) -> Left:
    """Run the dashboard until it is left."""
    from omp_tui.app import DashboardApp

    with Memory.open(workspace=workspace, store=store, settings=settings) as memory:
        app = DashboardApp(memory)
        with asyncio.Runner(loop_factory=_Loop) as runner:
            wish = runner.run(app.run_async())
        return Left(wish, app.service.background.busy)


def run_demo(path: Path | None) -> Left:
    """Make the demo and open the dashboard on it; without a path it is thrown away."""
    if path is not None:
        return _run_made(path)
    # a thread that is still busy may write once more while the folder goes
    with tempfile.TemporaryDirectory(prefix="omp-tui-demo-", ignore_cleanup_errors=True) as folder:
        place = Path(folder) / "shop-api"
        return _run_made(place)


def _run_made(place: Path) -> Left:
    from omp_core.demo import demo_settings

    store = make_demo(place)
    return run_dashboard(place, store, demo_settings(place, load_settings()))


def end(busy: bool) -> None:
    """End the process now if threads are busy; else it ends by itself.

    A thread cannot be stopped, and Python would wait for it. What it writes is one transaction,
    or a file that is renamed into place, so that ending in the middle leaves nothing half done.
    """
    if busy:
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def make_demo(path: Path) -> Path:
    """Make the demo in a new folder and return its store's file."""
    from datetime import UTC, datetime

    from omp_core.demo import make_demo as make

    return make(path, datetime.now(UTC))
