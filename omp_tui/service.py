"""What every pane and dialog is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omp_core.memory import Memory
    from omp_tui.background import Background


@dataclass(frozen=True, slots=True)
class Service:
    """The memory, the threads to call it in, the clock.

    Every call of the memory may be slow, and is made in a worker thread.
    """

    memory: Memory
    background: Background
    now: Callable[[], datetime]
    """The time, aware and in UTC."""
    begun: Callable[[], bool]
    """Whether the memory's stamp has been read. Nothing is read before it: what was written
    between the two would never be noticed."""
