"""Names of tiers, states and fields in the reader's language."""

from __future__ import annotations

from omp_core.i18n import _
from omp_core.model import Status, Tier


def tier_name(tier: Tier) -> str:
    return {
        Tier.WORKING: _("working"),
        Tier.SHORT_TERM: _("short-term"),
        Tier.LONG_TERM: _("long-term"),
        Tier.IMPORTANT: _("important"),
    }[tier]


def status_name(status: Status) -> str:
    return {
        Status.ACTIVE: _("active"),
        Status.CANDIDATE: _("candidate"),
        Status.ARCHIVED: _("archived"),
        Status.SUPERSEDED: _("superseded"),
    }[status]


def field_name(field: str) -> str:
    """Return the name of a record's field; an unknown one is its own name."""
    return {
        "content": _("text"),
        "tier": _("tier"),
        "user_id": _("user"),
        "agent_id": _("agent"),
        "app_id": _("project"),
        "run_id": _("run"),
        "category": _("category"),
        "importance": _("importance"),
        "source": _("source"),
        "confidence": _("confidence"),
        "temporality": _("temporality"),
        "tags": _("tags"),
        "metadata": _("metadata"),
        "expires_at": _("expiry"),
        "status": _("status"),
        "superseded_by": _("successor"),
        "episode": _("episode"),
        "locked": _("lock"),
    }.get(field, field)
