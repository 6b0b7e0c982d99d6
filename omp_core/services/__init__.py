"""The services behind the door: each joins rules and edges for one facet of `Memory`."""
