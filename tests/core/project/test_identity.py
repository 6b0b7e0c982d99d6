"""Who the user is and which project it is, with git, without it, and overridden."""

import getpass
import subprocess
import sys
from pathlib import Path

import pytest

from omp_core.errors import UsageError
from omp_core.project.identity import app_id_of_remote, login_name, resolve_identity
from omp_core.settings import Settings


@pytest.fixture(autouse=True)
def _no_git_settings_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("USER", "login-name")
    monkeypatch.setenv("USERNAME", "login-name")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop-api"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/acme/shop-api.git", "acme_shop-api"),
        ("https://ana@git.example.com:8443/acme/shop-api/", "acme_shop-api"),
        ("git@github.com:acme/shop-api.git", "acme_shop-api"),
        ("ssh://git@git.example.com:2222/acme/team/shop-api.git", "acme_team_shop-api"),
        ("git@host:shop-api", "shop-api"),
        ("GIT@HOST.EXAMPLE:Acme/Shop.git", "Acme_Shop"),
        ("/srv/git/shop-api.git", None),
        ("file:///srv/git/shop-api.git", None),
        ("C:\\repos\\shop", None),
        ("../elsewhere", None),
        ("", None),
    ],
)
def test_app_id_of_a_remote(url: str, expected: str | None) -> None:
    assert app_id_of_remote(url) == expected


def test_git_name_and_remote(repository: Path) -> None:
    git(repository, "config", "user.name", "Ana María O'Neil")
    git(repository, "remote", "add", "origin", "git@github.com:acme/shop-api.git")
    found = resolve_identity(repository)
    assert (found.user_id, found.user_id_from) == ("Ana María O'Neil", "git")
    assert (found.app_id, found.app_id_from) == ("acme_shop-api", "remote")


def test_no_remote_takes_the_top_folder_even_from_below(repository: Path) -> None:
    below = repository / "src"
    below.mkdir()
    found = resolve_identity(below)
    assert (found.user_id, found.user_id_from) == ("login-name", "login")
    assert (found.app_id, found.app_id_from) == ("shop-api", "repository")


def test_no_repository_takes_the_directory(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    found = resolve_identity(folder)
    assert (found.app_id, found.app_id_from) == ("notes", "directory")


def test_no_git_installed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository / "nothing-here"))
    found = resolve_identity(repository)
    assert (found.user_id, found.user_id_from) == ("login-name", "login")
    assert (found.app_id, found.app_id_from) == ("shop-api", "directory")


def test_settings_come_first(repository: Path) -> None:
    git(repository, "config", "user.name", "Ana")
    found = resolve_identity(repository, Settings(user_id="me", app_id="mine"))
    assert (found.user_id, found.user_id_from) == ("me", "settings")
    assert (found.app_id, found.app_id_from) == ("mine", "settings")


def test_windows_takes_its_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("USERNAME", "windows-name")
    assert login_name() == "windows-name"


def test_a_container_without_any_name_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_such_user() -> str:
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.delenv("USER")
    monkeypatch.setattr(getpass, "getuser", no_such_user)
    with pytest.raises(UsageError, match="set user_id in the settings"):
        login_name()
