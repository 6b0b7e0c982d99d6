"""Opening and changing the theme book, from any number of processes at once."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from omp_core.errors import DocumentError, InvalidValueError
from omp_core.i18n import _
from omp_core.model import Scope
from omp_core.project.atomic import locked, replace_file, write_error
from omp_core.project.backups import BackupFolder
from omp_core.project.confinement import read_regular
from omp_core.project.source import decode, digest, read_source
from omp_core.project.theme_book import centroids as centroid_file
from omp_core.project.theme_book.serializer import BookSerializer, BookText, parse
from omp_core.rules.themes.book import NOBODY, Theme, ThemeState, repaired
from omp_core.rules.themes.inputs import Calibrate, VectorSource, mean_vector
from omp_core.rules.themes.neighbours import nearest
from omp_core.settings import ThemeSettings

INDEX = "index.yaml"
EMBEDDINGS = "embeddings.json"
_MOST_ROUNDS = 20
_LOOKS = 3
_BACKUP_EVERY = timedelta(hours=1)
_BLOCK = 4096
_MOST_BYTES = 256 * 1024 * 1024
"""Of index or embeddings; 100,000 memories in themes come to a tenth of it."""

_Result = TypeVar("_Result")
_Signature = tuple[tuple[int, int, int] | None, tuple[int, int, int] | None]


@dataclass(frozen=True, slots=True)
class ModelMark:
    """Which vectors a book's centroids are made of."""

    model_id: str
    calibration_version: str


@dataclass(frozen=True, slots=True)
class OpenBook:
    """A book as it lies on disk. `settings` are the thresholds in force for it.

    `notes` says in sentences what was repaired, rebuilt or read from another layout.
    """

    state: ThemeState
    settings: ThemeSettings
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Held:
    """What this process read or wrote last, and how to see that it still holds."""

    signature: _Signature
    model: ModelMark
    book_text: BookText
    state: ThemeState
    index: bytes
    ours: bool
    """The index is byte for byte what this program wrote."""
    fits: bool
    """The embeddings file belongs to this index and model."""
    notes: tuple[str, ...]


def calibration_version(calibrate: Calibrate) -> str:
    """Return what tells one map to the common scale from another."""
    probe = calibrate(np.linspace(-1.0, 1.0, 81, dtype=np.float32))
    text = ",".join(f"{value:.4f}" for value in probe.tolist())
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class ThemeBookFile:
    """The theme book in a folder `themes/`.

    The index is the truth and is written first. The embeddings file carries the same
    generation and the digest of the index it fits; when a crash, a person or git left it
    behind, centroids are computed from the members' vectors again. Safe to use from several
    threads and processes. Files that lead out of `within`, the folder itself unless a wider
    one is given, are damage.
    """

    def __init__(
        self,
        folder: Path,
        *,
        lock_timeout_s: float = 30.0,
        backups: BackupFolder | None = None,
        legacy_scope: Scope = NOBODY,
        private: bool = False,
        within: Path | None = None,
    ) -> None:
        self._private = private
        self._within = within or folder
        self.index = folder / INDEX
        self.embeddings = folder / EMBEDDINGS
        self._lock_timeout_s = lock_timeout_s
        self._backups = backups
        self._legacy_scope = legacy_scope
        self._writer = BookSerializer()
        self._held: _Held | None = None
        self._lock = threading.RLock()

    def read(self, model: ModelMark, vectors: VectorSource, settings: ThemeSettings) -> OpenBook:
        """Return the book; a missing file is an empty one. Writes nothing.

        `settings` are overridden by the book's own thresholds. Raises DocumentDamagedError
        when the index does not parse, DocumentError when it cannot be read, SettingsError for
        a wrong threshold.
        """
        with self._lock:
            held = self._read(model, vectors, settings)
            return OpenBook(held.state, held.book_text.settings(settings, self.index), held.notes)

    def update(
        self,
        model: ModelMark,
        vectors: VectorSource,
        settings: ThemeSettings,
        change: Callable[[OpenBook], tuple[ThemeState, _Result]],
        *,
        now: datetime,
        keep_backup: bool = True,
    ) -> tuple[ThemeState, ThemeState, _Result]:
        """Change the book under its lock; returns the state before, after, and the result.

        `change` may be called again if somebody edits the file meanwhile. When it returns the
        state that it got, nothing is written. Raises as `read` does, and DocumentError when
        the book cannot be written: it is then as it was.
        """
        try:
            self.index.parent.mkdir(
                mode=0o700 if self._private else 0o777, parents=True, exist_ok=True
            )
        except OSError as error:
            raise write_error(self.index, error) from error
        with self._lock, locked(self.index, self._lock_timeout_s):
            for _round in range(_MOST_ROUNDS):
                held = self._read(model, vectors, settings)
                in_force = held.book_text.settings(settings, self.index)
                after, result = change(OpenBook(held.state, in_force, held.notes))
                if after.book == held.state.book:
                    self._mend(held, model)
                    return held.state, held.state, result
                written = self._write(held, after, in_force, model, now, keep_backup)
                if written is not None:
                    return held.state, written, result
        raise DocumentError(
            _(
                "{index}: not written: it is being saved by somebody else all the time. "
                "Try again when it is quiet"
            ).format(index=self.index)
        )

    def mark(self) -> tuple[object, ...]:
        """Return what changes when anybody writes the index."""
        return (_signature(self.index),)

    # reading

    def _read(self, model: ModelMark, vectors: VectorSource, settings: ThemeSettings) -> _Held:
        held = self._held
        for _look in range(_LOOKS):
            signature = self._signature()
            if held is not None and (held.signature, held.model) == (signature, model):
                return held
            raw = self._index_bytes()
            found, problem = self._centroids()
            if self._signature() != signature:
                continue
            if found is None or found.index == digest(raw):
                break
            # Perhaps somebody is between the two files just now: look again.
        self._held = self._opened(signature, model, raw, found, problem, vectors, settings)
        return self._held

    def _opened(
        self,
        signature: _Signature,
        model: ModelMark,
        raw: bytes,
        found: centroid_file.Centroids | None,
        problem: str | None,
        vectors: VectorSource,
        settings: ThemeSettings,
    ) -> _Held:
        notes: list[str] = []
        book_text = parse(decode(raw, self.index).text, self.index, legacy_scope=self._legacy_scope)
        if book_text.legacy:
            notes.append(
                f"{self.index.name} is in the layout of openmemory-plus; the next change writes it "
                "in this program's own and keeps the old file as a backup"
            )
        book, repairs = repaired(book_text.book)
        notes.extend(repair.message for repair in repairs)
        ids = [theme.id for theme in book.themes]
        rows: NDArray[np.float32] | None = None
        fits = found is not None and found.fit(
            book_text.book.generation, digest(raw), model.model_id, vectors.dim
        )
        if found is not None and fits:
            rows = found.rows(ids)
        framed = rows is not None
        if rows is not None and not rows.any(axis=1).all():
            rows = _filled(rows, book.themes, vectors)
        if rows is None:
            if ids and problem is not None:
                notes.append(problem)
            elif ids and book.model_id not in ("", model.model_id):
                notes.append(
                    f"the themes were made with the model {book.model_id}; their centroids were "
                    f"computed again with {model.model_id}"
                )
            elif ids and not book_text.legacy:
                notes.append(
                    f"{self.embeddings.name} did not fit {self.index.name}; the centroids were "
                    "computed again from the members"
                )
            rows = _means(book.themes, vectors)
            if found is not None and (found.model_id, found.dim) == (model.model_id, vectors.dim):
                _fill_in(rows, ids, found)
        if found is not None and framed:
            book = replace(book, frames=found.frames)
        state = ThemeState(book, rows)
        if not fits:
            state = _with_neighbours(state, book_text.settings(settings, self.index).neighbours)
        ours = found is not None and found.index == digest(raw)
        return _Held(
            signature,
            model,
            book_text,
            state,
            raw,
            ours or not raw,
            fits and not problem,
            tuple(notes),
        )

    def _index_bytes(self) -> bytes:
        if not os.path.lexists(self.index):
            return b""
        return read_source(self.index, self._within, _MOST_BYTES).raw

    def _centroids(self) -> tuple[centroid_file.Centroids | None, str | None]:
        try:
            if not os.path.lexists(self.embeddings):
                return None, None
            raw = read_regular(self.embeddings, self._within, _MOST_BYTES)
        except DocumentError as error:
            return None, f"{self.embeddings.name} cannot be read: {error}"
        try:
            return centroid_file.parse(raw), None
        except InvalidValueError as error:
            return None, f"{self.embeddings.name}: {error}; they were computed again"

    def _signature(self) -> _Signature:
        return _signature(self.index), _signature(self.embeddings)

    # writing

    def _write(
        self,
        held: _Held,
        after: ThemeState,
        settings: ThemeSettings,
        model: ModelMark,
        now: datetime,
        keep_backup: bool,
    ) -> ThemeState | None:
        """Write both files; None when the index is no longer what was read."""
        book = replace(
            after.book,
            generation=held.book_text.book.generation + 1,
            model_id=model.model_id,
            calibration_version=model.calibration_version,
        )
        state = ThemeState(book, after.centroids)
        book_text = replace(held.book_text, book=book, legacy=False)
        if held.book_text.legacy:
            book_text = replace(
                book_text, extras={k: v for k, v in held.book_text.extras.items() if k != "config"}
            )
        text = self._writer.text(book_text, settings, now)
        raw = text.encode("utf-8")
        try:
            if keep_backup:
                self._keep_backup(held, now)
            if not replace_file(self.index, raw, private=self._private, expected=held.index):
                return None
            self._write_centroids(state, raw)
        except OSError as error:
            raise write_error(self.index, error) from error
        self._held = _Held(self._signature(), model, book_text, state, raw, True, True, ())
        return state

    def _mend(self, held: _Held, model: ModelMark) -> None:
        """Write embeddings that fit an index that stays as it is."""
        if held.fits or not held.index or held.book_text.legacy:
            return
        book = replace(
            held.state.book,
            model_id=model.model_id,
            calibration_version=model.calibration_version,
        )
        try:
            self._write_centroids(ThemeState(book, held.state.centroids), held.index)
        except OSError as error:
            raise write_error(self.embeddings, error) from error
        self._held = None

    def _write_centroids(self, state: ThemeState, index: bytes) -> None:
        replace_file(
            self.embeddings, centroid_file.dump(state, digest(index)), private=self._private
        )

    def _keep_backup(self, held: _Held, now: datetime) -> None:
        """Keep what a person or another tool wrote, and one of ours an hour."""
        if self._backups is None or not held.index:
            return
        newest = self._backups.versions()[:1]
        if not held.ours or not newest or now - newest[0].at >= _BACKUP_EVERY:
            self._backups.keep(held.index, now)


def _signature(file: Path) -> tuple[int, int, int] | None:
    try:
        state = file.stat()
    except FileNotFoundError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _means(themes: Sequence[Theme], vectors: VectorSource) -> NDArray[np.float32]:
    """Return the centroid of each theme, shape (themes, dim), from its members' vectors."""
    rows = np.zeros((len(themes), vectors.dim), np.float32)
    at = 0
    while at < len(themes):
        block: list[Theme] = []
        members: list[str] = []
        while at + len(block) < len(themes) and len(members) < _BLOCK:
            block.append(themes[at + len(block)])
            members.extend(block[-1].members)
        found = vectors.vectors(members)
        start = 0
        for theme in block:
            rows[at] = mean_vector(found[start : start + theme.size])
            start += theme.size
            at += 1
    return rows


def _filled(
    rows: NDArray[np.float32], themes: Sequence[Theme], vectors: VectorSource
) -> NDArray[np.float32]:
    """Compute centroids that were unknown where the book was written last."""
    empty = np.flatnonzero(~rows.any(axis=1))
    rows = rows.copy()
    rows[empty] = _means([themes[at] for at in empty.tolist()], vectors)
    return rows


def _fill_in(rows: NDArray[np.float32], ids: list[str], found: centroid_file.Centroids) -> None:
    """Take over centroids of themes whose members have no vectors here: somebody else's."""
    for at in np.flatnonzero(~rows.any(axis=1)):
        old = found.rows([ids[at]]) if ids[at] in found.by_theme else None
        if old is not None:
            rows[at] = old[0]


def _with_neighbours(state: ThemeState, count: int) -> ThemeState:
    themes = state.book.themes
    scopes = {scope: n for n, scope in enumerate(dict.fromkeys(t.scope for t in themes))}
    group = np.array([scopes[theme.scope] for theme in themes], dtype=np.int64)
    lists = nearest(state.units, [theme.id for theme in themes], group, count)
    fresh = tuple(
        theme if theme.neighbours == names else replace(theme, neighbours=names)
        for theme, names in zip(themes, lists, strict=True)
    )
    return ThemeState(replace(state.book, themes=fresh), state.centroids)
