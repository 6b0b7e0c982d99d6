"""Text into vectors: the chain of models, and the calibration that makes their scales one."""
