"""Mode 7: the journal, live."""
