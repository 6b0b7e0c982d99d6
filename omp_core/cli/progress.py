"""How far long work is, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress_bar(label: str, length: int) -> Iterator[Callable[..., None]]:
    """Show on a terminal's standard error how far long work is; elsewhere nothing.

    Call what this gives with how much is done, and how much there is if that has changed.
    """
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, file=sys.stderr, hidden=hidden) as bar:

        def show(done: int, total: int | None = None) -> None:
            if total is not None:
                bar.length = total
            bar.update(done - bar.pos)

        yield show
