"""What the operations on themes stand on: vectors, texts, the common scale, the thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from omp_core.model import Scope
from omp_core.rules.themes.book import NOBODY, Frame
from omp_core.rules.themes.topics import TopicTable
from omp_core.settings import ThemeSettings

Calibrate = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""Maps cosines of any shape to the common scale of similarity; must be increasing."""


class VectorSource(Protocol):
    """Where the vectors of records come from."""

    @property
    def dim(self) -> int:
        """Length of a vector."""

    def vectors(self, record_ids: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(record_ids), dim).

        Rows have unit length and are centred; a record without a vector has a row of zeros.
        """


class TextSource(Protocol):
    """Where the texts of records come from; only labels need them."""

    def texts(self, record_ids: Sequence[str]) -> Sequence[str]:
        """Return one text for each id; an unknown record has an empty one."""


class FrameSource(Protocol):
    """Measures anew what the records of scopes have in common, and sees them so."""

    def framed(
        self, members: Mapping[Scope, Sequence[str]], frames: Sequence[Frame]
    ) -> tuple[tuple[Frame, ...], VectorSource]:
        """Return all frames, with new ones for the scopes of `members`, and vectors in them."""


@dataclass(frozen=True, slots=True)
class BookInputs:
    """All that an operation needs besides the book itself.

    `automatic` is False while vectors do not carry meaning (hashing): then no theme forms by
    itself, and only what people do changes the book.
    """

    vectors: VectorSource
    texts: TextSource
    calibrate: Calibrate
    settings: ThemeSettings
    now: datetime
    automatic: bool = True
    topics: TopicTable | None = None
    """The topics that the last numbers of each vector stand for, if they do."""
    frames: FrameSource | None = None


@dataclass(frozen=True, slots=True)
class ThemeItem:
    """A record to be placed: its id, and whom it belongs to."""

    id: str
    scope: Scope = NOBODY


def mean_vector(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean of the rows that are not zero, shape (dim,); zeros if there are none.

    Summed in float64: the result does not depend on how a matrix library blocks its sums.
    """
    present = vectors[vectors.any(axis=1)]
    if not len(present):
        return np.zeros(vectors.shape[1], np.float32)
    mean: NDArray[np.float32] = present.mean(axis=0, dtype=np.float64).astype(np.float32)
    return mean


def pair_similarities(vectors: NDArray[np.float32], calibrate: Calibrate) -> NDArray[np.float32]:
    """Return the calibrated similarity of each two rows, shape (n, n), symmetric.

    Rounded to 1e-6, so that thresholds and ties fall the same way on every machine.
    """
    cosines = np.clip(vectors @ vectors.T, -1.0, 1.0).astype(np.float32)
    cosines = (cosines + cosines.T) / 2
    return np.round(calibrate(cosines), 6)


def cohesion(vectors: NDArray[np.float32], calibrate: Calibrate) -> float:
    """Return the mean calibrated similarity of two different members, 0..1.

    Members without a vector are left out; fewer than two that have one cohere perfectly.
    """
    present = vectors[vectors.any(axis=1)]
    count = len(present)
    if count < 2:
        return 1.0
    upper = np.triu_indices(count, 1)
    return float(pair_similarities(present, calibrate)[upper].mean())
