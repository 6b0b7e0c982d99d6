"""Render a mode without a terminal, as an SVG picture."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from omp_core.errors import UsageError
from omp_tui.app import DashboardApp
from omp_tui.modes import PANES
from omp_tui.panes.base import Pane
from omp_tui.service import DashboardMemory

_PATIENCE_S = 60.0


def render(
    memory: DashboardMemory,
    pane: str,
    size: tuple[int, int],
    *,
    theme: str = "textual-dark",
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> str:
    """Return the SVG of a mode once everything that it shows has been read.

    `size` is columns and rows. Raises UsageError for an unknown mode, and when the memory
    gives no answer for a minute.
    """
    modes = [known.MODE for known in PANES]
    if pane not in modes:
        raise UsageError(f"there is no pane {pane!r}; known are {', '.join(modes)}")
    return asyncio.run(_render(memory, pane, size, theme, now))


async def _render(
    memory: DashboardMemory,
    mode: str,
    size: tuple[int, int],
    theme: str,
    now: Callable[[], datetime],
) -> str:
    app = DashboardApp(memory, start=mode, now=now)
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while not shows_data(app):
                    await pilot.pause(0.02)
        except TimeoutError as error:
            raise UsageError(f"the memory did not answer within {_PATIENCE_S:.0f} s") from error
        await pilot.pause()
        return app.export_screenshot(title="omp-tui")


def shows_data(app: DashboardApp) -> bool:
    """Whether the pane in front and the bars around it have all that they asked for."""
    screen = app.screen
    known = app.overview is not None and bool(app.capabilities)
    return known and isinstance(screen, Pane) and screen.settled and app.service.background.idle
