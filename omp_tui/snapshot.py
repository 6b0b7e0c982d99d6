"""Render a mode or a dialog over it without a terminal, as an SVG picture."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rich.cells import cell_len
from textual.pilot import Pilot

from omp_core.errors import UsageError
from omp_core.i18n import _
from omp_core.memory import Memory
from omp_tui.app import DashboardApp
from omp_tui.modes import MODES
from omp_tui.panes.base import Pane

_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class DialogPicture:
    """A dialog that can be rendered: the mode it opens in, and the keys that open it there."""

    mode: str
    keys: tuple[str, ...]


DIALOGS = {
    "help": DialogPicture("overview", ("question_mark",)),
    "messages": DialogPicture("overview", ("exclamation_mark",)),
    "palette": DialogPicture("overview", ("ctrl+p",)),
    "why": DialogPicture("overview", ("w",)),
    "fix": DialogPicture("overview", ("F",)),
    "import": DialogPicture("overview", ("o",)),
    "note": DialogPicture("overview", ("n",)),
    "decision": DialogPicture("overview", ("n", "d")),
    "add": DialogPicture("memories", ("a",)),
    "edit": DialogPicture("memories", ("e",)),
    "delete": DialogPicture("memories", ("d",)),
    "tier": DialogPicture("memories", ("t",)),
    "filter": DialogPicture("memories", ("f",)),
    "sort": DialogPicture("memories", ("s",)),
    "own-words": DialogPicture("conflicts", ("e",)),
    "alike": DialogPicture("conflicts", ("Y",)),
    "split": DialogPicture("themes", ("S",)),
    "merge": DialogPicture("themes", ("m",)),
    "rename": DialogPicture("themes", ("r",)),
    "dissolve": DialogPicture("themes", ("d",)),
    "preview": DialogPicture("review", ("enter",)),
    "accept-all": DialogPicture("review", ("Y",)),
    "value": DialogPicture("project", ("down", "right", "down", "e")),
    "act": DialogPicture("activity", ("enter",)),
    "undo-to": DialogPicture("activity", ("U",)),
    "activity-filter": DialogPicture("activity", ("f",)),
}
"""The dialogs that can be rendered, by name."""


def render(
    memory: Memory,
    mode: str,
    size: tuple[int, int],
    *,
    dialog: str | None = None,
    theme: str = "textual-dark",
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> str:
    """Return the SVG of a mode once everything that it shows has been read.

    `size` is columns and rows; `dialog`, one of DIALOGS, lies over its own mode. Raises
    UsageError for an unknown mode, theme or dialog, for a dialog that does not open because
    there is nothing for it to be about, and when the memory gives no answer for a minute.
    """
    _require(mode, [one.name for one in MODES], _("there is no mode {name}; known are {known}"))
    if dialog is not None:
        _require(dialog, list(DIALOGS), _("there is no dialog {name}; known are {known}"))
    return asyncio.run(_render(memory, mode, size, dialog, theme, now))


def _require(name: str, known: Iterable[str], message: str) -> None:
    if name not in known:
        raise UsageError(message.format(name=name, known=", ".join(known)))


async def _render(
    memory: Memory,
    mode: str,
    size: tuple[int, int],
    dialog: str | None,
    theme: str,
    now: Callable[[], datetime],
) -> str:
    app = DashboardApp(memory, start=DIALOGS[dialog].mode if dialog else mode, now=now)
    _require(
        theme,
        sorted(app.available_themes),
        _("there is no theme {name}; known are {known}"),
    )
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        await _wait(pilot, lambda: is_still(app))
        for key in DIALOGS[dialog].keys if dialog else ():
            await _wait(pilot, lambda: app.service.background.at_rest)
            await pilot.press(key)
            await pilot.pause()
        await _wait(pilot, lambda: app.service.background.at_rest)
        if dialog and isinstance(app.screen, Pane):
            raise UsageError(
                _("the dialog {name} does not open: there is nothing here for it").format(
                    name=dialog
                )
            )
        return with_true_widths(app.export_screenshot(title="omp-tui"))


async def _wait(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    """Wait until a condition holds and what follows from it is drawn."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            await pilot.pause()
            while not condition():
                await pilot.pause(0.02)
    except TimeoutError as error:
        raise UsageError(
            _("the memory did not answer within {seconds:.0f} s").format(seconds=_PATIENCE_S)
        ) from error
    await pilot.pause()


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


def is_still(app: DashboardApp) -> bool:
    """Whether nothing more will change unless somebody does something."""
    return shows_data(app) and app.warmed and app.service.background.at_rest


def shows_data(app: DashboardApp) -> bool:
    """Whether the pane in front and the bars around it have all that they asked for."""
    screen = app.screen
    known = app.overview is not None and bool(app.capabilities)
    return known and isinstance(screen, Pane) and screen.settled and app.service.background.idle
