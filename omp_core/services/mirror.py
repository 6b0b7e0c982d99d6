"""The mirror of the project's documents: read-only records that follow the files' bytes."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from omp_core.availability import Availability
from omp_core.errors import DocumentDamagedError, DocumentError, StoreUnwritableError
from omp_core.i18n import _
from omp_core.model import Act, Scope, Unseen
from omp_core.services.pending_queue import PendingQueue
from omp_core.session import Session

if TYPE_CHECKING:
    from omp_core.project.facts import Damage
    from omp_core.project.source import SourceText
    from omp_core.project.workspace import Workspace
    from omp_core.store.protocol import Store


_log = logging.getLogger(__name__)


class FactMirror:
    """The part of `Memory` that brings project documents into the store's reads.

    The files are the truth: the mirror follows them and never the other way round. While a
    document is damaged its last good facts stay.
    """

    def __init__(self, session: Session, availability: Availability, pending: PendingQueue) -> None:
        self._session = session
        self._availability = availability
        self._pending = pending
        self._seen: tuple[str, int] | None = None
        self._damages: dict[str, Damage] = {}
        self._unparsed: dict[tuple[str, str], Damage] = {}
        self._lock = threading.Lock()

    @property
    def damages(self) -> tuple[Damage, ...]:
        """The documents that do not parse, as of the last `follow`."""
        return tuple(self._damages.values())

    def unseen(self) -> tuple[Unseen, ...]:
        """Return the documents that do not parse, as what answers had to do without."""
        return tuple(one.unseen for one in self.damages)

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
        if seen != self._seen and self._mirror_changed(store):
            self._seen = seen

    def _mirror_changed(self, store: Store) -> bool:
        """Mirror what changed, small documents first; False when the time was too short.

        At least one document is taken on each time, so that all are at last.
        """
        from omp_core.project.documents import document_files, facts_in, to_records
        from omp_core.project.facts import Damage
        from omp_core.project.source import digest as digest_of

        workspace = self._session.workspace
        if workspace is None:
            return True
        held = store.mirror_digests()
        files = {workspace.name_of(file): file for file in document_files(workspace)}
        scope = Scope(app_id=self._session.identity.app_id)
        found: dict[str, Damage] = {}
        ends = time.thread_time() + self._session.settings.documents.mirror_cpu_s
        taken, late = 0, 0
        for name in sorted(files, key=lambda name: _size(files[name])):
            digest = ""
            try:
                source = self._source(workspace, files[name])
                digest = digest_of(source.raw)
                if held.get(name) == digest:
                    continue
                if (name, digest) in self._unparsed:
                    found[name] = self._unparsed[name, digest]
                    continue
                if taken and time.thread_time() > ends:
                    late += 1
                    reason = _("it is not read yet; the next reading goes on with it")
                    found[name] = Damage(name, None, None, reason)
                    continue
                taken += 1
                records = list(to_records(facts_in(workspace, source), scope))
            except DocumentDamagedError as error:
                found[name] = Damage(name, error.line, error.column, error.reason)
                if digest:
                    self._unparsed[name, digest] = found[name]
                continue
            except (DocumentError, OSError) as error:
                found[name] = Damage(name, None, None, str(error))
                continue
            store.mirror(name, digest, records, self._act(name, len(records)))
        if damage := self._pending.damage():
            found[damage.file] = damage
        for name in held.keys() - files.keys():
            store.mirror(name, None, (), self._act(name, 0))
        listed = [*files, workspace.pending_file.name]
        self._damages = {name: found[name] for name in listed if name in found}
        return not late

    def _source(self, workspace: Workspace, file: Path) -> SourceText:
        from omp_core.project.confinement import MOST_BYTES
        from omp_core.project.documents import document_source

        ours = file == workspace.theme_index  # written by rule, and read fast
        most = MOST_BYTES if ours else self._session.settings.documents.max_bytes
        return document_source(workspace, file, most)

    def _act(self, name: str, count: int) -> Act:
        return self._session.act("mirror", {"file": name, "count": count}, actor="system")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # reading it says what is wrong
        return 0
