"""The version of the program, where every room can read it without knowing the door."""

__version__ = "0.1.0"
