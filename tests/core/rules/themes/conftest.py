"""A small world of records with known topics, and the ground that operations stand on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omp_core.model import Scope
from omp_core.rules.themes import (
    BookInputs,
    ThemeItem,
    ThemeState,
    assimilate,
    empty_state,
)
from omp_core.settings import ThemeSettings

COSINES = (-1.0, 0.05, 0.28, 0.45, 0.82, 1.0)
LEVELS = (0.0, 0.2, 0.62, 0.78, 0.85, 1.0)
DAWN = datetime(2026, 3, 1, tzinfo=UTC)


def calibrate(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.interp(cosines, COSINES, LEVELS).astype(np.float32)


@dataclass
class World:
    """Records with vectors and texts; `topics[i]` is the true topic of `ids[i]`."""

    ids: list[str]
    rows: NDArray[np.float32]
    topics: NDArray[np.int64]
    words: dict[str, str]

    @property
    def dim(self) -> int:
        return int(self.rows.shape[1])

    def vectors(self, record_ids: Sequence[str]) -> NDArray[np.float32]:
        found = np.zeros((len(record_ids), self.dim), np.float32)
        known = {record_id: at for at, record_id in enumerate(self.ids)}
        for at, record_id in enumerate(record_ids):
            if record_id in known:
                found[at] = self.rows[known[record_id]]
        return found

    def texts(self, record_ids: Sequence[str]) -> list[str]:
        return [self.words.get(record_id, "") for record_id in record_ids]

    def inputs(self, *, now: datetime = DAWN, automatic: bool = True, **changes: Any) -> BookInputs:
        settings = ThemeSettings(**({"split_above": 10} | changes))
        return BookInputs(self, self, calibrate, settings, now, automatic)

    def items(self, record_ids: Sequence[str] | None = None) -> list[ThemeItem]:
        chosen = self.ids if record_ids is None else record_ids
        return [ThemeItem(record_id, Scope(user_id="ana")) for record_id in chosen]

    def grown(self, **changes: Any) -> ThemeState:
        """Return a book that took in all records one after the other."""
        return assimilate(empty_state(self.dim), self.items(), self.inputs(**changes))[0]


@pytest.fixture(scope="session")
def make_world() -> Callable[..., World]:
    def make(
        count: int = 40, topics: int = 5, *, seed: int = 0, spread: float = 0.8, dim: int = 48
    ) -> World:
        source = np.random.default_rng(seed)
        centres = source.normal(size=(topics, dim))
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
        topic = np.arange(count) % topics
        rows = centres[topic] + spread * source.normal(size=(count, dim)) / np.sqrt(dim)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        ids = [f"r{number:03d}" for number in range(count)]
        words = {
            record_id: f"subject{topic[at]} detail{at} 主题{'甲乙丙丁戊己庚辛'[topic[at] % 8]}"
            for at, record_id in enumerate(ids)
        }
        return World(ids, rows.astype(np.float32), topic, words)

    return make


@pytest.fixture(scope="session")
def dawn() -> datetime:
    return DAWN
