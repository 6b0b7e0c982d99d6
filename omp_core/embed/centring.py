"""Vectors centred for each script: what all sentences of a language share is taken out.

Without it cosines depend more on the language than on the meaning. The centre of a script
is the mean vector of a few dozen neutral sentences, taken once for each model and role.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from omp_core.assets import assets_path
from omp_core.embed.profile import safe_name, write_atomically
from omp_core.embed.protocol import SCRIPTS, Role
from omp_core.language.language import Script, script

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str], Role], Vectors]
"""A model's own vectors of texts, shape (n, dim), before centring."""


class NeutralSentences(msgspec.Struct, frozen=True):
    """`version` rises whenever a sentence changes: the vectors of all models change then."""

    version: int
    cjk: list[str]
    latin: list[str]


@lru_cache(maxsize=1)
def neutral_sentences() -> NeutralSentences:
    """Return the shipped sentences."""
    file = assets_path("calibration", "neutral.json")
    return msgspec.json.decode(file.read_bytes(), type=NeutralSentences)


class Centring:
    """Centres of both scripts for each role, shape (2, dim) in the order of SCRIPTS."""

    def __init__(self, centres: dict[Role, Vectors]) -> None:
        self._centres = centres

    def apply(self, vectors: Vectors, texts: Sequence[str], role: Role) -> Vectors:
        """Return `vectors` minus the centre of each text's script, at unit length."""
        rows = np.fromiter((SCRIPTS.index(script(text)) for text in texts), dtype=np.intp)
        return unit_rows(vectors - self._centres[role][rows])

    def to_bytes(self) -> bytes:
        """Return the centres as a file's content."""
        buffer = io.BytesIO()
        np.savez(buffer, query=self._centres["query"], passage=self._centres["passage"])
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Centring:
        """Read what `to_bytes` returned. Raises ValueError, KeyError or BadZipFile."""
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return cls({"query": arrays["query"], "passage": arrays["passage"]})


def measure_centring(encode: Encode, *, roles_differ: bool) -> Centring:
    """Return the centring of a model. `roles_differ` says that queries have their own prefix."""
    passage = _centres(encode, "passage")
    return Centring(
        {"passage": passage, "query": _centres(encode, "query") if roles_differ else passage}
    )


def cached_centring(encode: Encode, model_id: str, folder: Path, *, roles_differ: bool) -> Centring:
    """Return the centring of a slow model, measured once and kept in `folder`.

    A kept file that cannot be read is measured anew.
    """
    sentences = assets_path("calibration", "neutral.json").read_bytes()
    digest = hashlib.sha256(sentences).hexdigest()[:8]
    file = folder / f"{safe_name(model_id)}-{digest}.npz"
    if file.is_file():
        try:
            return Centring.from_bytes(file.read_bytes())
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            file.unlink(missing_ok=True)
    centring = measure_centring(encode, roles_differ=roles_differ)
    write_atomically(file, centring.to_bytes())
    return centring


def unit_rows(vectors: Vectors) -> Vectors:
    """Return the rows of `vectors` at unit length; rows that are (nearly) zero become zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = norms > 1e-6
    return np.where(kept, vectors / np.where(kept, norms, 1.0), 0.0).astype(np.float32)


def _centres(encode: Encode, role: Role) -> Vectors:
    neutral = neutral_sentences()
    of_script: dict[Script, list[str]] = {"cjk": neutral.cjk, "latin": neutral.latin}
    means = [encode(of_script[name], role).mean(axis=0) for name in SCRIPTS]
    return np.stack(means).astype(np.float32)
