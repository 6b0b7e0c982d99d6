"""The modes of the dashboard in the order of their number keys."""

from __future__ import annotations

from omp_core.i18n import _
from omp_tui.panes.base import Pane
from omp_tui.panes.memories.pane import MemoriesPane
from omp_tui.panes.overview.pane import OverviewPane
from omp_tui.widgets.top_bar import Tab

PANES: tuple[type[Pane], ...] = (OverviewPane, MemoriesPane)


def tabs() -> tuple[Tab, ...]:
    """Return the tab line: one entry per mode, numbered from 1."""
    return tuple(Tab(pane.MODE, str(number), _(pane.TITLE)) for number, pane in enumerate(PANES, 1))


def title_of(mode: str) -> str:
    """Return the name of a mode as the tab line writes it."""
    return next(tab.title for tab in tabs() if tab.mode == mode)
