"""A search of the journal opened: how it was asked, and what it found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_core.model import Query, Record, SearchLog
from omp_tui.background import Lane
from omp_tui.dialogs.base import Dialog
from omp_tui.keys import Bindings
from omp_tui.messages import RecordsWanted
from omp_tui.service import Service
from omp_tui.text import MUTED, join_lines, safe
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.row_lines import row_line
from omp_tui.widgets.virtual_list import VirtualList
from omp_tui.words import ago, mode_name, scope_text, share

_QUERY_SHOWN = 1_000


class LoggedSearchDialog(Dialog[None]):
    """The hits that are still there in a list; enter shows one among the memories."""

    AUTO_FOCUS = "#hits"
    BINDINGS: ClassVar[Bindings] = []

    class Read(Message):
        def __init__(self, records: Sequence[Record]) -> None:
            super().__init__()
            self.records = records

    def __init__(self, service: Service, search: SearchLog) -> None:
        super().__init__(_("A search"))
        self._service = service
        self._search = search
        self._there: int | None = None

    def body(self) -> Iterable[Widget]:
        self.list: VirtualList[Record] = VirtualList(lambda one: one.id, self._line, id="hits")
        yield Static(id="what")
        yield self.list

    def on_mount(self) -> None:
        self._say()
        memory, ids = self._service.memory, self._search.result_ids
        query = Query(ids=frozenset(ids), statuses=frozenset(), include_expired=True)

        def read() -> list[Record]:
            found = {one.id: one for one in memory.records(query)} if ids else {}
            return [found[one] for one in ids if one in found]

        self._service.background.ask(Lane("search", "hits"), read, self.Read, self)

    @property
    def settled(self) -> bool:
        """Whether the hits are here."""
        return self._there is not None

    def on_logged_search_dialog_read(self, event: Read) -> None:
        self._there = len(event.records)
        self.list.start_over(keep_place=False)
        self.list.put_all(event.records)
        self.list.styles.height = min(max(1, self._there), 12)
        self.list.display = bool(self._there)
        self._say()
        self.fit()

    def _line(self, record: Record, place: RowPlace, width: int) -> Content:
        return row_line(record, None, place, "updated", self._service.now(), width)

    def _say(self) -> None:
        lines = search_head(self._search, self._there)
        when = _("{actor}, {ago}").format(
            actor=self._search.actor, ago=ago(self._search.at, self._service.now())
        )
        lines.insert(1, safe(when).stylize(MUTED))
        self.query_one("#what", Static).update(join_lines(lines))

    @on(VirtualList.Opened)
    def _opened(self, event: VirtualList.Opened) -> None:
        event.stop()
        query = Query(ids=frozenset({event.item.id}), statuses=frozenset(), include_expired=True)
        self.app.post_message(RecordsWanted(query, "updated", descending=True))


def search_head(search: SearchLog, there: int | None) -> list[Content]:
    """Return the lines that say how a search was asked and how it went."""
    asked = _("{mode}, in {scope}, took {ms} ms").format(
        mode=mode_name(search.mode),
        scope=scope_text(search.scope) or _("everything"),
        ms=f"{search.latency_ms:.0f}",
    )
    found = len(search.result_ids)
    if not found:
        went = _("It missed: nothing was found.")
    elif search.hit:
        went = _("It hit: {count} found, the best {best}.").format(
            count=found, best=share(search.best_score)
        )
    else:
        went = _("It missed: {count} came up, but the best is only {best}.").format(
            count=found, best=share(search.best_score)
        )
    lines = [
        safe(search.query[:_QUERY_SHOWN]).stylize("bold"),
        safe(asked).stylize(MUTED),
        Content(went),
    ]
    if there is not None and there < found:
        gone = _("{count} of them are not there any more.").format(count=found - there)
        lines.append(Content.styled(gone, MUTED))
    return lines
