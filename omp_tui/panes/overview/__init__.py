"""Mode 1: the overview."""
