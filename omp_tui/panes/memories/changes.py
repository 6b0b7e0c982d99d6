"""What a person does to memories from the list: add, edit, move, delete, copy, open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import on
from textual.message import Message

from omp_core.errors import NotFoundError, OmpError
from omp_core.i18n import _
from omp_core.model import Receipt, Record, Scope, Tier
from omp_tui.dialogs.choose import Choice, ChooseDialog
from omp_tui.dialogs.confirm import DeleteDialog
from omp_tui.dialogs.edit import EditDialog
from omp_tui.dialogs.fact import FactDialog
from omp_tui.dialogs.record import RecordAction, RecordScreen
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed, Said, Written
from omp_tui.panes.base import Pane
from omp_tui.panes.memories.facts import fact_path, where_it_stands
from omp_tui.panes.memories.messages import FactRead
from omp_tui.text import shown
from omp_tui.widgets.record_lines import is_read_only
from omp_tui.widgets.record_list import RecordList
from omp_tui.words import memories, tier_name

Records = tuple[Record, ...]


class ChangingPane(Pane):
    """A pane with a list whose records can be changed, in threads that report back."""

    list: RecordList
    scope: Scope

    BINDINGS: ClassVar[Bindings] = [
        bind("a", "add", N_("Add")),
        bind("e", "edit", N_("Edit")),
        bind("t", "tier", N_("Tier")),
        bind("d", "delete", N_("Delete")),
        bind("y", "copy", N_("Copy"), show=False),
    ]

    def action_add(self) -> None:
        self.app.push_screen(EditDialog(self.service, None, self.scope))

    def action_edit(self) -> None:
        if (row := self.list.row) is not None:
            self._edit((row.record,))

    def action_tier(self) -> None:
        self._move(self.list.chosen)

    def action_delete(self) -> None:
        self._delete(self.list.chosen)

    def action_copy(self) -> None:
        self._copy(self.list.chosen)

    @on(RecordList.Opened)
    def _open(self, event: RecordList.Opened) -> None:
        actions: dict[RecordAction, Callable[[Records], None]] = {
            "edit": self._edit,
            "tier": self._move,
            "delete": self._delete,
        }

        def closed(answer: tuple[RecordAction, Record] | None) -> None:
            if answer is not None:
                action, record = answer
                self.call_later(actions[action], (record,))

        self.app.push_screen(RecordScreen(self.service, event.row), closed)

    def _edit(self, records: Records) -> None:
        if is_read_only(records[0]):
            self._edit_fact(records[0])
        else:
            self.app.push_screen(EditDialog(self.service, records[0], self.scope))

    def _edit_fact(self, record: Record) -> None:
        """Ask for a new value of a fact of project.yaml; of others, say where they stand."""
        path = fact_path(record)
        if path is None:
            self.post_message(Said(where_it_stands(record), "warning"))
            return
        documents = self.service.memory.documents

        def failed(error: OmpError) -> Message:
            if isinstance(error, NotFoundError):
                return Said(where_it_stands(record), "warning")
            return CallFailed("fact", error)

        self.service.background.ask(
            "fact", lambda: documents.value(path), partial(FactRead, path), self, failed=failed
        )

    @on(FactRead)
    def _fact_read(self, event: FactRead) -> None:
        if self.app.screen is self:
            self.app.push_screen(FactDialog(self.service, event.path, event.value))

    def _move(self, records: Records) -> None:
        if not self._may_change(records):
            return
        memory, ids = self.service.memory, tuple(record.id for record in records)

        def chosen(tier: Tier | None) -> None:
            if tier is not None:
                self._write(lambda: memory.set_tier(ids, tier))

        choices = [
            Choice(tier, tier_name(tier), key) for tier, key in zip(Tier, "wsli", strict=True)
        ]
        title = _("Move {memories} to").format(memories=memories(len(records)))
        self.app.push_screen(ChooseDialog(title, choices, records[0].tier), chosen)

    def _delete(self, records: Records) -> None:
        if not self._may_change(records):
            return
        memory, ids = self.service.memory, tuple(record.id for record in records)

        def answered(yes: bool | None) -> None:
            if yes:
                self._write(lambda: memory.delete(ids))

        self.app.push_screen(DeleteDialog(records), answered)

    def _copy(self, records: Records) -> None:
        """Copy the texts as they are shown: what looks harmless has to paste harmless."""
        if records:
            self.app.copy_to_clipboard("\n\n".join(shown(record.content) for record in records))
            said = _("Copied {memories}.").format(memories=memories(len(records)))
            self.post_message(Said(said))

    def _write(self, change: Callable[[], Receipt]) -> None:
        self.service.background.ask("write", change, Written, self, keep_all=True)
        self.list.clear_marks()

    def _may_change(self, records: Records) -> bool:
        if any(is_read_only(record) for record in records):
            said = _("Project facts are changed in their documents under _omp/memory/, not here.")
            self.post_message(Said(said, "warning"))
            return False
        return bool(records)
