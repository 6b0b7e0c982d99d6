"""The alerts: how they are drawn, what their cures do, which records they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from textual.content import Content

from omp_core.i18n import _, ngettext
from omp_core.model import Home, Order, Query, Record, Tier
from omp_core.rules.health import AlertId, HealthAlert
from omp_core.settings import Settings
from omp_core.views import Alert
from omp_tui.text import MUTED, fit, safe

if TYPE_CHECKING:
    from omp_core.memory import Memory

_ALL = 1000
"""More than a tier of limited size holds."""
_SIDE_BY_SIDE = 90


@dataclass(frozen=True, slots=True)
class Subject:
    """The records that an alert is about, in the order to look at them."""

    query: Query
    order: Order
    descending: bool = False


def alert_blocks(alerts: Sequence[Alert], cursor: int, width: int) -> list[list[Content]]:
    """Return the lines of each alert: its cure beside it where there is room, else below."""
    return [_block(alert, index == cursor, width) for index, alert in enumerate(alerts)]


def _block(alert: Alert, here: bool, width: int) -> list[Content]:
    # On the cursor line the colours of the cursor carry; others would be lost on them.
    warning = "" if here else "$text-warning"
    muted = "" if here else MUTED
    sign = ("▲ ", warning) if alert.level == "warning" else ("· ", "")
    message = Content.assemble("▸" if here else " ", sign, safe(alert.message, width=width - 3))
    cure = Content.assemble(("→ ", muted), safe(alert.cure, width=width - 5))
    column = max(40, width // 2)
    if width >= _SIDE_BY_SIDE and message.cell_length < column:
        lines = [Content.assemble(fit(message, column), cure)]
    else:
        lines = [message, Content.assemble("   ", cure)]
    return [fit(line, width) for line in lines]


def alert_id(alert: Alert) -> AlertId | None:
    """Return the name by which the memory cures it; None if it has none."""
    return alert.id if isinstance(alert, HealthAlert) else None


def what_is_done(alert: Alert) -> str | None:
    """Return what the memory does to cure an alert; None where a person has to decide."""
    count = (alert.number or 0) if isinstance(alert, HealthAlert) else 0
    match alert_id(alert):
        case "working-full" | "short-term-full":
            return alert.cure
        case "stale":
            return ngettext(
                "Archive the long-term memory that nobody has read for so long.",
                "Archive the {count} long-term memories that nobody has read for so long.",
                count,
            ).format(count=count)
        case _:
            return None


def advice(alert: Alert) -> str:
    """Return what a person can do about an alert."""
    match alert_id(alert):
        case "hit-rate-low":
            return _(
                "Search in hybrid mode (in Memories ^t changes the mode), and archive what is "
                "stale. On the command line:\nomp-tui search --mode hybrid"
            )
        case "disputes-waiting":
            return _(
                "Settle them one by one; enter on the alert lists the memories that they are on. "
                "On the command line:\nomp-tui conflicts\nomp-tui resolve"
            )
        case "long-term-large":
            return _(
                "Review what is proposed for archiving or forgetting; enter on the alert lists "
                "long-term memory, the longest unread first. On the command line:\n"
                "omp-tui proposals"
            )
        case "important-modified":
            return _(
                "See who changed what; enter on the alert lists the important memories, the last "
                "changed first. On the command line:\nomp-tui log --important"
            )
        case _:
            return alert.cure


def subject(alert: Alert, settings: Settings, now: datetime) -> Subject | None:
    """Return the records that an alert is about; None where it is about none."""
    match alert_id(alert):
        case "working-full":
            return Subject(_in_tier(Tier.WORKING), "created")
        case "short-term-full":
            return Subject(_in_tier(Tier.SHORT_TERM), "created")
        case "stale":
            return Subject(_stale(settings, now), "accessed")
        case "long-term-large":
            return Subject(_in_tier(Tier.LONG_TERM), "accessed")
        case "disputes-waiting":
            return Subject(Query(disputed=True), "updated", descending=True)
        case "important-modified":
            return Subject(_in_tier(Tier.IMPORTANT), "updated", descending=True)
        case _:
            return None


def touched(
    memory: Memory, alert: HealthAlert, settings: Settings, now: datetime
) -> tuple[Record, ...]:
    """Return the first records that the cure is going to change. May be slow."""
    if alert.id == "stale":
        return memory.list(_stale(settings, now), "accessed", False, 0, 5).records
    from omp_core.rules.tiers import oldest
    from omp_core.services.tiers import member

    tier = Tier.WORKING if alert.id == "working-full" else Tier.SHORT_TERM
    held = {one.id: one for one in memory.list(_in_tier(tier), "created", False, 0, _ALL).records}
    chosen = oldest([member(one) for one in held.values()], tier, alert.number or 0)
    return tuple(held[one.id] for one in chosen)


def _in_tier(tier: Tier) -> Query:
    # project facts are all important, and alerts are about the user store
    home = Home.USER if tier is Tier.IMPORTANT else None
    return Query(tiers=frozenset({tier}), home=home)


def _stale(settings: Settings, now: datetime) -> Query:
    unread = now - timedelta(days=settings.alerts.stale_days)
    return Query(tiers=frozenset({Tier.LONG_TERM}), unread_since=unread)
