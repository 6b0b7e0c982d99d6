"""The embedded store: one SQLite file in WAL mode, for any number of processes."""

from omp_core.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
