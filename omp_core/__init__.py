"""The shared core: one door, `Memory`, to the memory of AI agents."""

__version__ = "0.1.0"
