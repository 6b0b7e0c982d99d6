"""All tools. Importing this package registers them."""

from omp_core.mcp.tools import conversations, openmemory, orchestrator, review
from omp_core.mcp.tools import deletions as deleting
from omp_core.mcp.tools import disputes as settling
from omp_core.mcp.tools import maintenance as upkeep
from omp_core.mcp.tools import queries as reading
from omp_core.mcp.tools import records as writing
from omp_core.mcp.tools import transfer as moving

__all__ = [
    "conversations",
    "deleting",
    "moving",
    "openmemory",
    "orchestrator",
    "reading",
    "review",
    "settling",
    "upkeep",
    "writing",
]
