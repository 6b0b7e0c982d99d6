"""Whether records that share an episode are talk: do neighbours speak of the same thing?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAIRS_WITHIN = 500
PAIRS_ACROSS = 2_000
"""How many pairs are compared (as measured for the threshold in the settings)."""


@dataclass(frozen=True, slots=True)
class Adjacent:
    """Pairs of records that follow each other in an episode.

    `first` and `second` hold their unit vectors, shape (n, dim); `episodes` names the n pairs'
    episodes.
    """

    episodes: Sequence[str]
    first: NDArray[np.float32]
    second: NDArray[np.float32]


def coherence(pairs: Adjacent) -> float:
    """Return how much more neighbours are alike than records of different episodes are.

    It is the difference of the mean cosines in standard deviations of the latter, less one
    standard error of the former, so that a handful of pairs proves nothing. 0 where there are
    no two episodes. The same pairs give the same value.
    """
    import numpy as np

    names = np.array(pairs.episodes)
    count = len(names)
    if len(set(pairs.episodes)) < 2:
        return 0.0
    chance = np.random.default_rng(0)
    left, right = chance.integers(0, count, (2, 4 * PAIRS_ACROSS))
    apart = np.flatnonzero(names[left] != names[right])[:PAIRS_ACROSS]
    across = np.einsum("ij,ij->i", pairs.first[left[apart]], pairs.second[right[apart]])
    spread = float(across.std()) if across.size else 0.0
    if spread <= 0.0:
        return 0.0
    within = np.einsum("ij,ij->i", pairs.first, pairs.second)
    return float((within.mean() - across.mean()) / spread - 1.0 / np.sqrt(count))
