"""The readmes say what the project asks for and does, in both languages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

DEMO = 'python3 -m venv .venv && .venv/bin/pip install -e ".[offline]" && .venv/bin/omp-tui demo'
TESTS = 'python3 -m venv .venv && .venv/bin/pip install -e ".[offline,test]" && .venv/bin/pytest'


@pytest.fixture(params=["README.md", "README.zh-CN.md"])
def readme(request: pytest.FixtureRequest, repository: Path) -> str:
    return (repository / str(request.param)).read_text("utf-8")


def test_two_commands_do_everything(readme: str) -> None:
    lines = readme.splitlines()
    assert DEMO in lines
    assert TESTS in lines


def test_every_dependency_is_justified(readme: str, repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [*project["dependencies"], *project["optional-dependencies"]["offline"]]
    asked = {Requirement(text).name for text in texts}
    rows = dict(re.findall(r"^\| ([\w.-]+) \| (.+) \|$", readme, re.MULTILINE))
    assert set(rows) == asked
    assert all(rows.values())


def test_exit_codes_are_documented(readme: str) -> None:
    assert re.findall(r"\*\*(\d)\*\*", readme) == ["0", "1", "2", "3"]


def test_commands_that_are_named_exist(readme: str) -> None:
    from omp_core.cli import COMMANDS

    named = set(re.findall(r"`omp-tui ([a-z]+)", readme))
    assert named - {"demo", "snapshot", "dashboard"} <= set(COMMANDS)


def test_links_lead_somewhere(readme: str, repository: Path) -> None:
    links = re.findall(r"\[[^\]]*\]\(([^)]+)\)", readme)
    assert links
    assert [link for link in links if not (repository / link).exists()] == []
