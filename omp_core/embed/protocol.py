"""What every embedding model offers, and the values that go with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from omp_core.language.language import Script

Role = Literal["query", "passage"]
"""What a text is embedded as; some models want a different prefix for each."""

SCRIPTS: tuple[Script, Script] = ("cjk", "latin")


@dataclass(frozen=True, slots=True)
class Cell:
    """How centred cosines of unrelated texts spread."""

    mean: float
    std: float


@dataclass(frozen=True, slots=True)
class Cells:
    """The spread of centred cosines for each (query script, memory script)."""

    of: Mapping[tuple[Script, Script], Cell]

    def z_scores(
        self, cosines: NDArray[np.float32], query: Script, memory_is_cjk: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Return how many deviations each cosine lies above the mean of its cell.

        `cosines` and `memory_is_cjk` have shape (n,), so has the result. Ranking among
        memories of one script is the cosines' own; memories of the other script become
        comparable with them.
        """
        cjk, latin = self.of[query, "cjk"], self.of[query, "latin"]
        mean = np.where(memory_is_cjk, cjk.mean, latin.mean)
        std = np.where(memory_is_cjk, cjk.std, latin.std)
        return ((cosines - mean) / std).astype(np.float32)


class Embedder(Protocol):
    """A model that turns text into vectors of unit length, centred for each script."""

    @property
    def model_id(self) -> str:
        """Name, dimension, prefix style and centring version: vectors with different ids
        must never be compared.
        """

    @property
    def dim(self) -> int:
        """Length of a vector."""

    @property
    def label(self) -> str:
        """Short name for the screen."""

    @property
    def degraded(self) -> str | None:
        """What this model cannot do, as a sentence for people; None when it can do all."""

    @property
    def themes(self) -> bool:
        """Whether vectors mean enough to group memories by them."""

    @property
    def cells(self) -> Cells:
        """Spread of centred cosines, for scores across scripts."""

    def warm(self) -> None:
        """Load everything, so that later calls are quick. Call it from a worker."""

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (len(texts), dim).

        Rows have unit length, or are zero for a text that says nothing to the model. Raises
        EmbeddingError.
        """

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return an array of shape (dim,), see `embed_passages`."""

    def legible(self, text: str) -> bool:
        """Return whether the text is made of words that the model knows.

        The vector of any other text means nothing. A model that cannot tell says yes.
        """

    def calibrate(self, cosines: NDArray[np.float32]) -> NDArray[np.float32]:
        """Map cosines of this model to the common scale of similarity, any shape.

        Unrelated texts lie about 0.2, the same topic 0.62, paraphrases 0.78, near-duplicates
        from 0.85 on; 1 is identical (design, section 6). Strictly increasing.
        """
