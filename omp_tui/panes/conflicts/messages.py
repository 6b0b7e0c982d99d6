"""What comes back to the conflicts from their threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from omp_core.errors import OmpError

if TYPE_CHECKING:
    from omp_core.types import (
        DisputeDetail,
        Ending,
        OpenDispute,
        Resolution,
        Settlement,
    )


class QueueRead(Message):
    def __init__(self, queue: tuple[OpenDispute, ...], set_aside: bool) -> None:
        super().__init__()
        self.queue = queue
        self.set_aside = set_aside


class QueueFailed(Message):
    def __init__(self, error: OmpError) -> None:
        super().__init__()
        self.error = error


class DetailRead(Message):
    """`detail` is None for a dispute that is open no more; then `ending` says how it ended."""

    def __init__(
        self, dispute_id: str, detail: DisputeDetail | None, ending: Ending | None = None
    ) -> None:
        super().__init__()
        self.dispute_id = dispute_id
        self.detail = detail
        self.ending = ending


class SettleFailed(Message):
    """An answer could not be given; the disputes wait as before."""

    def __init__(self, dispute_id: str, error: OmpError) -> None:
        super().__init__()
        self.dispute_id = dispute_id
        self.error = error


class AlikeRead(Message):
    """What one answer would settle."""

    def __init__(self, dispute_id: str, resolution: Resolution, planned: Settlement) -> None:
        super().__init__()
        self.dispute_id = dispute_id
        self.resolution = resolution
        self.planned = planned
