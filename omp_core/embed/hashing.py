"""Vectors without a model: hashed character n-grams. They find near-duplicates, no meaning."""

from __future__ import annotations

import math
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from omp_core.embed.centred import CentredEmbedder
from omp_core.embed.centring import Vectors
from omp_core.embed.profile import Profile
from omp_core.embed.protocol import Role
from omp_core.i18n import _
from omp_core.language.language import CJK

NAME = "hashed-ngrams"
DIM = 512

_RUN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_IS_CJK = re.compile(f"[{CJK}]")


class HashingEmbedder(CentredEmbedder):
    """Needs nothing and is there at once; the last link of the chain."""

    label = "hashing"
    themes = False

    def __init__(self, *, profile: Profile | None = None) -> None:
        super().__init__(NAME, DIM, profile=profile)

    @property
    def degraded(self) -> str | None:
        return _(
            "No embedding model: only near-duplicates are recognised, search goes by keywords, "
            "and themes are not formed."
        )

    def _encode(self, texts: Sequence[str], role: Role) -> Vectors:
        del role
        vectors = np.zeros((len(texts), DIM), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for gram, count in Counter(_grams(text)).items():
                code = zlib.crc32(gram.encode("utf-8"))
                # The sign bit makes collisions cancel out instead of adding up.
                sign = 1.0 if code & 1 else -1.0
                row[(code >> 1) % DIM] += sign * math.sqrt(count)
        return vectors


def _grams(text: str) -> Iterator[str]:
    """Yield CJK characters and pairs; of other words the whole and all three-letter pieces."""
    for match in _RUN.finditer(unicodedata.normalize("NFKC", text).lower()):
        run = match[0]
        if _IS_CJK.match(run):
            yield from run
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        else:
            yield f"={run}"
            edged = f"<{run}>"
            yield from (edged[at : at + 3] for at in range(len(edged) - 2))
