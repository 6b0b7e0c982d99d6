"""What all tests stand on: how property tests run, and an environment that names no project."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# No deadlines, so that a busy machine judges nothing; the same examples each time in CI.
settings.register_profile("relaxed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("judged", settings.get_profile("relaxed"), derandomize=True)
settings.load_profile("judged" if os.environ.get("CI") else "relaxed")


@pytest.fixture(autouse=True)
def _nobody_names_a_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment that the tests are started in names no project of theirs."""
    monkeypatch.delenv("OMP_WORKSPACE", raising=False)
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
