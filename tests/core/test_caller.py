"""Whose project a call is about: the order of what names it, and what is never one."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from omp_core.caller import NOWHERE, Place, caller_place, path_of
from omp_core.errors import UsageError
from omp_core.memory import Memory
from omp_core.project.identity import resolve_identity
from omp_core.project.workspace import find_workspace, init_workspace


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    names = ("argument", "option", "variable", "claude", "root", "current", "home")
    made = {name: tmp_path / name for name in names}
    for directory in made.values():
        directory.mkdir()
    return made


def test_the_first_that_says_something_holds(places: dict[str, Path]) -> None:
    given = {
        "argument": places["argument"],
        "option": places["option"],
        "environment": {
            "OMP_WORKSPACE": str(places["variable"]),
            "CLAUDE_PROJECT_DIR": str(places["claude"]),
        },
        "roots": ["https://example.com/x", places["root"].as_uri()],
        "current": places["current"],
    }
    expected = [
        Place(places["argument"], "argument"),
        Place(places["option"], "--workspace"),
        Place(places["variable"], "OMP_WORKSPACE"),
        Place(places["claude"], "CLAUDE_PROJECT_DIR"),
        Place(places["root"], "roots"),
        Place(places["current"], "directory"),
        NOWHERE,
    ]
    silenced: list[dict[str, Any]] = [
        {},
        {"argument": ""},
        {"option": " "},
        {"environment": {"OMP_WORKSPACE": "", "CLAUDE_PROJECT_DIR": str(places["claude"])}},
        {"environment": {}},
        {"roots": ()},
        {"current": None},
    ]
    for change, place in zip(silenced, expected, strict=True):
        given |= change
        assert caller_place(**given, home=places["home"]) == place  # type: ignore[arg-type]


@pytest.mark.parametrize("named", ["argument", "option"])
def test_root_and_home_are_an_error_where_they_are_named(
    named: str, places: dict[str, Path]
) -> None:
    for directory in (Path("/"), places["home"]):
        with pytest.raises(UsageError, match="never a project"):
            caller_place(**{named: directory}, home=places["home"])  # type: ignore[arg-type]


def test_root_and_home_are_passed_over_elsewhere(places: dict[str, Path]) -> None:
    home = places["home"]
    passed = caller_place(
        environment={"OMP_WORKSPACE": "/", "CLAUDE_PROJECT_DIR": str(home)},
        roots=["file:///", home.as_uri(), str(places["root"])],
        home=home,
    )
    assert passed == Place(places["root"], "roots")
    assert caller_place(current=home, home=home) == NOWHERE
    assert caller_place(current=Path("/"), home=home) == NOWHERE


@pytest.mark.parametrize("missing", ["/no/such/directory", "a\0b"])
def test_a_directory_that_is_not_there_is_a_usage_error(missing: str) -> None:
    with pytest.raises(UsageError, match="there is no directory"):
        caller_place(option=missing)
    with pytest.raises(UsageError, match="OMP_WORKSPACE"):
        caller_place(environment={"OMP_WORKSPACE": missing})
    assert caller_place(roots=[missing]) == NOWHERE


def test_roots_of_other_machines_are_none(tmp_path: Path) -> None:
    spaced = tmp_path / "a b"
    assert path_of(spaced.as_uri()) == spaced
    for strange in ("", "relative", "file://elsewhere/x", "http://h/x", "file:", "file:///a%00b"):
        assert path_of(strange) is None


def test_the_home_directory_is_no_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "_omp").mkdir()
    (tmp_path / "below").mkdir()
    assert find_workspace(tmp_path / "below") is None
    with pytest.raises(UsageError, match="never a project"):
        init_workspace(tmp_path)


def test_the_environment_names_the_project_of_a_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init_workspace(tmp_path / "shop")
    monkeypatch.setenv("OMP_WORKSPACE", str(tmp_path / "shop"))
    with Memory.open(store=tmp_path / "store.db") as memory:
        assert memory.workspace is not None
        assert memory.workspace.root == tmp_path / "shop"
        assert memory.place.source == "OMP_WORKSPACE"


def test_outside_of_any_project_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with Memory.open(store=tmp_path / "store.db") as memory:
        assert memory.scope.app_id is None
        assert memory.workspace is None


def test_worktrees_share_the_project_of_their_repository(tmp_path: Path) -> None:
    main, other = tmp_path / "shop", tmp_path / "elsewhere" / "wt-7"
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"]
    for command in (
        ["init", "-q", str(main)],
        ["-C", str(main), *who, "commit", "-q", "--allow-empty", "-m", "begin"],
        ["-C", str(main), "worktree", "add", "-q", str(other)],
    ):
        subprocess.run(["git", *command], check=True)
    (other / "src").mkdir()
    assert resolve_identity(other / "src").app_id == "shop"
    assert resolve_identity(main).app_id == "shop"
