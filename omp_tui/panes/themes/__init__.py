"""Mode 4: the themes."""
