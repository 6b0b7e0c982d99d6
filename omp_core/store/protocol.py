"""What a store has to do. `Memory` is written against this and nothing below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

from omp_core.model import (
    Act,
    Home,
    JournalEntry,
    Order,
    Query,
    Record,
    Scope,
    SearchLog,
    Status,
    Tier,
    Unseen,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omp_core.rules.ranking import Adjacent, Conversation, EpisodeKey, Group, Traits
    from omp_core.views import Activity, ActivityQuery

ChangeStamp = tuple[int, ...]
"""Grows with every journalled write and search; equal stamps mean nothing changed."""


@dataclass(frozen=True, slots=True)
class Vector:
    """A record's unit vector of shape (dim,), and the script of the text it stands for."""

    model_id: str
    script: str
    values: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Put:
    """Write a record if the stored version is still `expected`; None: if there is none."""

    record: Record
    expected: int | None
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """Delete a record if the stored version is still `expected`."""

    id: str
    expected: int


@dataclass(frozen=True, slots=True)
class NoTwin:
    """A condition: no active record of this scope has this text."""

    content_hash: str
    scope: Scope


@dataclass(frozen=True, slots=True)
class NoneAlike:
    """A condition: nothing was added in this scope after `Store.mark` gave this mark whose
    cosine to the vector is `floor` or more.
    """

    mark: int
    scope: Scope
    vector: Vector
    floor: float


@dataclass(frozen=True, slots=True)
class Shift:
    """A move between tiers by rule: it changes neither version nor stamps of the record.

    The record must still be in `tier`. It is journalled as `system`'s, within the act.
    """

    id: str
    tier: Tier
    into: Tier
    reason: str


@dataclass(frozen=True, slots=True)
class Room:
    """A tier that must not hold more than `capacity` once the act is done.

    Those that came in first go on, or with `used` those that were not read for longest.
    """

    tier: Tier
    capacity: int
    into: Tier
    first: Literal["oldest", "used"] = "oldest"


@dataclass(frozen=True, slots=True)
class Shifted:
    """A move that was made, with the record's text and version."""

    shift: Shift
    content: str
    version: int


@dataclass(frozen=True, slots=True)
class Batch:
    """One act with everything it changes. It is committed whole or not at all.

    After its changes come its `shifts`, and then `room` is made, tier after tier.
    """

    act: Act
    puts: tuple[Put, ...] = ()
    removals: tuple[Removal, ...] = ()
    entries: tuple[JournalEntry, ...] = ()
    conditions: tuple[NoTwin | NoneAlike, ...] = ()
    shifts: tuple[Shift, ...] = ()
    room: tuple[Room, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that a search may return. `score`: BM25 (higher is better) or cosine."""

    id: str
    score: float
    script: str = "latin"


@dataclass(frozen=True, slots=True)
class Alike:
    """What comparing texts needs of a record whose vector is near another one."""

    id: str
    content: str
    category: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Census:
    """How many records there are of each kind; expired ones are not counted."""

    tiers: dict[Tier, int]
    homes: dict[Home, int]
    statuses: dict[Status, int]
    disputed: int

    @property
    def total(self) -> int:
        """Records that are on a read path."""
        return sum(self.tiers.values())


@dataclass(frozen=True, slots=True)
class HealthRecord:
    """What the health report needs of one active record."""

    tier: Tier
    category: str
    created_at: datetime
    last_used: datetime
    access_count: int
    importance: str
    confidence: float
    home: Home
    disputed: bool
    length: int


class Store(Protocol):
    """Records, vectors, the journal and the search log of one user store.

    `workspace` names the project whose mirrored documents are part of every read; the
    records of other projects' documents are on no read path.
    """

    @property
    def label(self) -> str:
        """What the capability line calls this store."""
        ...

    def close(self) -> None: ...

    @property
    def read_only(self) -> str | None:
        """Why nothing can be written, in words; None when it can."""
        ...

    def unseen(self) -> tuple[Unseen, ...]:
        """Return what its answers had to do without so far: damaged rows, lost changes."""
        ...

    def survey(self) -> None:
        """Look at every record, so that `unseen` names each that cannot be read."""
        ...

    # records

    def get(self, record_id: str) -> Record | None: ...

    def get_many(self, record_ids: Sequence[str]) -> dict[str, Record]: ...

    def twin(self, content_hash: str, scope: Scope, now: datetime) -> Record | None:
        """Return the active record of exactly this scope with this text."""
        ...

    def mark(self) -> int:
        """Return what tells records that are there now from those added later."""
        ...

    def page(
        self,
        query: Query,
        now: datetime,
        *,
        order: Order = "updated",
        descending: bool = True,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[Record, ...]: ...

    def count(self, query: Query, now: datetime) -> int: ...

    def iterate(self, query: Query, now: datetime) -> Iterator[Record]:
        """Yield every match in a stable order without holding them all."""
        ...

    def commit(self, batch: Batch) -> tuple[Shifted, ...]:
        """Apply a batch whole, and return the moves between tiers that it led to.

        Raises VersionConflictError when an expectation or condition fails; nothing of the
        batch is then written.
        """
        ...

    def touch(self, record_ids: Sequence[str], at: datetime) -> None:
        """Count an access to each record, without a new version."""
        ...

    # search

    def keyword(
        self, terms: Sequence[str], query: Query, now: datetime, limit: int
    ) -> list[Candidate]: ...

    def traits(self, record_ids: Sequence[str]) -> dict[str, Traits]:
        """Return what ranking needs of those records that are held."""
        ...

    def conversations(
        self, model_id: str, episodes: Sequence[EpisodeKey], query: Query, now: datetime, most: int
    ) -> list[Conversation]:
        """Return the turns that the query lets through of each episode, oldest first.

        An episode with which there would be more than `most` turns together is left out.
        """
        ...

    def adjacent(self, model_id: str, group: Group, most: int) -> Adjacent:
        """Return at most so many pairs of records that follow each other in an episode.

        They are spread evenly over the episodes of the group, the same ones each time.
        """
        ...

    def nearest(
        self, model_id: str, vector: NDArray[np.float32], query: Query, now: datetime, limit: int
    ) -> list[Candidate]: ...

    def alike(
        self, vector: Vector, scope: Scope, now: datetime, *, floor: float, limit: int
    ) -> list[Alike]:
        """Return the active records of the user home and exactly this scope whose cosine is
        `floor` or more, the nearest first. In a large store far ones among them may be missed.
        """
        ...

    def vectors(self, model_id: str, record_ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Return the stored vectors, each of shape (dim,), of those records that have one."""
        ...

    def put_vectors(self, vectors: Iterable[tuple[str, str, Vector]]) -> None:
        """Store (record id, content hash, vector) of records whose text is still that."""
        ...

    def without_vector(self, model_id: str, limit: int) -> list[tuple[str, str]]:
        """Return (id, content) of records that wait for a vector of this model."""
        ...

    def count_without_vector(self, model_id: str) -> int: ...

    def vector_counts(self) -> dict[str, int]:
        """Return how many vectors of each model are stored."""
        ...

    def drop_vectors(self, *, keep: str) -> int:
        """Remove the vectors of every model but `keep`, and return how many there were."""
        ...

    # journal

    def history(self, record_id: str) -> tuple[JournalEntry, ...]:
        """Return all that happened to a record, newest first."""
        ...

    def entries(self, act_id: str) -> tuple[JournalEntry, ...]: ...

    def audit(self, limit: int) -> tuple[JournalEntry, ...]:
        """Return what was done to records that are or were important, newest first."""
        ...

    def count_important_changes(self, since: datetime) -> int:
        """Return how often records that were there already and are important were changed."""
        ...

    def act(self, act_id: str) -> Act | None: ...

    def acts(self, *, limit: int, before: str | None = None) -> tuple[Act, ...]:
        """Return acts, newest first, older than act `before`; parts of others are left out."""
        ...

    def caused_by(self, act_id: str) -> tuple[Act, ...]:
        """Return what rules did because of an act, newest first."""
        ...

    def activity(
        self, query: ActivityQuery, *, limit: int, before: str | None = None
    ) -> tuple[Activity, ...]:
        """Return acts and searches, the latest first, below the line with the key `before`.

        Parts of other acts are left out.
        """
        ...

    def count_activity(self, query: ActivityQuery) -> int: ...

    def actors(self) -> tuple[str, ...]:
        """Return everybody who did or searched for something, by name."""
        ...

    def last_undoable(self, actor: str) -> Act | None: ...

    def last_redoable(self, actor: str) -> Act | None:
        """Return the actor's newest undo that no newer act of theirs has overtaken."""
        ...

    def log_search(self, search: SearchLog) -> None: ...

    def searches(self, since: datetime) -> tuple[SearchLog, ...]:
        """Return the journalled searches since then, oldest first."""
        ...

    def drop_searches(self, *, before: datetime) -> int:
        """Remove journalled searches older than that and return how many there were."""
        ...

    # aggregates

    def census(self, now: datetime) -> Census: ...

    def health_rows(self, now: datetime) -> Iterator[HealthRecord]: ...

    def entities(self) -> dict[str, dict[str, int]]:
        """Return how many records each value of each scope field has."""
        ...

    def change_stamp(self) -> ChangeStamp: ...

    # mirror of project documents

    def mirror_digests(self) -> dict[str, str]:
        """Return file name -> digest of the workspace's mirrored documents."""
        ...

    def mirror(self, file: str, digest: str | None, records: Sequence[Record], act: Act) -> None:
        """Replace the mirrored records of a file; a digest of None forgets the file.

        The act is journalled if that changes any fact.
        """
        ...
