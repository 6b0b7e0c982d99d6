"""Mode 6: the project's documents as trees, what is wrong in them, and what they said before."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import SuspendNotSupported
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from omp_core.i18n import _
from omp_core.model import Home, Query
from omp_core.views import DocumentVersion, DocumentView, GitView
from omp_tui.dialogs.fact import FactDialog
from omp_tui.dialogs.versions import RestoreDialog, VersionsDialog, restored
from omp_tui.editor import editor_command
from omp_tui.keys import N_, Bindings, bind
from omp_tui.messages import RecordsWanted, Said
from omp_tui.panes.base import Pane
from omp_tui.panes.project.lines import (
    DocumentDetail,
    ProjectHead,
    detail_lines,
    head_lines,
    nothing,
)
from omp_tui.panes.project.messages import GitRead, TreeRead, ValueRead, VersionsRead
from omp_tui.panes.project.rows import Committed, TreeRow, row_line, rows_of
from omp_tui.text import shown
from omp_tui.widgets.list_messages import RowPlace
from omp_tui.widgets.panel import Panel
from omp_tui.widgets.virtual_list import VirtualList

_BY_HAND = ("config.yaml", "user-context.yaml")
"""Documents whose values are not set one by one."""


class ProjectPane(Pane):
    """The tree is read in a thread, what git says in another, which may take longer."""

    MODE = "project"
    PARTS = (VirtualList,)
    CSS_PATH = "pane.tcss"
    AUTO_FOCUS = "VirtualList"
    BINDINGS: ClassVar[Bindings] = [
        bind("e", "edit", N_("Edit")),
        bind("E", "editor", N_("Open $EDITOR")),
        bind("o", "versions", N_("Older versions")),
        bind("M", "memories", N_("Its memories")),
        bind("c", "copy", N_("Copy the path"), show=False),
        bind("i", "init_project", N_("Set up this project")),
        bind("right,l", "expand(True)", N_("Open the branch"), show=False, moving=True),
        bind("left,h", "expand(False)", N_("Close the branch"), show=False, moving=True),
        bind("escape", "back", N_("Back to the list"), show=False),
    ]

    def body(self) -> Iterable[Widget]:
        self._documents: tuple[DocumentView, ...] = ()
        self._git: GitView | None = None
        self._opened = frozenset({"project.yaml#"})
        self._versions: dict[str, tuple[DocumentVersion, ...]] = {}
        self._loaded = False
        self.list: VirtualList[TreeRow] = VirtualList(
            lambda row: row.key, self._line, version=_said, id="documents"
        )
        self.detail = Panel(detail_lines, id="detail-text")
        yield Panel(head_lines, id="head")
        yield Horizontal(self.list, VerticalScroll(self.detail, id="detail"), id="columns")
        yield Static(id="nothing")

    def _line(self, row: TreeRow, place: RowPlace, width: int) -> Content:
        return row_line(row, place, self.service.now(), width)

    @property
    def settled(self) -> bool:
        return self._loaded

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is either a project to look at, or one to set up."""
        if action == "init_project":
            return self.service.memory.workspace is None
        if action in ("edit", "editor", "versions", "memories", "copy"):
            return self.service.memory.workspace is not None
        return super().check_action(action, parameters)

    # reading

    def reload(self) -> None:
        """Read the documents again, and ask git what differs."""
        if self.service.memory.workspace is None:
            self._loaded = True
            self._say()
            return
        documents = self.service.memory.documents
        self.ask("tree", documents.tree, TreeRead, refresh=True)
        self.ask("git", documents.committed, GitRead, refresh=True)

    @on(TreeRead)
    def _tree_read(self, event: TreeRead) -> None:
        self._documents, self._loaded = event.documents, True
        self._versions.clear()
        self._show_rows()

    @on(GitRead)
    def _git_read(self, event: GitRead) -> None:
        self._git = event.git
        self._show_rows()

    @property
    def _committed(self) -> Committed:
        changed = () if self._git is None else self._git.changed
        return {(one.file, one.path): one for one in changed}

    def _show_rows(self) -> None:
        rows = rows_of(self._documents, self._opened, self._committed)
        self.list.start_over(keep_place=True)
        self.list.put_all(rows)
        self._say()

    def _say(self) -> None:
        workspace = self.service.memory.workspace
        empty = self._loaded and not self._documents
        was_empty = self.has_class("-nothing")
        self.set_class(empty, "-nothing")
        if empty:
            self.query_one("#nothing", Static).update(nothing(workspace is not None))
        elif was_empty:
            self.call_after_refresh(self.list.focus)  # it lost it when it was hidden
        if workspace is not None:
            head = ProjectHead(workspace.root.name, self._documents, self._git)
            self.query_one("#head", Panel).show(head)
        self._show_detail()
        self.refresh_bindings()

    # beside the list

    @on(VirtualList.Moved)
    def _moved(self) -> None:
        self._show_detail()
        row = self.list.item
        if row is not None and row.document.file not in self._versions:
            self._read_versions(row.document.file, wanted=False)

    def _show_detail(self) -> None:
        if (row := self.list.item) is not None:
            held = self._versions.get(row.document.file)
            self.detail.show(DocumentDetail(row, self._committed, held, self.service.now()))

    def _read_versions(self, document: str, *, wanted: bool) -> None:
        documents = self.service.memory.documents
        self.ask(
            "versions",
            lambda: documents.versions(document),
            partial(VersionsRead, document, wanted),
            refresh=not wanted,
        )

    @on(VersionsRead)
    def _versions_read(self, event: VersionsRead) -> None:
        self._versions[event.document] = event.versions
        self._show_detail()
        if event.wanted and event.versions:
            self.open(
                VersionsDialog(self.service, event.document, event.versions),
                partial(self._version_chosen, event.document),
            )
        elif event.wanted:
            self.post_message(Said(_("No older version of it is kept yet.")))

    def _version_chosen(self, document: str, version: DocumentVersion | None) -> None:
        if version is None:
            return
        memory, at = self.service.memory, version.at

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(lambda: restored(memory, document, at))

        dialog = RestoreDialog(document, version, self.service.now())
        self.call_later(self.open, dialog, answered)

    # the tree

    @on(VirtualList.Opened)
    def _row_opened(self) -> None:
        """Open or close a branch; on a narrow screen show what stands beside the list."""
        if self.has_class("-narrow"):
            self.add_class("-beside")
            self.query_one("#detail").focus()
        elif (row := self.list.item) is not None:
            self._expand(row, not row.open)

    def action_expand(self, wide: bool) -> None:
        row = self.list.item
        if row is None:
            return
        if not wide and not row.open:
            self._to_parent(row)
        else:
            self._expand(row, wide)

    def _expand(self, row: TreeRow, wide: bool) -> None:
        if row.children:
            self._opened = self._opened | {row.key} if wide else self._opened - {row.key}
            self._show_rows()

    def _to_parent(self, row: TreeRow) -> None:
        rows = rows_of(self._documents, self._opened, {})
        place = next((at for at, one in enumerate(rows) if one.key == row.key), 0)
        above = [at for at, one in enumerate(rows[:place]) if one.depth < row.depth]
        if above:
            self.list.move_to(above[-1])

    def action_back(self) -> None:
        self.remove_class("-beside")
        self.list.clear_marks()
        self.list.focus()

    # doing

    def action_edit(self) -> None:
        """Set the value in hand, seeing what it says now."""
        row = self.list.item
        if row is None:
            return
        node, document = row.node, row.document
        if document.file in _BY_HAND or document.path.suffix == ".md" or not document.nodes:
            self.post_message(Said(_("This is edited in the file itself: E opens it."), "warning"))
        elif node is None or any(child.children for child in node.children):
            self.post_message(Said(_("Choose one value below it; E opens the whole file.")))
        else:
            documents, path = self.service.memory.documents, node.path
            self.ask(
                "value",
                lambda: documents.value(path, document=document.file),
                partial(ValueRead, document.file, path),
            )

    @on(ValueRead)
    def _value_read(self, event: ValueRead) -> None:
        self.open(FactDialog(self.service, event.path, event.value, event.document))

    def action_editor(self) -> None:
        """Leave the screen to the person's editor, on the line in hand."""
        if (row := self.list.item) is None:
            return
        command = editor_command(os.environ, row.document.path, row.line)
        try:
            with self.app.suspend():
                done = subprocess.run(command, check=False)
        except SuspendNotSupported:
            text = _("This terminal cannot be left to an editor: {file}")
            self.post_message(Said(text.format(file=row.document.path), "warning"))
        except OSError as error:
            text = _("{command} did not start: {reason}. EDITOR names the program.")
            said = text.format(command=command[0], reason=error.strerror)
            self.post_message(Said(said, "warning"))
        else:
            if done.returncode:
                text = _("{command} ended with {code}.")
                said = text.format(command=command[0], code=done.returncode)
                self.post_message(Said(said, "warning"))
            self.reload()

    def action_versions(self) -> None:
        if (row := self.list.item) is not None:
            self._read_versions(row.document.file, wanted=True)

    def action_memories(self) -> None:
        """Show what a session gave, or what the memory knows of a document."""
        if (row := self.list.item) is None:
            return
        query = Query(home=Home.PROJECT, metadata={"file": row.document.file})
        if row.node is not None and row.document.file.startswith("sessions/"):
            _list, bracket, rest = row.node.path.partition("[")
            if bracket:
                query = Query(metadata={"episode": rest.partition("]")[0].strip('"')})
        self.app.post_message(RecordsWanted(query, "updated", descending=True))

    def action_copy(self) -> None:
        """Copy the file and the path in it."""
        if (row := self.list.item) is not None:
            place = str(row.document.path) if row.node is None else row.node.path
            self.app.copy_to_clipboard(shown(place))
            self.post_message(Said(_("Copied {what}.").format(what=place)))

    async def action_init_project(self) -> None:
        await self.app.run_action("init_project", self.app)


def _said(row: TreeRow) -> object:
    return row.document.problems if row.node is None else row.node.value
