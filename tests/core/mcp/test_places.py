"""Whose project: every way in which a client can say where it works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def projects(tmp_path: Path) -> tuple[Path, Path]:
    """Two projects beside each other, each set up under a name of its own."""
    made = []
    for name in ("right", "wrong"):
        folder = tmp_path / name
        (folder / "_omp" / "memory").mkdir(parents=True)
        (folder / "_omp" / "config.yaml").write_text(f"app_id: {name}\n")
        made.append(folder)
    return made[0], made[1]


def used(agent: Any, **arguments: str) -> tuple[str | None, str]:
    told = agent.call("get_user_context", user_id="ana", **arguments)["used"]
    return told["app_id"], told["directory_from"]


def test_the_option_comes_before_the_environment(place: Any, projects: tuple[Path, Path]) -> None:
    right, wrong = projects
    agent = place.agent("--workspace", str(right), OMP_WORKSPACE=str(wrong))
    assert used(agent) == ("right", "--workspace")


@pytest.mark.parametrize("variable", ["OMP_WORKSPACE", "CLAUDE_PROJECT_DIR"])
def test_the_environment_names_it(place: Any, projects: tuple[Path, Path], variable: str) -> None:
    agent = place.agent(**{variable: str(projects[0])})
    assert used(agent) == ("right", variable)


def test_an_argument_holds_for_the_rest_of_the_session(
    place: Any, projects: tuple[Path, Path]
) -> None:
    right, wrong = projects
    agent = place.agent("--workspace", str(wrong))
    assert used(agent, workspace=str(right)) == ("right", "argument")
    assert used(agent) == ("right", "argument")


def test_the_client_s_roots_name_it(place: Any, projects: tuple[Path, Path]) -> None:
    agent = place.agent(roots=(projects[0],), mode="legacy")
    assert used(agent) == ("right", "roots")


def test_the_current_directory_is_last(place: Any, projects: tuple[Path, Path]) -> None:
    place.root = projects[0]
    assert used(place.agent()) == ("right", "directory")


def test_a_directory_that_is_not_there_is_said(place: Any, tmp_path: Path) -> None:
    error = place.agent().fails("get_user_context", workspace=str(tmp_path / "nowhere"))
    assert "nowhere" in str(error)


def test_each_client_over_http_has_a_project_of_its_own(
    place: Any, projects: tuple[Path, Path]
) -> None:
    _process, address = place.http()
    agents = {
        folder.name: place.client(address, **{"Omp-Workspace": str(folder)}) for folder in projects
    }
    for name, agent in agents.items():
        assert used(agent) == (name, "header")
    plain = place.client(address)
    assert used(plain)[1] == "none"
