"""Search over both homes, at the level of themes, of records, or through all of them."""

from omp_core.services.search.search import SearchService

__all__ = ["SearchService"]
