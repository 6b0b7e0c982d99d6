"""What a person should look at, each with the action that cures it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from omp_core.i18n import _, ngettext
from omp_core.model import Tier
from omp_core.rules.health.figures import HealthInput
from omp_core.settings import Settings
from omp_core.views import Alert, HitRate, Stale, TierUse

AlertId = Literal[
    "working-full",
    "short-term-full",
    "hit-rate-low",
    "disputes-waiting",
    "stale",
    "long-term-large",
    "important-modified",
    "store-away",
    "store-read-only",
    "document-damaged",
    "unseen",
]
Action = Literal[
    "promote-working",
    "move-short-term",
    "suggest-hybrid",
    "open-conflicts",
    "archive-stale",
    "review-long-term",
    "show-audit",
]
"""The cures, in the order of the alerts."""


@dataclass(frozen=True, slots=True)
class HealthAlert(Alert):
    """An alert with the name it is cured by; `number`: how many records the cure touches."""

    id: AlertId = "stale"
    number: int | None = None


def alerts_of(
    given: HealthInput,
    settings: Settings,
    capacity: tuple[TierUse, ...],
    hit_rate: HitRate,
    stale: Stale,
) -> tuple[HealthAlert, ...]:
    """Return the alerts, warnings before information (orchestrator seed, 4)."""
    found = [
        *_full_tiers(capacity, settings),
        *_low_hit_rate(hit_rate, settings),
        *_disputes(given),
        *_stale(stale, settings),
        *_large(capacity),
        *_audit(given),
    ]
    return tuple(sorted(found, key=lambda alert: alert.level != "warning"))


def _full_tiers(capacity: tuple[TierUse, ...], settings: Settings) -> Iterator[HealthAlert]:
    limits = settings.alerts
    for use in capacity:
        if not use.limit or use.used is None or use.used / use.limit <= limits.tier_full:
            continue
        percent = f"{100 * use.used / use.limit:.0f}"
        above = use.used - math.floor(use.limit * limits.tier_full)
        if use.tier is Tier.WORKING:
            number = max(limits.working_moves, above)
            yield HealthAlert(
                "warning",
                _("Working memory is {percent} % full.").format(percent=percent),
                ngettext(
                    "Move the oldest record to short-term memory.",
                    "Move the {count} oldest records to short-term memory.",
                    number,
                ).format(count=number),
                "promote-working",
                "working-full",
                number,
            )
        elif use.tier is Tier.SHORT_TERM:
            number = max(limits.short_term_moves, above)
            yield HealthAlert(
                "warning",
                _("Short-term memory is {percent} % full.").format(percent=percent),
                ngettext(
                    "Move the oldest record to long-term memory.",
                    "Move the {count} oldest records to long-term memory.",
                    number,
                ).format(count=number),
                "move-short-term",
                "short-term-full",
                number,
            )


def _low_hit_rate(hit_rate: HitRate, settings: Settings) -> Iterator[HealthAlert]:
    rate = hit_rate.last_7d
    if rate is not None and rate < settings.alerts.hit_rate_low:
        yield HealthAlert(
            "warning",
            _("Only {percent} % of the searches of 7 days found something.").format(
                percent=f"{100 * rate:.0f}"
            ),
            _("Search in hybrid mode, and archive what is stale."),
            "suggest-hybrid",
            "hit-rate-low",
        )


def _disputes(given: HealthInput) -> Iterator[HealthAlert]:
    count, days = given.disputes_open, given.oldest_dispute_days
    if count <= 0:
        return
    if days is None:
        message = ngettext("{count} dispute waits.", "{count} disputes wait.", count).format(
            count=count
        )
    else:
        message = ngettext(
            "{count} dispute waits, since {days} days.",
            "{count} disputes wait, the oldest since {days} days.",
            count,
        ).format(count=count, days=int(days))
    yield HealthAlert(
        "warning",
        message,
        _("Settle them among the conflicts."),
        "open-conflicts",
        "disputes-waiting",
        count,
    )


def _stale(stale: Stale, settings: Settings) -> Iterator[HealthAlert]:
    if stale.ratio > settings.alerts.stale_ratio:
        days = int(settings.alerts.stale_days)
        yield HealthAlert(
            "info",
            ngettext(
                "{count} long-term memory was not read for {days} days.",
                "{count} long-term memories were not read for {days} days.",
                stale.count,
            ).format(count=stale.count, days=days),
            _("List them, and archive what is no longer needed."),
            "archive-stale",
            "stale",
            stale.count,
        )


def _large(capacity: tuple[TierUse, ...]) -> Iterator[HealthAlert]:
    for use in capacity:
        if use.advice is not None and use.used is not None and use.used >= use.advice:
            yield HealthAlert(
                "info",
                _(
                    "Long-term memory holds {count} records; fewer than {advice} are advised."
                ).format(count=use.used, advice=use.advice),
                _("Review what is proposed for archiving or forgetting."),
                "review-long-term",
                "long-term-large",
            )


def _audit(given: HealthInput) -> Iterator[HealthAlert]:
    count = given.important_changes_7d
    if count > 0:
        yield HealthAlert(
            "info",
            ngettext(
                "An important memory was changed {count} time in 7 days.",
                "Important memories were changed {count} times in 7 days.",
                count,
            ).format(count=count),
            _("See in the audit log who changed what."),
            "show-audit",
            "important-modified",
            count,
        )
