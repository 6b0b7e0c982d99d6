"""Types at the door: what its methods take and answer, each named where it is defined.

Front ends import them from here and nothing of the rooms behind. As with the package itself,
nothing is imported before it is named.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omp_core.availability import EmbedderLoader
    from omp_core.caller import Place
    from omp_core.embed.calibration import CalibrationReport
    from omp_core.embed.protocol import Embedder
    from omp_core.extraction.report import Fact, SentenceVerdict
    from omp_core.project.validation import DocumentProblem
    from omp_core.project.writers import ChangelogEntry, DecisionEntry, SessionEntry
    from omp_core.rules.health import HealthReport
    from omp_core.rules.preference import Preference
    from omp_core.rules.sync import ClaimKind, SyncReason
    from omp_core.rules.themes import Suggestion, Theme, ThemeFigure, ThemePreview
    from omp_core.services.backups import RestorePlan
    from omp_core.services.configuration import Setting
    from omp_core.services.disputes import (
        DisputeDetail,
        Ending,
        OpenDispute,
        Resolution,
        Settlement,
        SideDetail,
    )
    from omp_core.services.doctor import DoctorFinding
    from omp_core.services.embedding import ModelRow
    from omp_core.services.extraction import Extracted
    from omp_core.services.imports import ImportReport, OnExisting, RowOutcome
    from omp_core.services.pending import PendingPreview
    from omp_core.services.session_context import SessionContext
    from omp_core.services.summaries import TierSummary
    from omp_core.services.sync import SyncReport
    from omp_core.services.sync.disagreements import SyncFinding
    from omp_core.services.themes.views import (
        AssimilationResult,
        Neighbour,
        RebuildChange,
        ThemeChange,
        ThemeDetail,
        ThemeListing,
        ThemeMembers,
        ThemeRow,
    )
    from omp_core.transcripts.lines import TranscriptProblem

_HOMES = {
    "Settlement": "omp_core.services.disputes",
    "CalibrationReport": "omp_core.embed.calibration",
    "ChangelogEntry": "omp_core.project.writers",
    "ClaimKind": "omp_core.rules.sync",
    "DecisionEntry": "omp_core.project.writers",
    "DisputeDetail": "omp_core.services.disputes",
    "DoctorFinding": "omp_core.services.doctor",
    "DocumentProblem": "omp_core.project.validation",
    "Embedder": "omp_core.embed.protocol",
    "EmbedderLoader": "omp_core.availability",
    "Ending": "omp_core.services.disputes",
    "SessionEntry": "omp_core.project.writers",
    "Extracted": "omp_core.services.extraction",
    "Fact": "omp_core.extraction.report",
    "AssimilationResult": "omp_core.services.themes.views",
    "HealthReport": "omp_core.rules.health",
    "ImportReport": "omp_core.services.imports",
    "ModelRow": "omp_core.services.embedding",
    "Neighbour": "omp_core.services.themes.views",
    "OnExisting": "omp_core.services.imports",
    "OpenDispute": "omp_core.services.disputes",
    "PendingPreview": "omp_core.services.pending",
    "Place": "omp_core.caller",
    "Preference": "omp_core.rules.preference",
    "RebuildChange": "omp_core.services.themes.views",
    "Resolution": "omp_core.services.disputes",
    "RestorePlan": "omp_core.services.backups",
    "RowOutcome": "omp_core.services.imports",
    "SentenceVerdict": "omp_core.extraction.report",
    "SessionContext": "omp_core.services.session_context",
    "Setting": "omp_core.services.configuration",
    "SideDetail": "omp_core.services.disputes",
    "Suggestion": "omp_core.rules.themes",
    "SyncFinding": "omp_core.services.sync.disagreements",
    "SyncReason": "omp_core.rules.sync",
    "SyncReport": "omp_core.services.sync",
    "Theme": "omp_core.rules.themes",
    "ThemeChange": "omp_core.services.themes.views",
    "ThemeDetail": "omp_core.services.themes.views",
    "ThemeFigure": "omp_core.rules.themes",
    "ThemeListing": "omp_core.services.themes.views",
    "ThemeMembers": "omp_core.services.themes.views",
    "ThemePreview": "omp_core.rules.themes",
    "ThemeRow": "omp_core.services.themes.views",
    "TierSummary": "omp_core.services.summaries",
    "TranscriptProblem": "omp_core.transcripts.lines",
}

__all__ = [
    "AssimilationResult",
    "CalibrationReport",
    "ChangelogEntry",
    "ClaimKind",
    "DecisionEntry",
    "DisputeDetail",
    "DoctorFinding",
    "DocumentProblem",
    "Embedder",
    "EmbedderLoader",
    "Ending",
    "Extracted",
    "Fact",
    "HealthReport",
    "ImportReport",
    "ModelRow",
    "Neighbour",
    "OnExisting",
    "OpenDispute",
    "PendingPreview",
    "Place",
    "Preference",
    "RebuildChange",
    "Resolution",
    "RestorePlan",
    "RowOutcome",
    "SentenceVerdict",
    "SessionContext",
    "SessionEntry",
    "Setting",
    "Settlement",
    "SideDetail",
    "Suggestion",
    "SyncFinding",
    "SyncReason",
    "SyncReport",
    "Theme",
    "ThemeChange",
    "ThemeDetail",
    "ThemeFigure",
    "ThemeListing",
    "ThemeMembers",
    "ThemePreview",
    "ThemeRow",
    "TierSummary",
    "TranscriptProblem",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found
    return found
