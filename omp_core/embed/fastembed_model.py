"""Models run by fastembed from local files: its cache, or a folder of the user's.

Nothing here uses the network. fastembed itself would: without `local_files_only` its
constructor waits most of a minute for a hub that cannot be reached.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from omp_core.embed.centred import CentredEmbedder
from omp_core.embed.centring import Centring, Vectors, cached_centring
from omp_core.embed.models import (
    DEFAULT_MODEL,
    KnownModel,
    PrefixStyle,
    known_model,
    models_folder,
    prefix_style,
)
from omp_core.embed.profile import Profile, load_profile, save_profile
from omp_core.embed.protocol import Cells, Role
from omp_core.errors import EmbeddingError
from omp_core.i18n import _
from omp_core.settings import EmbedSettings
from omp_core.settings_files import cache_path

_PREFIXES: dict[PrefixStyle, dict[Role, str]] = {
    "plain": {"query": "", "passage": ""},
    "e5": {"query": "query: ", "passage": "passage: "},
}
_BATCH = 32
_register_lock = threading.Lock()


class FastembedEmbedder(CentredEmbedder):
    """A loaded fastembed model. Get one from `open_model`."""

    def __init__(
        self,
        name: str,
        model: Any,
        *,
        style: PrefixStyle,
        measures: Path | None = None,
        profile: Profile | None = None,
    ) -> None:
        """`model` is a TextEmbedding; `measures` is where its centres and cells are kept."""
        self._model = model
        self._prefixes = _PREFIXES[style]
        self._measures = measures or cache_path() / "calibration"
        self.prefix_style = style
        self.label = name.rsplit("/", 1)[-1]
        # The model's own word for its dimension is not checked by anybody: ask for a vector.
        probe = self._raw(["probe"], "passage")
        super().__init__(name, probe.shape[1], profile=profile)

    def _encode(self, texts: Sequence[str], role: Role) -> Vectors:
        return self._raw(texts, role)

    def _raw(self, texts: Sequence[str], role: Role) -> Vectors:
        prefix = self._prefixes[role]
        vectors = self._model.embed([prefix + text for text in texts], batch_size=_BATCH)
        return np.stack(list(vectors)).astype(np.float32)

    def _measured_centring(self) -> Centring:
        return cached_centring(
            self._checked,
            self.model_id,
            self._measures,
            roles_differ=self.prefix_style != "plain",
        )

    def _measured_cells(self) -> Cells:
        kept = load_profile(self.model_id, folders=[self._measures]).cells
        if kept is not None:
            return kept
        cells = super()._measured_cells()
        save_profile(self.model_id, Profile(self.profile.knots, cells), folder=self._measures)
        return cells


def open_model(settings: EmbedSettings) -> FastembedEmbedder:
    """Load the model that `settings` name from local files; takes a second or more.

    With `model_path` the files of that folder are used, else the cache. `auto` is the
    default model. Raises EmbeddingError when it is unknown, not there or damaged.
    """
    if settings.model_path is not None:
        return _open_folder(Path(settings.model_path).expanduser(), settings.model)
    known = known_model(settings.model)
    name = known.name if known else settings.model
    text_embedding = _fastembed()
    if known is not None:
        _register(known)
    supported = {str(model["model"]).lower() for model in text_embedding.list_supported_models()}
    if name.lower() not in supported:
        raise EmbeddingError(
            _(
                "{name}: fastembed knows no model of that name; take {default}, "
                "`offline`, `hashing`, or set embed.model_path to a folder with an ONNX "
                "model"
            ).format(name=name, default=DEFAULT_MODEL.name)
        )
    model = _load(
        name,
        _("it is not downloaded or damaged; run: omp-tui model pull {name}").format(name=name),
        cache_dir=str(models_folder(settings)),
        local_files_only=True,
    )
    return FastembedEmbedder(name, model, style=prefix_style(name))


def _open_folder(folder: Path, asked: str) -> FastembedEmbedder:
    file = _onnx_file(folder, known_model(asked))
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()[:8]
    # Another model in the same folder is another model: its vectors must not mix.
    name = f"{folder.name if asked == 'auto' else asked}@{digest}"
    _register(
        KnownModel(
            name=name,
            repository=f"local/{digest}",
            file=str(file.relative_to(folder)),
            dim=0,
            prefix_style=prefix_style(name),
            megabytes=0,
        )
    )
    model = _load(
        name,
        _("the files in {folder} are incomplete or damaged").format(folder=folder),
        specific_model_path=str(folder),
        local_files_only=True,
        cache_dir=str(cache_path() / "models"),
    )
    return FastembedEmbedder(name, model, style=prefix_style(name))


def _onnx_file(folder: Path, known: KnownModel | None) -> Path:
    wanted = [known.file] if known else []
    wanted += [
        f"{sub}{name}.onnx" for name in ("model_quantized", "model") for sub in ("", "onnx/")
    ]
    for name in wanted:
        if (folder / name).is_file():
            return folder / name
    found = sorted(folder.glob("*.onnx")) + sorted(folder.glob("onnx/*.onnx"))
    if not found:
        raise EmbeddingError(
            _("{folder}: no .onnx file there; check embed.model_path").format(folder=folder)
        )
    return found[0]


def _fastembed() -> Any:
    """Import fastembed, quietened: it logs to stderr, which would tear a full screen.

    Raises EmbeddingError where the extra that brings it is not installed.
    """
    try:
        from loguru import logger

        logger.disable("fastembed")
        import onnxruntime

        onnxruntime.set_default_logger_severity(4)
        from fastembed import TextEmbedding
    except ImportError as error:
        raise EmbeddingError(
            _(
                "downloaded models need fastembed, which is not installed: "
                'pip install "omp-tui[models]"'
            )
        ) from error
    return TextEmbedding


def _register(model: KnownModel) -> None:
    """Make a model known to fastembed, once: a second time raises there."""
    text_embedding = _fastembed()
    from fastembed.common.model_description import ModelSource, PoolingType

    with _register_lock:
        models = text_embedding.list_supported_models()
        if any(str(other["model"]).lower() == model.name.lower() for other in models):
            return
        text_embedding.add_custom_model(
            model=model.name,
            pooling=PoolingType.MEAN,
            normalization=True,
            sources=ModelSource(hf=model.repository),
            dim=model.dim,
            model_file=model.file,
        )


def _load(name: str, remedy: str, **options: Any) -> Any:
    # Half of the cores: agents and the interface run beside it.
    threads = max(1, (os.cpu_count() or 2) // 2)
    try:
        return _fastembed()(name, threads=threads, **options)
    except Exception as error:  # onnxruntime and tokenizers raise plain Exception
        raise EmbeddingError(
            _("{name}: cannot be loaded: {remedy} ({error})").format(
                name=name, remedy=remedy, error=error
            )
        ) from error


def download_source(settings: EmbedSettings) -> tuple[str, list[str]]:
    """Return the hub repository and the model files of the model that `settings` name.

    Raises EmbeddingError for a model that comes from elsewhere.
    """
    known = known_model(settings.model)
    if known is not None:
        return known.repository, [known.file]
    for model in _fastembed().list_supported_models():
        if str(model["model"]).lower() == settings.model.lower() and model["sources"]["hf"]:
            return str(model["sources"]["hf"]), [model["model_file"], *model["additional_files"]]
    raise EmbeddingError(
        _("{model}: there is nothing to download for it; take {default}").format(
            model=settings.model, default=DEFAULT_MODEL.name
        )
    )
