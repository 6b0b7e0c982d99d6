"""The space in which themes are compared: what a text means, and which topic it is on.

A theme vector is the centred vector of a text without what the texts of its scope and script
have in common, joined with how likely each topic of the table is. Cosines of theme vectors
have knots of their own on the common scale of similarity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omp_core.language.language import script
from omp_core.model import Scope
from omp_core.rules.themes.book import Frame, unit
from omp_core.rules.themes.topics import Rows, TopicTable

SCRIPTS = ("latin", "cjk")
_TOPIC_WEIGHT = 0.8
_COSINES = (-1.0, -0.04, 0.25, 0.57, 0.80, 1.0)
_LEVELS = (0.0, 0.2, 0.62, 0.78, 0.85, 1.0)


def measured(scope: Scope, vectors: Rows, texts: Sequence[str]) -> Frame:
    """Return the frame of a scope from the vectors (n, dim) and texts of all its records."""
    numbers = script_numbers(texts)
    present = vectors.any(axis=1)
    means, counts = [], []
    for number in range(len(SCRIPTS)):
        chosen = vectors[present & (numbers == number)]
        counts.append(len(chosen))
        mean = chosen.mean(axis=0, dtype=np.float64) if len(chosen) else np.zeros(0)
        means.append(mean.astype("<f4").tobytes())
    return Frame(scope, len(texts), (means[0], means[1]), (counts[0], counts[1]))


def script_numbers(texts: Sequence[str]) -> NDArray[np.int64]:
    return np.array([SCRIPTS.index(script(text)) for text in texts], np.int64)


@dataclass(frozen=True)
class Space:
    """Turns vectors and texts into theme vectors, with the topics of one model."""

    table: TopicTable
    prototypes: Rows

    @property
    def dim(self) -> int:
        """Length of a theme vector."""
        return int(self.prototypes.shape[1]) + len(self.table.topics)

    def vectors(
        self,
        vectors: Rows,
        texts: Sequence[str],
        scopes: Sequence[Scope],
        frames: Mapping[Scope, Frame],
    ) -> Rows:
        """Return theme vectors, shape (n, self.dim), of unit length.

        `vectors` (n, dim) are centred; one of zeros has no place here and stays zero.
        """
        present = vectors.any(axis=1)
        meaning = self.meaning(vectors, texts, scopes, frames)
        shares = self.table.shares(meaning, texts, self.prototypes)
        topical = unit((np.sqrt(shares) @ self.table.mixing).astype(np.float32))
        joined = unit(np.hstack([meaning, np.float32(_TOPIC_WEIGHT) * topical]))
        joined[~present] = 0
        return joined

    def meaning(
        self,
        vectors: Rows,
        texts: Sequence[str],
        scopes: Sequence[Scope],
        frames: Mapping[Scope, Frame],
    ) -> Rows:
        """Return the vectors without what their scope and script have in common, (n, dim)."""
        if not frames:
            return vectors
        dim = vectors.shape[1]
        numbers = script_numbers(texts)
        offsets = np.zeros_like(vectors)
        known: dict[tuple[Scope, int], Rows] = {}
        for at, (scope, number) in enumerate(zip(scopes, numbers.tolist(), strict=True)):
            if scope in frames:
                if (scope, number) not in known:
                    known[scope, number] = frames[scope].offset(number, dim)
                offsets[at] = known[scope, number]
        return unit(vectors - offsets)


def calibrate(cosines: Rows) -> Rows:
    """Bring cosines of theme vectors to the common scale of similarity."""
    return np.interp(cosines, _COSINES, _LEVELS).astype(np.float32)
