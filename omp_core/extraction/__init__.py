"""From a conversation to memories: what is worth keeping, and why the rest is not."""
