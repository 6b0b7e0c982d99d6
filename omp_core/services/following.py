"""Letting something follow what writes did."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec

from omp_core.model import Receipt

_Given = ParamSpec("_Given")


def followed(
    call: Callable[_Given, Receipt], after: Callable[[Receipt], None]
) -> Callable[_Given, Receipt]:
    """Return `call` that hands its receipt to `after` before it answers."""

    @functools.wraps(call)
    def run(*args: _Given.args, **kwargs: _Given.kwargs) -> Receipt:
        receipt = call(*args, **kwargs)
        after(receipt)
        return receipt

    return run
