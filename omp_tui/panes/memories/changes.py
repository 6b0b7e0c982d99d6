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
from omp_core.names import tier_name
from omp_tui.background import Lane
from omp_tui.dialogs.choose import Choice, ChooseDialog
from omp_tui.dialogs.confirm import DeleteDialog
from omp_tui.dialogs.edit import EditDialog
from omp_tui.dialogs.fact import FactDialog
from omp_tui.dialogs.merge import MergeDialog
from omp_tui.dialogs.record import RecordAction, RecordScreen
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import CallFailed, Said
from omp_tui.panes.base import Pane
from omp_tui.panes.memories.facts import where_it_stands
from omp_tui.panes.memories.mass import on_all
from omp_tui.panes.memories.messages import FactRead
from omp_tui.text import shown
from omp_tui.widgets.record_lines import is_read_only
from omp_tui.widgets.record_list import RecordList
from omp_tui.words import memories

Records = tuple[Record, ...]


class RecordActionsPane(Pane):
    """A pane with a list whose records can be changed, in threads that report back."""

    list: RecordList
    scope: Scope

    BINDINGS: ClassVar[Bindings] = [
        bind("a", "add", N_("Add")),
        bind("e", "edit", N_("Edit")),
        bind("t", "tier", N_("Tier")),
        bind("d", "delete", N_("Delete")),
        bind("m", "merge", N_("Merge two"), show=False),
        bind("L", "lock", N_("Lock or unlock"), show=False),
        bind("c", "copy", N_("Copy"), show=False),
    ]

    def action_add(self) -> None:
        self.open(EditDialog(self.service, None, self.scope))

    def action_edit(self) -> None:
        if (row := self.list.item) is not None:
            self._edit((row.record,))

    def action_tier(self) -> None:
        self._move(self.list.records)

    def action_delete(self) -> None:
        self._delete(self.list.records)

    def action_merge(self) -> None:
        """Make one of the two marked memories; the one in hand stays, unless that is changed."""
        records = self.list.records
        if len(records) != 2:
            self.post_message(Said(_("Mark two memories with space; m makes one of them.")))
            return
        if any(map(is_read_only, records)):
            self.post_message(Said(where_it_stands(next(filter(is_read_only, records))), "warning"))
            return
        row = self.list.item
        first, second = records
        if row is not None and row.record.id == second.id:
            first, second = second, first

        def merged(receipt: Receipt | None) -> None:
            if receipt is not None:
                self.list.clear_marks()

        self.open(MergeDialog(self.service, first, second), merged)

    def action_lock(self) -> None:
        """Lock the records in hand, or when the first is locked lift their locks."""
        records = self.list.records
        if self._may_change(records):
            memory = self.service.memory
            change = memory.unlock if records[0].locked else memory.lock
            self._write(lambda: on_all(memory, records, change))

    def action_copy(self) -> None:
        self._copy(self.list.records)

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

        self.open(RecordScreen(self.service, event.item), closed)

    def _edit(self, records: Records) -> None:
        if is_read_only(records[0]):
            self._edit_fact(records[0])
        else:
            self.open(EditDialog(self.service, records[0], self.scope))

    def _edit_fact(self, record: Record) -> None:
        """Ask for a new value of a fact of project.yaml; of others, say where they stand."""
        path = self.service.memory.documents.settable_path(record)
        if path is None:
            self.post_message(Said(where_it_stands(record), "warning"))
            return
        documents = self.service.memory.documents

        def failed(error: OmpError) -> Message:
            if isinstance(error, NotFoundError):
                return Said(where_it_stands(record), "warning")
            return CallFailed(Lane(self.MODE, "fact"), error)

        self.ask("fact", lambda: documents.value(path), partial(FactRead, path), failed=failed)

    @on(FactRead)
    def _fact_read(self, event: FactRead) -> None:
        self.open(FactDialog(self.service, event.path, event.value))

    def _move(self, records: Records) -> None:
        if not self._may_change(records):
            return
        memory = self.service.memory

        def chosen(tier: Tier | None) -> None:
            if tier is not None:
                self._write(lambda: on_all(memory, records, lambda ids: memory.set_tier(ids, tier)))

        choices = [
            Choice(tier, tier_name(tier), key) for tier, key in zip(Tier, "wsli", strict=True)
        ]
        title = _("Move {memories} to").format(memories=memories(len(records)))
        self.open(ChooseDialog(title, choices, records[0].tier), chosen)

    def _delete(self, records: Records) -> None:
        if not self._may_change(records):
            return
        memory = self.service.memory

        def answered(yes: bool | None) -> None:
            if yes:
                self._write(lambda: on_all(memory, records, memory.delete))

        own = [record for record in records if not is_read_only(record)]
        self.open(DeleteDialog(own), answered)

    def _copy(self, records: Records) -> None:
        """Copy the texts as they are shown: what looks harmless has to paste harmless."""
        if records:
            self.app.copy_to_clipboard("\n\n".join(shown(record.content) for record in records))
            said = _("Copied {memories}.").format(memories=memories(len(records)))
            self.post_message(Said(said))

    def _write(self, change: Callable[[], Receipt]) -> None:
        self.change(change)
        self.list.let_go()
        self.list.clear_marks()

    def _may_change(self, records: Records) -> bool:
        if records and all(is_read_only(record) for record in records):
            said = _("Project facts are changed in their documents under _omp/memory/, not here.")
            self.post_message(Said(said, "warning"))
            return False
        return bool(records)
