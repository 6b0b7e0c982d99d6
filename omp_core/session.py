"""The session: who works with the memory, where, and by which clock. Nothing is opened here."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from omp_core.model import Act, ActKind, Json
from omp_core.settings import Settings

if TYPE_CHECKING:
    from omp_core.caller import Place
    from omp_core.project.identity import Identity
    from omp_core.project.workspace import Workspace

Clock = Callable[[], datetime]
"""Returns the present moment, aware, in UTC."""
ActorProvider = Callable[[], str]
"""Returns who acts at this moment: `user`, `agent:<name>` or `system`."""


def utc_now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a fresh id that sorts by time (UUIDv7)."""
    return str(uuid7())


@dataclass(frozen=True)
class Session:
    """Who works with the memory, where, and by which clock; shared by all services.

    `place` is the caller's directory, in which the search for `_omp/` began, and what named it;
    `workspace` is what the search found.
    The actor is asked for at each act, so that one session can serve several callers.
    """

    settings: Settings
    store_path: Path
    workspace: Workspace | None
    place: Place
    clock: Clock
    actor_provider: ActorProvider

    def now(self) -> datetime:
        """Return the present moment by this session's clock."""
        return self.clock()

    @property
    def zone(self) -> tzinfo:
        """The person's own time zone. Raises InvalidValueError when the settings name none."""
        from omp_core.moments import zone

        return zone(self.settings.time_zone)

    @property
    def start(self) -> Path | None:
        """The directory that the search for `_omp/` began in; None where there is no project."""
        return self.place.directory

    @property
    def actor(self) -> str:
        """Who acts at this moment. Raises SecretFoundError if the name holds a secret."""
        return clean_actor(self.actor_provider())

    @functools.cached_property
    def identity(self) -> Identity:
        """The person and the project; asked of git once."""
        from omp_core.project.identity import resolve_identity

        root = self.workspace.root if self.workspace else self.start
        return resolve_identity(root, self.settings)

    @property
    def workspace_key(self) -> str:
        """What tells this workspace's documents from those of others in one store."""
        return "" if self.workspace is None else str(self.workspace.root)

    def inside(self, workspace: Workspace) -> Session:
        """Return this session gone on in a workspace that has just been laid out."""
        return replace(self, workspace=workspace)

    def act(
        self,
        kind: ActKind,
        values: Mapping[str, Json],
        *,
        actor: str | None = None,
        undoes: str | None = None,
        cause: str | None = None,
    ) -> Act:
        """Return a new act of this moment; `values` are what its words are made of."""
        return Act(
            new_id(),
            kind,
            actor or self.actor,
            self.now(),
            "",
            undoes=undoes,
            values=dict(values),
            cause=cause,
        )


@functools.lru_cache(maxsize=256)
def clean_actor(name: str) -> str:
    """Return the name of who acts. Raises SecretFoundError if it holds a secret."""
    from omp_core.secrets import ensure_clean

    ensure_clean(name)
    return name
