"""An act opened: each record that it changed, before and after."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _, ngettext
from omp_core.model import Act, Json, Query
from omp_core.names import field_name
from omp_core.views import Change, FieldChange
from omp_tui.background import Lane
from omp_tui.dialogs.base import Dialog
from omp_tui.differences import differing
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import RecordsWanted
from omp_tui.service import Service
from omp_tui.text import MUTED, fit, join_lines, safe, shown
from omp_tui.widgets.bars import label, spread
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.row_lines import row_start
from omp_tui.widgets.virtual_list import VirtualList
from omp_tui.words import ago, choice_name, date, number

_MOST = 1_500
"""Characters shown of a value."""
_LABEL = 13


@dataclass(frozen=True, slots=True)
class ActAnswer:
    """What a person wants next: this act undone, or all that happened to a record."""

    wish: Literal["undo", "about"]
    record_id: str = ""
    text: str = ""


class ActDialog(Dialog[ActAnswer]):
    """The changes in a list, the one in hand in full below it."""

    AUTO_FOCUS = "#changes"
    BINDINGS: ClassVar[Bindings] = [
        bind("u", "undo_act", N_("Undo this act")),
        bind("f", "about", N_("All that happened to it")),
        bind("c", "copy", N_("Copy"), show=False),
    ]

    class Read(Message):
        def __init__(self, changes: Sequence[Change]) -> None:
            super().__init__()
            self.changes = changes

    def __init__(self, service: Service, act: Act) -> None:
        super().__init__(_("What it changed"))
        self._service = service
        self._act = act
        self._count: int | None = None

    def body(self) -> Iterable[Widget]:
        self.list: VirtualList[tuple[int, Change]] = VirtualList(
            lambda item: str(item[0]),
            lambda item, place, width: change_line(item[1], place, width),
            id="changes",
        )
        yield Static(id="what")
        yield self.list
        yield Panel(change_lines, id="change")

    def on_mount(self) -> None:
        self._say()
        journal, act = self._service.memory.journal, self._act
        self._service.background.ask(
            Lane("act", "changes"), lambda: journal.changes(act), self.Read, self
        )

    @property
    def settled(self) -> bool:
        """Whether the changes are here."""
        return self._count is not None

    def on_act_dialog_read(self, event: Read) -> None:
        self._count = len(event.changes)
        self.list.start_over(keep_place=False)
        self.list.put_all(list(enumerate(event.changes)))
        self.list.styles.height = min(max(1, self._count), 8)
        self._say()
        self.fit()

    def _say(self) -> None:
        lines = act_head(self._act, self._count, self._service.now())
        self.query_one("#what", Static).update(join_lines(lines))

    @on(VirtualList.Moved)
    def _moved(self, event: VirtualList.Moved) -> None:
        event.stop()
        if event.item is not None:
            self.query_one("#change", Panel).show(event.item[1])
            self.fit()

    @on(VirtualList.Opened)
    def _opened(self, event: VirtualList.Opened) -> None:
        """Show the record among the memories."""
        event.stop()
        query = Query(
            ids=frozenset({event.item[1].record_id}), statuses=frozenset(), include_expired=True
        )
        self.app.post_message(RecordsWanted(query, "updated", descending=True))

    def action_undo_act(self) -> None:
        self.dismiss(ActAnswer("undo"))

    def action_about(self) -> None:
        if (item := self.list.item) is not None:
            self.dismiss(ActAnswer("about", item[1].record_id, item[1].text))

    def action_copy(self) -> None:
        """Copy what the change in hand says, as it is shown."""
        if (item := self.list.item) is not None:
            lines = change_lines(item[1], 200)
            self.app.copy_to_clipboard("\n".join(line.plain.rstrip() for line in lines))


def act_head(act: Act, count: int | None, now: datetime) -> list[Content]:
    """Return the lines that say what an act was, who did it, and whether it is in force."""
    who = _("{actor}, {ago} · {date}").format(
        actor=act.actor, ago=ago(act.at, now), date=date(act.at)
    )
    lines = [safe(act.summary[:_MOST]).stylize("bold"), safe(who).stylize(MUTED)]
    if act.undone_by is not None:
        lines.append(Content.styled(_("It was taken back since."), "$text-warning"))
    if count == 0:
        lines.append(Content(_("It changed no record and no value.")))
    elif count is not None:
        text = ngettext("{count} change", "{count} changes", count)
        lines.append(Content.styled(text.format(count=number(count)), MUTED))
    return lines


def change_line(change: Change, place: RowPlace, width: int) -> Content:
    """Return one change as a line of exactly `width` cells: a sign, the record, which fields."""
    sign = {"created": "+", "deleted": "−", "changed": "~"}[change.did]
    fields = ", ".join(field_name(one.field) for one in change.fields)
    right = {"created": _("created"), "deleted": _("deleted"), "changed": fields}[change.did]
    if change.by_rules:
        right = _("by the rules: {what}").format(what=right)
    left = Content.assemble(row_start(place), (sign, "bold"), " ", safe(change.text, width=width))
    return spread(left, Content.assemble("  ", safe(right, width=width // 2), " "), width)


def change_lines(change: Change, width: int) -> list[Content]:
    """Return every field of a change before and after, the words that differ marked."""
    lines: list[Content] = []
    for field in change.fields:
        lines += field_lines(field, width)
    return lines or [Content.styled(_("Nothing that is shown here."), MUTED)]


def field_lines(change: FieldChange, width: int) -> list[Content]:
    """Return one field before and after, below each other."""
    before, after = (value_text(one, change.field) for one in (change.before, change.after))
    name = field_name(change.field)
    if change.before is None or change.after is None:
        sign, text = ("+", after) if change.before is None else ("−", before)
        return _beside(name, sign, safe(text), width)
    was, now = differing(before, after)
    return [*_beside(name, "−", was, width), *_beside("", "+", now, width)]


def value_text(value: Json, field: str) -> str:
    """Return a field's value as people read it, at most 1,500 characters of it."""
    if isinstance(value, str) and (name := choice_name(field, value)) is not None:
        return name
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        text = ", ".join(value)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shown(text if len(text) <= _MOST else text[: _MOST - 1] + "…")


def _beside(name: str, sign: str, text: Content, width: int) -> list[Content]:
    room = max(width - _LABEL - 2, 8)
    head = Content.assemble(label(safe(name, width=_LABEL - 1).plain, _LABEL), (sign, "bold"), " ")
    rest = fit(Content(""), _LABEL + 2)
    wrapped = text.wrap(room) or [Content("")]
    return [
        Content.assemble(head if index == 0 else rest, line) for index, line in enumerate(wrapped)
    ]
