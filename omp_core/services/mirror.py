"""The mirror of the project's documents: read-only records that follow the files' bytes."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.errors import DocumentDamagedError, DocumentError, StoreUnwritableError
from omp_core.model import Act, Scope, Unseen
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.project.facts import Damage
    from omp_core.store.protocol import Store


_log = logging.getLogger(__name__)


class FactMirror:
    """The part of `Memory` that brings project documents into the store's reads.

    The files are the truth: the mirror follows them and never the other way round. While a
    document is damaged its last good facts stay.
    """

    def __init__(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability
        self._seen: tuple[str, int] | None = None
        self._damages: dict[str, Damage] = {}
        self._lock = threading.Lock()

    @property
    def damages(self) -> tuple[Damage, ...]:
        """The documents that do not parse, as of the last `follow`."""
        return tuple(self._damages.values())

    def unseen(self) -> tuple[Unseen, ...]:
        """Return the documents that do not parse, as what answers had to do without."""
        return tuple(
            Unseen(one.file if one.line is None else f"{one.file}:{one.line}", one.reason)
            for one in self.damages
        )

    def fingerprint(self) -> str:
        """Return what changes when a document changes; a look at names, sizes and times."""
        if self._session.workspace is None:
            return ""
        from omp_core.project.documents import fingerprint

        return fingerprint(self._session.workspace)

    def follow(self) -> None:
        """Mirror the documents that changed since the last call."""
        workspace = self._session.workspace
        if workspace is None:
            return
        with self._lock:
            try:
                self._availability.read(self._follow)
            except StoreUnwritableError as error:
                # the facts of before are still read; the next call tries again
                _log.warning("documents not mirrored: %s", error)

    def _follow(self, store: Store) -> None:
        seen = (self.fingerprint(), id(store))
        if seen != self._seen:
            self._mirror_changed(store)
            self._seen = seen

    def _mirror_changed(self, store: Store) -> None:
        from omp_core.project.documents import (
            document_files,
            document_source,
            facts_in,
            to_records,
        )
        from omp_core.project.facts import Damage
        from omp_core.project.pending import PendingFile
        from omp_core.project.source import digest as digest_of

        workspace = self._session.workspace
        if workspace is None:
            return
        held = store.mirror_digests()
        most = self._session.settings.documents.max_bytes
        scope = Scope(app_id=self._session.identity.app_id)
        self._damages.clear()
        names = set()
        for file in document_files(workspace):
            name = workspace.name_of(file)
            names.add(name)
            try:
                source = document_source(workspace, file, most)
                digest = digest_of(source.raw)
                if held.get(name) == digest:
                    continue
                records = list(to_records(facts_in(workspace, source), scope))
            except DocumentDamagedError as error:
                self._damages[name] = Damage(name, error.line, error.column, error.reason)
                continue
            except (DocumentError, OSError) as error:
                self._damages[name] = Damage(name, None, None, str(error))
                continue
            store.mirror(name, digest, records, self._act(name, len(records)))
        try:
            PendingFile(workspace, self._session.settings.documents).memories()
        except DocumentDamagedError as error:
            name = workspace.pending_file.name
            self._damages[name] = Damage(name, error.line, error.column, error.reason)
        for name in held.keys() - names:
            store.mirror(name, None, (), self._act(name, 0))

    def _act(self, name: str, count: int) -> Act:
        return self._session.act("mirror", {"file": name, "count": count}, actor="system")
