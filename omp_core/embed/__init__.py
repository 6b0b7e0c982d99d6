"""Text into vectors: the chain of models, and the calibration that makes their scales one."""

from omp_core.embed.chain import choose_embedder
from omp_core.embed.protocol import Cell, Cells, Embedder

__all__ = ["Cell", "Cells", "Embedder", "choose_embedder"]
