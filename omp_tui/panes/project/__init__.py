"""Mode 6: the project's documents."""
