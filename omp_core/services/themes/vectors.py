"""What themes stand on inside a `Memory`: vectors and texts of the store, the model's scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from omp_core.project.theme_book import ModelMark, calibration_version
from omp_core.rules.themes import Ground
from omp_core.settings import ThemeSettings

if TYPE_CHECKING:
    from datetime import datetime

    from omp_core.embed.protocol import Embedder
    from omp_core.store.protocol import Store

NO_MODEL = ModelMark("", "")


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The vectors of one model, read from the store; a record without one has zeros."""

    store: Store
    model_id: str
    dim: int

    def vectors(self, record_ids: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(record_ids), self.dim), np.float32)
        found = self.store.vectors(self.model_id, list(record_ids)) if self.model_id else {}
        for at, record_id in enumerate(record_ids):
            if record_id in found:
                rows[at] = found[record_id]
        return rows


@dataclass(frozen=True, slots=True)
class StoredTexts:
    """The texts of records, read from the store."""

    store: Store

    def texts(self, record_ids: Sequence[str]) -> list[str]:
        found = self.store.get_many(list(record_ids))
        return [found[record_id].content if record_id in found else "" for record_id in record_ids]


@dataclass(frozen=True, slots=True)
class ModelGround:
    """A store seen with one model; without a model there are no vectors at all."""

    store: Store
    embedder: Embedder | None

    @property
    def mark(self) -> ModelMark:
        """What the book remembers of the model."""
        if self.embedder is None:
            return NO_MODEL
        return ModelMark(self.embedder.model_id, calibration_version(self.embedder.calibrate))

    @property
    def vectors(self) -> StoredVectors:
        if self.embedder is None:
            return StoredVectors(self.store, "", 1)
        return StoredVectors(self.store, self.embedder.model_id, self.embedder.dim)

    @property
    def automatic(self) -> bool:
        """Whether themes may form by themselves."""
        return self.embedder is not None and self.embedder.themes

    def ground(self, settings: ThemeSettings, now: datetime) -> Ground:
        """Return what the rules need."""
        calibrate = _as_it_is if self.embedder is None else self.embedder.calibrate
        return Ground(
            self.vectors, StoredTexts(self.store), calibrate, settings, now, self.automatic
        )


def _as_it_is(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    return cosines
