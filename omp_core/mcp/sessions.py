"""The memory behind the server, and the threads that work on it.

Nothing is opened before the first call. The threads stay as long as the server does, because
each has a connection of its own to the store.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from omp_core.errors import OmpError
from omp_core.language.terminal import one_line
from omp_core.mcp.registry import Answer, Call, Tool
from omp_core.model import Json

if TYPE_CHECKING:
    from omp_core.memory import Memory

_log = logging.getLogger(__name__)

_THREADS = 8
_LONGEST_NAME = 64
_REST_S = 1.0
"""So long after a write its record waits for others, to find their themes together."""
_OFF = frozenset({"0", "false", "no", "off"})
AUTO_PURGE = "OMP_AUTO_PURGE"
"""Environment variable that, when set, decides instead of `store.auto_purge`."""

_Value = TypeVar("_Value")


class Doors:
    """One memory for all clients of a server; each acts under a name of its own."""

    def __init__(
        self, *, workspace: Path | None = None, store: Path | None = None, actor: str | None = None
    ) -> None:
        self._workspace = workspace
        self._store = store
        self._actor = actor
        self._memory: Memory | None = None
        self._opening = threading.Lock()
        self._pool = ThreadPoolExecutor(_THREADS, "mcp")
        self._running: set[Future[Any]] = set()
        self._guard = threading.Lock()
        self._closing = threading.Event()
        self._begun = False
        self._themes_wait = False

    def actor(self, client: str | None) -> str:
        """Return who a client is in the journal: as the command line says, else by its name."""
        if self._actor is not None:
            return self._actor
        from omp_core.secrets import redact, scan

        told = client or ""
        name = "-".join(one_line(redact(told, scan(told)), _LONGEST_NAME).split())
        return f"agent:{name or 'unnamed'}"

    async def answer(self, tool: Tool, client: str | None, given: Mapping[str, Json]) -> Answer:
        """Call a tool in a thread of its own. Raises OmpError."""
        work = partial(self._answer, tool, self.actor(client), given)
        return await asyncio.wrap_future(self._submit(work))

    def _answer(self, tool: Tool, actor: str, given: Mapping[str, Json]) -> Answer:
        from omp_core.mcp.actors import acting_as

        @contextmanager
        def for_the_user() -> Iterator[None]:
            with acting_as(f"user via {actor}"):
                yield

        call = Call(self._opened(), for_the_user, self._embed_later)
        with acting_as(actor):
            answer = tool.answer(call, given)
        if tool.effect != "reads":
            self._themes_later()
        return answer

    def _opened(self) -> Memory:
        """Return the memory. Settings that cannot be read are tried again by the next call."""
        from omp_core.mcp.actors import current_actor
        from omp_core.memory import Memory

        with self._opening:
            if self._memory is None:
                self._memory = Memory.open(
                    workspace=self._workspace, store=self._store, actor=current_actor
                )
            return self._memory

    # in the background

    def begin(self) -> None:
        """Once a client is served: purge what has expired, then make ready what takes long."""
        if not self._begun:
            self._begun = True
            self._in_background(self._prepare)

    def _prepare(self) -> None:
        memory = self._opened()
        if purges(memory.settings.store.auto_purge):
            receipt = memory.purge()
            _log.info("purge at start: %s", receipt.note)
        memory.capabilities()
        memory.embedding.embedder()
        self._embed()
        memory.backups.make_daily()

    def _embed_later(self) -> None:
        self._in_background(self._embed)

    def _embed(self) -> None:
        memory = self._opened()
        embedder = memory.embedding.embedder()
        if embedder is not None and not self._closing.is_set():
            embedder.warm()
            memory.embedding.embed_missing(cancelled=self._closing.is_set)

    def _themes_later(self) -> None:
        """Let the themes follow once a burst of writes is over; one follower waits at a time."""
        with self._guard:
            if self._themes_wait:
                return
            self._themes_wait = True
        self._in_background(self._follow_themes)

    def _follow_themes(self) -> None:
        ended = self._closing.wait(_REST_S)
        with self._guard:
            self._themes_wait = False
        if not ended:
            self._opened().themes.keep_up()

    def _in_background(self, work: Callable[[], object]) -> None:
        def guarded() -> None:
            try:
                work()
            except OmpError as error:
                _log.warning("in the background: %s", error)

        if not self._closing.is_set():
            self._submit(guarded).add_done_callback(_log_failure)

    # threads

    def _submit(self, work: Callable[[], _Value]) -> Future[_Value]:
        future = self._pool.submit(work)
        with self._guard:
            self._running.add(future)
        future.add_done_callback(self._ended)
        return future

    def _ended(self, future: Future[_Value]) -> None:
        with self._guard:
            self._running.discard(future)

    def close(self, seconds: float) -> bool:
        """Let calls that were begun end, at most so long, and close the memory.

        Returns False when some have not ended; then nothing was closed under them.
        """
        self._closing.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._guard:
            running = set(self._running)
        if wait(running, seconds).not_done:
            return False
        if self._memory is not None:
            self._memory.close()
        return True


def purges(setting: bool) -> bool:
    """Return whether expired rows are removed at start."""
    word = os.environ.get(AUTO_PURGE, "").strip().lower()
    return setting if not word else word not in _OFF


def _log_failure(future: Future[None]) -> None:
    if not future.cancelled() and future.exception() is not None:
        _log.error("in the background", exc_info=future.exception())
