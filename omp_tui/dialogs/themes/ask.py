"""Ask before a theme is dissolved, and before all are grouped anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_tui.dialogs.confirm import ConfirmDialog
from omp_tui.dialogs.themes.lines import name_of, preview_lines
from omp_tui.text import MUTED
from omp_tui.words import number

if TYPE_CHECKING:
    from omp_core.types import RebuildChange, Theme, ThemeChange

_WIDTH = 68
_SHOWN = 8


class DissolveDialog(ConfirmDialog):
    """Shows where the members of the theme would go."""

    CSS_PATH = "../../styles/dialogs.tcss"
    VARIANT = "error"

    def __init__(self, theme: Theme, change: ThemeChange) -> None:
        super().__init__(_("Dissolve this theme?"), yes=_("Dissolve it  y"), no=_("Keep it  esc"))
        self._theme = theme
        self._preview = change.preview

    def what(self) -> list[Content]:
        size = self._theme.size
        text = ngettext(
            "Its {count} member joins another theme or stands alone; the memory itself stays.",
            "Its {count} members join other themes or stand alone; the memories themselves stay.",
            size,
        ).format(count=number(size))
        lines = preview_lines(self._preview, _WIDTH)
        rest = len(lines) - _SHOWN
        lines = lines[:_SHOWN]
        if rest > 0:
            more = ngettext("… and {count} more", "… and {count} more", rest).format(count=rest)
            lines.append(Content.styled(more, MUTED))
        return [
            name_of(self._theme, _WIDTH).stylize("bold"),
            *Content(text).wrap(_WIDTH),
            *lines,
            Content.styled(_("u undoes."), MUTED),
        ]


class RebuildDialog(ConfirmDialog):
    """Says what grouping all memories anew would change."""

    CSS_PATH = "../../styles/dialogs.tcss"

    def __init__(self, change: RebuildChange) -> None:
        super().__init__(
            _("Group all memories anew?"), yes=_("Group them anew  y"), no=_("Leave it  esc")
        )
        self._change = change

    def what(self) -> list[Content]:
        report = self._change.report
        moved = len(report.moved)
        lines = [
            Content(
                ngettext(
                    "{count} memory changes its theme.",
                    "{count} memories change their themes.",
                    moved,
                ).format(count=number(moved))
            ).stylize("bold"),
            Content(
                _("{themes} themes: {kept} kept, {created} new, {removed} gone.").format(
                    themes=number(self._change.themes),
                    kept=number(len(report.kept)),
                    created=number(len(report.created)),
                    removed=number(len(report.removed)),
                )
            ),
        ]
        if report.waiting:
            waiting = len(report.waiting)
            text = ngettext(
                "{count} memory has no vector yet and stays where it is.",
                "{count} memories have no vectors yet and stay where they are.",
                waiting,
            )
            lines.append(Content(text.format(count=number(waiting))))
        lines.append(
            Content.styled(_("Pinned themes keep their members. u undoes all of it."), MUTED)
        )
        return lines
