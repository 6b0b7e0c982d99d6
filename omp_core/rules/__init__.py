"""Pure rules: no I/O, no clock of their own; time and settings come in as arguments."""
