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

import msgspec

from omp_core.errors import OmpError
from omp_core.mcp.registry import Answer, Call, Tool
from omp_core.model import Json

if TYPE_CHECKING:
    from omp_core.mcp.places import CallerPlaces
    from omp_core.memory import Memory
    from omp_core.settings import Settings
    from omp_core.types import Embedder, Place

_log = logging.getLogger(__name__)

_THREADS = 8
_LONGEST_NAME = 64
_REST_S = 1.0
"""So long after a write its record waits for others, to find their themes together."""
_OFF = frozenset({"0", "false", "no", "off"})
AUTO_PURGE = "OMP_AUTO_PURGE"
"""Environment variable that, when set, decides instead of `store.auto_purge`."""

_Value = TypeVar("_Value")


class ClientSessions:
    """The memories behind a server, one for each directory that its clients work in.

    Each client acts under a name of its own. All share one model.
    """

    def __init__(self, *, store: Path | None = None, actor: str | None = None) -> None:
        self._store = store
        self._actor = actor
        self._memories: dict[Path | None, Memory] = {}
        self._embedders: dict[bytes, Embedder | None] = {}
        self._opening = threading.Lock()
        self._pool = ThreadPoolExecutor(_THREADS, "mcp")
        self._running: set[Future[Any]] = set()
        self._guard = threading.Lock()
        self._closing = threading.Event()
        self._loading = threading.Lock()
        self._begun = False
        self._themes_wait: set[Memory] = set()

    def actor(self, client: str | None) -> str:
        """Return who a client is in the journal: as the command line says, else by its name."""
        if self._actor is not None:
            return self._actor
        from omp_core.memory import Memory

        return Memory.agent(client or "")

    async def answer(
        self, tool: Tool, client: str | None, place: Place, given: Mapping[str, Json]
    ) -> Answer:
        """Call a tool about the project of a place, in a thread of its own. Raises OmpError."""
        work = partial(self._answer, tool, self.actor(client), place, given)
        return await asyncio.wrap_future(self._submit(work))

    def _answer(self, tool: Tool, actor: str, place: Place, given: Mapping[str, Json]) -> Answer:
        from omp_core.mcp.actors import acting_as

        @contextmanager
        def for_the_user() -> Iterator[None]:
            with acting_as(f"user via {actor}"):
                yield

        memory = self._opened(place)
        call = Call(memory, for_the_user, partial(self._embed_later, memory))
        with acting_as(actor):
            answer = tool.answer(call, given)
        if tool.effect != "reads":
            self._themes_later(memory)
        return answer

    def _opened(self, place: Place) -> Memory:
        """Return the memory of a place, and with the first one make ready what takes long.

        Settings that cannot be read are tried again by the next call.
        """
        from omp_core.mcp.actors import current_actor
        from omp_core.memory import Memory

        with self._opening:
            memory = self._memories.get(place.directory)
            if memory is None:
                memory = Memory.open(
                    workspace=place,
                    store=self._store,
                    actor=current_actor,
                    load_embedder=self._shared_embedder,
                )
                self._memories[place.directory] = memory
                self._in_background(partial(self._prepare, memory))
            return memory

    def _shared_embedder(self, settings: Settings) -> Embedder | None:
        """Return the model of these settings, loaded once however many projects use it."""
        from omp_core.memory import load_embedder

        key = msgspec.json.encode(settings.embed)
        with self._loading:
            if key not in self._embedders:
                self._embedders[key] = load_embedder(settings)
            return self._embedders[key]

    # in the background

    def begin(self, places: CallerPlaces) -> None:
        """Once a client is served: open the memory of where the server was started."""
        if not self._begun:
            self._begun = True
            self._in_background(lambda: self._opened(places.at_start()))

    def _prepare(self, memory: Memory) -> None:
        """Purge what has expired, then make ready what takes long."""
        if purges(memory.settings.store.auto_purge):
            receipt = memory.purge()
            _log.info("purge at start: %s", receipt.note)
        memory.capabilities()
        memory.embedding.embedder()
        self._embed(memory)
        memory.backups.make_daily()

    def _embed_later(self, memory: Memory) -> None:
        self._in_background(partial(self._embed, memory))

    def _embed(self, memory: Memory) -> None:
        embedder = memory.embedding.embedder()
        if embedder is not None and not self._closing.is_set():
            embedder.warm()
            memory.embedding.embed_missing(cancelled=self._closing.is_set)

    def _themes_later(self, memory: Memory) -> None:
        """Let the themes follow once a burst of writes is over; one follower waits at a time."""
        with self._guard:
            if memory in self._themes_wait:
                return
            self._themes_wait.add(memory)
        self._in_background(partial(self._follow_themes, memory))

    def _follow_themes(self, memory: Memory) -> None:
        ended = self._closing.wait(_REST_S)
        with self._guard:
            self._themes_wait.discard(memory)
        if not ended:
            memory.themes.keep_up()

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
        for memory in self._memories.values():
            memory.close()
        return True


def purges(setting: bool) -> bool:
    """Return whether expired rows are removed at start."""
    word = os.environ.get(AUTO_PURGE, "").strip().lower()
    return setting if not word else word not in _OFF


def _log_failure(future: Future[None]) -> None:
    if not future.cancelled() and future.exception() is not None:
        _log.error("in the background", exc_info=future.exception())
