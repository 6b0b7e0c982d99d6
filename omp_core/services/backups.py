"""Backups: copies of the store, one a day by itself; and the way back, documents included."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Literal

from omp_core.availability import Availability
from omp_core.errors import NotFoundError, StoreError, UsageError
from omp_core.i18n import _
from omp_core.model import Right
from omp_core.session import Session

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """What a restore would put where."""

    kind: Literal["store", "document"]
    target: Path
    backup: Path
    version: int = 1
    holds: tuple[int, int] | None = None
    """Of a store: how many records and acts the backup holds."""


class Backups:
    """The part of `Memory` that makes copies and brings them back."""

    def __init__(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability

    def all(self) -> list[Path]:
        """Return the backups of the store, the one that had come furthest first."""
        from omp_core.store.sqlite.backup import backups

        return backups(self._session.store_path)

    def make(self) -> Path:
        """Copy the store as it is at this moment and check the copy: a person accepts it so.

        Raises StoreUnavailableError or StoreDamagedError; older backups then stay.
        """
        from omp_core.store.sqlite.backup import accept

        made = self._make()
        accept(self._session.store_path)
        return made

    def _make(self) -> Path:
        from omp_core.store.sqlite.backup import make_backup

        self._availability.store()
        return make_backup(
            self._session.store_path, self._session.now(), self._session.settings.store.backups_kept
        )

    def make_daily(self) -> Path | None:
        """Make the day's backup if there is none yet; a failure is logged and tried again."""
        from omp_core.store.sqlite.files import backup_files, taken_at

        now = self._session.now()
        try:
            made = map(taken_at, backup_files(self._session.store_path))
            if any(timedelta() <= now - one < timedelta(days=1) for one in made):
                return None
            return self._make()
        except StoreError as error:
            _log.error("no daily backup: %s", error)
            return None

    def plan(self, file: Path | None = None, version: int = 1) -> RestorePlan:
        """Return what restoring this file would do; None stands for the store's best backup.

        Raises NotFoundError when there is nothing to restore from.
        """
        if file is None or file.suffix == ".db":
            return self._plan_store(file)
        workspace = self._session.workspace
        if workspace is None:
            raise UsageError(
                _("{file}: there is no _omp/ here that the document could belong to").format(
                    file=file
                )
            )
        from omp_core.project.yaml.file import YamlFile

        document = YamlFile(workspace, workspace.document(file), self._session.settings.documents)
        chosen = document.backups.version(version)
        return RestorePlan("document", document.file, chosen.file, version)

    def _plan_store(self, file: Path | None) -> RestorePlan:
        from omp_core.store.sqlite.backup import holdings

        found = [] if file is not None else self.all()
        if file is None and not found:
            raise NotFoundError(
                _(
                    "{path}: there is no backup of this store yet; `omp-tui backup` makes one"
                ).format(path=self._session.store_path)
            )
        chosen = file or found[0]
        held = holdings(chosen)
        return RestorePlan(
            "store", self._session.store_path, chosen, holds=(held.records, held.head)
        )

    def restore(self, plan: RestorePlan) -> Path | None:
        """Carry a plan out and return where the replaced store went.

        No process may have the store open: end the dashboard and the agents' servers first.
        Raises NotFoundError, StoreDamagedError, DocumentError, AccessDeniedError.
        """
        self._availability.access.require_all(Right.CURATE)
        if plan.kind == "document":
            from omp_core.project.yaml.file import YamlFile

            if self._session.workspace is None:
                raise UsageError(_("{target}: there is no _omp/ here").format(target=plan.target))
            YamlFile(
                self._session.workspace, plan.target, self._session.settings.documents
            ).restore(plan.version, now=self._session.now())
            return None
        from omp_core.store.sqlite.backup import restore_backup

        self._availability.close()
        try:
            return restore_backup(plan.target, plan.backup, self._session.now())
        except OSError as error:
            raise StoreError(
                _(
                    "{target}: not restored: {error}. Check the permissions and the space there."
                ).format(target=plan.target, error=error)
            ) from error
