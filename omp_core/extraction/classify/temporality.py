"""How long a fact holds (extraction seed: permanent, contextual, ephemeral)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from omp_core.extraction.classify.exclusions import exclusion
from omp_core.extraction.classify.kinds import Exclusion
from omp_core.model import Temporality

CONTEXTUAL_DAYS = 30
"""How long a contextual fact is kept (openmemory-plus, classification rules: 30 d)."""

_CONTEXTUAL = re.compile(
    r"(?:这个|本|当前|这次|下个)?(?:迭代|冲刺|sprint)|本周|这周|本月|这个月|这个?季度|下个?季度"
    r"|下个?月|月底前"
    r"|\b(?:(?:this|the current|next) (?:sprint|iteration|week|month|quarter|release)"
    r"|until (?:the )?end of|until (?:january|february|march|april|may|june|july|august|september"
    r"|october"
    r"|november|december|next)|(?:by|end of) (?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december))\b",
    re.IGNORECASE,
)


def temporality(text: str) -> Temporality:
    """Return how long what `text` says holds."""
    if exclusion(text) is Exclusion.ONE_TIME:
        return Temporality.EPHEMERAL
    return Temporality.CONTEXTUAL if _CONTEXTUAL.search(text) else Temporality.PERMANENT


def expiry(kind: Temporality, now: datetime) -> datetime | None:
    """Return when a fact of this temporality ends, None for never."""
    if kind is Temporality.CONTEXTUAL:
        return now + timedelta(days=CONTEXTUAL_DAYS)
    return None
