"""What a person should look at, each with the action that cures it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal

from omp_core.i18n import _, ngettext
from omp_core.model import Home, Query, Status, Tier
from omp_core.rules.health.figures import HealthInput
from omp_core.settings import Settings
from omp_core.views import Alert, Concerned, Fix, HitRate, Stale, TierUse

AlertId = Literal[
    "working-full",
    "short-term-full",
    "hit-rate-low",
    "disputes-waiting",
    "review-waiting",
    "stale",
    "long-term-large",
    "important-modified",
    "store-away",
    "store-read-only",
    "document-damaged",
    "unseen",
    "settings-refused",
]
Action = Literal[
    "promote-working",
    "move-short-term",
    "suggest-hybrid",
    "open-conflicts",
    "open-review",
    "archive-stale",
    "review-long-term",
    "show-audit",
]
"""The cures, in the order of the alerts."""


def alerts_of(
    given: HealthInput,
    settings: Settings,
    capacity: tuple[TierUse, ...],
    hit_rate: HitRate,
    stale: Stale,
    now: datetime,
) -> tuple[Alert, ...]:
    """Return the alerts, warnings before information (orchestrator seed, 4).

    Each carries what it is about and what can be done; whoever shows it knows no more.
    """
    found = [
        *_full_tiers(capacity, settings),
        *_low_hit_rate(hit_rate, settings),
        *_disputes(given),
        *_stale(stale, settings, now),
        *_large(capacity),
        *_audit(given),
    ]
    return ordered(found)


def ordered(alerts: Iterable[Alert]) -> tuple[Alert, ...]:
    """Return alerts with the warnings first."""
    return tuple(sorted(alerts, key=lambda alert: alert.level != "warning"))


def refused_settings(keys: Sequence[str]) -> Iterator[Alert]:
    """Yield an alert that names the settings a project's file holds and may not (design,
    section 3)."""
    if not keys:
        return
    yield Alert(
        "warning",
        ngettext(
            "A setting of the project was not taken: {keys}.",
            "{count} settings of the project were not taken: {keys}.",
            len(keys),
        ).format(count=len(keys), keys=", ".join(keys)),
        _("Look at config.yaml in Project; what you want yourself, set in your own settings."),
        None,
        "settings-refused",
        len(keys),
        advice=_(
            "A repository may set its own matters only. Take the rest out of _omp/config.yaml, or "
            "set what you want in your own settings. On the command line:\nomp-tui doctor"
        ),
    )


def _full_tiers(capacity: tuple[TierUse, ...], settings: Settings) -> Iterator[Alert]:
    limits = settings.alerts
    for use in capacity:
        if not use.limit or use.used is None or use.used / use.limit <= limits.tier_full:
            continue
        percent = f"{100 * use.used / use.limit:.0f}"
        above = use.used - math.floor(use.limit * limits.tier_full)
        if use.tier is Tier.WORKING:
            number = max(limits.working_moves, above)
            cure = ngettext(
                "Move the oldest record to short-term memory.",
                "Move the {count} oldest records to short-term memory.",
                number,
            ).format(count=number)
            yield Alert(
                "warning",
                _("Working memory is {percent} % full.").format(percent=percent),
                cure,
                "promote-working",
                "working-full",
                number,
                Concerned(_in_tier(Tier.WORKING), "created"),
                Fix(cure, tier=Tier.SHORT_TERM, most=number),
            )
        elif use.tier is Tier.SHORT_TERM:
            number = max(limits.short_term_moves, above)
            cure = ngettext(
                "Move the oldest record to long-term memory.",
                "Move the {count} oldest records to long-term memory.",
                number,
            ).format(count=number)
            yield Alert(
                "warning",
                _("Short-term memory is {percent} % full.").format(percent=percent),
                cure,
                "move-short-term",
                "short-term-full",
                number,
                Concerned(_in_tier(Tier.SHORT_TERM), "created"),
                Fix(cure, tier=Tier.LONG_TERM, most=number),
            )


def _low_hit_rate(hit_rate: HitRate, settings: Settings) -> Iterator[Alert]:
    rate = hit_rate.last_7d
    if rate is not None and rate < settings.alerts.hit_rate_low:
        yield Alert(
            "warning",
            _("Only {percent} % of the searches of 7 days found something.").format(
                percent=f"{100 * rate:.0f}"
            ),
            _("Search in hybrid mode, and archive what is stale."),
            "suggest-hybrid",
            "hit-rate-low",
            advice=_(
                "Search in hybrid mode (in Memories ^t changes the mode), and archive what is "
                "stale. On the command line:\nomp-tui search --mode hybrid"
            ),
        )


def _disputes(given: HealthInput) -> Iterator[Alert]:
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
    yield Alert(
        "warning",
        message,
        _("Settle them among the conflicts."),
        "open-conflicts",
        "disputes-waiting",
        count,
        Concerned(Query(disputed=True), "updated", descending=True),
        advice=_(
            "Settle them one by one; enter on the alert opens the conflicts. "
            "On the command line:\nomp-tui conflicts\nomp-tui resolve"
        ),
    )


def review_alert(waiting: int) -> Iterator[Alert]:
    """Yield what waits for a yes or no, whatever its kind; nothing where nothing does."""
    if waiting <= 0:
        return
    yield Alert(
        "info",
        ngettext(
            "{count} memory waits for a yes or no.",
            "{count} memories wait for a yes or no.",
            waiting,
        ).format(count=waiting),
        _("Look through them in the review."),
        "open-review",
        "review-waiting",
        waiting,
        advice=_(
            "Accept, edit, merge or reject them in the review; enter on the alert opens it. On "
            "the command line:\nomp-tui review list"
        ),
    )


def _stale(stale: Stale, settings: Settings, now: datetime) -> Iterator[Alert]:
    if stale.ratio > settings.alerts.stale_ratio:
        days = int(settings.alerts.stale_days)
        unread = now - timedelta(days=settings.alerts.stale_days)
        long_unread = Query(tiers=frozenset({Tier.LONG_TERM}), home=Home.USER, unread_since=unread)
        yield Alert(
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
            Concerned(long_unread, "accessed"),
            Fix(
                ngettext(
                    "Archive the long-term memory that nobody has read for so long.",
                    "Archive the {count} long-term memories that nobody has read for so long.",
                    stale.count,
                ).format(count=stale.count),
                status=Status.ARCHIVED,
            ),
        )


def _large(capacity: tuple[TierUse, ...]) -> Iterator[Alert]:
    for use in capacity:
        if use.advice is not None and use.used is not None and use.used >= use.advice:
            yield Alert(
                "info",
                _(
                    "Long-term memory holds {count} records; fewer than {advice} are advised."
                ).format(count=use.used, advice=use.advice),
                _("Review what is proposed for archiving or forgetting."),
                "review-long-term",
                "long-term-large",
                None,
                Concerned(_in_tier(Tier.LONG_TERM), "accessed"),
                advice=_(
                    "Review what is proposed for archiving or forgetting; enter on the alert lists "
                    "long-term memory, the longest unread first. On the command line:\n"
                    "omp-tui proposals"
                ),
            )


def _audit(given: HealthInput) -> Iterator[Alert]:
    count = given.important_changes_7d
    if count > 0:
        yield Alert(
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
            Concerned(_in_tier(Tier.IMPORTANT), "updated", descending=True),
            advice=_(
                "See who changed what; enter on the alert lists the important memories, the last "
                "changed first. On the command line:\nomp-tui log --important"
            ),
        )


def _in_tier(tier: Tier) -> Query:
    # project facts are all important, and alerts are about the user store
    return Query(tiers=frozenset({tier}), home=Home.USER)
