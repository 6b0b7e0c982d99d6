"""`SqliteStore`: the `Store` protocol over one SQLite file, put together from its parts."""

from __future__ import annotations

from pathlib import Path

from omp_core.model import Unseen
from omp_core.store.sqlite.activity import ActivityPart
from omp_core.store.sqlite.connection import Connections
from omp_core.store.sqlite.counts import CountPart
from omp_core.store.sqlite.journal import JournalPart
from omp_core.store.sqlite.legible import Illegible
from omp_core.store.sqlite.mirror import MirrorPart
from omp_core.store.sqlite.records import RecordPart
from omp_core.store.sqlite.search import SearchPart
from omp_core.store.sqlite.vectors import VectorIndex


class SqliteStore(RecordPart, SearchPart, JournalPart, ActivityPart, CountPart, MirrorPart):
    """One SQLite file. `path` None keeps everything in this process's memory.

    Raises StoreUnavailableError, StoreDamagedError or StoreTooNewError when it cannot be
    opened.
    """

    label = "sqlite"

    def __init__(
        self, path: Path | None, *, workspace: str = "", busy_timeout_s: float = 30.0
    ) -> None:
        self.path = path
        self._workspace = workspace
        self._connections = Connections(path, busy_timeout_s)
        self._indexes: dict[str, VectorIndex] = {}
        self._illegible = Illegible()

    @property
    def connections(self) -> Connections:
        """The connections, for what works on the whole database: backup and check."""
        return self._connections

    @property
    def read_only(self) -> str | None:
        return self._connections.read_only

    def unseen(self) -> tuple[Unseen, ...]:
        return (*self._connections.unseen(), *self._illegible.all())

    def close(self) -> None:
        self._connections.close()
