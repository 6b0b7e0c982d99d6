"""One memory for many callers: who acts is said call by call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ACTING: ContextVar[str] = ContextVar("acting", default="system")


@contextmanager
def acting_as(actor: str) -> Iterator[None]:
    """Let everything that this thread does within be done by `actor`."""
    token = _ACTING.set(actor)
    try:
        yield
    finally:
        _ACTING.reset(token)


def current_actor() -> str:
    """Return the caller that the thread works for, `system` where it works for none."""
    return _ACTING.get()
