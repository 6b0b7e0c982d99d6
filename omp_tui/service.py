"""What the dashboard needs of the core, and what every pane is given."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from omp_core.model import (
    Capability,
    Category,
    Importance,
    JournalEntry,
    Json,
    Order,
    Query,
    Receipt,
    Record,
    Scope,
    SearchAnswer,
    SearchMode,
    Tier,
)
from omp_core.settings import Settings
from omp_core.views import Overview, Page

if TYPE_CHECKING:
    from omp_core.project.writers import Change, Decision, Episode
    from omp_core.services.imports import ImportReport, Progress
    from omp_tui.background import Background


class WorkspacePlace(Protocol):
    """Where the project lies."""

    @property
    def root(self) -> Path: ...


class DashboardDocuments(Protocol):
    """Writing the project's documents. Each call may be slow."""

    def value(self, path: str) -> Json: ...

    def set_value(self, path: str, value: Json) -> Receipt: ...

    def add_decision(self, decision: Decision) -> Receipt: ...

    def add_change(self, change: Change) -> Receipt: ...

    def add_session(self, episode: Episode) -> Receipt: ...


class DashboardMemory(Protocol):
    """The part of the memory's door that the dashboard uses.

    What is called may be slow, and is called from a worker thread.
    """

    @property
    def workspace(self) -> WorkspacePlace | None: ...

    @property
    def scope(self) -> Scope: ...

    @property
    def settings(self) -> Settings: ...

    @property
    def documents(self) -> DashboardDocuments: ...

    def warm(self) -> None: ...

    def capabilities(self) -> tuple[Capability, ...]: ...

    def change_stamp(self) -> Hashable: ...

    def overview(self) -> Overview: ...

    def list(
        self, query: Query, order: Order, descending: bool, offset: int, limit: int
    ) -> Page: ...

    def search(
        self, text: str, *, mode: SearchMode, query: Query, limit: int, browse: bool = False
    ) -> SearchAnswer: ...

    def get(self, record_id: str) -> Record: ...

    def history(self, record_id: str) -> tuple[JournalEntry, ...]: ...

    def add(
        self,
        content: str,
        *,
        tier: Tier = ...,
        scope: Scope = ...,
        category: Category = ...,
        importance: Importance = ...,
        tags: Sequence[str] | frozenset[str] = ...,
        expires_at: datetime | None = ...,
        force: bool = ...,
    ) -> Receipt: ...

    def update(
        self, record_id: str, changes: Mapping[str, Json], *, based_on: int | None = ...
    ) -> Receipt: ...

    def delete(self, record_ids: Sequence[str]) -> Receipt: ...

    def set_tier(self, record_ids: Sequence[str], tier: Tier) -> Receipt: ...

    def fix(self, alert_id: str) -> Receipt: ...

    def undo(self) -> Receipt: ...

    def redo(self) -> Receipt: ...

    def init_workspace(self) -> Sequence[Path]: ...

    def import_file(self, path: Path, *, progress: Progress | None = ...) -> ImportReport: ...


@dataclass(frozen=True, slots=True)
class Service:
    """What a pane or dialog works with: the memory, the threads to call it in, the clock."""

    memory: DashboardMemory
    background: Background
    now: Callable[[], datetime]
    begun: Callable[[], bool]
    """Whether the memory's stamp has been read. Nothing is read before it: what was written
    between the two would never be noticed."""
