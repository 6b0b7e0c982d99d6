"""Ask before an act is taken back that was not done in this dashboard."""

from __future__ import annotations

from datetime import datetime

from textual.content import Content

from omp_core.i18n import _
from omp_core.model import Act
from omp_tui.dialogs.confirm import ConfirmDialog
from omp_tui.text import MUTED, safe
from omp_tui.words import ago

_MOST = 300
"""Characters shown of what the act was."""


class UndoDialog(ConfirmDialog):
    """Names the act, who did it, and how long ago."""

    def __init__(self, act: Act, now: datetime) -> None:
        super().__init__(_("Take this back?"), yes=_("Take it back  y"), no=_("Leave it  esc"))
        self._act = act
        self._now = now

    def what(self) -> list[Content]:
        act = self._act
        who = _("{actor}, {ago}").format(actor=act.actor, ago=ago(act.at, self._now))
        return [
            safe(act.summary[:_MOST]).stylize("bold"),
            safe(who),
            Content.styled(_("It was not done in this dashboard. ^r brings it again."), MUTED),
        ]
