"""The words of the product as types: values only, no behaviour beyond construction, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict of them."""


class Tier(StrEnum):
    """How long a record is meant to stay."""

    WORKING = "working"
    SHORT_TERM = "short-term"
    LONG_TERM = "long-term"
    IMPORTANT = "important"


class Category(StrEnum):
    """What kind of fact a record is: seven of the memory skill, two of the orchestrator."""

    PREFERENCE = "preference"
    IDENTITY = "identity"
    ENVIRONMENT = "environment"
    DECISION = "decision"
    ANTI_PATTERN = "anti_pattern"
    EPISODE = "episode"
    CONCEPT = "concept"
    FACT = "fact"
    LESSON = "lesson"


class Importance(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Source(StrEnum):
    """Where a record's claim comes from."""

    USER = "user"
    INFERRED = "inferred"
    SYSTEM = "system"
    IMPORTED = "imported"


class Temporality(StrEnum):
    PERMANENT = "permanent"
    CONTEXTUAL = "contextual"
    EPHEMERAL = "ephemeral"


class Status(StrEnum):
    """Only `active` records are on a read path unless others are asked for."""

    ACTIVE = "active"
    CANDIDATE = "candidate"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"


class Right(StrEnum):
    """What an actor may do to records; each includes those before it."""

    READ = "read"
    WRITE = "write"
    """Add records, and change what they say."""
    CURATE = "curate"
    """Delete, merge, archive, move between tiers, settle, answer the review, undo."""


class Home(StrEnum):
    USER = "user"
    PROJECT = "project"


class DisputeKind(StrEnum):
    SAME_FIELD = "same-field"
    CONTRADICTION = "contradiction"
    CROSS_HOME = "cross-home"
    BRANCH = "branch"
    """Two branches of git changed one field of a document; it rides on no record."""


class SearchMode(StrEnum):
    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


class SearchLevel(StrEnum):
    """What a search answers with: themes, records, or both with the episodes behind them."""

    THEME = "theme"
    SEMANTIC = "semantic"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Scope:
    """Whom a record belongs to. As a filter, a field that is None matches anything."""

    user_id: str | None = None
    agent_id: str | None = None
    app_id: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a field last changed, and by whom."""

    version: int
    actor: str
    at: datetime


DisputeSide = Literal["current", "incoming"]


@dataclass(frozen=True, slots=True)
class Dispute:
    """An open disagreement about one field of one record; both sides are kept.

    `other_id` names the second record of a contradiction or cross-home dispute, `prefers` the
    side that the rules would follow, if they prefer one.
    """

    id: str
    field: str
    kind: DisputeKind
    current: Json
    incoming: Json
    current_actor: str
    incoming_actor: str
    current_at: datetime
    incoming_at: datetime
    base_version: int
    confidence: float = 1.0
    other_id: str | None = None
    set_aside: bool = False
    prefers: DisputeSide | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One semantic memory: an atomic fact with its metadata. All times are aware UTC.

    `stamps` maps a field (or `metadata.<key>`) to its last change. Counters
    (`last_accessed`, `access_count`) change without a new version.
    """

    id: str
    content: str
    created_at: datetime
    updated_at: datetime
    tier: Tier = Tier.SHORT_TERM
    scope: Scope = Scope()
    category: Category = Category.FACT
    importance: Importance = Importance.MEDIUM
    source: Source = Source.USER
    confidence: float = 1.0
    temporality: Temporality = Temporality.PERMANENT
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    expires_at: datetime | None = None
    status: Status = Status.ACTIVE
    superseded_by: str | None = None
    episode: str | None = None
    version: int = 1
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    disputes: tuple[Dispute, ...] = ()
    last_accessed: datetime | None = None
    access_count: int = 0
    home: Home = Home.USER
    arrived_at: datetime | None = None
    """When it came into this store, which sets it; older memories come by import and load."""
    locked: bool = False
    """Set and lifted by a person alone: no agent and no rule changes a locked record."""


SCOPE_FIELDS = ("user_id", "agent_id", "app_id", "run_id")
CHANGEABLE_FIELDS: tuple[str, ...] = (
    "content",
    "tier",
    "user_id",
    "agent_id",
    "app_id",
    "run_id",
    "category",
    "importance",
    "source",
    "confidence",
    "temporality",
    "tags",
    "metadata",
    "expires_at",
    "status",
    "superseded_by",
    "episode",
    "locked",
)
"""The fields that a write may change, under the names that changes, stamps and journal use."""


ActKind = Literal[
    "add",
    "update",
    "delete",
    "tier",
    "resolve",
    "undo",
    "redo",
    "import",
    "extract",
    "maintain",
    "purge",
    "summarize",
    "merge",
    "review",
    "sync",
    "theme",
    "document",
    "restore",
    "mirror",
    "refuse",
    "denied",
]


@dataclass(frozen=True, slots=True)
class Act:
    """One operation of a person, an agent or the system: the unit of undo.

    `values` are what its words are made of; `summary` is these words in the reader's language,
    which the journal keeps for acts of older programs only. `cause` is the act because of
    which a rule acted; both are taken back together.
    """

    id: str
    kind: str
    actor: str
    at: datetime
    summary: str
    records: int = 0
    undoes: str | None = None
    undone_by: str | None = None
    values: Mapping[str, Json] = field(default_factory=dict)
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """What one act did to one record: before and after of each changed field.

    A created record has `before` None, a deleted one `after` None; both sides then hold
    the whole record in its JSON form.
    """

    act_id: str
    kind: str
    actor: str
    at: datetime
    record_id: str
    version: int
    before: Mapping[str, Json] | None
    after: Mapping[str, Json] | None
    seq: int = 0


@dataclass(frozen=True, slots=True)
class SearchLog:
    """One journalled search. `hit`: at least one result above the relevance floor.

    `seq` is its number in the journal, 0 before it is there.
    """

    at: datetime
    actor: str
    query: str
    mode: SearchMode
    scope: Scope
    result_ids: tuple[str, ...]
    best_score: float
    latency_ms: float
    hit: bool
    seq: int = 0


Outcome = Literal[
    "created", "updated", "unchanged", "merged", "disputed", "duplicate", "pending", "deleted"
]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a write did, and the act to undo it by.

    `duplicate_id`, `similarity` and `existing` are set when the text was already known or
    looks like something known; `disputes` holds what this write opened.
    """

    outcome: Outcome
    id: str
    act_id: str | None
    record: Record | None = None
    disputes: tuple[Dispute, ...] = ()
    duplicate_id: str | None = None
    similarity: float | None = None
    existing: str | None = None
    note: str | None = None


PartName = Literal["keyword", "semantic", "recency", "importance", "conversation"]
"""What a score is made of. `conversation` is what the talk around a turn adds to its own score,
or takes from it because other turns fit better."""


@dataclass(frozen=True, slots=True)
class ScorePart:
    """Why a hit ranked: one part, 0..1 (a conversation's also below 0), and its weight."""

    name: PartName
    value: float
    weight: float


HitLevel = Literal["semantic", "theme", "episode"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A record of an answer. `level`: it matched itself, only its theme brought it in, or it
    is the episode of a record before it. `theme`: which theme of the answer it is in.

    `score` orders hits of one answer and is the weighted sum of its parts. `similarity` is
    absolute: the cosine to the query on the common scale, 0.2 unrelated to 1 identical, None
    where there is no vector. `words` are the query's words as the text spells them.
    """

    record: Record
    score: float
    parts: tuple[ScorePart, ...]
    level: HitLevel = "semantic"
    theme: str | None = None
    similarity: float | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThemeHit:
    """A theme near a query. `members` counts those that the query's filter lets through.

    `similarity` is that of its centroid to the query, calibrated, None without vectors;
    `words` is the share of the query's words that its label holds.
    """

    id: str
    label: str
    members: int
    similarity: float | None
    words: float


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Themes, nearest first; then hits, best first, and after them the episodes among them.

    `total` counts what there was before limit and budget cut it, themes at level `theme`,
    else records. `tokens` is what labels and texts come to by estimate, `over_budget` how
    many themes, records and episodes did not fit into the token budget.
    """

    hits: tuple[Hit, ...]
    total: int
    mode: SearchMode
    latency_ms: float
    degraded: str | None = None
    level: SearchLevel = SearchLevel.SEMANTIC
    themes: tuple[ThemeHit, ...] = ()
    tokens: int = 0
    over_budget: int = 0

    @property
    def cut(self) -> int:
        """How many matches limit and budget left out."""
        shown = self.themes if self.level is SearchLevel.THEME else self.hits
        return self.total - len(shown)


@dataclass(frozen=True, slots=True)
class Query:
    """A filter over records. `metadata` is an exact AND over fields and metadata keys."""

    scope: Scope = Scope()
    tiers: frozenset[Tier] = frozenset()
    categories: frozenset[Category] = frozenset()
    statuses: frozenset[Status] = frozenset({Status.ACTIVE})
    home: Home | None = None
    tag: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)
    disputed: bool | None = None
    include_expired: bool = False
    only_expired: bool = False
    unread_since: datetime | None = None
    """Only records that were last read, made, and came here before that."""
    proposed: bool | None = None
    """Only records that are proposed as a duplicate of another, or only those that are not."""
    ids: frozenset[str] | None = None
    """Only these records; None lets all through."""
    within: tuple[Scope, ...] | None = None
    """Only records of one of these scopes, whose values may hold `*` and `?`."""


Order = Literal["updated", "created", "accessed", "content", "tier", "access_count"]


@dataclass(frozen=True, slots=True)
class Capability:
    """One of store, vectors, project files: up or down, since when and why."""

    name: Literal["store", "vectors", "project"]
    up: bool
    label: str
    since: datetime
    reason: str | None = None
    """Why it is down, or what is missing although it is up; None when all is well."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """Something that answers have to do without: where it lies, and why it was not seen."""

    place: str
    reason: str
    id: str | None = None
    """The record that it is or belongs to, where that can be told."""

    def __str__(self) -> str:
        named = f" ({self.id})" if self.id is not None else ""
        return f"{self.place}{named}: {self.reason}"


Speaker = Literal["user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side said, in its own words, or what a tool that the agent ran put out.

    `at` is an aware UTC time, None where the record has none. `place` names where the turn
    begins in its source, unique within it: the line number counted from 1 where the format
    has lines, else the message's id. `session` is the id that the recording tool gave the
    conversation.
    """

    role: Speaker
    text: str
    at: datetime | None
    place: str
    session: str | None = None
