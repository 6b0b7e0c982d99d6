"""Threads for calls that may take long, and that nobody has to wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeAlias, TypeVar

from omp_core.errors import OmpError

_Value = TypeVar("_Value")
_Calls: TypeAlias = "SimpleQueue[Callable[[], None] | None]"


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
        self._calls: _Calls = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ending = False
        self._lock = threading.Lock()

    def ask(self, call: Callable[[], _Value]) -> Reply[_Value]:
        """Let the thread make a call after those that wait already."""
        reply: Reply[_Value] = Reply()
        with self._lock:
            if self._ending or self._thread is None or not self._thread.is_alive():
                self._calls, self._ending = SimpleQueue(), False
                self._thread = threading.Thread(
                    target=_work, args=(self._calls,), name=self._name, daemon=True
                )
                self._thread.start()
            self._calls.put(lambda: reply.fill(call))
        return reply

    def end(self) -> threading.Thread | None:
        """Let the thread end when the calls that wait are made, and return it if it lives."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                return None
            if not self._ending:
                self._calls.put(None)
                self._ending = True
            return self._thread


def _work(calls: _Calls) -> None:
    while (call := calls.get()) is not None:
        call()
