"""Ask before the cure of an alert is carried out."""

from __future__ import annotations

from textual.content import Content

from omp_core.i18n import _
from omp_core.views import FixPreview
from omp_tui.dialogs.confirm import ConfirmDialog, named
from omp_tui.text import MUTED, safe

_MOST = 600
"""Characters shown of a sentence."""


class FixDialog(ConfirmDialog):
    """Says what is wrong, what is going to be done, and names the first records of it."""

    def __init__(self, message: str, preview: FixPreview) -> None:
        super().__init__(_("Put this right?"), yes=_("Do it  y"), no=_("Leave it  esc"))
        self._message = message
        self._preview = preview

    def what(self) -> list[Content]:
        return [
            safe(self._message[:_MOST]).stylize(MUTED),
            safe(self._preview.said[:_MOST]).stylize("bold"),
            *named(self._preview.records, self._preview.count),
            Content.styled(_("One step; u undoes it."), MUTED),
        ]
