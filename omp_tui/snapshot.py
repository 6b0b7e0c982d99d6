"""Render a mode without a terminal, as an SVG picture."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable
from datetime import UTC, datetime

from rich.cells import cell_len

from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_tui.app import DashboardApp
from omp_tui.modes import MODES
from omp_tui.panes.base import Pane

_PATIENCE_S = 60.0


def render(
    memory: Memory,
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
    modes = [mode.name for mode in MODES]
    if pane not in modes:
        raise UsageError(
            _("there is no pane {pane!r}; known are {known}").format(
                pane=pane, known=", ".join(modes)
            )
        )
    return asyncio.run(_render(memory, pane, size, theme, now))


async def _render(
    memory: Memory,
    mode: str,
    size: tuple[int, int],
    theme: str,
    now: Callable[[], datetime],
) -> str:
    app = DashboardApp(memory, start=mode, now=now)
    if theme not in app.available_themes:
        known = ", ".join(sorted(app.available_themes))
        raise UsageError(
            _("there is no theme {theme}; known are {known}").format(theme=theme, known=known)
        )
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while not (shows_data(app) and app.warmed and app.service.background.at_rest):
                    await pilot.pause(0.02)
        except TimeoutError as error:
            raise UsageError(
                _("the memory did not answer within {seconds:.0f} s").format(seconds=_PATIENCE_S)
            ) from error
        await pilot.pause()
        return with_true_widths(app.export_screenshot(title="omp-tui"))


_TEXT = re.compile(r'textLength="([0-9.]+)"([^>]*)>([^<]*)</text>')


def with_true_widths(svg: str) -> str:
    """Return the picture with wide characters as wide as two cells.

    The export gives every character one cell, which squeezes Chinese text.
    """

    def mended(match: re.Match[str]) -> str:
        text = html.unescape(match[3])
        if not text or cell_len(text) == len(text):
            return match[0]
        length = float(match[1]) / len(text) * cell_len(text)
        return f'textLength="{length:.1f}"{match[2]}>{match[3]}</text>'

    return _TEXT.sub(mended, svg)


def shows_data(app: DashboardApp) -> bool:
    """Whether the pane in front and the bars around it have all that they asked for."""
    screen = app.screen
    known = app.overview is not None and bool(app.capabilities)
    return known and isinstance(screen, Pane) and screen.settled and app.service.background.idle
