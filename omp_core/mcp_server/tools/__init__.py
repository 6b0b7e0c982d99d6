"""All tools. Importing this package registers them."""

from omp_core.mcp_server.tools import (
    conversations,
    deleting,
    moving,
    openmemory,
    reading,
    settling,
    upkeep,
    writing,
)

__all__ = [
    "conversations",
    "deleting",
    "moving",
    "openmemory",
    "reading",
    "settling",
    "upkeep",
    "writing",
]
