"""Mode 2: the memories."""
