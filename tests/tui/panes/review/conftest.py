"""A memory in which something of every kind waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tui.driven import NOW, MakeMemory, Recorder

from omp_core.errors import StoreUnavailableError
from omp_core.memory import Memory
from omp_core.model import Importance, Query, Scope, Status, Tier
from omp_core.settings import EmbedSettings, Settings
from omp_core.views import ReviewKind

ANA = Scope(user_id="ana", app_id="acme_shop-api")
KNOWN = "Integration tests need a running database"
ALIKE = "The integration tests need a database that is running"
PENDING = (
    "Prefers two spaces of indent",
    "Uses pnpm for every package",
    "Deploys on Tuesdays only",
    KNOWN,
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A memory, and how to write to it while its store is away."""

    memory: Recorder
    open: Callable[..., Memory]
    """Open it as another process would, at a time."""

    def keep(self, *texts: str) -> None:
        """Write memories while the store is away."""

        def away(*_args: object, **_options: object) -> Any:
            raise StoreUnavailableError("the disk is asleep")

        with self.open(NOW - timedelta(minutes=38), open_store=away) as lost:
            for text in texts:
                assert lost.add(text, scope=ANA).outcome == "pending"

    def count(self, kind: ReviewKind) -> int:
        return self.memory.real.review.counts()[kind]


def state(memory: Memory) -> dict[str, Any]:
    """Return what the store holds, versions and times aside, and what waits."""
    held = memory.records(Query(statuses=frozenset(), include_expired=True))
    records = {
        one.id: (one.content, one.status, one.tier, one.tags, len(one.disputes)) for one in held
    }
    waits = {
        kind: sorted((item.key, item.text, item.effect) for item in memory.review.page(kind).items)
        for kind in ReviewKind
    }
    return {"records": records, "waits": waits}


@pytest.fixture
def nothing_waits(make_memory: MakeMemory, tmp_path: Path) -> Waiting:
    memory = make_memory(0)
    root = tmp_path / "memory0"
    settings = Settings(embed=EmbedSettings(model="hashing"), user_id="ana", app_id="acme_shop-api")

    def opened(at: datetime, **options: Any) -> Memory:
        return Memory.open(
            workspace=root / "shop-api",
            store=root / "store.db",
            settings=settings,
            actor="agent:codex",
            clock=lambda: at,
            **options,
        )

    return Waiting(memory, opened)


@pytest.fixture
def waiting(nothing_waits: Waiting) -> Waiting:
    """Four pending, two candidates, a duplicate, one to archive, one to forget, one refused."""
    real = nothing_waits.memory.real
    real.add(KNOWN, scope=ANA, tier=Tier.LONG_TERM)
    real.add("Release notes are written in English", scope=ANA, status=Status.CANDIDATE)
    real.add("The staging cluster lies in Frankfurt", scope=ANA, status=Status.CANDIDATE)
    real.add(ALIKE, scope=ANA, propose=True)
    real.add("Tests of integration need a running database", scope=ANA)
    with nothing_waits.open(NOW - timedelta(days=200)) as old:
        for floor, importance in ((3, Importance.HIGH), (4, Importance.LOW)):
            text = f"The printer on floor {floor} is slow"
            old.add(
                text,
                scope=ANA,
                tier=Tier.LONG_TERM,
                importance=importance,
                confidence=0.8,
                force=True,
            )
    nothing_waits.keep(*PENDING)
    return nothing_waits
