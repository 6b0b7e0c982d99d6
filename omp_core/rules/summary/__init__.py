"""Summaries of memories by extraction, in Chinese and English, with honest quality figures."""

from __future__ import annotations

from omp_core.rules.summary.cues import FactKind
from omp_core.rules.summary.facts import KeyFact, key_facts
from omp_core.rules.summary.quality import Quality, assess
from omp_core.rules.summary.selection import Summary, summarize

__all__ = ["FactKind", "KeyFact", "Quality", "Summary", "assess", "key_facts", "summarize"]
