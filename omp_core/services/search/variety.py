"""Choosing hits so that no two of an answer are variants of one fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from omp_core.language.compare import compare
from omp_core.language.normal import content_hash
from omp_core.model import Hit
from omp_core.rules.themes import Calibrate, diverse
from omp_core.store.protocol import Store

if TYPE_CHECKING:
    from omp_core.embed.protocol import Embedder


class Variety:
    """Hits chosen so far, and the choice of more that say something else.

    Variants are as alike as duplicates are and state no fact differently: what differs in a
    number, a date, a denial or a name is told. Without vectors only equal texts are variants.
    """

    def __init__(self, store: Store, embedder: Embedder | None, too_alike: float) -> None:
        self._store = store
        self._embedder = embedder
        self._too_alike = too_alike
        self._chosen: list[Hit] = []
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._looked_up: set[str] = set()

    def choose(self, pool: Sequence[Hit], limit: int) -> list[Hit]:
        """Choose at most `limit` more, the best first; what was chosen before is passed over."""
        texts = {content_hash(hit.record.content) for hit in self._chosen}
        fresh: list[Hit] = []
        for hit in pool:
            text = content_hash(hit.record.content)
            if text not in texts:
                texts.add(text)
                fresh.append(hit)
        hits = [*self._chosen, *fresh]
        found = diverse(
            self._rows(hits),
            [hit.score for hit in hits],
            self._calibrate,
            limit=limit,
            too_alike=self._too_alike,
            taken=range(len(self._chosen)),
            same=lambda a, b: states_the_same(hits[a].record.content, hits[b].record.content),
        )
        chosen = [hits[row] for row in found]
        self._chosen += chosen
        return chosen

    def _rows(self, hits: Sequence[Hit]) -> NDArray[np.float32]:
        embedder = self._embedder
        if embedder is None:
            return np.zeros((len(hits), 1), np.float32)
        unknown = [hit.record.id for hit in hits if hit.record.id not in self._looked_up]
        self._looked_up.update(unknown)
        self._vectors |= self._store.vectors(embedder.model_id, unknown)
        rows = np.zeros((len(hits), embedder.dim), np.float32)
        for row, hit in enumerate(hits):
            if hit.record.id in self._vectors:
                rows[row] = self._vectors[hit.record.id]
        return rows

    @property
    def _calibrate(self) -> Calibrate:
        return _as_it_is if self._embedder is None else self._embedder.calibrate


def states_the_same(one: str, other: str) -> bool:
    """Return whether two texts state no fact differently."""
    return compare(one, other).alike


def _as_it_is(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    return cosines
