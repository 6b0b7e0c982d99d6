"""The terminal dashboard over `omp_core`."""
