"""Pending queue: the file that keeps memories while the store is away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from omp_core.errors import DocumentDamagedError, DocumentError, NotFoundError, StoreError
from omp_core.i18n import _
from omp_core.model import Receipt, Record
from omp_core.private_files import private_folder
from omp_core.project.workspace import Workspace
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.project.facts import Damage
    from omp_core.project.pending import PendingFile


class PrivateWorkspace(Workspace):
    """The private folder beside the store, for what waits while the project's own is gone."""

    __slots__ = ()

    @classmethod
    def of(cls, store: Path) -> PrivateWorkspace:
        """Return the folder of a store: `store.pending` beside `store.db`."""
        return cls(store.with_name(f"{store.stem}.pending"))

    @property
    def omp(self) -> Path:
        return self.root

    @property
    def memory(self) -> Path:
        return self.root

    @property
    def boundary(self) -> Path | None:
        return self.root


class PendingQueue:
    """The file that keeps records while the store is away."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def file(self) -> PendingFile:
        """Return the file. Raises NotFoundError where there is no workspace."""
        from omp_core.project.pending import PendingFile

        workspace = self._session.workspace
        if workspace is None:
            raise NotFoundError(_("there is no _omp/ here, so nothing can wait in it"))
        if not workspace.omp.is_dir():
            workspace = PrivateWorkspace.of(self._session.store_path)
        return PendingFile(workspace, self._session.settings.documents, self._session.zone)

    def damage(self) -> Damage | None:
        """Return what keeps the file from being read; None where it can be, or where none is."""
        from omp_core.project.facts import Damage

        if self._session.workspace is None:
            return None
        file = self.file()
        name = file.workspace.pending_file.name
        try:
            file.memories()
        except DocumentDamagedError as error:
            return Damage(name, error.line, error.column, error.reason)
        except DocumentError as error:
            return Damage(name, None, None, str(error))
        return None

    def keep(self, record: Record, error: StoreError) -> Receipt:
        """Write a memory to the pending file because the store failed with `error`.

        Raises that error when there is no workspace to keep it in.
        """
        if self._session.workspace is None:
            raise error
        file = self.file()
        if not self._session.workspace.omp.is_dir():
            private_folder(file.workspace.root)
        file.append([record], str(error), now=self._session.now())
        return Receipt(
            "pending",
            record.id,
            None,
            record,
            note=_("the store is away, so this waits in _omp/memory/user-context.yaml")
            if self._session.workspace.omp.is_dir()
            else _(
                "the store is away and {project} is gone, so this waits in {file}; "
                "bring it in with: omp-tui import {file}"
            ).format(project=self._session.workspace.root, file=file.workspace.pending_file),
        )
