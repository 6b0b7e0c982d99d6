from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


@pytest.fixture(scope="module")
def locked(repository: Path) -> dict[str, str]:
    lines = (repository / "requirements.lock").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    return dict(line.split("==") for line in pins)


@pytest.fixture(scope="module")
def wanted(repository: Path) -> list[Requirement]:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    texts = [*project["dependencies"], *extras["offline"], *extras["test"]]
    return [Requirement(text) for text in texts]


def test_lock_pins_what_the_project_asks_for(
    locked: dict[str, str], wanted: list[Requirement]
) -> None:
    for requirement in wanted:
        version = locked.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in requirements.lock"
        assert requirement.specifier.contains(version, prereleases=True), requirement


def test_lock_pins_all_that_comes_with_it_and_nothing_else(
    locked: dict[str, str], wanted: list[Requirement]
) -> None:
    needed = closure(wanted)
    assert needed - set(locked) == set(), "not in requirements.lock"
    assert set(locked) - needed == set(), "in requirements.lock, but nothing needs it"


def closure(requirements: list[Requirement]) -> set[str]:
    """Return the names of these distributions and of all they need here, extras included."""
    seen: set[tuple[str, str]] = set()
    waiting = [(requirement, "") for requirement in requirements]
    while waiting:
        requirement, asked_for = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": asked_for}):
            continue
        name = canonicalize_name(requirement.name)
        for extra in ("", *requirement.extras):
            if (name, extra) not in seen:
                seen.add((name, extra))
                needs = distribution(requirement.name).requires or []
                waiting += [(Requirement(text), extra) for text in needs]
    return {name for name, _ in seen}
