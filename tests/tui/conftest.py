"""A memory in a dictionary, and a dashboard driven over it without a terminal."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from omp_core.errors import NotFoundError, OmpError
from omp_core.model import (
    Act,
    Capability,
    Category,
    Dispute,
    DisputeKind,
    Hit,
    Home,
    Importance,
    JournalEntry,
    Json,
    Order,
    Query,
    Receipt,
    Record,
    Scope,
    ScorePart,
    SearchAnswer,
    SearchMode,
    Stamp,
    Tier,
)
from omp_core.project.paths import parse_path
from omp_core.project.writers import Change, Decision, Episode
from omp_core.rules.health import HealthAlert
from omp_core.services.imports import ImportReport, ImportRow, Progress
from omp_core.settings import Settings
from omp_core.views import (
    DecayCounts,
    HealthRow,
    HealthView,
    HitRate,
    Overview,
    Page,
    Stale,
    TierUse,
    UnreadBucket,
)
from omp_tui.app import DashboardApp
from omp_tui.snapshot import shows_data

NOW = datetime(2026, 3, 1, 14, 32, 8, tzinfo=UTC)
PARTS = (
    ScorePart("keyword", 0.98, 0.56),
    ScorePart("semantic", 0.91, 0.38),
    ScorePart("recency", 0.8, 0.03),
    ScorePart("importance", 1.0, 0.03),
)
TEXTS = (
    "用户偏好 pytest，不用 unittest",
    "CI runs pytest -q with xdist on two workers",
    "单元测试覆盖率目标 80%，低于它不合并",
    "Deploys go to Vercel; the production domain is shop.example",
    "Postgres 16, migrations by alembic, never by hand",
    "Prefers short commit messages in the imperative",
    "前端用 Vue 3 与 Vite，状态管理用 Pinia",
    "The API answers with RFC 9457 problem documents 🙂",
)


@dataclass(frozen=True, slots=True)
class Place:
    root: Path


State = tuple[dict[str, Record], dict[str, Json], list[Any]]


def record(number: int, **fields: Any) -> Record:
    """Return the record `m<number>`, `number` hours old."""
    at = NOW - timedelta(hours=number)
    tiers, categories = tuple(Tier), tuple(Category)
    values: dict[str, Any] = {
        "id": f"m{number}",
        "content": f"{TEXTS[number % len(TEXTS)]} ({number})",
        "created_at": at,
        "updated_at": at,
        "tier": tiers[number % 4],
        "category": categories[number % 9],
        "importance": tuple(Importance)[number % 3],
        "scope": Scope(user_id="ana", app_id="acme_shop-api"),
        "access_count": number % 20,
        "last_accessed": at if number % 3 else None,
        "tags": frozenset({"ci", "测试"}) if number % 2 else frozenset(),
        "stamps": {"content": Stamp(1, "user", at)},
    }
    return Record(**{**values, **fields})


def dispute(number: int, current: Any = "dark", incoming: Any = "auto") -> Dispute:
    return Dispute(
        id=f"d{number}",
        field="content",
        kind=DisputeKind.SAME_FIELD,
        current=current,
        incoming=incoming,
        current_actor="agent:claude",
        incoming_actor="agent:codex",
        current_at=NOW - timedelta(hours=2),
        incoming_at=NOW - timedelta(hours=1),
        base_version=1,
    )


ACTIONS = {
    "working-full": "promote-working",
    "short-term-full": "move-short-term",
    "hit-rate-low": "suggest-hybrid",
    "disputes-waiting": "open-conflicts",
    "stale": "archive-stale",
    "long-term-large": "review-long-term",
    "important-modified": "show-audit",
}


def alert(name: Any, message: str, cure: str, number: int | None = None) -> HealthAlert:
    level = "info" if name in ("stale", "long-term-large", "important-modified") else "warning"
    return HealthAlert(level, message, cure, ACTIONS[name], name, number)


def health(**fields: Any) -> HealthView:
    values: dict[str, Any] = {
        "score": 78,
        "grade": "good",
        "rows": (
            HealthRow("active", "71 %", "> 60", True),
            HealthRow("rot", "12 %", "< 20", True),
            HealthRow("confidence", ".83", "> .70", True),
            HealthRow("conflict", "6 %", "< 5", False, 1.2, "6 of 100 records have disputes."),
        ),
        "hit_rate": HitRate(
            by_day=tuple(None if day in (3, 4, 11) else 0.3 + 0.02 * day for day in range(30)),
            last_7d=0.72,
            last_30d=0.65,
            searches_7d=41,
            searches_30d=160,
            trend="improving",
        ),
        "unread": (
            UnreadBucket(0, 7, 60),
            UnreadBucket(7, 30, 120),
            UnreadBucket(30, 90, 31),
            UnreadBucket(90, 180, 19),
            UnreadBucket(180, None, 4),
        ),
        "decay": DecayCounts(270, 64, 31, 15),
        "stale": Stale(23, 380, 0.06, 45.0),
        "alerts": (
            alert("working-full", "working memory 90 % full", "move the 2 oldest", 2),
            alert("disputes-waiting", "4 disputes wait, the oldest 2 days", "settle them"),
            alert("stale", "23 long-term memories unread 30 d", "look through them", 23),
        ),
        "hit_rate_alert": 0.3,
    }
    return HealthView(**{**values, **fields})


@dataclass
class FakeDocuments:
    """The facts of one document in a dictionary, and a list of entries."""

    memory: FakeMemory
    facts: dict[str, Json] = field(default_factory=dict)
    entries: list[Any] = field(default_factory=list)

    def value(self, path: str) -> Json:
        self.memory._called("value", path)
        parse_path(path)
        if path not in self.facts:
            raise NotFoundError(f"there is no {path} in project.yaml")
        return self.facts[path]

    def set_value(self, path: str, value: Json) -> Receipt:
        self.memory._called("set_value", (path, value))
        self.memory._remember()
        self.facts = {**self.facts, path: value}
        return self._written(f"set {path} in project.yaml to “{value}”")

    def add_decision(self, decision: Decision) -> Receipt:
        self.memory._called("add_decision", decision)
        return self._added("decision", decision.title)

    def add_change(self, change: Change) -> Receipt:
        self.memory._called("add_change", change)
        return self._added("change", change.summary)

    def add_session(self, episode: Episode) -> Receipt:
        self.memory._called("add_session", episode)
        return self._added("session", episode.summary)

    def _added(self, kind: str, text: str) -> Receipt:
        self.memory._remember()
        self.entries = [*self.entries, text]
        return self._written(f"added the {kind} “{text}”")

    def _written(self, note: str) -> Receipt:
        receipt = self.memory.next_receipt
        return receipt or Receipt("created", "document:x#y", self.memory._act("d", note), note=note)


@dataclass
class FakeMemory:
    """Counts its calls, fails on demand, and can be written to as if by another process."""

    records: dict[str, Record] = field(default_factory=dict)
    health_view: HealthView | None = None
    workspace: Place | None = field(default_factory=lambda: Place(Path("/home/ana/shop-api")))
    scope: Scope = field(default_factory=lambda: Scope(user_id="ana", app_id="acme_shop-api"))
    acts: list[Act] = field(default_factory=list)
    capability_list: tuple[Capability, ...] = (
        Capability("store", True, "sqlite", NOW),
        Capability("vectors", True, "use-m3", NOW),
        Capability("project", True, "shop-api", NOW),
    )
    errors: dict[str, OmpError | Exception] = field(default_factory=dict)
    calls: list[tuple[str, Any]] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    stamp: int = 0
    next_receipt: Receipt | None = None
    degraded: str | None = None
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        self.gate.set()
        self.gates: dict[str, threading.Event] = {}
        self.documents = FakeDocuments(self)
        self._journal: dict[str, list[JournalEntry]] = {}
        self._undo: list[State] = []
        self._redo: list[State] = []

    def _called(self, name: str, what: Any = None) -> None:
        self.gate.wait(20)
        self.gates.get(name, self.gate).wait(20)
        self.calls.append((name, what))
        if name in self.errors:
            raise self.errors[name]

    # reading

    def capabilities(self) -> tuple[Capability, ...]:
        self._called("capabilities")
        return self.capability_list

    def warm(self) -> None:
        self._called("warm")

    def change_stamp(self) -> Hashable:
        self._called("change_stamp")
        return self.stamp

    def overview(self) -> Overview:
        self._called("overview")
        records = list(self.records.values())
        count = {tier: sum(one.tier is tier for one in records) for tier in Tier}
        return Overview(
            total=len(records),
            tiers=(
                TierUse(Tier.WORKING, count[Tier.WORKING], 20),
                TierUse(Tier.SHORT_TERM, count[Tier.SHORT_TERM], 100),
                TierUse(Tier.LONG_TERM, count[Tier.LONG_TERM], None, 10_000),
                TierUse(Tier.IMPORTANT, count[Tier.IMPORTANT]),
            ),
            homes={home: sum(one.home is home for one in records) for home in Home},
            as_of=NOW,
            disputes=sum(bool(one.disputes) for one in records),
            recent=tuple(self.acts[-12:][::-1]),
            health=self.health_view,
            empty=not records and not self.acts,
        )

    def list(
        self,
        query: Query = Query(),  # noqa: B008 - a frozen value
        order: Order = "updated",
        descending: bool = True,
        offset: int = 0,
        limit: int = 50,
    ) -> Page:
        self._called("list", (query, order, descending, offset, limit))
        passing = [one for one in self.records.values() if _passes(one, query)]
        keys: dict[str, Any] = {
            "updated": lambda one: one.updated_at,
            "created": lambda one: one.created_at,
            "accessed": lambda one: one.last_accessed or datetime.min.replace(tzinfo=UTC),
            "content": lambda one: one.content,
            "tier": lambda one: one.tier,
            "access_count": lambda one: one.access_count,
        }
        if not (order == "updated" and descending and len(passing) > 5000):
            passing.sort(key=keys[order], reverse=descending)
        return Page(tuple(passing[offset : offset + limit]), len(passing))

    def search(
        self,
        text: str,
        *,
        mode: SearchMode,
        query: Query,
        limit: int,
        browse: bool = False,
    ) -> SearchAnswer:
        self._called("search", (text, mode, query, limit, browse))
        found = [
            one
            for one in self.records.values()
            if text.lower() in one.content.lower() and _passes(one, query)
        ]
        hits = tuple(
            Hit(one, round(0.95 - 0.01 * place, 2), PARTS)
            for place, one in enumerate(found[:limit])
        )
        return SearchAnswer(hits, len(found), mode, 1.0, self.degraded)

    def get(self, record_id: str) -> Record:
        self._called("get", record_id)
        if record_id not in self.records:
            raise NotFoundError(f"no record has the id {record_id!r}")
        return self.records[record_id]

    def history(self, record_id: str) -> tuple[JournalEntry, ...]:
        self._called("history", record_id)
        return tuple(self._journal.get(record_id, ()))

    # writing

    def elsewhere(self, *records: Record, actor: str = "agent:codex") -> None:
        """Write as another process does: nobody here is told."""
        new = {one.id: one for one in records}
        self.records = {**new, **{k: v for k, v in self.records.items() if k not in new}}
        self._act("add", f"added {len(records)}", actor)

    def _act(self, kind: str, summary: str, actor: str = "user") -> str:
        act = Act(f"a{len(self.acts)}", kind, actor, NOW, summary, 1)
        self.acts.append(act)
        self.stamp += 1
        return act.id

    def _remember(self) -> None:
        self._undo.append(self._state)
        self._redo.clear()

    @property
    def _state(self) -> State:
        return dict(self.records), dict(self.documents.facts), list(self.documents.entries)

    def _go_back(self, to: State) -> None:
        self.records, self.documents.facts, self.documents.entries = to

    def add(
        self,
        content: str,
        *,
        tier: Tier = Tier.SHORT_TERM,
        scope: Scope = Scope(),  # noqa: B008 - a frozen value
        category: Category = Category.FACT,
        importance: Importance = Importance.MEDIUM,
        tags: Sequence[str] | frozenset[str] = (),
        expires_at: datetime | None = None,
        force: bool = False,
    ) -> Receipt:
        self._called("add", (content, tier, scope, category, importance, tags, expires_at, force))
        if self.next_receipt is not None and not force:
            return self.next_receipt
        self._remember()
        new = Record(
            id=f"n{len(self.records)}",
            content=content,
            created_at=NOW,
            updated_at=NOW,
            tier=tier,
            scope=scope,
            category=category,
            importance=importance,
            tags=frozenset(tags),
            expires_at=expires_at,
        )
        self.records = {new.id: new, **self.records}
        return Receipt("created", new.id, self._act("add", f"added {content}"), new)

    def update(
        self, record_id: str, changes: Mapping[str, Any], *, based_on: int | None = None
    ) -> Receipt:
        self._called("update", (record_id, dict(changes), based_on))
        before = self.get(record_id)
        if before.version != based_on:
            return Receipt("disputed", record_id, "a", before, (dispute(1),))
        self._remember()
        fields = dict(changes)
        if "tags" in fields:
            fields["tags"] = frozenset(fields["tags"])
        after = replace(before, version=before.version + 1, updated_at=NOW, **fields)
        self.records[record_id] = after
        act = self._act("update", f"changed {record_id}")
        self._journal.setdefault(record_id, []).append(
            JournalEntry(
                act,
                "update",
                "user",
                NOW,
                record_id,
                after.version,
                {name: getattr(before, name) for name in changes},
                {name: getattr(after, name) for name in changes},
            )
        )
        return Receipt("updated", record_id, act, after)

    def delete(self, record_ids: Sequence[str]) -> Receipt:
        self._called("delete", tuple(record_ids))
        self._remember()
        self.records = {k: v for k, v in self.records.items() if k not in set(record_ids)}
        note = f"deleted {len(record_ids)}"
        return Receipt("deleted", record_ids[0], self._act("delete", note), note=note)

    def set_tier(self, record_ids: Sequence[str], tier: Tier) -> Receipt:
        self._called("set_tier", (tuple(record_ids), tier))
        self._remember()
        moved = {one: replace(self.records[one], tier=tier) for one in record_ids}
        self.records = {**self.records, **moved}
        note = f"moved {len(record_ids)} to {tier}"
        return Receipt("updated", record_ids[0], self._act("tier", note), note=note)

    def fix(self, alert_id: str) -> Receipt:
        self._called("fix", alert_id)
        ids = [one.id for one in self.records.values() if one.tier is Tier.WORKING]
        return self.set_tier(ids[-2:], Tier.SHORT_TERM)

    def undo(self) -> Receipt:
        self._called("undo")
        if not self._undo:
            raise NotFoundError("there is nothing to undo")
        self._redo.append(self._state)
        self._go_back(self._undo.pop())
        return Receipt("updated", "", self._act("undo", "undid it"), note="undid it")

    def redo(self) -> Receipt:
        self._called("redo")
        if not self._redo:
            raise NotFoundError("there is nothing to redo")
        self._undo.append(self._state)
        self._go_back(self._redo.pop())
        return Receipt("updated", "", self._act("redo", "redid it"), note="redid it")

    def init_workspace(self) -> Sequence[Path]:
        self._called("init_workspace")
        self.workspace = Place(Path("/home/ana/fresh"))
        self._act("document", "set up")
        return [Path("/home/ana/fresh/_omp/config.yaml")]

    def import_file(self, path: Path, *, progress: Progress | None = None) -> ImportReport:
        if progress is not None:
            progress(500)
        self._called("import_file", path)
        self.elsewhere(record(1), record(2), actor="user")
        rows = (
            ImportRow("row 1", "added", "m1"),
            ImportRow("row 2", "added", "m2"),
            ImportRow("row 3", "refused", None, "it is empty [/b]"),
        )
        return ImportReport("mem0", False, rows)


def _passes(one: Record, query: Query) -> bool:
    scope = query.scope
    return (
        (not query.tiers or one.tier in query.tiers)
        and (not query.categories or one.category in query.categories)
        and (not query.statuses or one.status in query.statuses)
        and (query.disputed is None or bool(one.disputes) == query.disputed)
        and (query.unread_since is None or (one.last_accessed or NOW) < query.unread_since)
        and (scope.user_id is None or scope.user_id == one.scope.user_id)
        and (scope.app_id is None or scope.app_id == one.scope.app_id)
    )


def filled(count: int, **fields: Any) -> FakeMemory:
    """Return a memory of `count` records, m1 the newest."""
    made = [record(number) for number in range(1, count + 1)]
    return FakeMemory({one.id: one for one in made}, **fields)


class Driven:
    """A running dashboard: keys go in, what stands on the screen comes out."""

    def __init__(self, app: DashboardApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        await self.pilot.press(*text)

    async def until(self, condition: Callable[[], object], what: str = "it") -> None:
        """Wait for a condition, ten seconds at most."""
        for _number in range(500):
            if condition():
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"waited for {what} in vain; the screen shows:\n{self.text}")

    async def settle(self) -> None:
        """Wait until everything that was asked for is on the screen."""
        await self.pilot.pause()
        await self.until(lambda: shows_data(self.app), "the data")
        await self.pilot.pause()

    async def shows(self, *texts: str) -> None:
        """Wait until each text stands somewhere on the screen."""

        def all_there() -> bool:
            now = self.text  # drawn once, not once for each text
            return all(text in now for text in texts)

        await self.until(all_there, f"{texts}")

    @property
    def text(self) -> str:
        """What the screen shows, line by line."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    @property
    def toasts(self) -> list[str]:
        return [one.message for one in self.app._notifications]

    def query(self, selector: str) -> Widget:
        return self.app.screen.query_one(selector)


Open = Callable[..., AbstractAsyncContextManager[Driven]]


@pytest.fixture
def faults(caplog: pytest.LogCaptureFixture) -> Iterator[list[logging.LogRecord]]:
    """What the program reported as its own faults; a test that expects one empties the list."""
    found: list[logging.LogRecord] = []
    yield found
    caught = [one for one in caplog.get_records("call") if one.levelno >= logging.ERROR]
    assert [one.getMessage() for one in caught] == [one.getMessage() for one in found]


@pytest.fixture
def dashboard(faults: list[logging.LogRecord]) -> Open:
    """Open a dashboard on a memory, with notifications and tooltips as in a terminal."""

    @asynccontextmanager
    async def opened(
        memory: FakeMemory,
        start: str = "overview",
        *,
        size: tuple[int, int] = (120, 40),
        wait: bool = True,
    ) -> AsyncIterator[Driven]:
        app = DashboardApp(memory, start=start, now=lambda: NOW, look_every_s=0.15)
        async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
            driven = Driven(app, pilot)
            if wait:
                await driven.settle()
            yield driven

    return opened


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def make_memory() -> Callable[..., FakeMemory]:
    """Return a memory of `count` records, m1 the newest."""
    return filled


@pytest.fixture
def make_record() -> Callable[..., Record]:
    return record


@pytest.fixture
def make_dispute() -> Callable[..., Dispute]:
    return dispute


@pytest.fixture
def make_alert() -> Callable[..., HealthAlert]:
    return alert


@pytest.fixture
def make_health() -> Callable[..., HealthView]:
    return health
