"""Threads for calls that may take long, and that nobody has to wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

from omp_core.errors import OmpError

_Value = TypeVar("_Value")


class Reply(Generic[_Value]):
    """What a call answers, once it does."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self.value: _Value | None = None
        self.error: OmpError | None = None

    @property
    def done(self) -> bool:
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long, and return whether the call has ended."""
        return self._done.wait(max(0.0, seconds))

    def fill(self, call: Callable[[], _Value]) -> None:
        """Make the call. What it raises besides our own errors is not held back."""
        try:
            self.value = call()
        except OmpError as error:
            self.error = error
        finally:
            self._done.set()


class Worker:
    """One thread that makes one call after the other; it does not keep the process alive."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def ask(self, call: Callable[[], _Value]) -> Reply[_Value]:
        """Let the thread make a call after those that wait already."""
        reply: Reply[_Value] = Reply()
        self._calls.put(lambda: reply.fill(call))
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
        return reply

    def finish(self, seconds: float) -> bool:
        """Let the thread end when its calls are made, and wait for that at most so long.

        Returns whether it has ended.
        """
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is None:
            return True
        self._calls.put(None)
        thread.join(max(0.0, seconds))
        return not thread.is_alive()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
