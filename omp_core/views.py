"""What a dashboard or a report shows, computed once here so that all front ends agree.

Values only. Shares and rates are 0..1, days are floats, times are aware UTC. Texts
(`message`, `cure`, `reason`) are whole sentences in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal

from omp_core.model import (
    Act,
    Category,
    Home,
    Json,
    Order,
    Query,
    Receipt,
    Record,
    SearchLog,
    Status,
    Tier,
    Unseen,
)

Grade = Literal["excellent", "good", "poor"]
HealthPart = Literal["active", "rot", "confidence", "conflict"]
Trend = Literal["improving", "steady", "declining"]
AlertLevel = Literal["warning", "info"]


@dataclass(frozen=True, slots=True)
class Page:
    """A window into an ordered list: `records` from the offset on, `total` in the list."""

    records: tuple[Record, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TierUse:
    """How many active records a tier holds; `limit` is None where there is no capacity.

    `used` is None while the store is away: nobody can tell.
    """

    tier: Tier
    used: int | None
    limit: int | None = None
    advice: int | None = None
    """An advised size without force."""
    alarm: float | None = None
    """The share of the limit above which the use is an alert; drawn as a warning."""


@dataclass(frozen=True, slots=True)
class HealthRow:
    """One part of the health score, ready to be read: `71 %`, `> 60`."""

    name: HealthPart
    value: str
    target: str
    ok: bool
    lost: float = 0.0
    """Points of the score that this part costs."""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HitRate:
    """How often searches found something: one value a day of the last 90, the oldest first.

    A day without a search is None. A rate that cannot be given yet is None, and `reason`
    says why.
    """

    by_day: tuple[float | None, ...] = ()
    last_7d: float | None = None
    last_30d: float | None = None
    searches_7d: int = 0
    searches_30d: int = 0
    trend: Trend | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class UnreadBucket:
    """How many records were last read between `from_days` and `to_days` ago."""

    from_days: int
    to_days: int | None
    count: int


@dataclass(frozen=True, slots=True)
class DecayCounts:
    active: int = 0
    aging: int = 0
    stale: int = 0
    cleanup: int = 0


@dataclass(frozen=True, slots=True)
class Stale:
    """Long-term records unread for too long, out of all long-term records."""

    count: int
    of: int
    ratio: float
    oldest_days: float | None = None


@dataclass(frozen=True, slots=True)
class Concerned:
    """The records that an alert is about, in the order to look at them."""

    query: Query
    order: Order
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """What `Memory.fix` does about an alert by itself, as one undoable act.

    Of the records that are concerned, the first `most` (all, when None) get this tier or this
    status. `said` tells a person.
    """

    said: str
    tier: Tier | None = None
    status: Status | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class FixPreview:
    """What a fix is about to do: to how many records, and the first of them."""

    said: str
    count: int
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Alert:
    """Something a person should look at, with its cure.

    `id` names it, `action` names what the cure does, `number` is how many records it touches.
    `concerned` is None where it is about no records; `fix` is None where a person has to
    decide, and then `advice` (else `cure`) says how.
    """

    level: AlertLevel
    message: str
    cure: str
    action: str | None = None
    id: str = ""
    number: int | None = None
    concerned: Concerned | None = None
    fix: Fix | None = None
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class HealthView:
    """The state of the memory at a glance. `score` is 0..100.

    There is neither score nor grade while a part of the memory cannot be seen.
    """

    score: int | None
    grade: Grade | None
    rows: tuple[HealthRow, ...]
    hit_rate: HitRate
    unread: tuple[UnreadBucket, ...]
    decay: DecayCounts
    stale: Stale
    alerts: tuple[Alert, ...] = ()
    hit_rate_alert: float | None = None
    """The rate below which the hit rate is an alert; drawn as a line."""
    categories: Mapping[Category, int] = field(default_factory=dict)
    """Active records by category, the most frequent first."""
    ages: tuple[int, int, int] = (0, 0, 0)
    """Active records made within 7 days, within 30 days, and before."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Totals over both homes. `empty`: there is no record, act or document at all yet.

    While the store is `away`, `total` counts what the project's documents hold, and the use of
    tiers is unknown. `unseen`: what these figures had to do without. `review` is how much waits
    for a yes or no, whatever its kind.
    """

    total: int
    tiers: tuple[TierUse, ...]
    homes: Mapping[Home, int]
    as_of: datetime
    disputes: int = 0
    candidates: int = 0
    pending: int = 0
    review: int = 0
    recent: tuple[Act, ...] = ()
    health: HealthView | None = None
    empty: bool = False
    away: bool = False
    unseen: tuple[Unseen, ...] = ()


class ReviewKind(StrEnum):
    """What waits for a person's yes or no, by where it comes from."""

    PENDING = "pending"
    CANDIDATE = "candidate"
    DUPLICATE = "duplicate"
    ARCHIVE = "archive"
    FORGET = "forget"
    REFUSED = "refused"


ReviewEffect = Literal[
    "new",
    "stored",
    "same",
    "proposed",
    "merged",
    "disputed",
    "document",
    "archived",
    "deleted",
    "blocked",
]
"""What a yes would do.

new: a record of its own; stored: nothing, the store has it already; same: counts as a read of
`other`; proposed: becomes a duplicate to review; merged: into `other`; disputed: stored, and the
difference from `other` waits in the queue; document: writes `places`; archived and deleted: the
record itself; blocked: nothing, for the reason in `problem`.
"""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A value that a yes writes: the document, the path in it, and both values."""

    file: str
    path: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing that waits for a yes or no, and what a yes would do.

    `key` names it; `mark` differs as soon as it, or what a yes would do, has changed. `text` is
    what it says, `at` when it was said (for what fades: since when it is unread), `actor` who
    said it. `merged_text` is what a merge into `other` would say. `similarity` is calibrated.
    """

    key: str
    mark: str
    kind: ReviewKind
    record: Record
    text: str
    at: datetime
    actor: str
    effect: ReviewEffect
    other: Record | None = None
    similarity: float | None = None
    merged_text: str | None = None
    places: tuple[DocumentChange, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A window into what waits of one kind, out of `total`."""

    items: tuple[ReviewItem, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """What became of all of a kind, as one act; `left` says per key why something still waits.

    With a dry run nothing was done: `items` is what a yes would be said to.
    """

    kind: ReviewKind
    items: tuple[ReviewItem, ...]
    receipts: tuple[Receipt, ...] = ()
    left: Mapping[str, str] = field(default_factory=dict)
    act_id: str | None = None
    note: str | None = None


CLEAN_UP_KINDS: frozenset[str] = frozenset({"maintain", "purge", "summarize"})
"""Kinds of acts that are runs of the clean-up."""


@dataclass(frozen=True, slots=True)
class ActivityQuery:
    """A filter over the journal. A set that is empty lets anything through.

    `kinds` are kinds of acts, and `hit` and `miss` for searches that found something or not.
    `since` is the earliest moment, `record_id` the one record that it has to be about.
    """

    actors: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    since: datetime | None = None
    record_id: str | None = None


@dataclass(frozen=True, slots=True)
class Activity:
    """One line of the journal: an act, or a search.

    `moved` is how many records the rules moved because of the act. `key` tells one line from
    another.
    """

    key: str
    what: Act | SearchLog
    moved: int = 0


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field before and after; None where there was or is nothing."""

    field: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class Change:
    """What an act did to one record or value.

    `text` is the record's text, or the place of a value of a document. `by_rules`: it was not
    done itself, rules did it because of the act.
    """

    record_id: str
    text: str
    did: Literal["created", "changed", "deleted"]
    fields: tuple[FieldChange, ...]
    by_rules: bool = False


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What undoing everything down to an act does, step by step.

    `acts` are taken back, or brought again where they were undone since then (`undone_by`).
    `stay` cannot be taken back: edits of documents outside this program, rows of expired records
    that were removed, refused texts. `receipt` is None for a plan that was not carried out.
    """

    acts: tuple[Act, ...]
    stay: tuple[Act, ...]
    receipt: Receipt | None = None

    @property
    def records(self) -> int:
        """How many changes of records and values go back or come again."""
        return sum(act.records for act in self.acts)


NextStep = Literal["stays", "short-term-when-full", "long-term", "asked", "expires"]
"""What the rules do with a record next: `asked` is the question whether to archive or forget."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What becomes of a record that nobody reads or changes. Shares are 0..1.

    `curve` holds its retention at equal steps from now to `days` ahead. `at` is None where the
    step hangs on other records, or there is none.
    """

    retention: float
    curve: tuple[float, ...]
    days: int
    step: NextStep
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """How much waits for a person. While the store is away only `pending` is known."""

    pending: int = 0
    disputes: int = 0
    candidates: int = 0
    text: str = ""
    """The same as a sentence, empty when nothing waits."""

    def __bool__(self) -> bool:
        return bool(self.pending or self.disputes or self.candidates)


@dataclass(frozen=True, slots=True)
class LineProblem:
    """Something wrong in a document. Lines count from 1; None means the whole file."""

    line: int | None
    message: str
    severity: Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class DocumentNode:
    """One key or item of a document. `value` is the text of a single value, None of a group.

    `path` is how the writing verbs name it, `line` where it stands, from 1.
    """

    path: str
    name: str
    value: str | None
    line: int
    children: tuple[DocumentNode, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document as it lies there. `file` is its name inside the memory folder."""

    file: str
    path: Path
    modified: datetime
    problems: tuple[LineProblem, ...]
    nodes: tuple[DocumentNode, ...]

    @property
    def damaged(self) -> bool:
        """Whether it cannot be read, so that nothing of it is known and it is never written."""
        return not self.nodes and any(problem.severity == "error" for problem in self.problems)


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """A kept version of a document; `number` 1 is the newest. `size` is in bytes."""

    number: int
    at: datetime
    size: int


@dataclass(frozen=True, slots=True)
class CommittedValue:
    """A value that differs from the last commit of its document; None where there is none.

    `commit`, `author` and `at` are of that commit, empty for a document that is in none.
    """

    file: str
    path: str
    old: str | None
    new: str | None
    commit: str = ""
    author: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class GitView:
    """What git says of a project's documents: the branch, and what is not committed."""

    branch: str
    changed: tuple[CommittedValue, ...]


@dataclass(frozen=True, slots=True)
class ActCount:
    """How many acts of a kind somebody did in a period, and how much these changed."""

    actor: str
    kind: str
    acts: int
    records: int


@dataclass(frozen=True, slots=True)
class ImportantChange:
    """One change of an important record: who, when, what it says, and the fields that changed.

    `fields` is empty for a record that came to be or was deleted.
    """

    at: datetime
    actor: str
    did: Literal["created", "changed", "deleted"]
    record_id: str
    text: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that an actor wanted and the user's settings do not allow, in words."""

    at: datetime
    actor: str
    summary: str


@dataclass(frozen=True, slots=True)
class PeriodReport:
    """What happened to the memory in a period, how well it is, and what waits for the person.

    Times are aware, in the person's own zone. `hits` of `searches` found something; those of
    the period before of the same length stand beside them. `waiting` counts what waits for a yes
    or no by its kind, `disputes` the open ones. `unseen`: what all this had to do without.
    """

    since: datetime
    until: datetime
    counts: tuple[ActCount, ...]
    important: tuple[ImportantChange, ...]
    refusals: tuple[Refusal, ...]
    searches: int
    hits: int
    searches_before: int
    hits_before: int
    health: HealthView
    waiting: Mapping[ReviewKind, int]
    disputes: int
    unseen: tuple[Unseen, ...] = ()
