"""What the tests of the dashboard share: a real memory whose calls can be watched, held up and
made to fail, and a dashboard driven over it without a terminal."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol, cast

from textual.pilot import Pilot
from textual.widget import Widget

from omp_core.formats import saved
from omp_core.memory import Memory
from omp_core.model import (
    Category,
    Dispute,
    DisputeKind,
    Importance,
    Record,
    Scope,
    Stamp,
    Tier,
)
from omp_core.rules.health.alerts import alerts_of
from omp_core.rules.health.figures import HealthInput
from omp_core.settings import EmbedSettings, Settings
from omp_core.views import (
    Alert,
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
_PATIENCE_S = 60.0
_UNWATCHED = ("forecast",)
"""What reads nothing, and so is asked on the loop of the interface."""
_FACETS = ("documents", "embedding", "journal", "themes", "review")


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


def alert(name: str, message: str, cure: str, number: int | None = None) -> Alert:
    """Return an alert as the rules make it, with other words and another number."""
    given = HealthInput(disputes_open=4, oldest_dispute_days=2.0, important_changes_7d=1)
    capacity = (
        TierUse(Tier.WORKING, 20, 20),
        TierUse(Tier.SHORT_TERM, 100, 100),
        TierUse(Tier.LONG_TERM, 10_000, None, 10_000),
    )
    stale = Stale(number or 23, 40, 0.6)
    raised = alerts_of(given, Settings(), capacity, HitRate(last_7d=0.2), stale, NOW)
    made = next(one for one in raised if one.id == name)
    fix = made.fix and replace(made.fix, most=made.fix.most and number)
    return replace(made, message=message, cure=cure, number=number, fix=fix)


def health(**fields: Any) -> HealthView:
    """Return a state of the memory with something of everything in it."""
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
            by_day=(None,) * 60
            + tuple(None if day in (3, 4, 11) else 0.3 + 0.02 * day for day in range(30)),
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


@dataclass(slots=True)
class Wire:
    """What the recorder does with calls of a name, whichever part of the door they go to."""

    calls: list[tuple[str, Any]]
    errors: dict[str, Exception]
    answers: dict[str, Callable[[Any], Any]]
    instead: dict[str, Callable[..., Any]]
    gates: dict[str, threading.Event]


class Recorder:
    """Stands before a real memory: notes its calls, holds them at gates, raises on demand.

    `answers[name]` is given what the memory answered and says what to answer; `instead[name]` is
    called in the place of the memory.
    """

    def __init__(
        self, memory: Memory, reopen: Callable[[str, datetime], Memory], place: Path
    ) -> None:
        self._memory = memory
        self._reopen = reopen
        self._place = place
        self._wire = Wire([], {}, {}, {}, {})
        self.gate = threading.Event()
        self.gate.set()

    @property
    def real(self) -> Memory:
        """The memory itself; calls of it are not noted."""
        return self._memory

    @property
    def as_memory(self) -> Memory:
        """This recorder where a memory is wanted."""
        return cast(Memory, self)

    @property
    def calls(self) -> list[tuple[str, Any]]:
        return self._wire.calls

    @property
    def errors(self) -> dict[str, Exception]:
        return self._wire.errors

    @property
    def answers(self) -> dict[str, Callable[[Any], Any]]:
        return self._wire.answers

    @property
    def instead(self) -> dict[str, Callable[..., Any]]:
        return self._wire.instead

    @property
    def gates(self) -> dict[str, threading.Event]:
        return self._wire.gates

    def called(self, name: str) -> list[Any]:
        """Return the arguments of every call of a name, one alone as itself."""
        return [what for called, what in self.calls if called == name]

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._memory, name)
        if name in _UNWATCHED:
            return value
        if name in _FACETS:
            return _Facet(value, self)
        if callable(value):
            return self.watched(name, value)
        return self.answers[name](value) if name in self.answers else value

    def watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return `call` with its notes, gates, errors and answers."""

        def watching(*args: Any, **options: Any) -> Any:
            self.gate.wait(_PATIENCE_S)
            if name in self.gates:
                self.gates[name].wait(_PATIENCE_S)
            given = (*args, *options.values())
            self.calls.append((name, given[0] if len(given) == 1 else given or None))
            if name in self.errors:
                raise self.errors[name]
            answer = self.instead.get(name, call)(*args, **options)
            return self.answers[name](answer) if name in self.answers else answer

        return watching

    @property
    def store(self) -> Path:
        """The file of the user store."""
        return self._place.parent / "store.db"

    def document(self, name: str) -> Path:
        """Return the file of a document of the project."""
        workspace = self._memory.workspace
        assert workspace is not None
        return workspace.root / "_omp" / "memory" / name

    def saying(self, content: str) -> None:
        """Let every listed record say this: what a store of another make may hold."""

        def said(page: Page) -> Page:
            records = tuple(replace(one, content=content) for one in page.records)
            return Page(records, page.total)

        self.answers["list"] = said

    # as another process does: nobody here is told

    def elsewhere(self, *records: Record, actor: str = "agent:codex", at: datetime = NOW) -> None:
        """Write whole records, as they are; they arrive at `at`."""
        with self._reopen(actor, at) as other:
            file = self._place / f"written-{len(list(self._place.iterdir()))}.json"
            saved.save(file, records, at)
            other.load(file)

    def changed_elsewhere(
        self, record_id: str, changes: Mapping[str, Any], actor: str = "agent:codex"
    ) -> None:
        """Change a record from its present version."""
        with self._reopen(actor, NOW) as other:
            other.update(record_id, changes, based_on=other.get(record_id).version)

    def deleted_elsewhere(self, *record_ids: str, actor: str = "agent:codex") -> None:
        with self._reopen(actor, NOW) as other:
            other.delete(record_ids)


def show_health(memory: Recorder, view: HealthView) -> None:
    """Let the overview show this state instead of the true one."""

    def shown(overview: Overview) -> Overview:
        return replace(overview, health=view)

    memory.answers["overview"] = shown


class _Facet:
    """A part of the door, watched like the rest."""

    def __init__(self, part: Any, recorder: Recorder) -> None:
        self._part = part
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._part, name)
        return self._recorder.watched(name, value) if callable(value) else value


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

    async def answer(self, key: str) -> None:
        """Press a key once the dialog in front has been drawn."""
        await self.drawn()
        await self.pilot.press(key)

    async def drawn(self) -> None:
        """Wait until the dialog in front takes keys."""
        heeds = getattr(self.app.screen, "heeds_keys", None)
        if heeds is not None:
            await self.until(lambda: heeds(float("inf")), "the dialog")

    async def until(self, condition: Callable[[], object], what: str = "it") -> None:
        """Wait for a condition, a minute at most: other tests keep the machine busy."""
        end = time.monotonic() + _PATIENCE_S
        while time.monotonic() < end:
            if condition():
                return
            await self.pilot.pause(0.02)
        said = [notice.text for notice in self.app.notices.newest_first()]
        text = f"waited for {what} in vain; told: {said}; it shows:\n{self.text}"
        # a report with half a surrogate pair cannot be sent between the test processes
        raise AssertionError(text.encode("utf-8", "backslashreplace").decode("utf-8"))

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
        await self.drawn()

    async def told(self, *texts: str) -> None:
        """Wait until each text was said in a toast, whether or not that is gone by now."""

        def all_said() -> bool:
            said = "\n".join(notice.text for notice in self.app.notices.newest_first())
            return all(text in said for text in texts)

        await self.until(all_said, f"{texts} in a toast")

    @property
    def screen(self) -> Any:
        """The pane or dialog in front; a test knows which it is."""
        return self.app.screen

    @property
    def text(self) -> str:
        """What the screen shows, line by line."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    @property
    def toasts(self) -> list[str]:
        return [one.message for one in self.app._notifications]

    def query(self, selector: str) -> Any:
        """Return a widget of the screen in front."""
        return self.app.screen.query_one(selector, Widget)


class Open(Protocol):
    """Opens a dashboard on a memory."""

    def __call__(
        self,
        memory: Recorder,
        start: str = "overview",
        *,
        size: tuple[int, int] = (120, 40),
        wait: bool = True,
    ) -> AbstractAsyncContextManager[Driven]: ...


class MakeMemory(Protocol):
    """Makes a memory of `count` records, m1 the newest."""

    def __call__(
        self,
        count: int,
        *,
        project: bool = True,
        facts: str = "",
        health_view: HealthView | None = None,
    ) -> Recorder: ...


def open_memory(root: Path, actor: str = "user", at: datetime = NOW) -> Memory:
    """Open a memory whose store and project lie under `root`, at one moment for ever."""
    settings = Settings(embed=EmbedSettings(model="hashing"), user_id="ana", app_id="acme_shop-api")
    return Memory.open(
        workspace=root / "shop-api",
        store=root / "store.db",
        settings=settings,
        actor=actor,
        clock=lambda: at,
    )
