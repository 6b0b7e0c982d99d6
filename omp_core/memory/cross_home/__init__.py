"""Project facts against user records: what is decidable is decided, the rest is asked."""

from omp_core.memory.cross_home.syncing import CrossHome, SyncReport

__all__ = ["CrossHome", "SyncReport"]
