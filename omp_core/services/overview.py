"""What the dashboard's first screen and `omp-tui stats` show."""

from __future__ import annotations

from omp_core.availability import Availability
from omp_core.model import Status, Tier
from omp_core.services.acts import all_worded
from omp_core.services.health import Caring
from omp_core.services.pending import Degrading
from omp_core.session import Session
from omp_core.views import Overview, TierUse

_RECENT = 12


class Overviewing:
    """The part of `Memory` that counts."""

    def __init__(
        self, session: Session, availability: Availability, pending: Degrading, caring: Caring
    ) -> None:
        self._session = session
        self._availability = availability
        self._caring = caring
        self._pending = pending

    def overview(self) -> Overview:
        """Return totals over both homes and the newest acts."""
        now = self._session.now()
        census, recent = self._availability.read(
            lambda store: (store.census(now), store.acts(limit=_RECENT))
        )
        limits = self._session.settings.tiers
        return Overview(
            total=census.total,
            tiers=(
                TierUse(Tier.WORKING, census.tiers[Tier.WORKING], limits.working_capacity),
                TierUse(Tier.SHORT_TERM, census.tiers[Tier.SHORT_TERM], limits.short_term_capacity),
                TierUse(
                    Tier.LONG_TERM, census.tiers[Tier.LONG_TERM], None, limits.long_term_advice
                ),
                TierUse(Tier.IMPORTANT, census.tiers[Tier.IMPORTANT]),
            ),
            homes=census.homes,
            as_of=now,
            disputes=census.disputed,
            candidates=census.statuses[Status.CANDIDATE],
            pending=self._pending.count(),
            recent=all_worded(recent),
            health=self._caring.health().view if census.total else None,
            empty=not recent and not sum(census.statuses.values()),
        )
