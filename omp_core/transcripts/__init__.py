"""Conversations between a person and an agent, read from whatever tool recorded them."""
