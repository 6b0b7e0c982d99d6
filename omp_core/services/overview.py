"""Overview: what the dashboard's first screen and `omp-tui stats` show."""

from __future__ import annotations

from omp_core.availability import Availability
from omp_core.errors import StoreError
from omp_core.model import Status, Tier
from omp_core.rules.health import review_alert, with_alerts
from omp_core.services.acts import all_worded
from omp_core.services.disputes.queue import DisputeQueue
from omp_core.services.health import HealthService
from omp_core.services.mirror import FactMirror
from omp_core.services.pending import PendingService
from omp_core.services.review.inbox import ReviewInbox
from omp_core.session import Session
from omp_core.views import Overview, TierUse

_RECENT = 12


class OverviewService:
    """The part of `Memory` that counts."""

    def __init__(
        self,
        session: Session,
        availability: Availability,
        pending: PendingService,
        caring: HealthService,
        mirror: FactMirror,
        disputes: DisputeQueue,
        inbox: ReviewInbox,
    ) -> None:
        self._session = session
        self._availability = availability
        self._caring = caring
        self._pending = pending
        self._mirror = mirror
        self._disputes = disputes
        self._inbox = inbox

    def overview(self) -> Overview:
        """Return totals over both homes and the newest acts."""
        now = self._session.now()
        census, recent = self._availability.read(
            lambda store: (store.census(now), store.acts(limit=_RECENT))
        )
        review = self._waiting()
        health = with_alerts(self._caring.health(), review_alert(review)).view
        away = self._availability.store_away is not None
        unseen = (*self._availability.unseen(), *self._mirror.unseen())
        limits = self._session.settings.tiers

        def use(tier: Tier, limit: int | None = None, advice: int | None = None) -> TierUse:
            return TierUse(
                tier,
                None if away else census.tiers[tier],
                limit,
                advice,
                self._session.settings.alerts.tier_full,
            )

        return Overview(
            total=census.total,
            tiers=(
                use(Tier.WORKING, limits.working_capacity),
                use(Tier.SHORT_TERM, limits.short_term_capacity),
                use(Tier.LONG_TERM, None, limits.long_term_advice),
                use(Tier.IMPORTANT),
            ),
            homes=census.homes,
            as_of=now,
            disputes=self._disputes.count(),
            candidates=census.statuses[Status.CANDIDATE],
            pending=self._pending.count(),
            review=review,
            recent=all_worded(recent),
            health=health if census.total or unseen else None,
            empty=not unseen and not recent and not sum(census.statuses.values()),
            away=away,
            unseen=unseen,
        )

    def _waiting(self) -> int:
        """Return how much waits for a yes or no; while the store is away, what waits for it."""
        try:
            return sum(self._inbox.counts().values())
        except StoreError:
            return self._pending.count()
