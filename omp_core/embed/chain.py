"""Which model embeds: decided at once, from what is on this machine, without the network."""

from __future__ import annotations

from omp_core.embed import fastembed_model, models, packaged
from omp_core.embed.hashing import HashingEmbedder
from omp_core.embed.protocol import Embedder
from omp_core.settings import EmbedSettings


def choose_embedder(settings: EmbedSettings) -> Embedder:
    """Return the model that `settings` ask for, loaded; call it from a worker.

    `auto` takes the first that is there: fastembed's default model from its cache (or
    `model_path`), the packaged offline model, hashing. A model asked for by name is that one
    or EmbeddingError, so that vectors of another model never get in unnoticed.
    """
    embedder = _chosen(settings)
    embedder.warm()
    return embedder


def _chosen(settings: EmbedSettings) -> Embedder:
    if settings.model == "hashing":
        return HashingEmbedder()
    if settings.model == "offline":
        return packaged.PackagedEmbedder()
    if settings.model != "auto":
        return fastembed_model.open_model(settings)
    if settings.model_path is not None or models.is_cached(settings):
        # A damaged download is an error: going on with another model would leave every
        # stored vector unusable.
        return fastembed_model.open_model(settings)
    if packaged.is_installed():
        return packaged.PackagedEmbedder()
    return HashingEmbedder()
