"""What all models have in common: clean text in, centred vectors and calibrated scores out."""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from omp_core.embed.centring import (
    Centring,
    Vectors,
    measure_centring,
    neutral_sentences,
    unit_rows,
)
from omp_core.embed.profile import Profile, load_profile
from omp_core.embed.protocol import Cells, Role
from omp_core.errors import EmbeddingError
from omp_core.i18n import _

SURROGATES = re.compile("[\ud800-\udfff]")


class CentredEmbedder(ABC):
    """An Embedder; a model implements `_encode` and says what it is."""

    label: str
    prefix_style = "plain"
    themes = True

    def __init__(self, name: str, dim: int, *, profile: Profile | None = None) -> None:
        """`name` is the model's own; without `profile`, the stored one is looked up."""
        self.name = name
        self._dim = dim
        self._profile = profile
        self._centring: Centring | None = None
        self._cells: Cells | None = None
        self._lock = threading.RLock()

    @property
    def dim(self) -> int:
        return self._dim

    @property
    def model_id(self) -> str:
        version = neutral_sentences().version
        return f"{self.name}/{self.dim}/{self.prefix_style}/centred-{version}"

    @property
    def degraded(self) -> str | None:
        return None

    @property
    def profile(self) -> Profile:
        """The calibration in use."""
        with self._lock:
            if self._profile is None:
                self._profile = load_profile(self.model_id)
            return self._profile

    @property
    def cells(self) -> Cells:
        with self._lock:
            if self._cells is None:
                self._cells = self.profile.cells or self._measured_cells()
            return self._cells

    def warm(self) -> None:
        self.embed_query("warm")
        _ = self.cells

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._embed(texts, "passage")

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._embed([text], "query")[0]
        return vector

    def legible(self, text: str) -> bool:
        return True

    def calibrate(self, cosines: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.profile.calibrate(cosines)

    @abstractmethod
    def _encode(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return the model's own vectors, shape (n, dim); `texts` is not empty, no surrogates."""

    def _measured_centring(self) -> Centring:
        return measure_centring(self._checked, roles_differ=self.prefix_style != "plain")

    def _measured_cells(self) -> Cells:
        from omp_core.embed.calibration import measure_cells

        return measure_cells(self)

    def _embed(self, texts: Sequence[str], role: Role) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        with self._lock:
            if self._centring is None:
                self._centring = self._measured_centring()
            centring = self._centring
        clean = [SURROGATES.sub("\ufffd", text) for text in texts]
        return centring.apply(self._checked(clean, role), clean, role)

    def _checked(self, texts: Sequence[str], role: Role) -> Vectors:
        vectors = self._encode(texts, role)
        if vectors.shape != (len(texts), self.dim) or not np.isfinite(vectors).all():
            raise EmbeddingError(
                _(
                    "{name}: the model gave {shape} numbers for {count} texts of {dim} each, "
                    "or some that are not finite"
                ).format(name=self.name, shape=vectors.shape, count=len(texts), dim=self.dim)
            )
        return unit_rows(vectors)
