"""What all tests stand on: how property tests run, one loaded model, an environment that names
no project, and file modes that bind the super-user."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from omp_core.embed.protocol import Embedder

# One test process runs on each core: threads of numpy besides would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No deadlines, so that a busy machine judges nothing; the same examples each time in CI.
settings.register_profile(
    "relaxed", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("judged", settings.get_profile("relaxed"), derandomize=True)
settings.load_profile("judged" if os.environ.get("CI") else "relaxed")


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """A failure that shows half a surrogate pair is reported; it would end the whole run, since
    what test processes tell each other is UTF-8."""
    return _utf8((yield))


def _utf8(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_utf8(key): _utf8(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_utf8(one) for one in value)
    return value


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The packaged model, loaded once in a test process, whichever tests it runs."""
    from omp_core.embed import choose_embedder
    from omp_core.settings import EmbedSettings

    return choose_embedder(EmbedSettings(model="offline"))


@pytest.fixture(autouse=True)
def _nobody_names_a_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment that the tests are started in names no project of theirs."""
    monkeypatch.delenv("OMP_WORKSPACE", raising=False)
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)


_VERSION_3 = 0x20080522
_DAC = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: what lets the super-user pass by file modes."""


@pytest.fixture
def bound_by_modes() -> Callable[[], AbstractContextManager[None]]:
    """Let file modes bind this thread, and those it starts, also where tests run as root."""
    return _bound


@contextmanager
def _bound() -> Iterator[None]:
    if os.geteuid() != 0 or not sys.platform.startswith("linux"):
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    held = (ctypes.c_uint32 * 6)()
    _checked(libc.capget(header, held))
    bound = (ctypes.c_uint32 * 6)(held[0] & ~_DAC, *held[1:])
    _checked(libc.capset(header, bound))
    try:
        yield
    finally:
        _checked(libc.capset(header, held))


def _checked(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
