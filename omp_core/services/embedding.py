"""Embedding: vectors for records that were stored without one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from omp_core.availability import Availability
from omp_core.errors import EmbeddingError, StoreUnwritableError, UsageError
from omp_core.i18n import _, ngettext
from omp_core.language.language import script
from omp_core.language.normal import content_hash
from omp_core.session import Session
from omp_core.store.protocol import Vector

if TYPE_CHECKING:
    from omp_core.embed.calibration import CalibrationReport
    from omp_core.embed.protocol import Embedder
    from omp_core.store.protocol import Store

_log = logging.getLogger(__name__)

_BATCH = 128


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model that can be chosen by name. `ready`: nothing has to be fetched for it."""

    name: str
    dim: int | None
    megabytes: int
    ready: bool
    in_use: bool


@dataclass(frozen=True, slots=True)
class Download:
    """What pulling a model takes; 0 megabytes for one whose size is not known."""

    name: str
    megabytes: int
    folder: Path


class EmbeddingService:
    """The part of `Memory` that fills in missing vectors, a batch at a time."""

    def __init__(self, session: Session, availability: Availability) -> None:
        self._session = session
        self._availability = availability
        self._caught_up: tuple[int, int] | None = None

    def missing(self) -> int:
        """Return how many records wait for a vector of the present model; 0 without one."""
        embedder = self._availability.embedder()
        if embedder is None:
            return 0
        return self._availability.reading_store().count_without_vector(embedder.model_id)

    def catch_up(self, store: Store, most: int) -> int:
        """Embed what waits if it is at most that many, and return how many still wait.

        Whether anything waits is asked again only after something was written.
        """
        embedder = self._availability.ready_embedder()
        if embedder is None or embedder.degraded is not None:
            return 0
        stamp = (store.change_stamp()[0], id(store))
        if stamp != self._caught_up:
            waiting = store.count_without_vector(embedder.model_id)
            if waiting > most:
                return waiting
            if waiting:
                try:
                    self.embed_missing()
                except StoreUnwritableError as error:
                    _log.warning("vectors not kept: %s", error)
                    return waiting
            self._caught_up = stamp
        return 0

    def embed_missing(
        self,
        *,
        progress: Callable[[int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> int:
        """Embed every record that waits and return how many were done.

        It may be stopped between batches and goes on where it was.
        """
        embedder = self._availability.embedder()
        done = 0
        if embedder is None:
            return done
        store: Store = self._availability.reading_store()
        while cancelled is None or not cancelled():
            waiting = store.without_vector(embedder.model_id, _BATCH)
            if not waiting:
                break
            rows = embedder.embed_passages([content for _id, content in waiting])
            store.put_vectors(
                (record_id, content_hash(content), Vector(embedder.model_id, script(content), row))
                for (record_id, content), row in zip(waiting, rows, strict=True)
            )
            done += len(waiting)
            if progress is not None:
                progress(done)
        return done

    def embedder(self) -> Embedder | None:
        """Return the configured model, loaded; None when none can be had."""
        return self._availability.embedder()

    def model(self) -> Embedder:
        """Return the configured model, loaded. Raises EmbeddingError saying why there is none."""
        embedder = self._availability.embedder()
        if embedder is None:
            raise EmbeddingError(
                self._availability.capabilities()[1].reason or _("there is no model")
            )
        return embedder

    def models(self) -> tuple[ModelRow, ...]:
        """Return the models that can be chosen by name, and another one that is in use."""
        from omp_core.embed import hashing, packaged
        from omp_core.embed.models import KNOWN_MODELS

        embedder = self._availability.embedder()
        loaded = "" if embedder is None else embedder.model_id
        rows = [
            ModelRow(
                known.name,
                known.dim,
                known.megabytes,
                self.is_ready(known.name),
                loaded.startswith(f"{known.name}/"),
            )
            for known in KNOWN_MODELS
        ]
        rows += [
            ModelRow(name, dim, 0, self.is_ready(name), loaded.startswith(f"{prefix}/"))
            for name, dim, prefix in (
                ("offline", packaged.DIM, packaged.NAME),
                ("hashing", hashing.DIM, hashing.NAME),
            )
        ]
        if embedder is not None and not any(row.in_use for row in rows):
            rows.insert(0, ModelRow(loaded.rsplit("/", 3)[0], embedder.dim, 0, True, True))
        return tuple(rows)

    def is_ready(self, name: str) -> bool:
        """Return whether nothing has to be fetched for the model of that name."""
        from omp_core.embed import packaged
        from omp_core.embed.models import is_cached

        settings = msgspec.structs.replace(self._session.settings.embed, model=name)
        if name == "offline":
            return packaged.is_installed()
        return name in ("auto", "hashing") or bool(settings.model_path) or is_cached(settings)

    def configured(self) -> str:
        """Return the name of the model that the settings ask to download, if any is pulled."""
        from omp_core.embed.models import DEFAULT_MODEL

        name = self._session.settings.embed.model
        return DEFAULT_MODEL.name if name == "auto" else name

    def download_of(self, name: str) -> Download:
        """Return what pulling a model takes. Raises UsageError for one that has no download."""
        from omp_core.embed.models import DEFAULT_MODEL, known_model, models_folder

        chosen = DEFAULT_MODEL.name if name == "auto" else name
        if chosen in ("offline", "hashing"):
            raise UsageError(
                _(
                    "{name} is not downloaded: hashing is always there, the offline model comes "
                    "with pip install 'omp-tui[offline]'"
                ).format(name=chosen)
            )
        known = known_model(chosen)
        folder = models_folder(self._session.settings.embed)
        return Download(chosen, known.megabytes if known else 0, folder)

    def pull(
        self,
        name: str,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> bool:
        """Download a model; False when cancelled. `progress` is told the bytes that came and all.

        What came in before stays, so that the next pull goes on from there. Raises
        EmbeddingError when the model has no download or the download fails.
        """
        from omp_core.embed.pull import pull

        settings = msgspec.structs.replace(self._session.settings.embed, model=name)
        return pull(settings, progress, cancelled)

    def calibrate(self, *, dry_run: bool = False) -> tuple[CalibrationReport, Path | None]:
        """Measure the configured model on the shipped pairs, and keep its profile as the user's.

        Takes seconds. Returns the report, and the profile's file unless this is a dry run; what
        opens the model from now on uses it. Raises EmbeddingError.
        """
        from omp_core.embed.calibration import measure, measure_and_store, shipped_pairs

        model = self.model()
        if dry_run:
            return measure(model, shipped_pairs()), None
        try:
            return measure_and_store(model)
        except OSError as error:
            raise EmbeddingError(
                _("the profile was not stored: {file}: {reason}").format(
                    file=error.filename, reason=error.strerror
                )
            ) from error

    def stored(self) -> dict[str, int]:
        """Return how many vectors of each model the store holds, by the model's id."""
        return self._availability.store().vector_counts()

    def drop_old(self) -> int:
        """Remove the vectors of all models but the present one; return how many there were.

        Raises UsageError while records still wait for a vector of the present model.
        """
        model = self.model()
        waiting = self.missing()
        if waiting:
            raise UsageError(
                ngettext(
                    "{waiting} record has no vector of {model} yet, so the old vectors "
                    "stay; `omp-tui model embed` makes it",
                    "{waiting} records have no vector of {model} yet, so the old vectors "
                    "stay; `omp-tui model embed` makes them",
                    waiting,
                ).format(waiting=waiting, model=model.label)
            )
        return self._availability.store().drop_vectors(keep=model.model_id)
