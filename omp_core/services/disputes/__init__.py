"""Disputes: the queue of what is open, what there is to know of each, and how they are settled."""

from omp_core.services.disputes.detail import DisputeDetail, Ending, SideDetail
from omp_core.services.disputes.queue import DisputeQueue, OpenDispute
from omp_core.services.disputes.settlement import DisputeSettlement, Settlement
from omp_core.services.disputes.sides import Resolution

__all__ = [
    "DisputeDetail",
    "DisputeQueue",
    "DisputeSettlement",
    "Ending",
    "OpenDispute",
    "Resolution",
    "Settlement",
    "SideDetail",
]
