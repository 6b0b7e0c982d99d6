"""Mode 3: the conflicts."""
