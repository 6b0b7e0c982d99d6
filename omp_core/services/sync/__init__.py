"""Project facts against user records: what is decidable is decided, the rest is asked."""

from omp_core.services.sync.check import CrossHome, SyncReport

__all__ = ["CrossHome", "SyncReport"]
