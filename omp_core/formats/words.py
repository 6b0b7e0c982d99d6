"""The words that other tools use for kinds and states, and ours for them."""

from __future__ import annotations

from collections.abc import Mapping

from omp_core.model import Category, Importance, Status, Temporality, Tier

CATEGORIES: Mapping[str, Category] = {member.value: member for member in Category}
IMPORTANCES: Mapping[str, Importance] = {member.value: member for member in Importance}
TEMPORALITIES: Mapping[str, Temporality] = {member.value: member for member in Temporality}
TIERS: Mapping[str, Tier] = {member.value: member for member in Tier}

HIGH_WORDS = frozenset({"important", "critical", "重要"})

LIKE_CATEGORIES: Mapping[str, Category] = {
    "antipattern": Category.ANTI_PATTERN,
    "anti_patterns": Category.ANTI_PATTERN,
    "bugfix": Category.LESSON,
    "concepts": Category.CONCEPT,
    "convention": Category.DECISION,
    "conventions": Category.DECISION,
    "decisions": Category.DECISION,
    "episodes": Category.EPISODE,
    "facts": Category.FACT,
    "feedback": Category.PREFERENCE,
    "learning": Category.LESSON,
    "lessons": Category.LESSON,
    "personal": Category.IDENTITY,
    "personal_details": Category.IDENTITY,
    "preferences": Category.PREFERENCE,
    "professional_details": Category.IDENTITY,
    "profile": Category.IDENTITY,
    "tool": Category.ENVIRONMENT,
    "tooling": Category.ENVIRONMENT,
    "tools": Category.ENVIRONMENT,
    "user_preference": Category.PREFERENCE,
    "user_preferences": Category.PREFERENCE,
}
"""Words of other tools whose meaning is that of one of ours."""

STATES: Mapping[str, Status] = {
    **{status.value: status for status in Status},
    "confirmed": Status.ACTIVE,
    "current": Status.ACTIVE,
    "enabled": Status.ACTIVE,
    "valid": Status.ACTIVE,
    "pending": Status.CANDIDATE,
    "proposed": Status.CANDIDATE,
    "unconfirmed": Status.CANDIDATE,
    "replaced": Status.SUPERSEDED,
    "deleted": Status.ARCHIVED,
    "deprecated": Status.ARCHIVED,
    "disabled": Status.ARCHIVED,
    "expired": Status.ARCHIVED,
    "forgotten": Status.ARCHIVED,
    "inactive": Status.ARCHIVED,
    "invalid": Status.ARCHIVED,
    "invalidated": Status.ARCHIVED,
    "obsolete": Status.ARCHIVED,
    "paused": Status.ARCHIVED,
    "refuted": Status.ARCHIVED,
    "rejected": Status.ARCHIVED,
    "retracted": Status.ARCHIVED,
}
ENDED = ("deleted_at", "archived_at", "is_deleted", "is_archived", "deleted", "archived")
"""Keys that, when they hold anything, say that a memory is no longer alive."""


def folded(word: str) -> str:
    """Return a word in the spelling of the tables."""
    return word.strip().lower().replace("-", "_").replace(" ", "_")
