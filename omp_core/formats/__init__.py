"""One module per foreign format: detect, read, write."""
