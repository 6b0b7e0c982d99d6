"""What themes stand on inside a `Memory`: vectors and texts of the store, the model's scale."""

from __future__ import annotations

import hashlib
import io
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from omp_core.model import Scope
from omp_core.project.atomic import replace_file
from omp_core.project.theme_book import ModelMark, calibration_version
from omp_core.rules.themes import BookInputs, theme_scope
from omp_core.rules.themes.book import Frame
from omp_core.rules.themes.space import Space, calibrate, measured
from omp_core.rules.themes.topics import shipped_topics
from omp_core.settings import ThemeSettings
from omp_core.settings_files import cache_path

if TYPE_CHECKING:
    from datetime import datetime

    from omp_core.embed.protocol import Embedder
    from omp_core.store.protocol import Store

_log = logging.getLogger(__name__)

NO_MODEL = ModelMark("", "")
_REMEMBERED = 20_000
"""So many theme vectors are kept while one operation runs (550 numbers each)."""


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The vectors of one model, read from the store; a record without one has zeros."""

    store: Store
    model_id: str
    dim: int

    def vectors(self, record_ids: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(record_ids), self.dim), np.float32)
        found = self.store.vectors(self.model_id, list(record_ids)) if self.model_id else {}
        for at, record_id in enumerate(record_ids):
            if record_id in found:
                rows[at] = found[record_id]
        return rows


@dataclass(frozen=True, slots=True)
class StoredTexts:
    """The texts of records, read from the store."""

    store: Store

    def texts(self, record_ids: Sequence[str]) -> list[str]:
        found = self.store.get_many(list(record_ids))
        return [found[record_id].content if record_id in found else "" for record_id in record_ids]


class ThemeVectors:
    """Theme vectors of records, made of their stored vectors, texts and scopes."""

    def __init__(self, stored: StoredVectors, space: Space, frames: Sequence[Frame] = ()) -> None:
        self._stored = stored
        self._space = space
        self._frames = {frame.scope: frame for frame in frames}
        self._known: dict[str, NDArray[np.float32]] = {}

    @property
    def dim(self) -> int:
        return self._space.dim

    def vectors(self, record_ids: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(record_ids), self.dim), np.float32)
        missing = [one for one in record_ids if one not in self._known]
        if missing:
            self._make(missing)
        for at, record_id in enumerate(record_ids):
            if record_id in self._known:
                rows[at] = self._known[record_id]
        return rows

    def framed(
        self, members: Mapping[Scope, Sequence[str]], frames: Sequence[Frame]
    ) -> tuple[tuple[Frame, ...], ThemeVectors]:
        """Return all frames, with new ones for these scopes, and vectors measured in them."""
        fresh = {frame.scope: frame for frame in frames}
        for scope, record_ids in members.items():
            held = self._stored.store.get_many(list(record_ids))
            texts = [held[one].content if one in held else "" for one in record_ids]
            fresh[scope] = measured(scope, self._stored.vectors(record_ids), texts)
        found = tuple(sorted(fresh.values(), key=lambda frame: repr(frame.scope)))
        return found, ThemeVectors(self._stored, self._space, found)

    def of_query(self, vector: NDArray[np.float32], text: str, scope: Scope) -> NDArray[np.float32]:
        """Return a query's theme vector as the themes of a scope see it, shape (dim,)."""
        row: NDArray[np.float32] = self._space.vectors(
            vector[None, :], [text], [scope], self._frames
        )[0]
        return row

    def _make(self, record_ids: Sequence[str]) -> None:
        held = self._stored.store.get_many(list(record_ids))
        rows = self._stored.vectors(record_ids)
        found = [at for at, one in enumerate(record_ids) if one in held and rows[at].any()]
        if not found:
            return
        records = [held[record_ids[at]] for at in found]
        made = self._space.vectors(
            rows[found],
            [record.content for record in records],
            [theme_scope(record.scope) for record in records],
            self._frames,
        )
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        self._known.update(zip((record.id for record in records), made, strict=True))


@dataclass(frozen=True, slots=True)
class ThemeInputs:
    """A store seen with one model; without a model there are no vectors at all."""

    store: Store
    embedder: Embedder | None

    @property
    def mark(self) -> ModelMark:
        """What the book remembers of the model."""
        if self.embedder is None:
            return NO_MODEL
        version = calibration_version(self.embedder.calibrate)
        if self.automatic:
            version = f"{calibration_version(calibrate)}-{shipped_topics().version}"
        return ModelMark(self.embedder.model_id, version)

    @property
    def vectors(self) -> StoredVectors | ThemeVectors:
        return self.framed_vectors(())

    def framed_vectors(self, frames: Sequence[Frame]) -> StoredVectors | ThemeVectors:
        """Return the vectors that themes are compared by."""
        if self.embedder is None:
            return StoredVectors(self.store, "", 1)
        stored = StoredVectors(self.store, self.embedder.model_id, self.embedder.dim)
        return ThemeVectors(stored, space_of(self.embedder), frames) if self.automatic else stored

    @property
    def automatic(self) -> bool:
        """Whether themes may form by themselves."""
        return self.embedder is not None and self.embedder.themes

    def inputs(self, settings: ThemeSettings, now: datetime, frames: Sequence[Frame]) -> BookInputs:
        """Return what the rules need to work on a book with these frames."""
        vectors = self.framed_vectors(frames)
        texts = StoredTexts(self.store)
        if isinstance(vectors, ThemeVectors):
            table = shipped_topics()
            return BookInputs(vectors, texts, calibrate, settings, now, True, table, vectors)
        scale = _as_it_is if self.embedder is None else self.embedder.calibrate
        return BookInputs(vectors, texts, scale, settings, now, self.automatic)


@lru_cache(maxsize=4)
def _space(model_id: str, embed: Callable[[Sequence[str]], NDArray[np.float32]]) -> Space:
    table = shipped_topics()
    name = hashlib.sha256(f"{model_id}\n{table.version}".encode()).hexdigest()[:16]
    file = cache_path() / f"topics-{name}.npy"
    try:
        held = np.load(file, allow_pickle=False)
        if held.dtype == np.float32 and held.ndim == 2 and len(held) == len(table.topics):
            return Space(table, held)
    except (OSError, ValueError, EOFError):
        pass  # it is not there, or not whole: it is made again
    prototypes = table.prototypes(embed)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        raw = io.BytesIO()
        np.save(raw, prototypes, allow_pickle=False)
        replace_file(file, raw.getvalue(), private=True)
    except OSError as error:
        _log.warning("the topics of the model were not kept: %s", error)
    return Space(table, prototypes)


def space_of(embedder: Embedder) -> Space:
    """Return the space of a model: its topics' directions are kept, they take seconds to make."""
    return _space(embedder.model_id, embedder.embed_passages)


def _as_it_is(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    return cosines
