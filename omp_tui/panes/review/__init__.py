"""Mode 5: the inbox of what needs a yes or no."""
