"""The modes of the dashboard in the order of their number keys.

A mode is a folder `panes/<mode>/` whose module `pane` has the class `<Mode>Pane`. A mode whose
folder is not there has no tab and no key. The module is imported when it is first shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from omp_core.i18n import _
from omp_core.views import Overview
from omp_tui.keys import N_


def _nothing(overview: Overview) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode: its name in the program, its number key, how much waits in it for a person."""

    name: str
    key: str
    marked_title: str
    waiting: Callable[[Overview], int] = _nothing

    @property
    def title(self) -> str:
        """Its name on the tab line, in the reader's language."""
        return _(self.marked_title)

    @property
    def built(self) -> bool:
        return find_spec(f"omp_tui.panes.{self.name}") is not None


_ALL = (
    Mode("overview", "1", N_("Overview")),
    Mode("memories", "2", N_("Memories")),
    Mode("conflicts", "3", N_("Conflicts"), lambda overview: overview.disputes),
    Mode("themes", "4", N_("Themes")),
    Mode("review", "5", N_("Review"), lambda overview: overview.review),
    Mode("project", "6", N_("Project")),
    Mode("activity", "7", N_("Activity")),
)
MODES: tuple[Mode, ...] = tuple(mode for mode in _ALL if mode.built)


def mode_named(name: str) -> Mode:
    """Return a mode by its name; raises KeyError for one that there is not."""
    return {mode.name: mode for mode in MODES}[name]
