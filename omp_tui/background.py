"""Slow calls in threads, their answers as messages.

Every call has a lane: whose it is and what for. A lane runs one call at a time; of the calls
that wait in it only the newest is kept, unless the caller wants all of them done. So nine
keystrokes are one or two searches, and a change that was asked for is never dropped. What a
person asked for is never dropped by a refresh either.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from textual.app import App
from textual.message import Message
from textual.message_pump import MessagePump

from omp_core.errors import OmpError
from omp_tui.messages import CallFailed

T = TypeVar("T")


class Lane(NamedTuple):
    """Whose calls these are (a mode, a dialog, the app) and what they are for."""

    owner: str
    purpose: str


APP = "app"
STAMP = Lane(APP, "stamp")
STANDING = Lane(APP, "standing")
OVERVIEW = Lane(APP, "overview")
WRITE = Lane(APP, "write")
"""Every change that a person asks for, one after the other."""
IMPORT = Lane(APP, "import")
EMBED = Lane(APP, "embed")

CHANGES: tuple[Lane, ...] = (IMPORT, WRITE)
"""The lanes whose calls change something: leaving while one runs has to be asked for."""
_SHOWN = (*CHANGES, EMBED)
"""The lanes whose calls are worth a line on the screen while they run."""


@dataclass(slots=True)
class _Job:
    run: Callable[[], None]
    what: Callable[[], str | None] | None
    refresh: bool


@dataclass(frozen=True, slots=True)
class Work:
    """Something long that is being done. `said`: it tells how far it is, None if it cannot."""

    lane: Lane
    seconds: float
    waiting: int
    said: str | None


class Background:
    """Runs calls in worker threads of an app and posts what they return."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._guard = threading.Lock()
        self._waiting: dict[Lane, deque[_Job]] = {}
        self._busy: set[Lane] = set()
        self._running: dict[Lane, tuple[_Job, float]] = {}
        self.failures = 0
        """How many changes have ended in an error so far."""

    def ask(
        self,
        lane: Lane,
        call: Callable[[], T],
        answer: Callable[[T], Message],
        to: MessagePump,
        *,
        failed: Callable[[OmpError], Message] | None = None,
        keep_all: bool = False,
        refresh: bool = False,
        what: Callable[[], str | None] | None = None,
    ) -> None:
        """Run `call` in a thread and post `answer` of its result to `to`.

        `refresh`: nobody asked for it, so it replaces only what nobody asked for. `what` says
        how far it is, while it runs. An OmpError is posted to `to` as `failed` makes it, else
        as CallFailed. Any other exception ends the worker; the app reports it.
        """
        job = _Job(partial(self._run, lane, call, answer, to, failed), what, refresh)
        with self._guard:
            waiting = self._waiting.setdefault(lane, deque())
            if not keep_all:
                kept = [one for one in waiting if refresh and not one.refresh]
                waiting.clear()
                waiting.extend(kept)
            waiting.append(job)
            if lane in self._busy:
                return
            self._busy.add(lane)
        self._app.run_worker(
            partial(self._drain, lane),
            name=".".join(lane),
            group=".".join(lane),
            thread=True,
            exit_on_error=False,
        )

    @property
    def idle(self) -> bool:
        """Whether no call runs or waits, periodic looks and the loading of the model aside."""
        return not self._at_work - {STAMP, STANDING, EMBED}

    @property
    def at_rest(self) -> bool:
        """Whether no call runs or waits but the periodic look at the stamp."""
        return not self._at_work - {STAMP}

    @property
    def busy(self) -> bool:
        """Whether any call at all runs."""
        return bool(self._at_work)

    def changes(self) -> list[Work]:
        """Return the changes that are being made now."""
        return [work for work in self.works() if work.lane in CHANGES]

    def works(self) -> list[Work]:
        """Return the changes that are being made, and other long work."""
        now = time.monotonic()
        with self._guard:
            running = [
                (lane, *self._running[lane], len(self._waiting[lane]))
                for lane in _SHOWN
                if lane in self._running
            ]
        return [
            Work(lane, now - since, waiting, job.what() if job.what is not None else None)
            for lane, job, since, waiting in running
        ]

    @property
    def _at_work(self) -> set[Lane]:
        with self._guard:
            return set(self._busy)

    def _drain(self, lane: Lane) -> None:
        job = self._next(lane)
        try:
            while job is not None:
                job.run()
                job = self._next(lane)
        finally:
            if job is not None:
                self._count_failure(lane)
                with self._guard:
                    self._busy.discard(lane)
                    del self._running[lane]

    def _next(self, lane: Lane) -> _Job | None:
        with self._guard:
            self._running.pop(lane, None)
            waiting = self._waiting[lane]
            if waiting:
                job = waiting.popleft()
                self._running[lane] = (job, time.monotonic())
                return job
            self._busy.discard(lane)
            return None

    def _count_failure(self, lane: Lane) -> None:
        if lane in CHANGES:
            self.failures += 1

    def _run(
        self,
        lane: Lane,
        call: Callable[[], T],
        answer: Callable[[T], Message],
        to: MessagePump,
        failed: Callable[[OmpError], Message] | None,
    ) -> None:
        try:
            message = answer(call())
        except OmpError as error:
            self._count_failure(lane)
            message = failed(error) if failed is not None else CallFailed(lane, error)
        if not to.post_message(message):
            self._app.post_message(message)
