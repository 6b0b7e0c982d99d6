"""Review: the inbox of what needs a person's yes or no."""

from omp_core.services.review.review import ReviewService

__all__ = ["ReviewService"]
