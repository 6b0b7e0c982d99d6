"""The shared core: one door, `Memory`, to the memory of AI agents.

`from omp_core import Memory` is all that a program needs: the types of its answers and its
errors are here too. Nothing is imported before it is named.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from omp_core.version import __version__

if TYPE_CHECKING:
    from omp_core.errors import (
        AccessDeniedError,
        DocumentDamagedError,
        DocumentError,
        EmbeddingError,
        FormatError,
        InvalidValueError,
        LockedError,
        NotFoundError,
        OmpError,
        ReadOnlyError,
        SchemaError,
        SecretFinding,
        SecretFoundError,
        SettingsError,
        StoreDamagedError,
        StoreError,
        StoreTooNewError,
        StoreUnavailableError,
        StoreUnwritableError,
        UsageError,
        VersionConflictError,
    )
    from omp_core.memory import Memory
    from omp_core.model import (
        Act,
        Capability,
        Category,
        Dispute,
        DisputeKind,
        Hit,
        Home,
        Importance,
        JournalEntry,
        Query,
        Receipt,
        Record,
        Right,
        Scope,
        ScorePart,
        SearchAnswer,
        SearchLevel,
        SearchLog,
        SearchMode,
        Source,
        Stamp,
        Status,
        Temporality,
        ThemeHit,
        Tier,
        Turn,
        Unseen,
    )
    from omp_core.settings import Settings

_MODULES = {
    "omp_core.errors": (
        "DocumentDamagedError",
        "DocumentError",
        "EmbeddingError",
        "FormatError",
        "InvalidValueError",
        "NotFoundError",
        "OmpError",
        "LockedError",
        "AccessDeniedError",
        "ReadOnlyError",
        "SchemaError",
        "SecretFinding",
        "SecretFoundError",
        "SettingsError",
        "StoreDamagedError",
        "StoreError",
        "StoreTooNewError",
        "StoreUnavailableError",
        "StoreUnwritableError",
        "UsageError",
        "VersionConflictError",
    ),
    "omp_core.memory": ("Memory",),
    "omp_core.model": (
        "Act",
        "Capability",
        "Category",
        "Dispute",
        "DisputeKind",
        "Hit",
        "Home",
        "Importance",
        "JournalEntry",
        "Query",
        "Receipt",
        "Record",
        "Right",
        "Right",
        "Scope",
        "ScorePart",
        "SearchAnswer",
        "SearchLevel",
        "SearchLog",
        "SearchMode",
        "Source",
        "Stamp",
        "Status",
        "Temporality",
        "ThemeHit",
        "Tier",
        "Turn",
        "Unseen",
    ),
    "omp_core.settings": ("Settings",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "AccessDeniedError",
    "Act",
    "Capability",
    "Category",
    "Dispute",
    "DisputeKind",
    "DocumentDamagedError",
    "DocumentError",
    "EmbeddingError",
    "FormatError",
    "Hit",
    "Home",
    "Importance",
    "InvalidValueError",
    "JournalEntry",
    "LockedError",
    "Memory",
    "NotFoundError",
    "OmpError",
    "Query",
    "ReadOnlyError",
    "Receipt",
    "Record",
    "Right",
    "SchemaError",
    "Scope",
    "ScorePart",
    "SearchAnswer",
    "SearchLevel",
    "SearchLog",
    "SearchMode",
    "SecretFinding",
    "SecretFoundError",
    "Settings",
    "SettingsError",
    "Source",
    "Stamp",
    "Status",
    "StoreDamagedError",
    "StoreError",
    "StoreTooNewError",
    "StoreUnavailableError",
    "StoreUnwritableError",
    "Temporality",
    "ThemeHit",
    "Tier",
    "Turn",
    "Unseen",
    "UsageError",
    "VersionConflictError",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
