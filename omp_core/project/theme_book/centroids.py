"""The text of `themes/embeddings.json`: the centroids of a book, and which book they fit."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from omp_core.errors import InvalidValueError
from omp_core.i18n import _
from omp_core.model import Scope
from omp_core.rules.themes.book import Frame, ThemeState

_VERSION = "2.0"


class _RawFrame(msgspec.Struct, frozen=True):
    scope: Scope
    size: int
    means: tuple[bytes, bytes]
    counts: tuple[int, int]


class _Raw(msgspec.Struct, frozen=True):
    """Centroids are base64 of float32 in little-endian order: a tenth of the time and half the
    size of numbers as text, and exact."""

    version: str
    generation: int
    index: str
    model: str
    calibration: str
    dim: int
    centroids: dict[str, str]
    frames: list[_RawFrame] = []


@dataclass(frozen=True, slots=True)
class Centroids:
    """What an embeddings file holds. `index` is the SHA-256 of the index that it fits."""

    generation: int
    index: str
    model_id: str
    dim: int
    by_theme: dict[str, str]
    frames: tuple[Frame, ...] = ()

    def fit(self, generation: int, index: str, model_id: str, dim: int) -> bool:
        """Return whether they belong to this index and to vectors of this model."""
        return (self.generation, self.index, self.model_id, self.dim) == (
            generation,
            index,
            model_id,
            dim,
        )

    def rows(self, theme_ids: list[str]) -> NDArray[np.float32] | None:
        """Return them as an array (len(theme_ids), dim), None when one is missing or broken."""
        try:
            raw = b"".join(base64.b64decode(self.by_theme[theme_id]) for theme_id in theme_ids)
        except (KeyError, binascii.Error, ValueError):
            return None
        if len(raw) != len(theme_ids) * self.dim * 4:
            return None
        rows = np.frombuffer(raw, dtype="<f4").reshape(len(theme_ids), self.dim)
        return rows.astype(np.float32) if np.isfinite(rows).all() else None


def dump(state: ThemeState, index: str) -> bytes:
    """Return the bytes of the embeddings file that fits an index with this digest."""
    rows = np.ascontiguousarray(state.centroids, dtype="<f4")
    return msgspec.json.format(
        msgspec.json.encode(
            _Raw(
                version=_VERSION,
                generation=state.book.generation,
                index=index,
                model=state.book.model_id,
                calibration=state.book.calibration_version,
                dim=rows.shape[1],
                centroids={
                    theme.id: base64.b64encode(row.tobytes()).decode("ascii")
                    for theme, row in zip(state.book.themes, rows, strict=True)
                },
                frames=[
                    _RawFrame(frame.scope, frame.size, frame.means, frame.counts)
                    for frame in state.book.frames
                ],
            )
        ),
        indent=1,
    )


def parse(raw: bytes) -> Centroids:
    """Read an embeddings file. Raises InvalidValueError for one that is not ours or damaged."""
    try:
        found = msgspec.json.decode(raw, type=_Raw)
    except msgspec.MsgspecError as error:
        raise InvalidValueError(
            _("these centroids cannot be used: {error}").format(error=error)
        ) from error
    frames = tuple(Frame(one.scope, one.size, one.means, one.counts) for one in found.frames)
    return Centroids(found.generation, found.index, found.model, found.dim, found.centroids, frames)
