"""The downloadable models that are known by name, and where they are kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from omp_core.settings import EmbedSettings
from omp_core.settings_files import cache_path

PrefixStyle = Literal["plain", "e5"]


@dataclass(frozen=True, slots=True)
class KnownModel:
    """`repository` and `file` say where its ONNX form is; `megabytes` what a download takes."""

    name: str
    repository: str
    file: str
    dim: int
    prefix_style: PrefixStyle
    megabytes: int


E5_SMALL = KnownModel(
    name="intfloat/multilingual-e5-small",
    # The int8 form that runs on any processor; the one beside the original needs AVX-512.
    repository="Xenova/multilingual-e5-small",
    file="onnx/model_quantized.onnx",
    dim=384,
    prefix_style="e5",
    megabytes=135,
)
MINILM = KnownModel(
    name="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    repository="Qdrant/paraphrase-multilingual-MiniLM-L12-v2-onnx-Q",
    file="model_optimized.onnx",
    dim=384,
    prefix_style="plain",
    megabytes=240,
)
KNOWN_MODELS = (E5_SMALL, MINILM)
DEFAULT_MODEL = E5_SMALL

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
OPTIONAL_FILES = ("config.json", "special_tokens_map.json")


def known_model(name: str) -> KnownModel | None:
    """Return the model of that name, `auto` meaning the default one."""
    if name == "auto":
        return DEFAULT_MODEL
    return next((known for known in KNOWN_MODELS if known.name.lower() == name.lower()), None)


def models_folder(settings: EmbedSettings) -> Path:
    """Return the persistent folder of downloaded models."""
    return Path(settings.cache_dir).expanduser() if settings.cache_dir else cache_path() / "models"


def is_cached(settings: EmbedSettings) -> bool:
    """Return whether the known model that `settings` name is downloaded, without importing
    anything heavy. Models that are not known by name count as not downloaded.
    """
    known = known_model(settings.model)
    if known is None:
        return False
    folder = models_folder(settings) / f"models--{known.repository.replace('/', '--')}"
    head = folder / "refs" / "main"
    if not head.is_file():
        return False
    snapshot = folder / "snapshots" / head.read_text("utf-8").strip()
    return all((snapshot / file).is_file() for file in (known.file, *TOKENIZER_FILES))


def prefix_style(name: str) -> PrefixStyle:
    """Return the prefixes that a model was trained with."""
    known = known_model(name)
    if known is not None:
        return known.prefix_style
    return "e5" if "e5-" in name.lower() else "plain"
