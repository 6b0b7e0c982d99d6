"""The kept versions of a document: what differs, and bringing one back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from omp_core.errors import NotFoundError
from omp_core.i18n import _
from omp_core.model import Receipt
from omp_core.views import DocumentVersion
from omp_tui.background import Lane
from omp_tui.dialogs.base import Dialog
from omp_tui.dialogs.confirm import ConfirmDialog
from omp_tui.keys import N_, Bindings, bind
from omp_tui.service import Service
from omp_tui.text import MUTED, safe
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.row_lines import row_start
from omp_tui.widgets.virtual_list import VirtualList
from omp_tui.words import ago, date, number

if TYPE_CHECKING:
    from omp_core.memory import Memory

_MOST_LINES = 400


class VersionsDialog(Dialog[DocumentVersion]):
    """Gives the version to bring back, or None."""

    AUTO_FOCUS = "#versions"
    BINDINGS: ClassVar[Bindings] = [bind("enter", "choose", N_("Bring back …"), priority=True)]

    class Read(Message):
        def __init__(self, version: DocumentVersion, lines: Sequence[str]) -> None:
            super().__init__()
            self.version = version
            self.lines = tuple(lines)

    def __init__(
        self, service: Service, document: str, versions: Sequence[DocumentVersion]
    ) -> None:
        super().__init__(_("Older versions"))
        self._service = service
        self._document = document
        self._versions = tuple(versions)

    def body(self) -> Iterable[Widget]:
        self.list: VirtualList[DocumentVersion] = VirtualList(
            lambda version: version.at.isoformat(), self._line, id="versions"
        )
        self.list.styles.height = min(len(self._versions), 6)
        yield Static(safe(self._document).stylize("bold"))
        yield self.list
        yield Panel(difference_lines, id="difference")

    def on_mount(self) -> None:
        self.list.start_over(keep_place=False)
        self.list.put_all(self._versions)

    def _line(self, version: DocumentVersion, place: RowPlace, width: int) -> Content:
        now = self._service.now()
        text = _("{date}, {ago}, {size} bytes").format(
            date=date(version.at), ago=ago(version.at, now), size=number(version.size)
        )
        return Content.assemble(row_start(place), text).truncate(width, ellipsis=True, pad=True)

    @on(VirtualList.Moved)
    def _moved(self, event: VirtualList.Moved) -> None:
        event.stop()
        version = event.item
        if version is None:
            return
        memory, document = self._service.memory, self._document
        self._service.background.ask(
            Lane("versions", "difference"),
            lambda: memory.documents.difference(document, numbered(memory, document, version.at)),
            partial(self.Read, version),
            self,
        )

    def on_versions_dialog_read(self, event: Read) -> None:
        if self.list.item == event.version:
            self.query_one("#difference", Panel).show(event.lines)
            self.fit()

    def action_choose(self) -> None:
        if (version := self.list.item) is not None:
            self.dismiss(version)


class RestoreDialog(ConfirmDialog):
    """Names the document and the version."""

    def __init__(self, document: str, version: DocumentVersion, now: datetime) -> None:
        super().__init__(
            _("Bring this version back?"), yes=_("Bring it back  y"), no=_("Leave it  esc")
        )
        self._document = document
        self._version = version
        self._now = now

    def what(self) -> list[Content]:
        at = self._version.at
        return [
            safe(self._document).stylize("bold"),
            Content(
                _("as it was until {date}, {ago}").format(date=date(at), ago=ago(at, self._now))
            ),
            Content.styled(_("What it says now is kept as a version; u undoes."), MUTED),
        ]


def numbered(memory: Memory, document: str, at: datetime) -> int:
    """Return the present number of the version of that moment: a write moves all by one.

    Raises NotFoundError when it is not kept any more.
    """
    for version in memory.documents.versions(document):
        if version.at == at:
            return version.number
    raise NotFoundError(
        _("{document}: this version is not kept any more; newer ones took its place").format(
            document=document
        )
    )


def restored(memory: Memory, document: str, at: datetime) -> Receipt:
    """Bring back the version of that moment. May be slow; raises as `documents.restore`."""
    return memory.documents.restore(document, numbered(memory, document, at))


def difference_lines(lines: Sequence[str], width: int) -> list[Content]:
    """Return a unified diff in lines: `-` was in the version, `+` is in the document now."""
    if not lines:
        return [Content.styled(_("It says the same as now."), MUTED)]
    styles = {"-": "$text-error", "+": "$text-success", "@": MUTED}
    drawn = [
        safe(line, width=max(width, 1)).stylize(styles.get(line[:1], ""))
        for line in lines[:_MOST_LINES]
    ]
    rest = len(lines) - len(drawn)
    if rest > 0:
        drawn.append(Content.styled(_("… and {count} more lines").format(count=rest), MUTED))
    return drawn
