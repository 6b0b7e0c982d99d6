"""How property tests run: the same examples each time where a change is judged."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("judging", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("judging")


@pytest.fixture(autouse=True)
def _nobody_names_a_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment that the tests are started in names no project of theirs."""
    monkeypatch.delenv("OMP_WORKSPACE", raising=False)
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
