"""One memory for many callers: who acts is said call by call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from omp_core.services.context import Context

_ACTING: ContextVar[str | None] = ContextVar("acting", default=None)


@contextmanager
def acting_as(actor: str) -> Iterator[None]:
    """Let everything that this thread does within be done by `actor`."""
    token = _ACTING.set(actor)
    try:
        yield
    finally:
        _ACTING.reset(token)


class CallersContext(Context):
    """A context whose actor is the caller that the thread works for, else its own."""

    @property
    def actor(self) -> str:
        return _ACTING.get() or self._own_actor

    @actor.setter
    def actor(self, name: str) -> None:
        self._own_actor = name

    @classmethod
    def of(cls, context: Context) -> CallersContext:
        """Return a context with the settings and places of another one, nothing opened."""
        return cls(
            context.settings,
            context.store_path,
            context.workspace,
            context.actor,
            context.clock,
            place=context.place,
        )
