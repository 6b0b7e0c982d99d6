"""Background worker: one thread whose calls answer by `concurrent.futures.Future`.

An executor of the standard library joins its threads when the interpreter ends, for as long as a
locked store keeps them; these threads are daemons, which nobody has to wait for.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from queue import SimpleQueue
from typing import TypeAlias, TypeVar

from omp_core.errors import OmpError

_log = logging.getLogger(__name__)

_Value = TypeVar("_Value")
_Calls: TypeAlias = "SimpleQueue[Callable[[], None] | None]"


class Worker:
    """One thread that makes one call after the other; it does not keep the process alive."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: _Calls = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ending = False
        self._lock = threading.Lock()

    def submit(self, call: Callable[[], _Value]) -> Future[_Value]:
        """Let the thread make a call after those that wait already, in the caller's name."""
        future: Future[_Value] = Future()
        context = copy_context()

        def answer() -> None:
            try:
                value = context.run(call)
            except BaseException as error:  # noqa: BLE001 - it goes to whoever asks the future
                if not isinstance(error, OmpError):
                    _log.error("%s: a call failed", self._name, exc_info=error)
                future.set_exception(error)
            else:
                future.set_result(value)

        with self._lock:
            if self._ending or self._thread is None:
                self._calls, self._ending = SimpleQueue(), False
                self._thread = threading.Thread(
                    target=_work, args=(self._calls,), name=self._name, daemon=True
                )
                self._thread.start()
            self._calls.put(answer)
        return future

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
